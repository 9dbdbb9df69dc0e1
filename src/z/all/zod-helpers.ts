/**
 * Functions of zod 3 beside its schemas, and functions and types of zod 4 for which zod 3 has methods.
 *
 * @module
 */
import type { AnyCore } from '../../internal/z/definition.ts'
import type { RefinementContext } from '../../internal/z/issue.ts'
import { typeName } from '../../internal/z/report.ts'
import type { Effect, Nullable, Optional, Schema } from '../../internal/z/schema.ts'
import type { Shape } from '../../internal/z/types.ts'
import type { ZodParsedType } from '../codes.ts'
import type { EnumSchema } from '../enum.ts'
import { type KeyOf, type ObjectWithShape, keyof as smallKeyof } from '../object-functions.ts'
import { nullable, optional } from './effects.ts'
import { number, type Zod3Number } from './number.ts'
import { object, type Zod3Object } from './object.ts'
import { boolean, unknown } from './primitives.ts'
import { string, type Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** `string().optional()`. */
export const ostring = (): Optional<Zod3Schema<Zod3String>> => string().optional()

/** `number().optional()`. */
export const onumber = (): Optional<Zod3Schema<Zod3Number>> => number().optional()

/** `boolean().optional()`. */
export const oboolean = (): Optional<Zod3Schema<Schema<boolean>>> => boolean().optional()

/** `from.pipe(to)`. */
export const pipeline = <From extends Zod3Schema<Schema>, To extends AnyCore>(
  from: From,
  to: To,
): Zod3Schema<Schema<To['_output'], From['_input']>> => from.pipe(to) as never

export { pipeline as pipe }

/** The definition gets the shape when it is first read: derive other schemas in a second statement. */
const makeLate = <T extends Shape>(shape: () => T): Zod3Object<T> => {
  const schema = object<T>({} as T)
  let fields: T | undefined
  const get = (): T => {
    fields ??= byGetters(shape())
    return fields
  }
  Object.defineProperty(schema.def, 'shape', { get, enumerable: true })
  return schema
}

/** The same shape with a getter for each key, because its schema may contain the object. */
const byGetters = <T extends Shape>(shape: T): T => {
  const getters = {}
  for (const key of Object.keys(shape))
    Object.defineProperty(getters, key, { get: () => shape[key], enumerable: true, configurable: true })
  return getters as T
}

/** Schemas that get their parts when they are needed. */
export const late: { readonly object: typeof makeLate } = { object: makeLate }

/**
 * A value as JSON with names that are not quoted.
 *
 * @example
 * quotelessJson({ a: 1 }) // '{\n  a: 1\n}'
 */
export const quotelessJson = (value: unknown): string => JSON.stringify(value, null, 2).replace(/"([^"]+)":/g, '$1:')

/** The name that issues have for the type of a value. */
export const getParsedType = (value: unknown): ZodParsedType => typeName(value) as ZodParsedType

/** `schema.nullish()`. */
export const nullish = <T extends AnyCore>(schema: T): Zod3Schema<Optional<Zod3Schema<Nullable<T>>>> =>
  optional(nullable(schema))

/** `schema.keyof()`. */
export const keyof = <T extends ObjectWithShape>(schema: T): Zod3Schema<EnumSchema<KeyOf<T>[]>> =>
  toZod3(smallKeyof(schema))

/** `unknown().transform(change)`, with the type that the function takes as the input. */
export const transform = <In, Out>(
  change: (value: In, context: RefinementContext) => Out | Promise<Out>,
): Zod3Schema<Effect<Schema<In>, Out>> => unknown().transform(change as never) as never
