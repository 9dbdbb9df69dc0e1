import { construct } from '../internal/z/core.ts'
import type { AnyCore, Definition, Make } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { makeCatchall, makeObject, makeRest, type WithRest } from '../internal/z/object-run.ts'
import type { UnknownKeys } from '../internal/z/object-types.ts'
import type { Shape } from '../internal/z/types.ts'
import { type EnumSchema, oneOf } from './enum.ts'
import { ObjectSchema } from './object.ts'

/**
 * Accept objects with these keys and no others. Reports `invalid_type` and `unrecognized_keys`.
 *
 * @example
 * strictObject({ name: string() }).safeParse({ name: 'Ada', more: 1 }).success // false
 */
export const strictObject = <T extends Shape>(shape: T, params?: Params): ObjectSchema<T, 'strict'> =>
  new ObjectSchema({ type: 'object', shape, unknownKeys: 'strict', makeRest, params } as Definition, makeObject)

/**
 * Accept objects with these keys, and keep other keys as they are. Reports `invalid_type`.
 *
 * @example
 * looseObject({ name: string() }).parse({ name: 'Ada', more: 1 }) // { name: 'Ada', more: 1 }
 */
export const looseObject = <T extends Shape>(shape: T, params?: Params): ObjectSchema<T, 'passthrough'> =>
  new ObjectSchema({ type: 'object', shape, unknownKeys: 'passthrough', makeRest, params } as Definition, makeObject)

/**
 * The same object schema, which keeps keys that its shape does not have if `rest` accepts their values.
 *
 * @example
 * catchall(object({ name: string() }), number()).parse({ name: 'Ada', age: 36 }) // { name: 'Ada', age: 36 }
 */
export const catchall = <T extends Shape, Unknown extends UnknownKeys, Rest extends AnyCore>(
  schema: ObjectSchema<T, Unknown>,
  rest: Rest,
): ObjectSchema<T, Unknown, Rest> => construct(schema.constructor, { ...schema.def, catchall: rest }, makeOpen)

const makeOpen: Make = (def: WithRest, use) => makeObject({ ...def, makeRest: makeCatchall }, use)

/** An object schema of any door. */
export interface ObjectWithShape {
  readonly def: { readonly shape: Shape }
}

/** The names of its keys. The definition of a schema with methods does not have their types, its `shape` does. */
export type KeyOf<T extends ObjectWithShape> = Extract<
  keyof (T extends { readonly shape: infer Fields } ? Fields : T['def']['shape']),
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
