import type { SizeIssue } from '../internal/validation-error.ts'
import { bound, check, limitOf } from './checks.ts'
import type { Check } from './definition.ts'
import type { Message } from './issue.ts'
import { typeText } from './run.ts'

const text = (issue: SizeIssue): string => {
  const side = issue.code === 'too_small' ? 'greater' : 'less'
  return `Number must be ${side} than ${issue.inclusive ? 'or equal to ' : ''}${limitOf(issue)}`
}

/** This number or more; not `inclusive`, more than this number. */
export const lowest = (limit: number, inclusive = true, message?: Message): Check => {
  const holds = inclusive ? (value: number) => value >= limit : (value: number) => value > limit
  return bound('min', 'number', limit, holds, text, message, inclusive)
}

/** This number or less; not `inclusive`, less than this number. */
export const highest = (limit: number, inclusive = true, message?: Message): Check => {
  const holds = inclusive ? (value: number) => value <= limit : (value: number) => value < limit
  return bound('max', 'number', limit, holds, text, message, inclusive)
}

/** Without a fraction. */
export const whole = (message?: Message): Check =>
  check('int', Number.isInteger, { code: 'invalid_type', expected: 'integer', received: 'float' }, typeText, message)
