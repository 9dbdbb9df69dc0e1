import { bound, check } from './checks.ts'
import type { Check } from './definition.ts'
import type { Message } from './issue.ts'

/** Atoms of letters, digits and `_'+-` between dots, then labels. The last atom does not end with `'`. */
export const EMAIL: RegExp = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i

/** A bound of the length in UTF-16 code units; `exact` marks the two bounds of an exact length. */
export const lengthCheck = (kind: 'min' | 'max', length: number, message?: Message, exact = false): Check => {
  const isMin = kind === 'min'
  const holds = isMin ? (value: string) => value.length >= length : (value: string) => value.length <= length
  const side = exact ? 'exactly' : isMin ? 'at least' : 'at most'
  const text = `String must contain ${side} ${length} character(s)`
  return bound(kind, 'string', length, holds, text, message, true, exact)
}

/** A check that reports `invalid_string`. `kind` is the name of the check if `validation` is an object. */
export const textCheck = (
  validation: string | object,
  holds: (value: string) => boolean,
  message?: Message,
  text = `Invalid ${validation}`,
  value?: unknown,
  kind: string = validation as string,
): Check => check(kind, holds, { validation, code: 'invalid_string' }, text, message, value)

export const patternCheck = (validation: string, pattern: RegExp, message?: Message, text?: string): Check =>
  textCheck(validation, matchesPattern(pattern), message, text, pattern)

export const matchesPattern =
  (pattern: RegExp) =>
  (value: string): boolean => {
    pattern.lastIndex = 0
    try {
      return pattern.test(value)
    } catch {
      // Megabytes of text overflow the stack of the engine
      return false
    }
  }
