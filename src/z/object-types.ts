import type { ArraySchema } from './array.ts'
import type { ObjectSchema } from './object.ts'
import type { AnySchema, Wrapper } from './schema.ts'
import type { TupleItems, TupleSchema } from './tuple.ts'
import type { Nullable, Optional } from './types.ts'

/** Keys and their schemas. */
export interface Shape {
  readonly [key: string]: AnySchema
}

/** What happens to keys that the shape does not have. */
export type UnknownKeys = 'strip' | 'strict' | 'passthrough'

/** One object type instead of an intersection. */
type Flat<T> = { [Key in keyof T]: T[Key] }

type Side = '_output' | '_input'

type OptionalKeys<T extends Shape, S extends Side> = {
  [Key in keyof T]: undefined extends T[Key][S] ? Key : never
}[keyof T]

/** Keys whose value may be `undefined` get a question mark. */
type ValuesOf<T extends Shape, S extends Side, Maybe extends keyof T = OptionalKeys<T, S>> = Flat<
  { -readonly [Key in Exclude<keyof T, Maybe>]: T[Key][S] } & { -readonly [Key in Maybe]?: T[Key][S] }
>

type RestOf<
  Unknown extends UnknownKeys,
  Catchall extends AnySchema | undefined,
  S extends Side,
> = Catchall extends AnySchema
  ? { [key: string]: Catchall[S] }
  : Unknown extends 'passthrough'
    ? { [key: string]: unknown }
    : unknown

export type OutputOfShape<
  T extends Shape,
  Unknown extends UnknownKeys,
  Catchall extends AnySchema | undefined,
> = ValuesOf<T, '_output'> & RestOf<Unknown, Catchall, '_output'>

export type InputOfShape<
  T extends Shape,
  Unknown extends UnknownKeys,
  Catchall extends AnySchema | undefined,
> = ValuesOf<T, '_input'> & RestOf<Unknown, Catchall, '_input'>

/** Which keys are meant: `{ name: true }`. */
export type Mask<T> = { readonly [Key in keyof T]?: true }

export type Extended<T, More> = Flat<Omit<T, keyof More> & More>

export type Partially<T extends Shape, Keys = keyof T> = {
  [Key in keyof T]: Key extends Keys ? Optional<T[Key]> : T[Key]
}

type Present<T extends AnySchema> =
  T extends Wrapper<infer Inner, 'optional', infer _Out, infer _In>
    ? Present<Inner>
    : T extends Wrapper<infer Inner, 'nullable', infer _Out, infer _In>
      ? Nullable<Present<Inner>>
      : T

export type Requiredly<T extends Shape, Keys = keyof T> = {
  [Key in keyof T]: Key extends Keys ? Present<T[Key]> : T[Key]
}

/** Every key of every object in it may be missing. */
export type DeepPartial<T extends AnySchema> =
  T extends ObjectSchema<infer S, infer U, infer C>
    ? ObjectSchema<{ [Key in keyof S]: Optional<DeepPartial<S[Key]>> }, U, C>
    : T extends ArraySchema<infer Item, infer Card>
      ? ArraySchema<DeepPartial<Item>, Card>
      : T extends Wrapper<infer Inner, 'optional', infer _Out, infer _In>
        ? Optional<DeepPartial<Inner>>
        : T extends Wrapper<infer Inner, 'nullable', infer _Out, infer _In>
          ? Nullable<DeepPartial<Inner>>
          : T extends TupleSchema<infer Items, infer _Rest>
            ? { [Index in keyof Items]: DeepPartial<Items[Index]> } extends infer Deep extends TupleItems
              ? TupleSchema<Deep>
              : never
            : T

/** The names of the keys, as values of an enum. */
export type KeyNames<T extends Shape> = Extract<keyof T, string>[]
