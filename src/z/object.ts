import { derive } from './core.ts'
import type { Definition, Use } from './definition.ts'
import { type EnumSchema, oneOf } from './enum.ts'
import { type Message, messageOf, type Params } from './issue.ts'
import { makeRest, type Rest } from './object-rest.ts'
import { makeObject } from './object-run.ts'
import type {
  DeepPartial,
  Extended,
  InputOfShape,
  KeyNames,
  Mask,
  OutputOfShape,
  Partially,
  Requiredly,
  Shape,
  UnknownKeys,
} from './object-types.ts'
import { type AnySchema, Schema } from './schema.ts'

export interface ObjectDefinition<T extends Shape = Shape> extends Definition {
  readonly shape: T
  readonly unknownKeys: UnknownKeys
  readonly catchall?: AnySchema | undefined
  /** What handles further keys; given with the first method that asks for it. */
  readonly makeRest?: ((def: ObjectDefinition, use: Use) => Rest) | undefined
  /** Message for keys that `strict` refuses. */
  readonly strictMessage?: string | undefined
}

/** Of `object()`. */
export class ObjectSchema<
  T extends Shape,
  Unknown extends UnknownKeys = 'strip',
  Catchall extends AnySchema | undefined = undefined,
> extends Schema<OutputOfShape<T, Unknown, Catchall>, InputOfShape<T, Unknown, Catchall>> {
  declare readonly def: ObjectDefinition<T>

  /** The schemas of the keys. */
  get shape(): T {
    return this.def.shape
  }

  /** Refuse keys that the shape does not have. */
  strict(message?: Message): ObjectSchema<T, 'strict', Catchall> {
    const words = message === undefined ? {} : { strictMessage: messageOf(message) }
    return derive(this as never, { unknownKeys: 'strict', makeRest, ...words })
  }

  /** Leave keys out that the shape does not have: as it is from the start. */
  strip(): ObjectSchema<T, 'strip', Catchall> {
    return derive(this as never, { unknownKeys: 'strip' })
  }

  /** Keep keys that the shape does not have, unseen. */
  passthrough(): ObjectSchema<T, 'passthrough', Catchall> {
    return derive(this as never, { unknownKeys: 'passthrough', makeRest })
  }

  /** Keep keys that the shape does not have when `schema` accepts their values; `never()` takes it back. */
  catchall<Rest extends AnySchema>(schema: Rest): ObjectSchema<T, Unknown, Rest> {
    return derive(this as never, { catchall: schema.def.type === 'never' ? undefined : schema, makeRest })
  }

  /** With more keys; a key that is there already is replaced. */
  extend<More extends Shape>(shape: More): ObjectSchema<Extended<T, More>, Unknown, Catchall> {
    return reshape(this, { ...this.shape, ...shape })
  }

  /** With the keys of another object schema, and its treatment of further keys. */
  merge<More extends Shape, U extends UnknownKeys, C extends AnySchema | undefined>(
    other: ObjectSchema<More, U, C>,
  ): ObjectSchema<Extended<T, More>, U, C> {
    return derive(other as never, {
      shape: { ...this.shape, ...other.shape },
      params: undefined,
      description: undefined,
    })
  }

  /** Only these keys: `{ name: true }`. */
  pick<M extends Mask<T>>(mask: M): ObjectSchema<Pick<T, Extract<keyof T, keyof M>>, Unknown, Catchall> {
    return reshape(
      this,
      select(mask, (_, key) => mask[key] === true && Object.hasOwn(this.shape, key) && this.shape[key]),
    )
  }

  /** All but these keys. */
  omit<M extends Mask<T>>(mask: M): ObjectSchema<Omit<T, keyof M>, Unknown, Catchall> {
    return reshape(
      this,
      select(this.shape, (field, key) => mask[key] !== true && field),
    )
  }

  /** All keys, or those of the mask, may be missing. */
  partial(): ObjectSchema<Partially<T>, Unknown, Catchall>
  partial<M extends Mask<T>>(mask: M): ObjectSchema<Partially<T, keyof M>, Unknown, Catchall>
  partial(mask?: Mask<T>): never {
    return remake(this, (schema) => schema.optional(), mask)
  }

  /** No key, or none of the mask, may be missing. */
  required(): ObjectSchema<Requiredly<T>, Unknown, Catchall>
  required<M extends Mask<T>>(mask: M): ObjectSchema<Requiredly<T, keyof M>, Unknown, Catchall>
  required(mask?: Mask<T>): never {
    return remake(this, present, mask)
  }

  /** A schema of the names of the keys. */
  keyof(): EnumSchema<KeyNames<T>> {
    return oneOf(Object.keys(this.shape)) as never
  }

  /** Every key may be missing, in objects inside of objects, arrays and tuples too. */
  deepPartial(): DeepPartial<this> {
    return deepen(this) as never
  }
}

/** The same schema with another shape. */
const reshape = (schema: AnySchema, shape: object): never => derive(schema, { shape }) as never

interface Parts {
  shape?: Shape
  items?: readonly AnySchema[]
  inner?: AnySchema
}

/** Told apart by their kind, so that no other schema is loaded for it. */
const deepen = (schema: AnySchema): AnySchema => {
  const { shape, items, inner } = schema.def as Parts
  if (shape) return remake(schema, (field) => deepen(field).optional())
  if (items) return derive(schema, { items: items.map(deepen), rest: undefined })
  return inner && /^(optional|nullable|array)$/.test(schema.def.type)
    ? derive(schema, { inner: deepen(inner) })
    : schema
}

/** The same schema with its fields changed, or those of the mask. */
const remake = (
  schema: AnySchema,
  change: (field: AnySchema) => AnySchema,
  mask?: { readonly [key: string]: unknown },
): never =>
  reshape(
    schema,
    select((schema.def as Parts).shape!, (field, key) => (!mask || mask[key] === true ? change(field) : field)),
  )

/** Without the `optional()` around it. */
const present = (schema: AnySchema): AnySchema =>
  schema.def.type === 'optional' ? present((schema.def as unknown as { inner: AnySchema }).inner) : schema

/** The fields that `change` gives back. Own keys in, own keys out: a key named `__proto__` stays an ordinary one. */
const select = (shape: object, change: (field: AnySchema, key: string) => AnySchema | false | undefined): object =>
  Object.fromEntries(
    Object.entries(shape)
      .map(([key, field]) => [key, change(field, key)] as const)
      .filter(([, field]) => field),
  )

/**
 * Accept objects with these keys; others are left out of the output.
 *
 * Reports `invalid_type` and, when `strict`, `unrecognized_keys`.
 *
 * @example
 * object({ name: string(), age: number().optional() }).parse({ name: 'Ada', more: 1 }) // { name: 'Ada' }
 */
export const object = <T extends Shape>(shape: T, params?: Params): ObjectSchema<T> =>
  new ObjectSchema({ type: 'object', shape, unknownKeys: 'strip', params } as Definition, makeObject)

/**
 * `object(shape).strict()`.
 *
 * @example
 * strictObject({ name: string() }).safeParse({ name: 'Ada', more: 1 }).success // false
 */
export const strictObject = <T extends Shape>(shape: T, params?: Params): ObjectSchema<T, 'strict'> =>
  object(shape, params).strict()
