import { checkOption } from '../options/check.ts'

/** The names that `named` has set, by schema. */
const nameBySchema: WeakMap<object, string> = /* @__PURE__ */ new WeakMap()

/** Letters, digits, `.`, `-` and `_`: the characters of a key of `components` (OpenAPI 3.1 §4.8.7). */
const NAME = /^[\w.-]+$/

/** The name of a schema, if it has one. */
export const nameOf = (schema: object): string | undefined => nameBySchema.get(schema)

/** Give a schema its name. @throws {TypeError} for an invalid name, and for a second name. */
export const setName = (name: string, schema: object): void => {
  checkOption(NAME.test(name), 'named: name', 'letters, digits, ".", "-" or "_"', name)
  const current = nameBySchema.get(schema)
  checkOption(!current || current === name, 'named: name', `the name ${current}, which this schema has`, name)
  nameBySchema.set(schema, name)
}
