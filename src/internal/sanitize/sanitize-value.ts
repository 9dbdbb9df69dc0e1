import type { Cleaner } from './sanitize.ts'

/** Maximum nesting. The body parser refuses the same depth; much deeper values would overflow the stack. */
const MAX_DEPTH = 100

/**
 * Copy a value with every string and every key in its lists and records cleaned. Anything else (numbers, dates, files,
 * instances of classes) is kept as the same object. Keys are cleaned like strings; of keys that become equal, the last
 * one wins, and `__proto__` is removed. Cycles are kept; lists and records more than 100 levels deep become `null`.
 *
 * @example
 * cleanValue({ tags: ['<b>x</b>', 1] }, (text) => text.replace('<b>', '')) // { tags: ['x</b>', 1] }
 */
export const cleanValue = (
  value: unknown,
  clean: Cleaner,
  depth = 0,
  copies: Map<object, object> = new Map(),
): unknown => {
  if (typeof value === 'string') return clean(value)
  if (!isContainer(value)) return value
  const copied = copies.get(value)
  if (copied) return copied
  if (depth === MAX_DEPTH) return null
  const copy = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value))
  copies.set(value, copy)
  for (const [name, item] of Object.entries(value)) {
    const key = clean(name)
    if (key !== '__proto__') copy[key] = cleanValue(item, clean, depth + 1, copies)
  }
  return copy
}

/** A list or a plain record, as parsers create. */
const isContainer = (value: unknown): value is object => {
  if (Object(value) !== value) return false
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || !prototype || !Object.getPrototypeOf(prototype)
}
