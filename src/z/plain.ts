import type { Checked } from './checks.ts'
import type { Core } from './core.ts'
import type { Check } from './definition.ts'

/** What a value must be so that a schema gives it back as it is. */
export interface Plain {
  /** 1 for a string, 2 for a number, 3 for a boolean, 0 where only the run knows. */
  readonly kind: number
  /** The checks of such a value; one that changes it never holds. */
  readonly holds: readonly Check['holds'][]
}

const KINDS = ['', 'string', 'number', 'boolean']

/** Made once by a parent, which then spares itself the call of the run for most values. */
export const plainOf = ({ def }: Pick<Core, 'def'>): Plain => {
  const { type, checks = [], coerce } = def as Partial<Checked>
  return { kind: coerce ? 0 : Math.max(0, KINDS.indexOf(type!)), holds: checks.map((check) => check.holds) }
}

/** Is it such a value; for any other the run has to say. `typeof` beside a literal is an instruction, beside a variable it is a call. */
export const isPlain = ({ kind, holds }: Plain, value: unknown): boolean => {
  if (kind === 1) {
    if (typeof value !== 'string') return false
  } else if (kind === 2) {
    if (typeof value !== 'number' || Number.isNaN(value)) return false
  } else if (kind === 0 || typeof value !== 'boolean') return false
  for (let index = 0; index < holds.length; index++) if (!holds[index]!(value)) return false
  return true
}
