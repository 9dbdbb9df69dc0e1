import { type Checked, check, makeChecked, withCheck } from './checks.ts'
import type { Make } from './definition.ts'
import type { Message, Params } from './issue.ts'
import { highest, lowest, whole } from './number-checks.ts'
import { Schema } from './schema.ts'

/** Of `number()`. */
export class NumberSchema extends Schema<number> {
  declare readonly def: Checked

  /** This number or more; also `gte`. */
  min(limit: number, message?: Message): this {
    return withCheck(this, lowest(limit, true, message))
  }

  /** This number or less; also `lte`. */
  max(limit: number, message?: Message): this {
    return withCheck(this, highest(limit, true, message))
  }

  /** This number or more. */
  gte(limit: number, message?: Message): this {
    return withCheck(this, lowest(limit, true, message))
  }

  /** This number or less. */
  lte(limit: number, message?: Message): this {
    return withCheck(this, highest(limit, true, message))
  }

  /** More than this number. */
  gt(limit: number, message?: Message): this {
    return withCheck(this, lowest(limit, false, message))
  }

  /** Less than this number. */
  lt(limit: number, message?: Message): this {
    return withCheck(this, highest(limit, false, message))
  }

  /** More than 0. */
  positive(message?: Message): this {
    return this.gt(0, message)
  }

  /** Less than 0. */
  negative(message?: Message): this {
    return this.lt(0, message)
  }

  /** 0 or more. */
  nonnegative(message?: Message): this {
    return this.min(0, message)
  }

  /** 0 or less. */
  nonpositive(message?: Message): this {
    return this.max(0, message)
  }

  /** Without a fraction. */
  int(message?: Message): this {
    return withCheck(this, whole(message))
  }

  /** Neither `Infinity` nor `-Infinity`. */
  finite(message?: Message): this {
    return withCheck(this, check('finite', Number.isFinite, { code: 'not_finite' }, 'Number must be finite', message))
  }

  /** From `Number.MIN_SAFE_INTEGER` to `Number.MAX_SAFE_INTEGER`; fractions are not refused. */
  safe(message?: Message): this {
    return this.min(Number.MIN_SAFE_INTEGER, message).max(Number.MAX_SAFE_INTEGER, message)
  }

  /** A multiple as people count: 0.3 is one of 0.1. */
  multipleOf(step: number, message?: Message): this {
    const issue = { code: 'not_multiple_of', multipleOf: step } as const
    const words = `Number must be a multiple of ${step}`
    return withCheck(
      this,
      check('multipleOf', (value: number) => isMultiple(value, step), issue, words, message, step),
    )
  }
}

/** Both numbers moved to whole ones by the longer of their fractions. */
const isMultiple = (value: number, step: number): boolean => {
  const places = Math.max(fractionOf(value), fractionOf(step))
  return shifted(value, places) % shifted(step, places) === 0
}

const fractionOf = (value: number): number => `${value}`.split('.')[1]?.length ?? 0

const shifted = (value: number, places: number): number => Number.parseInt(value.toFixed(places).replace('.', ''), 10)

/** A run for numbers. */
export const makeNumber: Make = /* @__PURE__ */ makeChecked()

/**
 * Accept numbers, `Infinity` included, `NaN` not.
 *
 * Reports `invalid_type`; its checks `too_small`, `too_big`, `not_multiple_of` and `not_finite`.
 *
 * @example
 * number().int().min(1).parse(3) // 3
 */
export const number = (params?: Params): NumberSchema =>
  new NumberSchema({ type: 'number', checks: [], params } as Checked, makeNumber)
