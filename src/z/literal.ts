import type { Definition, Make } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { report, typeName } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'

/** What a literal can be. */
export type Primitive = string | number | bigint | boolean | symbol | null | undefined

/** What `literal()` returns. */
export class LiteralSchema<T extends Primitive> extends Schema<T> {
  declare readonly def: Definition & { readonly value: T }

  /** The value. */
  get value(): T {
    return this.def.value
  }
}

const makeLiteral: Make = ({ value: expected, params }) => {
  const shown = JSON.stringify(typeof expected === 'bigint' ? `${expected}` : expected)
  const text = `Invalid literal value, expected ${shown}`
  return (value, issues) => {
    if (value === expected) return value
    // Of an object only its type: ten kilobytes of lists in lists would make fifty megabytes of message.
    const received = Object(value) === value ? typeName(value) : value
    return report(issues, value, { code: 'invalid_literal', expected, received }, text, params)
  }
}

/**
 * Accept one value and no other.
 *
 * Reports `invalid_literal`, with the value `received`, or the type of an object.
 *
 * @example
 * literal('admin').safeParse('guest').success // false
 */
export const literal = <T extends Primitive>(value: T, params?: Params): LiteralSchema<T> =>
  new LiteralSchema<T>({ type: 'literal', value, params } as Definition, makeLiteral)
