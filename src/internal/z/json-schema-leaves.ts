import { wordsPattern } from './json-schema-checks.ts'
import type { DescribedDefinition, JsonSchema, State } from './json-schema-types.ts'
import { isJson, nullSchema } from './json-schema-values.ts'

export const words = (def: DescribedDefinition): JsonSchema => {
  const options = [...(def.words as Map<string, boolean>).keys()]
  return def.sensitive ? { type: 'string', enum: options } : { type: 'string', pattern: wordsPattern(options) }
}

export const describeUnknown = (type: string, state: State): JsonSchema => {
  if (state.unrepresentable === 'any') return {}
  throw new TypeError(`toJsonSchema: JSON Schema cannot express ${type}()${placeText(state)}`)
}

export const oneOf = (values: readonly unknown[], state: State): JsonSchema => {
  if (!values.every(isJson)) return describeUnknown('literal', state)
  if (!values.length) return { not: {} }
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  const type = types.length > 1 ? types : types[0]
  if (state.target !== 'openapi-3.0') return { type, enum: values }
  // OpenAPI 3.0 has no lists of types, and no type for null
  if (type === 'null') return nullSchema(state)
  return { ...(types.length === 1 && { type }), enum: values }
}

export const constantSchema = (value: unknown, state: State): JsonSchema => {
  if (value === null) return nullSchema(state)
  const type = typeof value
  if (!isJson(value)) return describeUnknown(`literal(${type})`, state)
  return { type, ...(state.target === 'openapi-3.0' ? { enum: [value] } : { const: value }) }
}

/** Every alternative requires the key by which it is chosen, even if the key has a default. */
export const discriminated = (
  { discriminator, optionsMap }: DescribedDefinition,
  oneOf: readonly JsonSchema[],
): JsonSchema => {
  const isAsked = ({ required }: JsonSchema): boolean =>
    (required as unknown[] | undefined)?.includes(discriminator) ?? false
  if (!optionsMap || (optionsMap as Map<unknown, unknown>).has(undefined) || oneOf.every(isAsked)) return { oneOf }
  return { type: 'object', required: [discriminator], oneOf }
}

/** The place in the schema, for messages: ` at "user.born"`. */
export const placeText = ({ path }: State): string => (path.length ? ` at "${path.join('.')}"` : '')
