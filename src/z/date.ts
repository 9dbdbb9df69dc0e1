import type { Issue, SizeIssue } from '../internal/validation-error.ts'
import { bound, type Checked, limitOf, makeChecked, withCheck } from './checks.ts'
import type { Make } from './definition.ts'
import type { Message, Params } from './issue.ts'
import { report, typeName, wrongType } from './run.ts'
import { Schema } from './schema.ts'

/** Of `date()`. */
export class DateSchema extends Schema<Date> {
  declare readonly def: Checked

  /** This moment or later. */
  min(limit: Date, message?: Message): this {
    const time = limit.getTime()
    return withCheck(
      this,
      bound('min', 'date', time, (value: Date) => value.getTime() >= time, text, message),
    )
  }

  /** This moment or earlier. */
  max(limit: Date, message?: Message): this {
    const time = limit.getTime()
    return withCheck(
      this,
      bound('max', 'date', time, (value: Date) => value.getTime() <= time, text, message),
    )
  }
}

const text = (issue: SizeIssue): string =>
  `Date must be ${issue.code === 'too_small' ? 'greater' : 'smaller'} than or equal to ${new Date(Number(limitOf(issue)))}`

/** A date that is no time has an issue of its own. */
const refuse = (issues: Issue[], value: unknown, expected: string, params?: Params): never =>
  typeName(value) === 'date'
    ? report(issues, value, { code: 'invalid_date' }, 'Invalid date', params)
    : wrongType(issues, value, expected, params)

/** A run for dates. */
export const makeDate: Make = /* @__PURE__ */ makeChecked(
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  refuse,
)

/** The output is another date than the input, so that nobody moves it afterwards. */
const copy = (value: unknown): unknown => (typeName(value) === 'date' ? new Date((value as Date).getTime()) : value)

/**
 * Accept `Date` objects, strings not: for those see `coerce.date()`.
 *
 * Reports `invalid_type` and `invalid_date`; its checks `too_small` and `too_big`.
 *
 * @example
 * date().min(new Date(0)).safeParse(new Date(-1)).success // false
 */
export const date = (params?: Params): DateSchema => makeDateSchema(params, copy)

/** A schema of dates that tries `coerce` first. */
export const makeDateSchema = (params: Params | undefined, coerce: (value: unknown) => unknown): DateSchema =>
  new DateSchema({ type: 'date', checks: [], params, coerce } as Checked, makeDate)
