import { bound, check, countText } from './checks.ts'
import type { Check } from './definition.ts'
import type { Message } from './issue.ts'

/** Atoms of letters, digits and `_'+-` between dots, the last of them not ending with `'`; labels; a last label of letters alone. */
export const EMAIL: RegExp = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i

const text = /* @__PURE__ */ countText('String', 'character')

/** At least so many UTF-16 code units. */
export const atLeast = (length: number, message?: Message, exact?: boolean): Check =>
  bound('min', 'string', length, (value: string) => value.length >= length, text, message, true, exact)

/** At most so many UTF-16 code units. */
export const atMost = (length: number, message?: Message, exact?: boolean): Check =>
  bound('max', 'string', length, (value: string) => value.length <= length, text, message, true, exact)

/** A check that reports `invalid_string`. */
export const textCheck = (
  validation: string | { readonly [kind: string]: unknown },
  holds: (value: string) => boolean,
  message?: Message,
  words = `Invalid ${validation}`,
  value?: unknown,
): Check => {
  const kind = typeof validation === 'string' ? validation : Object.keys(validation)[0]!
  return check(kind, holds, { code: 'invalid_string', validation } as never, words, message, value)
}

/** A check by a pattern, whatever its flags. */
export const patternCheck = (validation: string, pattern: RegExp, message?: Message, words?: string): Check => {
  const holds = (value: string): boolean => {
    pattern.lastIndex = 0
    return pattern.test(value)
  }
  return textCheck(validation, holds, message, words, pattern)
}
