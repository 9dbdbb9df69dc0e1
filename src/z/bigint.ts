import { CheckedSchema } from '../internal/z/checked-schema.ts'
import { check, makeChecked } from '../internal/z/checks.ts'
import type { Check, CheckedDefinition } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'

/** The schema that `bigint()` returns. */
export class BigIntSchema extends CheckedSchema<bigint> {
  /** Require this number or more. */
  min(limit: bigint, message?: Message): this {
    return this.check(minCheck(limit, true, message))
  }

  /** Require this number or less. */
  max(limit: bigint, message?: Message): this {
    return this.check(maxCheck(limit, true, message))
  }

  /** Require this number or more. */
  gte(limit: bigint, message?: Message): this {
    return this.min(limit, message)
  }

  /** Require this number or less. */
  lte(limit: bigint, message?: Message): this {
    return this.max(limit, message)
  }

  /** Require more than this number. */
  gt(limit: bigint, message?: Message): this {
    return this.check(minCheck(limit, false, message))
  }

  /** Require less than this number. */
  lt(limit: bigint, message?: Message): this {
    return this.check(maxCheck(limit, false, message))
  }

  /** Require more than 0. */
  positive(message?: Message): this {
    return this.gt(0n, message)
  }

  /** Require less than 0. */
  negative(message?: Message): this {
    return this.lt(0n, message)
  }

  /** Require 0 or more. */
  nonnegative(message?: Message): this {
    return this.min(0n, message)
  }

  /** Require 0 or less. */
  nonpositive(message?: Message): this {
    return this.max(0n, message)
  }

  /** Require a multiple of this number. */
  multipleOf(step: bigint, message?: Message): this {
    const issue = { code: 'not_multiple_of', multipleOf: step }
    const holds = (value: bigint): boolean => step !== 0n && value % step === 0n
    return this.check(check('multipleOf', holds, issue, `Number must be a multiple of ${step}`, message, step))
  }
}

const minCheck = (limit: bigint, inclusive: boolean, message?: Message): Check => {
  const holds = inclusive ? (value: bigint) => value >= limit : (value: bigint) => value > limit
  const issue = { code: 'too_small', minimum: limit, type: 'bigint', inclusive }
  return check('min', holds, issue, `Number must be greater than ${orEqual(inclusive)}${limit}`, message, limit)
}

const maxCheck = (limit: bigint, inclusive: boolean, message?: Message): Check => {
  const holds = inclusive ? (value: bigint) => value <= limit : (value: bigint) => value < limit
  const issue = { code: 'too_big', maximum: limit, type: 'bigint', inclusive }
  return check('max', holds, issue, `BigInt must be less than ${orEqual(inclusive)}${limit}`, message, limit)
}

const orEqual = (inclusive: boolean): string => (inclusive ? 'or equal to ' : '')

/**
 * Accept bigints. Reports `invalid_type`; its checks `too_small`, `too_big` and `not_multiple_of`.
 *
 * @example
 * bigint().positive().parse(5n) // 5n
 */
export const bigint = (params?: Params): BigIntSchema =>
  new BigIntSchema({ type: 'bigint', checks: [], params } as CheckedDefinition, makeChecked)
