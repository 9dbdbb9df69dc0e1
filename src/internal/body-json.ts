import { HttpError } from './http-error.ts'
import { parseJson } from './json-error.ts'

/** A text that may hold the key `__proto__`, perhaps written with escapes. */
const MAY_HOLD_PROTO = /__proto__|\\u00/i

/**
 * Parse JSON of a stranger: no deeper than programs can follow, without the key `__proto__`, which merging code takes
 * for the prototype. An empty text is `undefined`.
 *
 * @throws {HttpError} 400 where it is nested deeper than `depth`. @throws {JsonError} where it is not JSON.
 */
export const parseBodyJson = (text: string, depth: number): unknown => {
  if (!text.trim()) return undefined
  if (text.length > 2 * depth && isDeeper(text, depth)) throw new HttpError(400, 'JSON is nested too deeply')
  const value = parseJson(text)
  if (MAY_HOLD_PROTO.test(text)) dropProto(value)
  return value
}

/** Count brackets outside of strings. What is not JSON may be counted wrongly: its parser refuses it. */
const isDeeper = (text: string, depth: number): boolean => {
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      do at = text.indexOf('"', at + 1)
      while (at > 0 && isEscaped(text, at))
      if (at < 0) return false
    } else if (code === 91 || code === 123) {
      level++
      if (level > depth) return true
    } else if (code === 93 || code === 125) level--
  }
  return false
}

/** An odd number of backslashes stands before. */
const isEscaped = (text: string, at: number): boolean => {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}

const dropProto = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  Object.values(value).forEach(dropProto)
}
