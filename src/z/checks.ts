import type { Issue, Sized, SizeIssue } from '../internal/validation-error.ts'
import { derive } from './core.ts'
import type { Check, Definition, Make } from './definition.ts'
import { type IssueData, type Message, messageOf, type Params, type Text } from './issue.ts'
import { isPlain, plainOf } from './plain.ts'
import { type Run, report, wrongType } from './run.ts'
import type { AnySchema } from './schema.ts'

/** A definition with checks, which run in the order in which they were added. */
export interface Checked extends Definition {
  readonly checks: readonly Check[]
  /** What is tried on the value before its type is looked at. */
  readonly coerce?: ((value: unknown) => unknown) | undefined
}

/** Is it a value of the type; where `typeof` alone does not tell. */
type Guard = (value: unknown) => boolean

/** A run that proves the type, then asks every check; a failed one reports and keeps the value. */
export const makeChecked =
  (guard?: Guard, refuse: typeof wrongType = wrongType): Make =>
  ({ type, checks, coerce, params }: Checked) => {
    const plain = plainOf({ def: { type, checks } as Checked })
    const run: Run = (value, issues) => {
      if (isPlain(plain, value)) return value
      const fits = guard ? guard(value) : typeof value === type && !Number.isNaN(value)
      if (!fits) return refuse(issues, value, type, params)
      let out: unknown = value
      for (const check of checks) {
        if (check.change) out = check.change(out)
        else if (!check.holds(out)) fail(check, out, issues, params)
      }
      return out
    }
    return coerce ? (value, issues) => run(coerce(value), issues) : run
  }

/** Report a failed check. */
export const fail = ({ issue, text }: Check, value: unknown, issues: Issue[], params?: Params): never =>
  report(issues, value, { ...issue! }, text!, params)

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
  holds: holds as Check['holds'],
  issue: { ...issue, message: messageOf(message) },
  text,
  change: undefined,
})

/** A check that changes a string, by its method of this name, and cannot fail. */
export const change = (kind: 'trim' | 'toLowerCase' | 'toUpperCase'): Check => ({
  kind,
  value: undefined,
  holds: () => false,
  issue: undefined,
  text: undefined,
  change: (value: string) => value[kind](),
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
