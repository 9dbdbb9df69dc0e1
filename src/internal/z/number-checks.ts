import { bound, check } from './checks.ts'
import type { Check } from './definition.ts'
import type { Message } from './issue.ts'

/** A bound; the limit itself is allowed if `inclusive`. */
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

/** Accepts numbers without a fraction. */
export const whole = (message?: Message): Check =>
  check(
    'int',
    Number.isInteger,
    { code: 'invalid_type', expected: 'integer', received: 'float' },
    'Expected integer, received float',
    message,
  )
