import { DEV } from '#mode'
import { checkOption } from '../internal/options/check.ts'
import { derive } from '../internal/z/core.ts'
import type { AnyCore, Definition } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { makeObject, makeRest, type WithRest } from '../internal/z/object-run.ts'
import type {
  ExtendedShape,
  InputOfShape,
  Mask,
  ObjectParts,
  OutputOfShape,
  PartiallyAt,
  PartialShape,
  RequiredlyAt,
  RequiredShape,
  UnknownKeys,
} from '../internal/z/object-types.ts'
import { BARE, Schema, wrap } from '../internal/z/schema.ts'
import type { Shape } from '../internal/z/types.ts'
import { makeOptional } from '../internal/z/wrap-runs.ts'

/** The schema that `object()` returns. */
export class ObjectSchema<
  /** @ts-expect-error covariant: more keys, or narrower schemas, make a narrower output. The compiler cannot see it. */
  out T extends Shape,
  out Unknown extends UnknownKeys = 'strip',
  out Catchall extends AnyCore | undefined = undefined,
> extends Schema<OutputOfShape<T, Unknown, Catchall>, InputOfShape<T, Unknown, Catchall>> {
  declare readonly def: WithRest & { readonly shape: T }
  /** The door of the schema; only a type. */
  declare readonly '~object': unknown
  /** The treatment of further keys; only a type. */
  declare readonly '~keys': Unknown
  /** The schema of further keys; only a type. */
  declare readonly '~catchall': Catchall

  /** The schemas of the keys. */
  get shape(): T {
    return this.def.shape
  }

  /** Add keys; a key that exists already is replaced. */
  extend<More extends Shape>(shape: More): ObjectSchema<ExtendedShape<T, More>, Unknown, Catchall> {
    return derive(this, { ...this.def, shape: { ...this.shape, ...shape } }) as never
  }

  /** Add the keys of another object schema, and take its treatment of further keys. */
  merge<More extends Shape, U extends UnknownKeys, C extends AnyCore | undefined>(
    other: ObjectParts<More, U, C>,
  ): ObjectSchema<ExtendedShape<T, More>, U, C> {
    return derive(other, { ...other.def, shape: { ...this.shape, ...other.shape }, ...BARE }) as never
  }

  /** Refuse keys that the shape does not have. */
  strict(): ObjectSchema<T, 'strict', Catchall> {
    return withUnknownKeys(this, 'strict')
  }

  /** Leave out keys that the shape does not have: the default. */
  strip(): ObjectSchema<T, 'strip', Catchall> {
    return withUnknownKeys(this, 'strip')
  }

  /** Keep keys that the shape does not have, without checks. */
  passthrough(): ObjectSchema<T, 'passthrough', Catchall> {
    return withUnknownKeys(this, 'passthrough')
  }

  /** Keep only these keys: `{ name: true }`. */
  pick<M extends Mask<T>>(mask: M): ObjectSchema<Pick<T, Extract<keyof T, keyof M>>, Unknown, Catchall> {
    return withShape(this, mask, (_, key) => mask[key] === true && Object.hasOwn(this.shape, key) && this.shape[key])
  }

  /** Keep all but these keys. */
  omit<M extends Mask<T>>(mask: M): ObjectSchema<Omit<T, keyof M>, Unknown, Catchall> {
    return withShape(this, this.shape, (field, key) => mask[key] !== true && field)
  }

  /** Make all keys, or those of the mask, optional. */
  partial(): ObjectSchema<PartialShape<T>, Unknown, Catchall>
  partial<M extends Mask<T>>(mask: M): ObjectSchema<PartiallyAt<T, keyof M>, Unknown, Catchall>
  partial(mask?: Mask<T>): never {
    return withShape(this, this.shape, (field, key) =>
      !mask || mask[key] === true ? wrap(field, 'optional', makeOptional) : field,
    )
  }

  /** Make all keys, or those of the mask, required. */
  required(): ObjectSchema<RequiredShape<T>, Unknown, Catchall>
  required<M extends Mask<T>>(mask: M): ObjectSchema<RequiredlyAt<T, keyof M>, Unknown, Catchall>
  required(mask?: Mask<T>): never {
    return withShape(this, this.shape, (field, key) => (!mask || mask[key] === true ? withoutOptional(field) : field))
  }
}

/** The same schema with another treatment of further keys. */
const withUnknownKeys = (schema: { readonly def: WithRest } & AnyCore, unknownKeys: UnknownKeys): never =>
  derive(schema, { ...schema.def, unknownKeys, makeRest }) as never

/** The schema inside `optional()`, or the schema itself. */
const withoutOptional = (schema: AnyCore): AnyCore =>
  schema.def.type === 'optional' ? withoutOptional((schema.def as Definition & { inner: AnyCore }).inner) : schema

/** The same schema with the fields that `change` returns, as own keys: one named `__proto__` is an ordinary key. */
const withShape = (
  schema: AnyCore,
  fields: object,
  change: (field: AnyCore, key: string) => AnyCore | false | undefined,
): never => {
  const changed = Object.entries(fields).map(([key, field]) => [key, change(field, key)] as const)
  return derive(schema, { ...schema.def, shape: Object.fromEntries(changed.filter(([, field]) => field)) }) as never
}

/**
 * Accept objects with these keys; others are left out of the output. Reports `invalid_type` and, when `strict`,
 * `unrecognized_keys`.
 *
 * @throws {TypeError} in the build with checks: for a getter, which may hold the schema. Write `lazy`.
 * @example
 * object({ name: string(), age: number().optional() }).parse({ name: 'Ada', more: 1 }) // { name: 'Ada' }
 */
export const object = <T extends Shape>(shape: T, params?: Params): ObjectSchema<T> => {
  if (DEV) checkShape(shape)
  return new ObjectSchema({ type: 'object', shape, unknownKeys: 'strip', params } as Definition, makeObject)
}

/** A getter returns a new schema each time, so the run of a schema that contains itself would never be made. */
const checkShape = (shape: Shape): void => {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(shape)))
    checkOption(!get, `object: ${name}`, 'a schema: z.lazy(() => …), or a getter of sluice/zod3', 'a getter')
}
