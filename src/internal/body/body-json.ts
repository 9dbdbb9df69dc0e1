import { refusal } from '../error/refusal.ts'
import { parseJson } from './parse-json.ts'

/** Matches a string that may contain the key `__proto__`, perhaps with escapes. */
const MAY_HOLD_PROTO = /__proto__|\\u00/i

/**
 * Parse JSON without the key `__proto__`, which code that merges objects takes for the prototype; `undefined` for white
 * space alone. @throws {Error} 400 if it is nested deeper than `depth`, or is not JSON
 */
export const parseBodyJson = (text: string, depth: number): unknown => {
  if (!text.trim()) return undefined
  const value = parseJson(text)
  // A shorter text cannot contain that many brackets
  if (text.length > 2 * depth || MAY_HOLD_PROTO.test(text)) removeProtoKeys(value, depth)
  return value
}

const removeProtoKeys = (value: unknown, depth: number): void => {
  if (typeof value !== 'object' || value === null) return
  if (!depth) throw refusal(400, 'JSON is nested too deeply')
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const item of Object.values(value)) removeProtoKeys(item, depth - 1)
}
