import type { AnyCore } from '../../internal/z/definition.ts'
import type { UnknownKeys } from '../../internal/z/object-types.ts'
import type { Default, Effect, Nullable, Optional, Schema, Wrapped } from '../../internal/z/schema.ts'
import type { Brand, Readonly, Shape } from '../../internal/z/types.ts'
import { zodName } from '../../internal/z/zod-definition.ts'
import type { ArraySchema, Cardinality } from '../array.ts'
import type { DiscriminatedUnionSchema } from '../discriminated-union.ts'
import type { EnumSchema } from '../enum.ts'
import type { FunctionSchema } from '../function.ts'
import type { LazySchema } from '../lazy.ts'
import type { LiteralSchema, Primitive } from '../literal.ts'
import type { MapSchema } from '../map.ts'
import type { EnumLike, NativeEnumSchema } from '../native-enum.ts'
import type { PromiseSchema } from '../promise.ts'
import type { RecordSchema } from '../record.ts'
import type { SetSchema } from '../set.ts'
import type { TupleItems, TupleSchema } from '../tuple.ts'
import type { UnionSchema } from '../union.ts'
import { bigint, date, type WholeBigInt, type WholeDate } from './bounds.ts'
import { nullable, optional } from './effects.ts'
import { functionOf } from './function.ts'
import { array, discriminatedUnion, intersection, lazy, map, promise, set, tuple, union } from './holders.ts'
import {
  any,
  boolean,
  literal,
  nan,
  nativeEnum,
  never,
  nullValue,
  oneOf,
  symbol,
  undefinedValue,
  unknown,
  voidValue,
} from './leaves.ts'
import type { AnyWhole, Whole } from './more.ts'
import { number, type WholeNumber } from './number.ts'
import { object, type WholeObject } from './object.ts'
import { record } from './record.ts'
import { string, type WholeString } from './string.ts'
import { whole } from './whole.ts'

/** What stands for a class of zod 3: for `instanceof`, and its `create`. */
export interface ZodClass<Create = unknown> {
  readonly create: Create
  [Symbol.hasInstance](value: unknown): boolean
}

const named = <Create>(name: string, create: Create): ZodClass<Create> => {
  const Named = class {
    static create: Create = create

    static [Symbol.hasInstance](value: unknown): boolean {
      const def = (value as AnyCore | null | undefined)?.def
      return def !== undefined && zodName(def) === name
    }
  }
  Object.defineProperty(Named, 'name', { value: name })
  return Named
}

const defaultOf = (inner: AnyCore, params: { readonly default: unknown }): Whole<Default<AnyCore>> =>
  (whole(inner as never) as Whole<Schema>).default(params.default)

const catchOf = (inner: AnyCore, params: { readonly catch: unknown }): Whole<Schema> =>
  (whole(inner as never) as Whole<Schema>).catch(params.catch)

export type ZodString = Whole<WholeString>
export const ZodString: ZodClass<typeof string> = /* @__PURE__ */ named('ZodString', string)

export type ZodNumber = Whole<WholeNumber>
export const ZodNumber: ZodClass<typeof number> = /* @__PURE__ */ named('ZodNumber', number)

export type ZodBigInt = Whole<WholeBigInt>
export const ZodBigInt: ZodClass<typeof bigint> = /* @__PURE__ */ named('ZodBigInt', bigint)

export type ZodBoolean = Whole<Schema<boolean>>
export const ZodBoolean: ZodClass<typeof boolean> = /* @__PURE__ */ named('ZodBoolean', boolean)

export type ZodDate = Whole<WholeDate>
export const ZodDate: ZodClass<typeof date> = /* @__PURE__ */ named('ZodDate', date)

export type ZodSymbol = Whole<Schema<symbol>>
export const ZodSymbol: ZodClass<typeof symbol> = /* @__PURE__ */ named('ZodSymbol', symbol)

export type ZodUndefined = Whole<Schema<undefined>>
export const ZodUndefined: ZodClass<typeof undefinedValue> = /* @__PURE__ */ named('ZodUndefined', undefinedValue)

export type ZodNull = Whole<Schema<null>>
export const ZodNull: ZodClass<typeof nullValue> = /* @__PURE__ */ named('ZodNull', nullValue)

// any: it is what the user asks for.
export type ZodAny = Whole<Schema<any>>
export const ZodAny: ZodClass<typeof any> = /* @__PURE__ */ named('ZodAny', any)

export type ZodUnknown = Whole<Schema<unknown>>
export const ZodUnknown: ZodClass<typeof unknown> = /* @__PURE__ */ named('ZodUnknown', unknown)

export type ZodNever = Whole<Schema<never>>
export const ZodNever: ZodClass<typeof never> = /* @__PURE__ */ named('ZodNever', never)

export type ZodVoid = Whole<Schema<void>>
export const ZodVoid: ZodClass<typeof voidValue> = /* @__PURE__ */ named('ZodVoid', voidValue)

export type ZodNaN = Whole<Schema<number>>
export const ZodNaN: ZodClass<typeof nan> = /* @__PURE__ */ named('ZodNaN', nan)

export type ZodLiteral<T extends Primitive> = Whole<LiteralSchema<T>>
export const ZodLiteral: ZodClass<typeof literal> = /* @__PURE__ */ named('ZodLiteral', literal)

export type ZodEnum<T extends readonly string[] = [string, ...string[]]> = Whole<EnumSchema<T>>
export const ZodEnum: ZodClass<typeof oneOf> = /* @__PURE__ */ named('ZodEnum', oneOf)

export type ZodNativeEnum<T extends EnumLike> = Whole<NativeEnumSchema<T>>
export const ZodNativeEnum: ZodClass<typeof nativeEnum> = /* @__PURE__ */ named('ZodNativeEnum', nativeEnum)

export type ZodArray<T extends AnyCore = AnyCore, Card extends Cardinality = 'many'> = Whole<ArraySchema<T, Card>>
export const ZodArray: ZodClass<typeof array> = /* @__PURE__ */ named('ZodArray', array)

/** What zod 3 writes as the last three arguments is accepted: a catchall that means "none", and what follows from the first. */
export type ZodObject<
  T extends Shape = Shape,
  Unknown extends UnknownKeys = UnknownKeys,
  Catchall extends AnyCore | undefined = AnyCore | undefined,
  _Out = unknown,
  _In = unknown,
> = WholeObject<T, Unknown, AnyWhole extends Catchall ? AnyCore | undefined : Catchall>
export const ZodObject: ZodClass<typeof object> = /* @__PURE__ */ named('ZodObject', object)

export type ZodTuple<T extends TupleItems = TupleItems, Rest extends AnyCore | null = null> = Whole<
  TupleSchema<T, Rest>
>
export const ZodTuple: ZodClass<typeof tuple> = /* @__PURE__ */ named('ZodTuple', tuple)

export type ZodRecord<Key extends AnyCore = AnyCore, Value extends AnyCore = AnyCore> = Whole<RecordSchema<Key, Value>>
export const ZodRecord: ZodClass<typeof record> = /* @__PURE__ */ named('ZodRecord', record)

export type ZodMap<Key extends AnyCore = AnyCore, Value extends AnyCore = AnyCore> = Whole<MapSchema<Key, Value>>
export const ZodMap: ZodClass<typeof map> = /* @__PURE__ */ named('ZodMap', map)

export type ZodSet<T extends AnyCore = AnyCore> = Whole<SetSchema<T>>
export const ZodSet: ZodClass<typeof set> = /* @__PURE__ */ named('ZodSet', set)

export type ZodUnion<T extends readonly AnyCore[] = readonly AnyCore[]> = Whole<UnionSchema<T>>
export const ZodUnion: ZodClass<typeof union> = /* @__PURE__ */ named('ZodUnion', union)

export type ZodDiscriminatedUnion<
  Key extends string = string,
  Options extends readonly AnyCore[] = readonly AnyCore[],
> = Whole<DiscriminatedUnionSchema<Key, Options>>
export const ZodDiscriminatedUnion: ZodClass<typeof discriminatedUnion> = /* @__PURE__ */ named(
  'ZodDiscriminatedUnion',
  discriminatedUnion,
)

export type ZodIntersection<Left extends AnyCore = AnyCore, Right extends AnyCore = AnyCore> = Whole<
  Schema<Left['_output'] & Right['_output'], Left['_input'] & Right['_input']>
>
export const ZodIntersection: ZodClass<typeof intersection> = /* @__PURE__ */ named('ZodIntersection', intersection)

export type ZodLazy<T extends AnyCore = AnyCore> = Whole<LazySchema<T>>
export const ZodLazy: ZodClass<typeof lazy> = /* @__PURE__ */ named('ZodLazy', lazy)

export type ZodPromise<T extends AnyCore = AnyCore> = Whole<PromiseSchema<T>>
export const ZodPromise: ZodClass<typeof promise> = /* @__PURE__ */ named('ZodPromise', promise)

export type ZodFunction<Args extends AnyCore = AnyCore, Returns extends AnyCore = AnyCore> = Whole<
  FunctionSchema<Args, Returns>
>
export const ZodFunction: ZodClass<typeof functionOf> = /* @__PURE__ */ named('ZodFunction', functionOf)

export type ZodOptional<T extends AnyCore = AnyCore> = Whole<Optional<T>>
export const ZodOptional: ZodClass<typeof optional> = /* @__PURE__ */ named('ZodOptional', optional)

export type ZodNullable<T extends AnyCore = AnyCore> = Whole<Nullable<T>>
export const ZodNullable: ZodClass<typeof nullable> = /* @__PURE__ */ named('ZodNullable', nullable)

export type ZodDefault<T extends AnyCore = AnyCore> = Whole<Default<T>>
export const ZodDefault: ZodClass<typeof defaultOf> = /* @__PURE__ */ named('ZodDefault', defaultOf)

export type ZodCatch<T extends AnyCore = AnyCore> = Whole<Wrapped<T, 'catch', T['_output'], unknown>>
export const ZodCatch: ZodClass<typeof catchOf> = /* @__PURE__ */ named('ZodCatch', catchOf)

export type ZodBranded<T extends AnyCore = AnyCore, Name extends string | number | symbol = string> = Whole<
  Wrapped<T, 'brand', T['_output'] & Brand<Name>, T['_input'] & Brand<Name>>
>
export const ZodBranded: ZodClass<typeof undefined> = /* @__PURE__ */ named('ZodBranded', undefined)

export type ZodReadonly<T extends AnyCore = AnyCore> = Whole<
  Wrapped<T, 'readonly', Readonly<T['_output']>, Readonly<T['_input']>>
>
export const ZodReadonly: ZodClass<typeof undefined> = /* @__PURE__ */ named('ZodReadonly', undefined)

export type ZodPipeline<A extends AnyCore = AnyCore, B extends AnyCore = AnyCore> = Whole<
  Schema<B['_output'], A['_input']>
>
export const ZodPipeline: ZodClass<typeof undefined> = /* @__PURE__ */ named('ZodPipeline', undefined)

export type ZodEffects<T extends AnyCore = AnyCore, Out = T['_output'], In = T['_input']> = Whole<Effect<T, Out, In>>
export const ZodEffects: ZodClass<typeof undefined> = /* @__PURE__ */ named('ZodEffects', undefined)
