import { bound, check } from './checks.ts'
import type { Check } from './definition.ts'
import type { Message } from './issue.ts'

const text = (side: string, limit: number, inclusive: boolean): string =>
  `Number must be ${side} than ${inclusive ? 'or equal to ' : ''}${limit}`

/** This number or more; not `inclusive`, more than this number. */
export const lowest = (limit: number, message?: Message, inclusive = true): Check => {
  const holds = inclusive ? (value: number) => value >= limit : (value: number) => value > limit
  return bound('min', 'number', limit, holds, text('greater', limit, inclusive), message, inclusive)
}

/** This number or less; not `inclusive`, less than this number. */
export const highest = (limit: number, message?: Message, inclusive = true): Check => {
  const holds = inclusive ? (value: number) => value <= limit : (value: number) => value < limit
  return bound('max', 'number', limit, holds, text('less', limit, inclusive), message, inclusive)
}

/** Without a fraction. */
export const whole = (message?: Message): Check =>
  check(
    'int',
    Number.isInteger,
    { code: 'invalid_type', expected: 'integer', received: 'float' },
    'Expected integer, received float',
    message,
  )
