/**
 * The names of zod 3 for schemas that contain others: `ZodArray` is the type of what `z.array()` returns, and a class
 * for `instanceof`.
 *
 * @module
 */
import type { AnyCore } from '../../internal/z/definition.ts'
import type { UnknownKeys } from '../../internal/z/object-types.ts'
import type { Default, Effect, Nullable, Optional, Schema, WrapperSchema } from '../../internal/z/schema.ts'
import type { Brand, Readonly, Shape } from '../../internal/z/types.ts'
import type { ArraySchema, Cardinality } from '../array.ts'
import type { DiscriminatedUnionSchema } from '../discriminated-union.ts'
import type { FunctionSchema } from '../function.ts'
import type { LazySchema } from '../lazy.ts'
import type { MapSchema } from '../map.ts'
import type { PromiseSchema } from '../promise.ts'
import type { RecordSchema } from '../record.ts'
import type { SetSchema } from '../set.ts'
import type { TupleItems, TupleSchema } from '../tuple.ts'
import type { UnionSchema } from '../union.ts'
import * as z from './containers.ts'
import { effect, nullable, optional } from './effects.ts'
import { object, type Zod3Object } from './object.ts'
import { createZodClass, type ZodClass } from './zod-class.ts'
import type { AnyZod3Schema, Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

const defaultOf = (inner: AnyCore, params: { readonly default: unknown }): Zod3Schema<Default<AnyCore>> =>
  toZod3<AnyCore, Schema>(inner).default(params.default)

const catchOf = (inner: AnyCore, params: { readonly catch: unknown }): Zod3Schema<Schema> =>
  toZod3<AnyCore, Schema>(inner).catch(params.catch)

/** A schema of `z.array()`, by its name in zod 3. */
export type ZodArray<T extends AnyCore = AnyCore, Card extends Cardinality = 'many'> = Zod3Schema<ArraySchema<T, Card>>
export const ZodArray: ZodClass<typeof z.array> = /* @__PURE__ */ createZodClass('ZodArray', z.array)

/** A schema of `z.object()`, by its name in zod 3. A catchall that may be any schema means that there is none. */
export type ZodObject<
  T extends Shape = Shape,
  Unknown extends UnknownKeys = UnknownKeys,
  Catchall extends AnyCore | undefined = AnyCore | undefined,
  _Out = unknown,
  _In = unknown,
> = Zod3Object<T, Unknown, AnyZod3Schema extends Catchall ? AnyCore | undefined : Catchall>
export const ZodObject: ZodClass<typeof object> = /* @__PURE__ */ createZodClass('ZodObject', object)

/** A schema of `z.tuple()`, by its name in zod 3. */
export type ZodTuple<T extends TupleItems = TupleItems, Rest extends AnyCore | null = null> = Zod3Schema<
  TupleSchema<T, Rest>
>
export const ZodTuple: ZodClass<typeof z.tuple> = /* @__PURE__ */ createZodClass('ZodTuple', z.tuple)

/** A schema of `z.record()`, by its name in zod 3. */
export type ZodRecord<Key extends AnyCore = AnyCore, Value extends AnyCore = AnyCore> = Zod3Schema<
  RecordSchema<Key, Value>
>
export const ZodRecord: ZodClass<typeof z.record> = /* @__PURE__ */ createZodClass('ZodRecord', z.record)

/** A schema of `z.map()`, by its name in zod 3. */
export type ZodMap<Key extends AnyCore = AnyCore, Value extends AnyCore = AnyCore> = Zod3Schema<MapSchema<Key, Value>>
export const ZodMap: ZodClass<typeof z.map> = /* @__PURE__ */ createZodClass('ZodMap', z.map)

/** A schema of `z.set()`, by its name in zod 3. */
export type ZodSet<T extends AnyCore = AnyCore> = Zod3Schema<SetSchema<T>>
export const ZodSet: ZodClass<typeof z.set> = /* @__PURE__ */ createZodClass('ZodSet', z.set)

/** A schema of `z.union()`, by its name in zod 3. */
export type ZodUnion<T extends readonly AnyCore[] = readonly AnyCore[]> = Zod3Schema<UnionSchema<T>>
export const ZodUnion: ZodClass<typeof z.union> = /* @__PURE__ */ createZodClass('ZodUnion', z.union)

/** A schema of `z.discriminatedUnion()`, by its name in zod 3. */
export type ZodDiscriminatedUnion<
  Key extends string = string,
  Options extends readonly AnyCore[] = readonly AnyCore[],
> = Zod3Schema<DiscriminatedUnionSchema<Key, Options>>
export const ZodDiscriminatedUnion: ZodClass<typeof z.discriminatedUnion> = /* @__PURE__ */ createZodClass(
  'ZodDiscriminatedUnion',
  z.discriminatedUnion,
)

/** A schema of `z.intersection()`, by its name in zod 3. */
export type ZodIntersection<Left extends AnyCore = AnyCore, Right extends AnyCore = AnyCore> = Zod3Schema<
  Schema<Left['_output'] & Right['_output'], Left['_input'] & Right['_input']>
>
export const ZodIntersection: ZodClass<typeof z.intersection> = /* @__PURE__ */ createZodClass(
  'ZodIntersection',
  z.intersection,
)

/** A schema of `z.lazy()`, by its name in zod 3. */
export type ZodLazy<T extends AnyCore = AnyCore> = Zod3Schema<LazySchema<T>>
export const ZodLazy: ZodClass<typeof z.lazy> = /* @__PURE__ */ createZodClass('ZodLazy', z.lazy)

/** A schema of `z.promise()`, by its name in zod 3. */
export type ZodPromise<T extends AnyCore = AnyCore> = Zod3Schema<PromiseSchema<T>>
export const ZodPromise: ZodClass<typeof z.promise> = /* @__PURE__ */ createZodClass('ZodPromise', z.promise)

/** A schema of `z.function()`, by its name in zod 3. */
export type ZodFunction<Args extends AnyCore = AnyCore, Returns extends AnyCore = AnyCore> = Zod3Schema<
  FunctionSchema<Args, Returns>
>
export const ZodFunction: ZodClass<typeof z.function> = /* @__PURE__ */ createZodClass('ZodFunction', z.function)

/** A schema of `.optional()`, by its name in zod 3. */
export type ZodOptional<T extends AnyCore = AnyCore> = Zod3Schema<Optional<T>>
export const ZodOptional: ZodClass<typeof optional> = /* @__PURE__ */ createZodClass('ZodOptional', optional)

/** A schema of `.nullable()`, by its name in zod 3. */
export type ZodNullable<T extends AnyCore = AnyCore> = Zod3Schema<Nullable<T>>
export const ZodNullable: ZodClass<typeof nullable> = /* @__PURE__ */ createZodClass('ZodNullable', nullable)

/** A schema of `.default()`, by its name in zod 3. */
export type ZodDefault<T extends AnyCore = AnyCore> = Zod3Schema<Default<T>>
export const ZodDefault: ZodClass<typeof defaultOf> = /* @__PURE__ */ createZodClass('ZodDefault', defaultOf)

/** A schema of `.catch()`, by its name in zod 3. */
export type ZodCatch<T extends AnyCore = AnyCore> = Zod3Schema<WrapperSchema<T, 'catch', T['_output'], unknown>>
export const ZodCatch: ZodClass<typeof catchOf> = /* @__PURE__ */ createZodClass('ZodCatch', catchOf)

/** A schema of `.brand()`, by its name in zod 3. */
export type ZodBranded<T extends AnyCore = AnyCore, Name extends string | number | symbol = string> = Zod3Schema<
  WrapperSchema<T, 'brand', T['_output'] & Brand<Name>, T['_input'] & Brand<Name>>
>
export const ZodBranded: ZodClass<undefined> = /* @__PURE__ */ createZodClass('ZodBranded', undefined)

/** A schema of `.readonly()`, by its name in zod 3. */
export type ZodReadonly<T extends AnyCore = AnyCore> = Zod3Schema<
  WrapperSchema<T, 'readonly', Readonly<T['_output']>, Readonly<T['_input']>>
>
export const ZodReadonly: ZodClass<undefined> = /* @__PURE__ */ createZodClass('ZodReadonly', undefined)

/** A schema of `.pipe()`, by its name in zod 3. */
export type ZodPipeline<A extends AnyCore = AnyCore, B extends AnyCore = AnyCore> = Zod3Schema<
  Schema<B['_output'], A['_input']>
>
export const ZodPipeline: ZodClass<undefined> = /* @__PURE__ */ createZodClass('ZodPipeline', undefined)

/** A schema of `.refine()` or `.transform()`, by its name in zod 3. */
export type ZodEffects<T extends AnyCore = AnyCore, Out = T['_output'], In = T['_input']> = Zod3Schema<
  Effect<T, Out, In>
>
export const ZodEffects: ZodClass<typeof effect> = /* @__PURE__ */ createZodClass('ZodEffects', effect)

export { ZodEffects as ZodTransformer }
