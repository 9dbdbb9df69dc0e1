import type { Simplify } from '../types/simplify.ts'
import type { AnyCore, Definition } from './definition.ts'
import type { Optional, Wrapper } from './schema.ts'
import type { Shape } from './types.ts'

/** What happens to keys that the shape does not have. */
export type UnknownKeys = 'strip' | 'strict' | 'passthrough'

export interface ObjectDefinition<T extends Shape = Shape> extends Definition {
  readonly shape: T
  readonly unknownKeys: UnknownKeys
  readonly catchall?: AnyCore | undefined
  /** Message for keys that `strict` refuses. */
  readonly strictMessage?: string | undefined
}

/** The part of an object schema from which its type is inferred. */
export interface ObjectParts<T extends Shape, Unknown extends UnknownKeys, Catchall extends AnyCore | undefined>
  extends AnyCore {
  readonly def: ObjectDefinition
  readonly shape: T
  readonly '~keys': Unknown
  readonly '~catchall': Catchall
}

type Side = '_output' | '_input'

type OptionalKeys<T extends Shape, S extends Side> = {
  [Key in keyof T]: undefined extends T[Key][S] ? Key : never
}[keyof T]

/** Keys whose value may be `undefined` get a question mark. Without any, it is one type, which is faster to check. */
export type ValuesOf<T extends Shape, S extends Side, May extends keyof T = OptionalKeys<T, S>> = [May] extends [never]
  ? { -readonly [Key in keyof T]: T[Key][S] }
  : Simplify<{ -readonly [Key in Exclude<keyof T, May>]: T[Key][S] } & { -readonly [Key in May]?: T[Key][S] }>

type RestOf<U extends UnknownKeys, C extends Catchall, S extends Side> = C extends AnyCore
  ? { [key: string]: C[S] }
  : U extends 'passthrough'
    ? { [key: string]: unknown }
    : unknown

type Catchall = AnyCore | undefined

type ObjectOf<T extends Shape, U extends UnknownKeys, C extends Catchall, S extends Side> = ValuesOf<T, S> &
  RestOf<U, C, S>

export type OutputOfShape<T extends Shape, U extends UnknownKeys, C extends Catchall> = ObjectOf<T, U, C, '_output'>

export type InputOfShape<T extends Shape, U extends UnknownKeys, C extends Catchall> = ObjectOf<T, U, C, '_input'>

/** The selected keys: `{ name: true }`. */
export type Mask<T> = { readonly [Key in keyof T]?: true }

export type ExtendedShape<T, More> = Simplify<Omit<T, keyof More> & More>

export type PartialShape<T extends Shape> = { [Key in keyof T]: Optional<T[Key]> }

export type PartiallyAt<T extends Shape, Keys> = { [Key in keyof T]: Key extends Keys ? Optional<T[Key]> : T[Key] }

type WithoutOptional<T extends AnyCore> =
  T extends Wrapper<infer Inner, 'optional', infer _Out, infer _In> ? WithoutOptional<Inner> : T

export type RequiredShape<T extends Shape> = { [Key in keyof T]: WithoutOptional<T[Key]> }

export type RequiredlyAt<T extends Shape, Keys> = {
  [Key in keyof T]: Key extends Keys ? WithoutOptional<T[Key]> : T[Key]
}
