/**
 * Schemas that convert their input first: `z.coerce.number()` accepts `'7'` and returns 7.
 *
 * @module
 */

import { tryConvert } from '../../internal/z/attempt.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import type { Schema } from '../../internal/z/schema.ts'
import { boolean as smallBoolean, date as smallDate } from '../coerce.ts'
import { bigintOf, toZod3Date, type Zod3BigInt, type Zod3Date } from './bigint-date.ts'
import { numberOf, type Zod3Number } from './number.ts'
import { stringOf, type Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** A string of anything, by `String`. */
export const string = (params?: ErrorParams): Zod3Schema<Zod3String> => stringOf(params, tryConvert(String))

/** A number, by `Number`; `''` becomes 0. */
export const number = (params?: ErrorParams): Zod3Schema<Zod3Number> => numberOf(params, tryConvert(Number))

/** A bigint, by `BigInt`. */
export const bigint = (params?: ErrorParams): Zod3Schema<Zod3BigInt> => bigintOf(params, tryConvert(BigInt))

/** A date, by `new Date`; `null` is refused, since `new Date(null)` is the year 1970. */
export const date = (params?: ErrorParams): Zod3Schema<Zod3Date> => toZod3Date(smallDate(params))

/**
 * A boolean: of the strings `true 1 on yes y` and `false 0 off no n` and the empty one, in capitals or not; of anything
 * else by `Boolean`.
 */
export const boolean = (params?: ErrorParams): Zod3Schema<Schema<boolean>> => toZod3(smallBoolean(params))
