import { BigIntSchema, makeBigInt } from './bigint.ts'
import type { Checked } from './checks.ts'
import { type DateSchema, makeDateSchema } from './date.ts'
import type { Params } from './issue.ts'
import { makeNumber, NumberSchema } from './number.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'
import { makeString, StringSchema } from './string.ts'

/** A conversion that leaves alone what it cannot convert: the type check then says so. */
const attempt =
  (convert: (value: never) => unknown) =>
  (value: unknown): unknown => {
    try {
      return convert(value as never)
    } catch {
      return value
    }
  }

const definition = (type: string, convert: (value: never) => unknown, params?: Params): Checked => ({
  type,
  checks: [],
  params,
  coerce: attempt(convert),
})

/**
 * A string of anything, by `String`.
 *
 * @example
 * coerce.string().parse(5) // '5'
 */
export const string = (params?: Params): StringSchema =>
  new StringSchema(definition('string', String, params), makeString)

/**
 * A number, by `Number`; `''` gives 0.
 *
 * @example
 * coerce.number().parse('5') // 5
 */
export const number = (params?: Params): NumberSchema =>
  new NumberSchema(definition('number', Number, params), makeNumber)

/**
 * A bigint, by `BigInt`.
 *
 * @example
 * coerce.bigint().parse('5') // 5n
 */
export const bigint = (params?: Params): BigIntSchema =>
  new BigIntSchema(definition('bigint', BigInt, params), makeBigInt)

/**
 * A date, by `new Date`; `null` is refused, since no date is not the year 1970.
 *
 * @example
 * coerce.date().parse('2026-01-01T00:00:00Z').getUTCFullYear() // 2026
 */
export const date = (params?: Params): DateSchema =>
  makeDateSchema(
    params,
    attempt((value) => (value === null ? value : new Date(value))),
  )

const WORDS: ReadonlyMap<string, boolean> = /* @__PURE__ */ new Map([
  ...['true', '1', 'on', 'yes', 'y'].map((word) => [word, true] as const),
  ...['false', '0', 'off', 'no', 'n', ''].map((word) => [word, false] as const),
])

const toBoolean = (value: unknown): unknown =>
  typeof value === 'string' ? (WORDS.get(value.toLowerCase()) ?? value) : Boolean(value)

/**
 * A boolean: of strings `true 1 on yes y` and `false 0 off no n` and the empty one, in capitals or not; of anything else by `Boolean`.
 *
 * @example
 * coerce.boolean().parse('false') // false
 */
export const boolean = (params?: Params): Schema<boolean> => simple('boolean', params, undefined, toBoolean)
