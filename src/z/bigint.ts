import type { SizeIssue } from '../internal/validation-error.ts'
import { bound, type Checked, check, limitOf, makeChecked, withCheck } from './checks.ts'
import type { Make } from './definition.ts'
import type { Message, Params } from './issue.ts'
import { Schema } from './schema.ts'

/** Of `bigint()`. */
export class BigIntSchema extends Schema<bigint> {
  declare readonly def: Checked

  /** This number or more; also `gte`. */
  min(limit: bigint, message?: Message): this {
    return atLeast(this, limit, true, message)
  }

  /** This number or less; also `lte`. */
  max(limit: bigint, message?: Message): this {
    return atMost(this, limit, true, message)
  }

  /** This number or more. */
  gte(limit: bigint, message?: Message): this {
    return atLeast(this, limit, true, message)
  }

  /** This number or less. */
  lte(limit: bigint, message?: Message): this {
    return atMost(this, limit, true, message)
  }

  /** More than this number. */
  gt(limit: bigint, message?: Message): this {
    return atLeast(this, limit, false, message)
  }

  /** Less than this number. */
  lt(limit: bigint, message?: Message): this {
    return atMost(this, limit, false, message)
  }

  /** More than 0. */
  positive(message?: Message): this {
    return this.gt(0n, message)
  }

  /** Less than 0. */
  negative(message?: Message): this {
    return this.lt(0n, message)
  }

  /** 0 or more. */
  nonnegative(message?: Message): this {
    return this.min(0n, message)
  }

  /** 0 or less. */
  nonpositive(message?: Message): this {
    return this.max(0n, message)
  }

  /** A multiple of this number. */
  multipleOf(step: bigint, message?: Message): this {
    const issue = { code: 'not_multiple_of', multipleOf: step } as const
    const holds = (value: bigint): boolean => value % step === 0n
    return withCheck(this, check('multipleOf', holds, issue, `Number must be a multiple of ${step}`, message, step))
  }
}

const text = (issue: SizeIssue): string => {
  const side = issue.code === 'too_small' ? 'Number must be greater' : 'BigInt must be less'
  return `${side} than ${issue.inclusive ? 'or equal to ' : ''}${limitOf(issue)}`
}

const atLeast = <T extends BigIntSchema>(schema: T, limit: bigint, inclusive: boolean, message?: Message): T => {
  const holds = inclusive ? (value: bigint) => value >= limit : (value: bigint) => value > limit
  return withCheck(schema, bound('min', 'bigint', limit, holds, text, message, inclusive))
}

const atMost = <T extends BigIntSchema>(schema: T, limit: bigint, inclusive: boolean, message?: Message): T => {
  const holds = inclusive ? (value: bigint) => value <= limit : (value: bigint) => value < limit
  return withCheck(schema, bound('max', 'bigint', limit, holds, text, message, inclusive))
}

/** A run for bigints. */
export const makeBigInt: Make = /* @__PURE__ */ makeChecked()

/**
 * Accept bigints.
 *
 * Reports `invalid_type`; its checks `too_small`, `too_big` and `not_multiple_of`.
 *
 * @example
 * bigint().positive().parse(5n) // 5n
 */
export const bigint = (params?: Params): BigIntSchema =>
  new BigIntSchema({ type: 'bigint', checks: [], params } as Checked, makeBigInt)
