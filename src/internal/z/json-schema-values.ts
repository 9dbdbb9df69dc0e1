import type { AnyCore, Meta } from './definition.ts'
import { wordsPattern } from './json-schema-checks.ts'
import type { Context, DescribedDefinition, JsonSchema, State } from './json-schema-types.ts'

/** The keywords of JSON Schema that `meta` may set or replace. */
const KEYWORDS =
  /^(x-.*|title|description|examples|deprecated|readOnly|writeOnly|default|type|format|pattern|enum|const|not|(all|any|one)Of|\$(comment|ref)|content\w+|(exclusive)?(Min|Max|min|max)imum|multipleOf|(min|max)(Length|Items|Properties)|uniqueItems|items|properties|required|additionalProperties)$/

/** The keywords that OpenAPI adds. */
const OPENAPI = /^(example|externalDocs|xml|discriminator|nullable)$/

/** The fields of `meta` that are keywords: readers of JSON Schema may refuse others, and `id` means something else. */
export const keywordsOf = (meta: Meta | undefined, { target, document }: Context): JsonSchema => {
  const isOpenapi = target === 'openapi-3.0' || document !== undefined
  const isKeyword = (name: string): boolean => KEYWORDS.test(name) || (isOpenapi && OPENAPI.test(name))
  return Object.fromEntries(Object.entries(meta ?? {}).filter(([name]) => isKeyword(name)))
}

/** Whether a value is the same after `JSON.stringify` and `JSON.parse`. */
export const isJson = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (Array.isArray(value)) return value.every(isJson)
  const isRecord = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  return isRecord && Object.values(value as object).every(isJson)
}

/** A schema that accepts `null` alone. OpenAPI 3.0 has no type for it. */
export const nullSchema = ({ target }: Context): JsonSchema =>
  target === 'openapi-3.0' ? { type: 'string', nullable: true, enum: [null] } : { type: 'null' }

/** OpenAPI 3.0 has `nullable` next to a `type`. A schema without a type, or with an `enum`, gets an alternative. */
export const nullableSchema = (inner: JsonSchema, context: Context): JsonSchema =>
  context.target === 'openapi-3.0' && 'type' in inner && !('enum' in inner)
    ? { ...inner, nullable: true }
    : { anyOf: [inner, nullSchema(context)] }

export const wordsSchema = (def: DescribedDefinition): JsonSchema => {
  const options = [...def.words!.keys()]
  return def.sensitive ? { type: 'string', enum: options } : { type: 'string', pattern: wordsPattern(options) }
}

/** JSON has no `undefined`, so the value is left out. */
export const enumSchema = (allValues: readonly unknown[], state: State): JsonSchema => {
  const values = allValues.filter((value) => value !== undefined)
  if (!values.every(isJson)) return unknownSchema('literal', state)
  if (!values.length) return { not: {} }
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  const type = types.length > 1 ? types : types[0]
  if (state.target !== 'openapi-3.0') return { type, enum: values }
  // OpenAPI 3.0 has no lists of types, and no type for null
  if (type === 'null') return nullSchema(state)
  return { ...(types.length === 1 && { type }), enum: values }
}

export const literalSchema = (value: unknown, state: State): JsonSchema => {
  if (value === null) return nullSchema(state)
  const type = typeof value
  if (!isJson(value)) return unknownSchema(`literal(${type})`, state)
  return { type, ...(state.target === 'openapi-3.0' ? { enum: [value] } : { const: value }) }
}

/** JSON has no `undefined`, so the options that accept nothing else are left out. */
export const unionOptions = (options: readonly AnyCore[]): readonly AnyCore[] => {
  const others = options.filter(({ def }) => !/^(undefined|void)$/.test(def.type))
  return others.length ? others : options
}

/** Every alternative requires the key by which it is chosen, even if the key has a default. */
export const discriminatedSchema = (
  { discriminator, optionsMap }: DescribedDefinition,
  oneOf: readonly JsonSchema[],
): JsonSchema => {
  const requiresKey = ({ required }: JsonSchema): boolean =>
    (required as unknown[] | undefined)?.includes(discriminator) ?? false
  if (!optionsMap || optionsMap.has(undefined) || oneOf.every(requiresKey)) return { oneOf }
  return { type: 'object', required: [discriminator], oneOf }
}

/** The key under which definitions are kept. */
export const definitionsKey = ({ target }: Context): string => (target === 'draft-2020-12' ? '$defs' : 'definitions')

export const unknownSchema = (type: string, state: State): JsonSchema => {
  if (state.unrepresentable === 'any') return {}
  throw new TypeError(`toJsonSchema: JSON Schema cannot express ${type}()${placeText(state)}`)
}

/** The place in the schema, for messages: ` at "user.born"`. */
export const placeText = ({ path }: State): string => (path.length ? ` at "${path.join('.')}"` : '')
