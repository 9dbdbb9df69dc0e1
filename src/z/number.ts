import { CheckedSchema } from '../internal/z/checked-schema.ts'
import { check, limitCheck, makeChecked, multipleOf, whole } from '../internal/z/checks.ts'
import type { CheckedDefinition } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'
import { type BigIntSchema, bigint } from './bigint.ts'

/** The schema that `number()` returns. */
export class NumberSchema extends CheckedSchema<number> {
  /** Require this number or more. */
  min(limit: number, message?: Message): this {
    return this.check(limitCheck('min', limit, message))
  }

  /** Require this number or less. */
  max(limit: number, message?: Message): this {
    return this.check(limitCheck('max', limit, message))
  }

  /** Require this number or more. */
  gte(limit: number, message?: Message): this {
    return this.min(limit, message)
  }

  /** Require this number or less. */
  lte(limit: number, message?: Message): this {
    return this.max(limit, message)
  }

  /** Require more than this number. */
  gt(limit: number, message?: Message): this {
    return this.check(limitCheck('min', limit, message, false))
  }

  /** Require less than this number. */
  lt(limit: number, message?: Message): this {
    return this.check(limitCheck('max', limit, message, false))
  }

  /** Require more than 0. */
  positive(message?: Message): this {
    return this.gt(0, message)
  }

  /** Require less than 0. */
  negative(message?: Message): this {
    return this.lt(0, message)
  }

  /** Require 0 or more. */
  nonnegative(message?: Message): this {
    return this.min(0, message)
  }

  /** Require 0 or less. */
  nonpositive(message?: Message): this {
    return this.max(0, message)
  }

  /** Require a whole number. */
  int(message?: Message): this {
    return this.check(whole(message))
  }

  /** Refuse `Infinity` and `-Infinity`. */
  finite(message?: Message): this {
    return this.check(check('finite', Number.isFinite, { code: 'not_finite' }, 'Number must be finite', message))
  }

  /** Require a number from `Number.MIN_SAFE_INTEGER` to `Number.MAX_SAFE_INTEGER`, perhaps with a fraction. */
  safe(message?: Message): this {
    return this.min(Number.MIN_SAFE_INTEGER, message).max(Number.MAX_SAFE_INTEGER, message)
  }

  /** Require a decimal multiple: 0.3 is a multiple of 0.1. No number is a multiple of 0. */
  multipleOf(step: number, message?: Message): this {
    const issue = { code: 'not_multiple_of', multipleOf: step }
    const text = `Number must be a multiple of ${step}`
    return this.check(check('multipleOf', multipleOf(step), issue, text, message, step))
  }
}

/**
 * Accept numbers, `Infinity` included, `NaN` not. Reports `invalid_type`; its checks `too_small`, `too_big`,
 * `not_multiple_of` and `not_finite`.
 *
 * @example
 * number().int().min(1).parse(3) // 3
 */
export const number = (params?: Params): NumberSchema =>
  new NumberSchema({ type: 'number', checks: [], params } as CheckedDefinition, makeChecked)

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
