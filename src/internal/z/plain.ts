import type { AnyCore, Check, CheckedDefinition } from './definition.ts'

/** The kinds of values that a schema returns unchanged. */
export interface Plain {
  /** `string`, `number` or `boolean`; for any other kind only the run knows. */
  readonly kind: string | undefined
  /** The checks of such a value; one that changes it never holds. */
  readonly holds: readonly Check['holds'][]
}

/** Computed once by a parent, so that it can accept most values without calling the child. */
export const plainOf = ({ def }: Pick<AnyCore, 'def'>): Plain => {
  const { type, checks = [], coerce } = def as CheckedDefinition
  return { kind: coerce ? undefined : type, holds: checks.map((check) => check.holds) }
}

/**
 * Tells whether a value certainly is of the type; for any other the run decides. `typeof` beside a literal is one
 * instruction, else a call.
 */
export const isPlain = ({ kind, holds }: Plain, value: unknown): boolean => {
  if (kind === 'string') {
    if (typeof value !== 'string') return false
  } else if (kind === 'number') {
    if (typeof value !== 'number' || Number.isNaN(value)) return false
  } else if (kind !== 'boolean' || typeof value !== 'boolean') return false
  for (let index = 0; index < holds.length; index++) if (!holds[index]!(value)) return false
  return true
}
