import { derive } from '../internal/z/core.ts'
import type { Definition } from '../internal/z/definition.ts'
import { makeEnum } from '../internal/z/enum-run.ts'
import type { Params } from '../internal/z/issue.ts'
import { Schema } from '../internal/z/schema.ts'

/** The schema that `enum()` returns. */
export class EnumSchema<Values extends readonly string[]> extends Schema<Values[number]> {
  declare readonly def: Definition & { readonly values: Values }

  /** The values, in their order. */
  get options(): Values {
    return this.def.values
  }

  /** Each value under its own name. */
  get enum(): { [Value in Values[number]]: Value } {
    return Object.fromEntries(this.options.map((value) => [value, value])) as never
  }

  /** Each value under its own name. */
  get Enum(): { [Value in Values[number]]: Value } {
    return this.enum
  }

  /** Each value under its own name. */
  get Values(): { [Value in Values[number]]: Value } {
    return this.enum
  }

  /** Accept only these values. */
  extract<const Kept extends readonly Values[number][]>(
    values: Kept,
    params?: Params,
  ): this['~more'] & EnumSchema<Kept> {
    return derive(this, { ...this.def, values, params: params ?? this.def.params }) as never
  }

  /** Accept all but these values. */
  exclude<const Left extends readonly Values[number][]>(
    values: Left,
    params?: Params,
  ): this['~more'] & EnumSchema<Exclude<Values[number], Left[number]>[]> {
    const remaining = this.options.filter((value) => !values.includes(value))
    return derive(this, { ...this.def, values: remaining, params: params ?? this.def.params }) as never
  }
}

/**
 * Accept these strings: `z.enum(['a', 'b'])`. Reports `invalid_type` and `invalid_enum_value`.
 *
 * @example
 * oneOf(['draft', 'published']).options // ['draft', 'published']
 */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  params?: Params,
): EnumSchema<Mutable<Values>> => new EnumSchema({ type: 'enum', values, params } as Definition, makeEnum)

/** A list that is not read-only. */
export type Mutable<Values extends readonly string[]> = { -readonly [Index in keyof Values]: Values[Index] }

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
 * Accept the values of an object. Reports `invalid_type` and `invalid_enum_value`.
 *
 * @example
 * nativeEnum({ low: 0, high: 1 }).parse(1) // 1
 */
export const nativeEnum = <T extends EnumLike>(values: T, params?: Params): NativeEnumSchema<T> => {
  const def = { type: 'enum', enum: values, values: valuesOf(values), types: ['string', 'number'], params }
  return new NativeEnumSchema<T>(def as Definition, makeEnum)
}
