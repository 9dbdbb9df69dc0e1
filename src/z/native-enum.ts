import type { Definition } from '../internal/z/definition.ts'
import { makeEnum } from '../internal/z/enum-run.ts'
import type { Params } from '../internal/z/issue.ts'
import { Schema } from '../internal/z/schema.ts'

/** An object with the values: `const Level = { low: 0, high: 1 }`, or an `enum` of TypeScript. */
export interface EnumLike {
  readonly [name: string]: string | number
  /** The names of numbers that TypeScript adds. */
  readonly [value: number]: string
}

/** The schema that `nativeEnum()` returns. */
export class NativeEnumSchema<T extends EnumLike> extends Schema<T[keyof T]> {
  declare readonly def: Definition & { readonly enum: T; readonly values: readonly (string | number)[] }

  /** The object. */
  get enum(): T {
    return this.def.enum
  }
}

/** The values, without the names that TypeScript adds under numbers. */
const valuesOf = (from: EnumLike): (string | number)[] =>
  Object.keys(from)
    .filter((name) => typeof from[from[name] as string] !== 'number')
    .map((name) => from[name]!)

/**
 * Accept the values of an object.
 *
 * Reports `invalid_type` and `invalid_enum_value`.
 *
 * @example
 * nativeEnum({ low: 0, high: 1 }).parse(1) // 1
 */
export const nativeEnum = <T extends EnumLike>(values: T, params?: Params): NativeEnumSchema<T> =>
  new NativeEnumSchema<T>(
    { type: 'enum', enum: values, values: valuesOf(values), types: ['string', 'number'], params } as Definition,
    makeEnum,
  )
