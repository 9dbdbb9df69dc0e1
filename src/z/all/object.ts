import { derive } from '../../internal/z/core.ts'
import { deepen } from '../../internal/z/deepen.ts'
import type { AnyCore } from '../../internal/z/definition.ts'
import { type ErrorParams, type Message, messageOf } from '../../internal/z/issue.ts'
import type {
  ExtendedShape,
  Mask,
  ObjectParts,
  PartiallyAt,
  PartialShape,
  RequiredlyAt,
  RequiredShape,
  UnknownKeys,
} from '../../internal/z/object-types.ts'
import type { Nullable, Optional, Wrapper } from '../../internal/z/schema.ts'
import type { Shape } from '../../internal/z/types.ts'
import type { ArraySchema } from '../array.ts'
import type { EnumSchema } from '../enum.ts'
import { ObjectSchema } from '../object.ts'
import { keyof } from '../object-functions.ts'
import type { TupleItems, TupleSchema } from '../tuple.ts'
import { lateShape, makeLate } from './late-shape.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { create, toZod3 } from './zod3-schema.ts'

/** The schema that `object()` of `sluice/zod3` returns, with every method of zod 3. */
export interface Zod3Object<
  /** @ts-expect-error covariant, see ObjectSchema */
  out T extends Shape,
  out Unknown extends UnknownKeys = 'strip',
  out Catchall extends AnyCore | undefined = undefined,
> extends Zod3Schema<ObjectSchema<T, Unknown, Catchall>> {
  readonly '~object': 'whole'
  extend<Added extends Shape>(shape: Added): Zod3Object<ExtendedShape<T, Added>, Unknown, Catchall>
  /** The other name of `extend`. */
  augment<Added extends Shape>(shape: Added): Zod3Object<ExtendedShape<T, Added>, Unknown, Catchall>
  merge<Added extends Shape, U extends UnknownKeys, C extends AnyCore | undefined>(
    other: ObjectParts<Added, U, C>,
  ): Zod3Object<ExtendedShape<T, Added>, U, C>
  strict(message?: Message): Zod3Object<T, 'strict', Catchall>
  strip(): Zod3Object<T, 'strip', Catchall>
  passthrough(): Zod3Object<T, 'passthrough', Catchall>
  /** The old name of `passthrough`. */
  nonstrict(): Zod3Object<T, 'passthrough', Catchall>
  pick<M extends Mask<T>>(mask: M): Zod3Object<Pick<T, Extract<keyof T, keyof M>>, Unknown, Catchall>
  omit<M extends Mask<T>>(mask: M): Zod3Object<Omit<T, keyof M>, Unknown, Catchall>
  partial(): Zod3Object<PartialShape<T>, Unknown, Catchall>
  partial<M extends Mask<T>>(mask: M): Zod3Object<PartiallyAt<T, keyof M>, Unknown, Catchall>
  required(): Zod3Object<RequiredShape<T>, Unknown, Catchall>
  required<M extends Mask<T>>(mask: M): Zod3Object<RequiredlyAt<T, keyof M>, Unknown, Catchall>
  /** Keep keys that the shape does not have if `schema` accepts their values; `never()` undoes it. */
  catchall<Rest extends AnyCore>(schema: Rest): Zod3Object<T, Unknown, Rest>
  /** Add one key. */
  setKey<Key extends string, Field extends AnyCore>(
    key: Key,
    field: Field,
  ): Zod3Object<Omit<T, Key> & { [K in Key]: Field }, Unknown, Catchall>
  /** A schema of the names of the keys. */
  keyof(): Zod3Schema<EnumSchema<Extract<keyof T, string>[]>>
  /** Make every key optional, in objects inside objects, arrays and tuples too. */
  deepPartial(): DeepPartial<this>
}

/** The schema with every key of every object optional. */
export type DeepPartial<T extends AnyCore> =
  T extends ObjectParts<infer S, infer U, infer C>
    ? T extends { readonly '~object': 'whole' }
      ? Zod3Object<{ [Key in keyof S]: Optional<DeepPartial<S[Key]>> }, U, C>
      : ObjectSchema<{ [Key in keyof S]: Optional<DeepPartial<S[Key]>> }, U, C>
    : T extends ArraySchema<infer Item, infer Card>
      ? T['~more'] & ArraySchema<DeepPartial<Item>, Card>
      : T extends Wrapper<infer Inner, 'optional', infer _Out, infer _In>
        ? Optional<DeepPartial<Inner>>
        : T extends Wrapper<infer Inner, 'nullable', infer _Out, infer _In>
          ? Nullable<DeepPartial<Inner>>
          : T extends TupleSchema<infer Items, infer _Rest>
            ? { [Index in keyof Items]: DeepPartial<Items[Index]> } extends infer Deep extends TupleItems
              ? T['~more'] & TupleSchema<Deep>
              : never
            : T

// any: the types are those of Zod3Object
class ObjectOfAll extends ObjectSchema<any, any, any> {
  override get shape(): Shape {
    return lateShape(this.def.shape)
  }

  override strict(message?: Message): ObjectSchema<any, 'strict', any> {
    const schema = super.strict()
    return message ? derive(schema, { ...schema.def, strictMessage: messageOf(message) }) : schema
  }

  nonstrict(): unknown {
    return this.passthrough()
  }

  catchall(schema: AnyCore): this {
    return derive(this, { ...this.def, catchall: schema.def.type === 'never' ? undefined : schema })
  }

  augment(shape: Shape): unknown {
    return this.extend(shape)
  }

  setKey(key: string, field: AnyCore): unknown {
    return this.extend({ [key]: field })
  }

  keyof(): unknown {
    return toZod3(keyof(this))
  }

  deepPartial(): unknown {
    return deepen(this)
  }
}

/**
 * Accept objects with these keys; others are left out of the output. A getter in the shape may return the schema
 * itself. Reports `invalid_type` and, when `strict`, `unrecognized_keys`.
 */
export const object = <T extends Shape>(shape: T, params?: ErrorParams): Zod3Object<T> =>
  create(ObjectOfAll, { type: 'object', shape, unknownKeys: 'strip', params }, makeLate)

/** `object(shape).strict()`. */
export const strictObject = <T extends Shape>(shape: T, params?: ErrorParams): Zod3Object<T, 'strict'> =>
  object(shape, params).strict()

/** `object(shape).passthrough()`. */
export const looseObject = <T extends Shape>(shape: T, params?: ErrorParams): Zod3Object<T, 'passthrough'> =>
  object(shape, params).passthrough()
