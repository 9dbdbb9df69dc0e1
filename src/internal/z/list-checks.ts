import type { Issue, SizedKind } from '../schema/validation-error.ts'
import { bound } from './checks.ts'
import { derive } from './core.ts'
import type { AnyCore, Check, CheckedDefinition } from './definition.ts'
import type { Message, Params } from './issue.ts'
import { report } from './report.ts'

/** The order in which bounds are checked. */
const ORDER = ['length', 'min', 'max']

/** Replace the bounds of a kind. */
export const withBound = <T extends AnyCore>(schema: T, kind: string, ...bounds: readonly Check[]): T => {
  const others = (schema.def as CheckedDefinition).checks.filter((check) => check.kind !== kind)
  const all = [...others, ...bounds.map((check) => ({ ...check, kind }))]
  return derive(schema, { ...schema.def, checks: all.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)) })
}

/** Report each check of a list that fails. */
export const runChecks = (checks: readonly Check[], value: unknown, issues: Issue[], params?: Params): void => {
  for (const { holds, issue, text, message } of checks)
    if (!holds(value)) report(issues, value, { ...issue!, message }, text!, params)
}

/** `Array must contain at least 2 element(s)`. */
export const arrayText = (side: string, length: number): string => `Array must contain ${side} ${length} element(s)`

/** A bound of a size, which `sizeOf` counts. */
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
