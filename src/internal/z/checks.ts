import type { SizedKind } from '../schema/validation-error.ts'
import type { Check, CheckedDefinition, Run } from './definition.ts'
import { type IssueData, type Message, messageOf } from './issue.ts'
import { isPlain, plainOf } from './plain.ts'
import { report, wrongType } from './report.ts'

interface GuardedDefinition extends CheckedDefinition {
  /** Whether a value has the type, if `typeof` alone cannot tell. */
  readonly guard?: (value: unknown) => boolean
  /** Reports a value of another type. */
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

/** A lower bound (`min`) or an upper bound (`max`). */
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
