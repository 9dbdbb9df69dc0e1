import type { AnyCore } from './definition.ts'
import type { Context, JsonSchema } from './json-schema-types.ts'

/** True if a value is the same after `JSON.stringify` and `JSON.parse`. */
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

/** A schema that accepts `null` and everything that `inner` accepts. */
export const orNothing = (inner: JsonSchema, context: Context): JsonSchema =>
  // OpenAPI 3.0 writes `nullable` next to a `type`; a schema without a type, or with an `enum`, gets an alternative.
  context.target === 'openapi-3.0' && 'type' in inner && !('enum' in inner)
    ? { ...inner, nullable: true }
    : { anyOf: [inner, nullSchema(context)] }

/** The key under which definitions are kept. */
export const placeOf = ({ target }: Context): string => (target === 'draft-2020-12' ? '$defs' : 'definitions')

/** Options of a union without those that only accept `undefined`, which JSON does not have. */
export const withoutUndefined = (options: readonly AnyCore[]): readonly AnyCore[] => {
  const others = options.filter(({ def }) => !/^(undefined|void)$/.test(def.type))
  return others.length ? others : options
}

/** Values without `undefined`. */
export const defined = (values: readonly unknown[]): readonly unknown[] => values.filter((value) => value !== undefined)
