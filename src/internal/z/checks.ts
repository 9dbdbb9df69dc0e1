import { DEV } from '#mode'
import type { SizedKind } from '../../errors/validation-error.ts'
import { derive } from './core.ts'
import type { AnyCore, Check, CheckedDefinition, Run } from './definition.ts'
import { type Issue, type IssueData, type Message, messageOf, type Params } from './issue.ts'
import { report, wrongType } from './report.ts'

/** A test for values that a schema returns unchanged. */
export interface Plain {
  /** `string`, `number` or `boolean`; values of any other kind need the run. */
  readonly kind: string | undefined
  /** The checks of such a value; a check that changes it never holds. */
  readonly holds: readonly Check['holds'][]
}

/** Lets a parent accept most values without calling the run of the child. */
export const plainOf = ({ def }: Pick<AnyCore, 'def'>): Plain => {
  const { type, checks = [], coerce } = def as CheckedDefinition
  return { kind: coerce ? undefined : type, holds: checks.map((check) => check.holds) }
}

/** Whether a value certainly fits; the run decides about any other. `typeof` is a call, except with a literal. */
export const isPlain = ({ kind, holds }: Plain, value: unknown): boolean => {
  if (kind === 'string') {
    if (typeof value !== 'string') return false
  } else if (kind === 'number') {
    if (typeof value !== 'number' || Number.isNaN(value)) return false
  } else if (kind !== 'boolean' || typeof value !== 'boolean') return false
  for (let index = 0; index < holds.length; index++) if (!holds[index]!(value)) return false
  return true
}

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

export const limitCheck = (kind: 'min' | 'max', limit: number, message?: Message, inclusive = true): Check => {
  const isMin = kind === 'min'
  const holds = inclusive
    ? isMin
      ? (value: number) => value >= limit
      : (value: number) => value <= limit
    : isMin
      ? (value: number) => value > limit
      : (value: number) => value < limit
  const text = `Number must be ${isMin ? 'greater' : 'less'} than ${inclusive ? 'or equal to ' : ''}${limit}`
  return bound(kind, 'number', limit, holds, text, message, inclusive)
}

export const whole = (message?: Message): Check => {
  const issue = { code: 'invalid_type', expected: 'integer', received: 'float' }
  return check('int', Number.isInteger, issue, 'Expected integer, received float', message)
}

/** By the decimal digits of both numbers: 3e-7 is a multiple of 1e-7. No number is a multiple of 0. */
export const multipleOf = (step: number): ((value: number) => boolean) => {
  // Without this check, `BigInt` would throw another error
  if (DEV && !Number.isFinite(step)) throw new TypeError(`z: multipleOf: expected a finite number, got ${step}`)
  const [stepDigits, least] = decimal(step)
  const steps = BigInt(stepDigits)
  return (value) => {
    const [digits, power] = decimal(value)
    // A number with more decimal places than the step is not one of its multiples
    return steps > 0n && (value === 0 || (power >= least && BigInt(digits + '0'.repeat(power - least)) % steps === 0n))
  }
}

/** The digits of a number, and the power of ten of the last digit; `undefined` for an infinite value. */
const decimal = (value: number): readonly [digits: string, power: number] => {
  const [digits, power] = Math.abs(value).toExponential().replace('.', '').split('e')
  return [digits!, Number(power) - digits!.length]
}
