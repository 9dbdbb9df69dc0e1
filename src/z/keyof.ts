import type { Shape } from '../internal/z/types.ts'
import { type EnumSchema, oneOf } from './enum.ts'
import type { ObjectSchema } from './object.ts'

/**
 * A schema of the names of an object's keys.
 *
 * @example
 * keyof(object({ name: string() })).options // ['name']
 */
// any: an object schema of every kind has to fit.
export const keyof = <T extends Shape>(schema: ObjectSchema<T, any, any>): EnumSchema<Extract<keyof T, string>[]> =>
  oneOf(Object.keys(schema.shape)) as never
