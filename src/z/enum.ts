import type { Definition } from './definition.ts'
import { makeEnum } from './enum-run.ts'
import type { Params } from './issue.ts'
import { Schema } from './schema.ts'

/** Of `z.enum()`. */
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

  /** Only these values. */
  extract<const Kept extends readonly Values[number][]>(values: Kept, params?: Params): EnumSchema<Kept> {
    return oneOf(values, params ?? this.def.params)
  }

  /** All but these values. */
  exclude<const Left extends readonly Values[number][]>(
    values: Left,
    params?: Params,
  ): EnumSchema<Exclude<Values[number], Left[number]>[]> {
    const kept = this.options.filter((value) => !values.includes(value))
    return oneOf(kept, params ?? this.def.params) as never
  }
}

/**
 * Accept these strings: `z.enum(['a', 'b'])`.
 *
 * Reports `invalid_type` and `invalid_enum_value`.
 *
 * @example
 * oneOf(['draft', 'published']).options // ['draft', 'published']
 */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  params?: Params,
): EnumSchema<Mutable<Values>> => new EnumSchema({ type: 'enum', values, params } as Definition, makeEnum)

type Mutable<Values extends readonly string[]> = { -readonly [Index in keyof Values]: Values[Index] }
