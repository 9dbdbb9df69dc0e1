import type { PathKey, ValidationError } from '../../errors/validation-error.ts'
import type { AnyCore } from './definition.ts'

/** The output of a schema. */
export type Infer<T extends { readonly _output: unknown }> = T['_output']

/** The input of a schema. */
export type InputOf<T extends { readonly _input: unknown }> = T['_input']

export type NoUndefined<T> = T extends undefined ? never : T

declare const BRAND: unique symbol

/** The mark that `brand` adds to a type. */
export interface Brand<Name extends string | number | symbol> {
  readonly [BRAND]: { readonly [Key in Name]: true }
}

/** A message of `refine`: the text, its issue, or a function that makes the issue. */
export type MessageFor<Out> = string | CustomIssue | ((value: Out) => CustomIssue)

/** The parts of the issue that a failed `refine` reports. */
export interface CustomIssue {
  readonly message?: string | undefined
  /** The message, under its name in zod 4. */
  readonly error?: string | undefined
  /** Keys below the value to which the issue belongs. */
  readonly path?: PathKey[]
  /** Further details for the reader of the issue. */
  readonly params?: { [key: string]: unknown }
  /** Whether later checks of the value are skipped. */
  readonly fatal?: boolean
}

/** The argument of the function of `catch`. */
export interface CatchContext {
  readonly error: ValidationError
  readonly input: unknown
}

/** Keys and their schemas. */
export interface Shape {
  readonly [key: string]: AnyCore
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

/** The type that `readonly` makes of another. */
export type Readonly<T> = T extends object
  ? T extends Map<infer Key, infer Value>
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
  : T

/** The output of `record`: keys of a known list may be missing. */
export type RecordOf<Key, Value> = [string] extends [Key]
  ? { [key: string]: Value }
  : [number] extends [Key]
    ? { [key: number]: Value }
    : [symbol] extends [Key]
      ? { [key: symbol]: Value }
      : { [Name in Key & PropertyKey]?: Value }
