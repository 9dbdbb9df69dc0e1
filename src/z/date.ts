import type { Issue } from '../errors/validation-error.ts'
import { CheckedSchema } from '../internal/z/checked-schema.ts'
import { bound, makeChecked } from '../internal/z/checks.ts'
import type { CheckedDefinition } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'
import { report, typeName, wrongType } from '../internal/z/report.ts'

/** The schema that `date()` returns. */
export class DateSchema extends CheckedSchema<Date> {
  /** Require this moment or later. */
  min(limit: Date, message?: Message): this {
    const time = limit.getTime()
    const text = `Date must be greater than or equal to ${new Date(time)}`
    return this.check(bound('min', 'date', time, (value: Date) => value.getTime() >= time, text, message))
  }

  /** Require this moment or earlier. */
  max(limit: Date, message?: Message): this {
    const time = limit.getTime()
    const text = `Date must be smaller than or equal to ${new Date(time)}`
    return this.check(bound('max', 'date', time, (value: Date) => value.getTime() <= time, text, message))
  }
}

/** An invalid date has its own issue. */
const refuseDate = (issues: Issue[], value: unknown, expected: string, params?: Params): never =>
  typeName(value) === 'date'
    ? report(issues, value, { code: 'invalid_date' }, 'Invalid date', params)
    : wrongType(issues, value, expected, params)

const isValidDate = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime())

/** The output is a copy of the input, so that a later change of the input does not reach it. */
const copy = (value: unknown): unknown => (value instanceof Date ? new Date(value.getTime()) : value)

/**
 * Accept `Date` objects, but not strings: for strings see `coerce.date()`. Reports `invalid_type` and `invalid_date`;
 * its checks `too_small` and `too_big`.
 *
 * @example
 * date().min(new Date(0)).safeParse(new Date(-1)).success // false
 */
export const date = (params?: Params): DateSchema => {
  const def = { type: 'date', checks: [], params, coerce: copy, guard: isValidDate, refuse: refuseDate }
  return new DateSchema(def as CheckedDefinition, makeChecked)
}
