import type { Definition, Make } from './definition.ts'
import type { Params } from './issue.ts'
import { report } from './run.ts'
import { Schema } from './schema.ts'

/** What a literal can be. */
export type Primitive = string | number | bigint | boolean | symbol | null | undefined

/** Of `literal()`. */
export class LiteralSchema<T extends Primitive> extends Schema<T> {
  declare readonly def: Definition & { readonly value: T }

  /** The value. */
  get value(): T {
    return this.def.value
  }
}

const makeLiteral: Make =
  ({ value: expected, params }) =>
  (received, issues) =>
    received === expected
      ? received
      : report(issues, received, { code: 'invalid_literal', expected, received }, text, params)

const text = (issue: unknown): string => {
  const { expected } = issue as { expected: unknown }
  const shown = JSON.stringify(typeof expected === 'bigint' ? `${expected}` : expected)
  return `Invalid literal value, expected ${shown}`
}

/**
 * Accept one value and no other.
 *
 * Reports `invalid_literal`.
 *
 * @example
 * literal('admin').safeParse('guest').success // false
 */
export const literal = <T extends Primitive>(value: T, params?: Params): LiteralSchema<T> =>
  new LiteralSchema<T>({ type: 'literal', value, params } as Definition, makeLiteral)
