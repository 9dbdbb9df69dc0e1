import type { Definition } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { makeObject, makeRest } from '../internal/z/object-run.ts'
import type { Shape } from '../internal/z/types.ts'
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
