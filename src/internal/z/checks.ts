import type { SizedKind } from '../schema/validation-error.ts'
import { derive } from './core.ts'
import type { AnyCore, Check, CheckedDefinition, Run } from './definition.ts'
import { type Issue, type IssueData, type Message, messageOf, type Params } from './issue.ts'
import { isPlain, plainOf } from './plain.ts'
import { report, wrongType } from './report.ts'

interface GuardedDefinition extends CheckedDefinition {
  /** Whether a value has the type, if `typeof` alone cannot tell. */
  readonly guard?: (value: unknown) => boolean
  readonly refuse?: typeof wrongType
}

/** A run that tests the type, then every check; a failed check reports an issue and keeps the value. */
export const makeChecked = ({ type, checks, coerce, params, guard, refuse = wrongType }: GuardedDefinition): Run => {
  const plain = plainOf({ def: { type, checks } as CheckedDefinition })
  const run: Run = (value, issues) => {
    if (isPlain(plain, value)) return value
    if (guard ? !guard(value) : typeof value !== type || Number.isNaN(value)) return refuse(issues, value, type, params)
    let out: unknown = value
    for (const { change, holds, issue, text, message } of checks) {
      if (change) out = change(out)
      else if (!holds(out)) report(issues, out, { ...issue!, message }, text!, params)
    }
    return out
  }
  return coerce ? (value, issues) => run(coerce(value), issues) : run
}

/** A check that does not change the value. */
export const check = <Value>(
  kind: string,
  holds: (value: Value) => boolean,
  issue: object,
  text: string,
  message?: Message,
  value?: unknown,
): Check => ({ kind, value, holds, issue: issue as IssueData, text, message: messageOf(message) })

export const bound = <Value>(
  kind: 'min' | 'max',
  type: SizedKind,
  value: number,
  holds: (value: Value) => boolean,
  text: string,
  message?: Message,
  inclusive = true,
  exact = false,
): Check => {
  const issue =
    kind === 'min'
      ? { code: 'too_small', minimum: value, type, inclusive, exact }
      : { code: 'too_big', maximum: value, type, inclusive, exact }
  return check(kind, holds, issue, text, message, value)
}

/** The order in which bounds are checked. */
const ORDER = ['length', 'min', 'max']

export const withBound = <T extends AnyCore>(schema: T, kind: string, ...bounds: readonly Check[]): T => {
  const others = (schema.def as CheckedDefinition).checks.filter((check) => check.kind !== kind)
  const all = [...others, ...bounds.map((check) => ({ ...check, kind }))]
  return derive(schema, { ...schema.def, checks: all.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)) })
}

export const runChecks = (checks: readonly Check[], value: unknown, issues: Issue[], params?: Params): void => {
  for (const { holds, issue, text, message } of checks)
    if (!holds(value)) report(issues, value, { ...issue!, message }, text!, params)
}

export const arrayText = (side: string, length: number): string => `Array must contain ${side} ${length} element(s)`

export const sizeCheck = <Value>(
  kind: 'min' | 'max',
  type: SizedKind,
  limit: number,
  sizeOf: (value: Value) => number,
  text: string,
  message?: Message,
  exact = false,
): Check => {
  const holds = (value: Value): boolean => (kind === 'min' ? sizeOf(value) >= limit : sizeOf(value) <= limit)
  return bound(kind, type, limit, holds, text, message, true, exact)
}
