import type { AnyCore, Check, CheckedDefinition } from './definition.ts'

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
