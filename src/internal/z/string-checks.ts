import { bound, check } from './checks.ts'
import type { Check } from './definition.ts'
import type { Message } from './issue.ts'

/**
 * Atoms of letters, digits and `_'+-` between dots, the last of them not ending with `'`; labels; a last label of
 * letters alone.
 */
export const EMAIL: RegExp = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i

const countText = (length: number, exact: boolean, side: string): string =>
  `String must contain ${exact ? 'exactly' : side} ${length} character(s)`

/** At least so many UTF-16 code units. */
export const atLeast = (length: number, message?: Message, exact = false): Check =>
  bound(
    'min',
    'string',
    length,
    (value: string) => value.length >= length,
    countText(length, exact, 'at least'),
    message,
    true,
    exact,
  )

/** At most so many UTF-16 code units. */
export const atMost = (length: number, message?: Message, exact = false): Check =>
  bound(
    'max',
    'string',
    length,
    (value: string) => value.length <= length,
    countText(length, exact, 'at most'),
    message,
    true,
    exact,
  )

/** A check that reports `invalid_string`. `kind` is the name of the check where `validation` is an object. */
export const textCheck = (
  validation: string | object,
  holds: (value: string) => boolean,
  message?: Message,
  text = `Invalid ${validation}`,
  value?: unknown,
  kind: string = validation as string,
): Check => check(kind, holds, { validation, code: 'invalid_string' }, text, message, value)

/** A check by a pattern, whatever its flags. */
export const patternCheck = (validation: string, pattern: RegExp, message?: Message, text?: string): Check => {
  const holds = (value: string): boolean => {
    pattern.lastIndex = 0
    try {
      return pattern.test(value)
    } catch {
      // Megabytes of text overflow the engine of the pattern, and are no address either
      return false
    }
  }
  return textCheck(validation, holds, message, text, pattern)
}
