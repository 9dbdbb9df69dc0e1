import { nameBySchema } from '../internal/openapi/names.ts'
import { checkOption } from '../internal/options/check.ts'
import { isSchema } from '../internal/schema/check-value.ts'
import type { AnySchema } from '../internal/types/any-schema.ts'

/**
 * Give a schema a name in documents: it is in `components.schemas` once, and every use refers to it.
 *
 * Returns the same schema. A schema that is made from it, such as `User.partial()`, has no name.
 *
 * @throws {TypeError} for a name with other characters than letters, digits, `.`, `-` and `_`, and for a schema that
 * has another name.
 * @example
 * const User = named('User', object({ name: string() }))
 */
export const named = <S extends AnySchema>(name: string, schema: S): S => {
  checkOption(isSchema(schema), 'named: schema', 'a schema', schema)
  // The characters of a key of `components` (OpenAPI 3.1 §4.8.7)
  checkOption(/^[\w.-]+$/.test(name), 'named: name', 'letters, digits, ".", "-" or "_"', name)
  const current = nameBySchema.get(schema)
  checkOption(!current || current === name, 'named: name', `the name ${current}, which this schema has`, name)
  nameBySchema.set(schema, name)
  return schema
}
