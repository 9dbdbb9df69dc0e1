/**
 * Schemas that convert their input first: `z.coerce.number()` accepts `'5'` and returns 5.
 *
 * @module
 */

import { tryConvert } from '../internal/z/attempt.ts'
import { makeChecked } from '../internal/z/checks.ts'
import { derive } from '../internal/z/core.ts'
import type { CheckedDefinition } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'
import { BigIntSchema } from './bigint.ts'
import { type DateSchema, date as plainDate } from './date.ts'
import { NumberSchema } from './number.ts'
import { StringSchema } from './string.ts'

const definition = (type: string, convert: (value: never) => unknown, params?: Params): CheckedDefinition => ({
  type,
  checks: [],
  params,
  coerce: tryConvert(convert),
})

/** A string of anything, by `String`. */
export const string = (params?: Params): StringSchema =>
  new StringSchema(definition('string', String, params), makeChecked)

/**
 * A number, by `Number`; `''` becomes 0.
 *
 * @example
 * coerce.number().parse('5') // 5
 */
export const number = (params?: Params): NumberSchema =>
  new NumberSchema(definition('number', Number, params), makeChecked)

/** A bigint, by `BigInt`. */
export const bigint = (params?: Params): BigIntSchema =>
  new BigIntSchema(definition('bigint', BigInt, params), makeChecked)

/**
 * A date, by `new Date`; `null` is refused, since `new Date(null)` is the year 1970.
 *
 * @example
 * coerce.date().parse('2026-01-01T00:00:00Z').getUTCFullYear() // 2026
 */
export const date = (params?: Params): DateSchema => {
  const schema = plainDate(params)
  return derive(schema, { ...schema.def, coerce: tryConvert((value) => (value === null ? value : new Date(value))) })
}

const TRUE_WORDS = /^(?:true|1|on|yes|y)$/i
const FALSE_WORDS = /^(?:false|0|off|no|n)?$/i

const toBoolean = (value: unknown): unknown => {
  if (typeof value !== 'string') return Boolean(value)
  return TRUE_WORDS.test(value) || (FALSE_WORDS.test(value) ? false : value)
}

/**
 * A boolean: of the strings `true 1 on yes y` and `false 0 off no n` and the empty one, in capitals or not; of anything
 * else by `Boolean`.
 *
 * @example
 * coerce.boolean().parse('false') // false
 */
export const boolean = (params?: Params): Schema<boolean> => simple('boolean', params, undefined, toBoolean)
