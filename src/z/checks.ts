import type { Issue, Sized, SizeIssue } from '../internal/validation-error.ts'
import type { Check, Definition, Make } from './definition.ts'
import { type IssueData, type Message, messageOf, type Params, type Text } from './issue.ts'
import { INVALID, report, wrongType } from './run.ts'
import { type AnySchema, derive } from './schema.ts'

/** A definition with checks, which run in the order in which they were added. */
export interface Checked extends Definition {
  readonly checks: readonly Check[]
  /** What is tried on the value before its type is looked at. */
  readonly coerce?: ((value: unknown) => unknown) | undefined
}

/** A run that proves the type, then asks every check; a failed one reports and keeps the value. */
export const makeChecked =
  (guard: (value: unknown) => boolean, refuse: typeof wrongType = wrongType): Make =>
  ({ type, checks, coerce, params }: Checked) => {
    const count = checks.length
    return (input, issues) => {
      let value = coerce ? coerce(input) : input
      if (!guard(value)) return refuse(issues, value, type, params)
      for (let index = 0; index < count; index++) value = ask(checks[index]!, value, issues, params)
      return value
    }
  }

/** What goes on after a check: what it made of the value, or the value when it fails, with an issue. */
export const ask = ({ test, issue, text }: Check, value: unknown, issues: Issue[], params?: Params): unknown => {
  const next = test(value)
  if (next !== INVALID) return next
  report(issues, value, { ...issue! }, text!, params)
  return value
}

/** The schema with one check more. */
export const withCheck = <T extends AnySchema>(schema: T, check: Check): T =>
  derive(schema, { checks: [...(schema.def as Checked).checks, check] })

/** The schema with a bound in the place of one of the same kind. An exact length is asked first, then the lower bound. */
export const withBound = <T extends AnySchema>(schema: T, kind: string, ...bounds: readonly Check[]): T => {
  const others = (schema.def as Checked).checks.filter((check) => check.kind !== kind)
  const all = [...others, ...bounds.map((check) => ({ ...check, kind }))]
  return derive(schema, { checks: all.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)) })
}

const ORDER = 'length min max'

/** A check that keeps the value when `holds` says so. */
export const check = <Value>(
  kind: string,
  holds: (value: Value) => boolean,
  issue: IssueData,
  text: Text,
  message?: Message,
  value?: unknown,
): Check => ({
  kind,
  value,
  test: (value) => (holds(value) ? value : INVALID),
  issue: { ...issue, message: messageOf(message) },
  text,
})

/** A lower bound (`min`) or an upper bound (`max`). */
export const bound = <Value>(
  kind: 'min' | 'max',
  type: Sized,
  value: number | bigint,
  holds: (value: Value) => boolean,
  text: (issue: SizeIssue) => string,
  message?: Message,
  inclusive = true,
  exact: boolean | undefined = type === 'bigint' ? undefined : false,
): Check =>
  check(
    kind,
    holds,
    (kind === 'min'
      ? { code: 'too_small', minimum: value, type, inclusive, exact }
      : { code: 'too_big', maximum: value, type, inclusive, exact }) as IssueData,
    text as Text,
    message,
    value,
  )

/** The bound in an issue. */
export const limitOf = (issue: SizeIssue): number | bigint =>
  issue.code === 'too_small' ? issue.minimum : issue.maximum

/** Texts of strings and arrays: `String must contain at least 5 character(s)`. */
export const countText =
  (noun: string, unit: string) =>
  (issue: SizeIssue): string =>
    `${noun} must contain ${issue.exact ? 'exactly' : issue.code === 'too_small' ? 'at least' : 'at most'} ${limitOf(issue)} ${unit}(s)`
