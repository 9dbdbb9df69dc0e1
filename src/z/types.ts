import type { ValidationError } from '../internal/validation-error.ts'
import type { PathKey } from './issue.ts'
import type { AnySchema, Wrapper } from './schema.ts'

/** What a schema returns. */
export type Infer<T extends AnySchema> = T['_output']

/** What a schema takes. */
export type InputOf<T extends AnySchema> = T['_input']

/** What `safeParse` returns. */
export type Result<Out, In = Out> =
  | { success: true; data: Out; error?: never }
  | { success: false; error: ValidationError<In>; data?: never }

/** One interface for all schemas that hold another one. */
export type Wrapped<Inner extends AnySchema, Kind extends string, Out, In> = Wrapper<Inner, Kind, Out, In>

export type Optional<Inner extends AnySchema> = Wrapped<
  Inner,
  'optional',
  Inner['_output'] | undefined,
  Inner['_input'] | undefined
>

export type Nullable<Inner extends AnySchema> = Wrapped<
  Inner,
  'nullable',
  Inner['_output'] | null,
  Inner['_input'] | null
>

export type Default<Inner extends AnySchema> = Wrapped<
  Inner,
  'default',
  NoUndefined<Inner['_output']>,
  Inner['_input'] | undefined
>

/** Of `refine`, `superRefine`, `transform`, `preprocess`. */
export type Effect<Inner extends AnySchema, Out = Inner['_output'], In = Inner['_input']> = Wrapped<
  Inner,
  'effect',
  Out,
  In
>

export type NoUndefined<T> = T extends undefined ? never : T

declare const BRAND: unique symbol

/** The mark that `brand` puts on a type. */
export interface Brand<Name extends string | number | symbol> {
  readonly [BRAND]: { readonly [Key in Name]: true }
}

/** A message of `refine`: the text, its issue, or a function that makes the issue. */
export type MessageFor<Out> = string | CustomIssue | ((value: Out) => CustomIssue)

/** The parts of the issue that a failed `refine` reports. */
export interface CustomIssue {
  readonly message?: string | undefined
  /** Keys below the value to which the issue belongs. */
  readonly path?: PathKey[]
  /** Whatever the reader of the issue should know. */
  readonly params?: { [key: string]: unknown }
  /** Nothing that follows on this value runs. */
  readonly fatal?: boolean
}

type BuiltIn =
  | ((...args: never[]) => unknown)
  | (new (
      ...args: never[]
    ) => unknown)
  | { readonly [Symbol.toStringTag]: string }
  | Date
  | Error
  | Generator
  | Promise<unknown>
  | RegExp

/** What `readonly` makes of a type. */
export type Readonly<T> = unknown extends T
  ? T
  : T extends Map<infer Key, infer Value>
    ? ReadonlyMap<Key, Value>
    : T extends Set<infer Item>
      ? ReadonlySet<Item>
      : T extends [infer Head, ...infer Tail]
        ? readonly [Head, ...Tail]
        : T extends (infer Item)[]
          ? readonly Item[]
          : T extends BuiltIn
            ? T
            : { readonly [Key in keyof T]: T[Key] }

/** What `record` gives: keys that are a known list may be missing. */
export type RecordOf<Key, Value> = [string] extends [Key]
  ? { [key: string]: Value }
  : [number] extends [Key]
    ? { [key: number]: Value }
    : [symbol] extends [Key]
      ? { [key: symbol]: Value }
      : { [Name in Key & PropertyKey]?: Value }
