import type { Definition, Make } from '../internal/z/definition.ts'
import { makeEnum } from '../internal/z/enum-run.ts'
import type { Params } from '../internal/z/issue.ts'
import { report, typeName } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'

/** The values that can be literals. */
export type Primitive = string | number | bigint | boolean | symbol | null | undefined

/** The schema that `literal()` returns. */
export class LiteralSchema<out T extends Primitive> extends Schema<T> {
  declare readonly def: Definition & { readonly value: T }

  /** The value. */
  get value(): T {
    return this.def.value
  }
}

const makeLiteral: Make = ({ value: expected, params }) => {
  const json = JSON.stringify(typeof expected === 'bigint' ? `${expected}` : expected)
  const text = `Invalid literal value, expected ${json}`
  return (value, issues) => {
    if (value === expected) return value
    // For an object only its type: ten kilobytes of lists in lists would make fifty megabytes of message
    const received = Object(value) === value ? typeName(value) : value
    return report(issues, value, { code: 'invalid_literal', expected, received }, params?.error ?? text, params)
  }
}

/**
 * Accept one value and no other, or, as in zod 4, each value of a list. Reports `invalid_literal`, with the value
 * `received`, or the type of an object; for a list `invalid_type` and `invalid_enum_value`, as `enum` does.
 *
 * @throws {TypeError} when made, for an object, which no input is equal to.
 * @example
 * literal('admin').safeParse('guest').success // false
 */
export function literal<const T extends readonly Primitive[]>(values: T, params?: Params): Schema<T[number]>
export function literal<T extends Primitive>(value: T, params?: Params): LiteralSchema<T>
export function literal(value: Primitive | readonly Primitive[], params?: Params): unknown {
  if (Array.isArray(value))
    return new Schema({ type: 'enum', values: value, types: value.map(typeName), params } as Definition, makeEnum)
  if (Object(value) === value)
    throw new TypeError('literal: value: expected a value or a list of values, got an object')
  return new LiteralSchema({ type: 'literal', value, params } as Definition, makeLiteral)
}
