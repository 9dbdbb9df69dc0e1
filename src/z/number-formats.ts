/**
 * The number formats that zod 4 has as schemas: `z.int()` is a whole number that is exact. A format is a schema with
 * every method of numbers.
 *
 * @module
 */
import type { Params } from '../internal/z/issue.ts'
import { type BigIntSchema, bigint } from './bigint.ts'
import { type NumberSchema, number } from './number.ts'

/**
 * A whole number from `Number.MIN_SAFE_INTEGER` to `Number.MAX_SAFE_INTEGER`.
 *
 * @example
 * int().safeParse(2 ** 53).success // false
 */
export const int = (params?: Params): NumberSchema => number(params).int().safe()

/** A whole number of 32 bits with a sign. */
export const int32 = (params?: Params): NumberSchema =>
  number(params)
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1)

/** A whole number of 32 bits without a sign. */
export const uint32 = (params?: Params): NumberSchema =>
  number(params)
    .int()
    .min(0)
    .max(2 ** 32 - 1)

/** The greatest number of IEEE 754 with 32 bits. */
const MAX_FLOAT32 = (2 - 2 ** -23) * 2 ** 127

/** A finite number in the range of 32 bits; its precision is not tested. */
export const float32 = (params?: Params): NumberSchema => number(params).finite().min(-MAX_FLOAT32).max(MAX_FLOAT32)

/** A finite number. */
export const float64 = (params?: Params): NumberSchema => number(params).finite()

/** A bigint of 64 bits with a sign. */
export const int64 = (params?: Params): BigIntSchema =>
  bigint(params)
    .min(-(2n ** 63n))
    .max(2n ** 63n - 1n)

/** A bigint of 64 bits without a sign. */
export const uint64 = (params?: Params): BigIntSchema =>
  bigint(params)
    .min(0n)
    .max(2n ** 64n - 1n)
