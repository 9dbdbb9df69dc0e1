/**
 * Schemas that convert their input first: `z.coerce.number()` accepts `'7'` and returns 7.
 *
 * @module
 */
import type { ErrorParams } from '../../internal/z/issue.ts'
import type { Schema } from '../../internal/z/schema.ts'
import * as small from '../coerce.ts'
import { Zod3BigInt, Zod3Date } from './bigint-date.ts'
import { Zod3Number } from './number.ts'
import { Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** A string of anything, by `String`. */
export const string = (params?: ErrorParams): Zod3Schema<Zod3String> => toZod3(small.string(params), Zod3String)

/** A number, by `Number`; `''` becomes 0. */
export const number = (params?: ErrorParams): Zod3Schema<Zod3Number> => toZod3(small.number(params), Zod3Number)

/** A bigint, by `BigInt`. */
export const bigint = (params?: ErrorParams): Zod3Schema<Zod3BigInt> => toZod3(small.bigint(params), Zod3BigInt)

/** A date, by `new Date`; `null` is refused, since `new Date(null)` is the year 1970. */
export const date = (params?: ErrorParams): Zod3Schema<Zod3Date> => toZod3(small.date(params), Zod3Date)

/** A boolean: strings by words such as `true`, `1`, `yes`, `false`, `0` and `no`, other values by `Boolean`. */
export const boolean = (params?: ErrorParams): Zod3Schema<Schema<boolean>> => toZod3(small.boolean(params))
