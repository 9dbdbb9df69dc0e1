import { type HeadersInput, pairsOf } from '../../internal/fields.ts'
import { isFieldValue, isToken } from '../../internal/headers.ts'
import { inheritFrom } from './inherit.ts'

/**
 * A header map on a flat list of lower-case names and values. Behaves like the platform's `Headers`, whose class is in its prototype chain, at a
 * fraction of the cost.
 */
export class NodeHeaders implements Headers {
  static {
    inheritFrom(this, 'Headers')
  }

  /** Names and values, one after the other; names in lower case. */
  readonly fields: string[]

  constructor(fields: string[]) {
    this.fields = fields
  }

  append(name: string, value: string): void {
    this.fields.push(lower(name), clean(name, value))
  }

  delete(name: string): void {
    const wanted = lower(name)
    const { fields } = this
    let kept = 0
    for (let index = 0; index < fields.length; index += 2) {
      if (fields[index] === wanted) continue
      fields[kept++] = fields[index]!
      fields[kept++] = fields[index + 1]!
    }
    fields.length = kept
  }

  get(name: string): string | null {
    const wanted = lower(name)
    const between = wanted === 'cookie' ? '; ' : ', '
    const { fields } = this
    let found: string | null = null
    for (let index = 0; index < fields.length; index += 2) {
      if (fields[index] === wanted) found = found === null ? fields[index + 1]! : found + between + fields[index + 1]
    }
    return found
  }

  getSetCookie(): string[] {
    return this.fields.filter((_, index) => index % 2 && this.fields[index - 1] === 'set-cookie')
  }

  has(name: string): boolean {
    return hasField(this.fields, lower(name))
  }

  set(name: string, value: string): void {
    const wanted = lower(name)
    const cleaned = clean(name, value)
    const { fields } = this
    for (let index = 0; index < fields.length; index += 2) {
      if (fields[index] !== wanted) continue
      this.delete(name)
      break
    }
    fields.push(wanted, cleaned)
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void, thisArg?: unknown): void {
    for (const [name, value] of this) callback.call(thisArg, value, name, this)
  }

  /** Sorted by name; values of one name joined, save `set-cookie` (Fetch, "sort and combine"). */
  *entries(): HeadersIterator<[string, string]> {
    const names = [...new Set(this.fields.filter((_, index) => index % 2 === 0))].sort()
    for (const name of names) {
      if (name === 'set-cookie') for (const value of this.getSetCookie()) yield [name, value]
      else yield [name, this.get(name)!]
    }
  }

  *keys(): HeadersIterator<string> {
    for (const [name] of this) yield name
  }

  *values(): HeadersIterator<string> {
    for (const [, value] of this) yield value
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries()
  }

  get [Symbol.toStringTag](): string {
    return 'Headers'
  }
}

Object.defineProperty(NodeHeaders.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  value(this: NodeHeaders): unknown {
    return { Headers: Object.fromEntries(this) }
  },
})

/** Whether a flat list holds a field; the name in lower case. */
export const hasField = (fields: readonly string[], name: string): boolean => fieldIndex(fields, name) >= 0

/** Where a field's name stands in a flat list; -1 when it is not there. */
export const fieldIndex = (fields: readonly string[], name: string): number => {
  for (let index = 0; index < fields.length; index += 2) if (fields[index] === name) return index
  return -1
}

/** Any form of header fields as a flat list, checked. @throws {TypeError} for what HTTP forbids. */
export const toFields = (input: HeadersInput): string[] => {
  const fields: string[] = []
  for (const [name, value] of pairsOf(input)) fields.push(lower(name), clean(name, value))
  return fields
}

const lower = (name: string): string => {
  const text = String(name)
  if (!isToken(text)) throw new TypeError(`${JSON.stringify(text)} is not a field name`)
  return text.toLowerCase()
}

/** A field value without space around it (Fetch, "normalize"). @throws {TypeError} for CR, LF and other characters that no field holds. */
const clean = (name: string, value: unknown): string => {
  const text = normalize(String(value))
  if (!isFieldValue(text)) throw new TypeError(`${name}: ${JSON.stringify(text)} is not a field value`)
  return text
}

/** By hand: a regular expression would try every run of spaces inside for the one at the end. */
const normalize = (value: string): string => {
  let start = 0
  let end = value.length
  while (isSpace(value.charCodeAt(start))) start++
  while (end > start && isSpace(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}

/** Tab, line feed, carriage return, space. */
const isSpace = (code: number): boolean => code === 9 || code === 10 || code === 13 || code === 32
