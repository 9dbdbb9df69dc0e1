/**
 * Types of zod 3 that helper code uses. They are types alone, so a bundle contains nothing of them.
 *
 * @module
 */
import type { AnyCore } from '../../internal/z/definition.ts'
import type {
  ErrorMapContext,
  Flattened,
  Formatted,
  ParseOptions,
  PathKey,
  RefinementContext,
} from '../../internal/z/issue.ts'
import type { InputOfShape, OutputOfShape, UnknownKeys } from '../../internal/z/object-types.ts'
import type { Nullable, Optional } from '../../internal/z/schema.ts'
import type { Shape } from '../../internal/z/types.ts'
import type { ArraySchema, Cardinality } from '../array.ts'
import type { Arguments, FunctionSchema } from '../function.ts'
import type { TupleItems, TupleSchema } from '../tuple.ts'
import type { Zod3Object } from './object.ts'
import type { AnyZod3Schema, Schema, Zod3Result, Zod3Schema } from './zod3-methods.ts'

/** Stands in `ZodType<Out, ZodTypeDef, In>` for the definition of a schema. */
// any: as the second argument alone it is the input, and every schema must be assignable
export type ZodTypeDef = any

/** The result of `safeParse`. */
export type SafeParseReturnType<In, Out> = Zod3Result<Out, In>
/** The result of `safeParse` for a value that fits. */
export type SafeParseSuccess<Out> = Extract<Zod3Result<Out>, { success: true }>
export type { SafeParseSuccess as ZodSafeParseSuccess }
/** The result of `safeParse` for a value that does not fit. */
export type SafeParseError<In> = Extract<Zod3Result<unknown, In>, { success: false }>
export type { SafeParseError as ZodSafeParseError }

/** The result of `flatten()` for the errors of a schema. */
export type inferFlattenedErrors<T extends AnyCore, Text = string> = Flattened<T['_input'], Text>

/** The result of `format()` for the errors of a schema. */
export type inferFormattedError<T extends AnyCore, Text = string> = Formatted<T['_input'], Text>

// any: schemas of every shape must be assignable
/** Any object schema. */
export type AnyZodObject = Zod3Object<any, any, any>

/** Any object schema, whose shape is known to be one. */
export type SomeZodObject = Zod3Object<Shape, UnknownKeys, AnyCore | undefined>

/** An alternative of a discriminated union. */
export type ZodDiscriminatedUnionOption<Key extends string> = Zod3Object<
  { [K in Key]: AnyCore } & Shape,
  UnknownKeys,
  AnyCore | undefined
>

/** The options of a union. */
export type ZodUnionOptions = readonly [AnyCore, ...AnyCore[]]

// any: tuples of every kind must be assignable
/** Any tuple. */
export type AnyZodTuple = Zod3Schema<Arguments>

// any: schemas of every input must be assignable
/** A schema of keys of a record. */
export type KeySchema = Schema<string | number | symbol, ZodTypeDef, any>

/** An array of at least one item. */
export type ZodNonEmptyArray<T extends AnyCore> = Zod3Schema<ArraySchema<T, 'atleastone'>>
/** The output of an array schema. */
export type arrayOutputType<T extends AnyCore, Card extends Cardinality = 'many'> = ArraySchema<T, Card>['_output']
/** The output of an object schema. */
export type objectOutputType<
  T extends Shape,
  Catchall extends AnyCore = AnyCore,
  Unknown extends UnknownKeys = UnknownKeys,
> = OutputOfShape<T, Unknown, NoCatchall<Catchall>>

/** The input of an object schema. */
export type objectInputType<
  T extends Shape,
  Catchall extends AnyCore = AnyCore,
  Unknown extends UnknownKeys = UnknownKeys,
> = InputOfShape<T, Unknown, NoCatchall<Catchall>>

/** `undefined` for a catchall that may be any schema, which means that there is none. */
type NoCatchall<T extends AnyCore> = AnyZod3Schema extends T ? undefined : T

export type { RecordOf as RecordType } from '../../internal/z/types.ts'
export type { Cardinality as ArrayCardinality } from '../array.ts'
export type { EnumLike } from '../enum.ts'
export type { Primitive } from '../literal.ts'
export type { TupleItems as ZodTupleItems } from '../tuple.ts'
export type * from './zod-issue-types.ts'
export type {
  ErrorMapContext as ErrorMapCtx,
  Nullable as ZodNullableType,
  Optional as ZodOptionalType,
  ParseOptions as ParseParams,
  PathKey as ParsePathComponent,
  UnknownKeys as UnknownKeysParam,
}

/** The names of an enum, as `z.enum` takes them. */
export type EnumValues<T extends string = string> = readonly [T, ...T[]]

/** A type whose properties can be written. */
export type Writeable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The function of `refine` with the context of `superRefine`. */
export type Refinement<T> = (value: T, context: RefinementContext) => unknown
/** The function of `superRefine`. */
export type SuperRefinement<T> = (value: T, context: RefinementContext) => void | Promise<void>
/** Keys that lead to a value. */
export type ParsePath = PathKey[]

/** The result of `format()`, when the keys are not known. */
export interface DenormalizedError {
  [key: string]: DenormalizedError | string[]
}

/** The version that `ip` and `cidr` may ask for. */
export type IpVersion = 'v4' | 'v6'
/** The output of a tuple schema, with `rest` or without. */
export type OutputTypeOfTuple<Items extends TupleItems, Rest extends AnyCore | null = null> = TupleSchema<
  Items,
  Rest
>['_output']
/** The input of a tuple schema, with `rest` or without. */
export type InputTypeOfTuple<Items extends TupleItems, Rest extends AnyCore | null = null> = TupleSchema<
  Items,
  Rest
>['_input']
export type { InputTypeOfTuple as InputTypeOfTupleWithRest, OutputTypeOfTuple as OutputTypeOfTupleWithRest }

/** The function that `implement` returns. */
export type OuterTypeOfFunction<Args extends AnyZodTuple, Out extends AnyCore> = FunctionSchema<Args, Out>['_output']

/** The function that `implement` takes. */
export type InnerTypeOfFunction<Args extends AnyZodTuple, Out extends AnyCore> = FunctionSchema<Args, Out>['_input']
