import { derive } from '../../internal/z/core.ts'
import type { AnyCore } from '../../internal/z/definition.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import { makeRest } from '../../internal/z/object-rest.ts'
import { makeObject } from '../../internal/z/object-run.ts'
import type { UnknownKeys } from '../../internal/z/object-types.ts'
import type { Shape } from '../../internal/z/types.ts'
import { type DeepPartial, deepPartial } from '../deep-partial.ts'
import type { EnumSchema } from '../enum.ts'
import { keyof } from '../keyof.ts'
import { ObjectSchema } from '../object.ts'
import type { More, Whole } from './more.ts'
import { create, whole } from './whole.ts'

/** What `object()` of `sluice/z` returns: every method of zod 3. */
export type WholeObject<
  T extends Shape,
  Unknown extends UnknownKeys = 'strip',
  Catchall extends AnyCore | undefined = undefined,
> = ObjectSchema<T, Unknown, Catchall> & ObjectMore

/** The methods of objects that `sluice/z` adds to those of `sluice/z/object`. */
export interface ObjectMore extends More {
  readonly '~object': ObjectMore
  /** The old name of `passthrough`. */
  nonstrict(): this extends ObjectSchema<infer S, infer _U, infer C> ? WholeObject<S, 'passthrough', C> : never
  /** Keep keys that the shape does not have when `schema` accepts their values; `never()` takes it back. */
  catchall<Rest extends AnyCore>(schema: Rest): Caught<this, Rest>
  /** The other name of `extend`. */
  augment: this extends { extend: infer Extend } ? Extend : never
  /** With one key more. */
  setKey<Key extends string, Field extends AnyCore>(
    key: Key,
    field: Field,
  ): this extends ObjectSchema<infer T, infer U, infer C>
    ? WholeObject<Omit<T, Key> & { [K in Key]: Field }, U, C>
    : never
  /** A schema of the names of the keys. */
  keyof(): this extends ObjectSchema<infer T, infer _U, infer _C>
    ? Whole<EnumSchema<Extract<keyof T, string>[]>>
    : never
  /** Every key may be missing, in objects inside of objects, arrays and tuples too. */
  deepPartial(): DeepPartial<Extract<this, AnyCore>>
}

type Caught<T, Rest extends AnyCore> =
  T extends ObjectSchema<infer S, infer U, infer _C> ? WholeObject<S, U, Rest> : never

// any: the types are those of ObjectMore.
class ObjectOfAll extends ObjectSchema<any, any, any> {
  nonstrict(): unknown {
    return this.passthrough()
  }

  catchall(schema: AnyCore): this {
    return derive(this, { ...this.def, catchall: schema.def.type === 'never' ? undefined : schema, makeRest })
  }

  augment(shape: Shape): unknown {
    return this.extend(shape)
  }

  setKey(key: string, field: AnyCore): unknown {
    return this.extend({ [key]: field })
  }

  keyof(): unknown {
    return whole(keyof(this))
  }

  deepPartial(): unknown {
    return deepPartial(this)
  }
}

/**
 * Accept objects with these keys; others are left out of the output. A getter in the shape may return the schema itself.
 *
 * Reports `invalid_type` and, when `strict`, `unrecognized_keys`.
 *
 * @example
 * object({ name: string(), age: number().optional() }).strict().safeParse({ name: 'Ada', more: 1 }).success // false
 */
export const object = <T extends Shape>(shape: T, params?: ErrorParams): WholeObject<T> =>
  objectOf(shape, params) as never

const objectOf = (shape: Shape, params?: ErrorParams): unknown =>
  create(ObjectOfAll, { type: 'object', shape, unknownKeys: 'strip', params }, makeObject)

/**
 * `object(shape).strict()`.
 *
 * @example
 * strictObject({ name: string() }).safeParse({ name: 'Ada', more: 1 }).success // false
 */
export const strictObject = <T extends Shape>(shape: T, params?: ErrorParams): WholeObject<T, 'strict'> =>
  object(shape, params).strict() as never

/**
 * `object(shape).passthrough()`.
 *
 * @example
 * looseObject({ name: string() }).parse({ name: 'Ada', more: 1 }) // { name: 'Ada', more: 1 }
 */
export const looseObject = <T extends Shape>(shape: T, params?: ErrorParams): WholeObject<T, 'passthrough'> =>
  object(shape, params).passthrough() as never
