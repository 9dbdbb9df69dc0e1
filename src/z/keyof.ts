import type { Shape } from '../internal/z/types.ts'
import { type EnumSchema, oneOf } from './enum.ts'

/** An object schema of any door. */
export interface ObjectWithShape {
  readonly def: { readonly shape: Shape }
}

/** The names of its keys. In a schema with a chain, the definition alone does not have their types. */
export type KeyOf<T extends ObjectWithShape> = Extract<
  keyof (T extends { readonly shape: infer Known } ? Known : T['def']['shape']),
  string
>

/**
 * A schema of the names of an object's keys.
 *
 * @example
 * keyof(object({ name: string() })).options // ['name']
 */
export const keyof = <T extends ObjectWithShape>(schema: T): EnumSchema<KeyOf<T>[]> =>
  oneOf(Object.keys(schema.def.shape)) as never
