import type { Checked } from './checks.ts'
import type { Core } from './core.ts'

/** A schema that asks for a type and nothing else, as a number; 0 for any other. */
export type PlainKind = number

const PLAIN = ['', 'string', 'number', 'boolean']

/** Whether a parent can look at values itself, which costs no call. */
export const plainKind = ({ def }: Core): PlainKind => {
  const { type, checks, coerce } = def as Checked
  return coerce || checks?.length ? 0 : Math.max(0, PLAIN.indexOf(type))
}

/** Is it a value that a schema of this kind accepts as it is. `typeof` beside a literal is an instruction, beside a variable it is a call. */
export const isPlain = (kind: PlainKind, value: unknown): boolean => {
  if (kind === 1) return typeof value === 'string'
  if (kind === 2) return typeof value === 'number' && !Number.isNaN(value)
  return kind === 3 && typeof value === 'boolean'
}
