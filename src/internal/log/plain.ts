/** How values become plain. */
export interface PlainRules {
  /** Whether a field of this name is replaced by `[redacted]`. */
  readonly isSecret: (name: string) => boolean
  /** Longest text, in characters. */
  readonly maxLength: number
  /** Whether errors show where they were made. */
  readonly stack: boolean
}

/** What values say of themselves. */
interface Readable {
  toJSON(): unknown
  entries(): Iterable<readonly [unknown, unknown]>
  [Symbol.iterator](): unknown
}

/** Most levels, members of one value, and values in all: a line is no dump. */
const DEPTH = 10
const MEMBERS = 100
const VALUES = 1000

/** How far beyond the longest text the end of a password is looked for. */
const BEYOND = 1024

const REDACTED = '[redacted]'

/**
 * Any value as one that `JSON.stringify` writes: circles, BigInt, getters that throw and endless lists included. Secrets
 * are replaced by name; of a URL in a text, the password.
 */
export const toPlain = (value: unknown, { isSecret, maxLength, stack }: PlainRules): unknown => {
  const above: object[] = []
  let left = VALUES

  const member = (name: string, value: unknown): unknown =>
    value !== null && value !== undefined && isSecret(name) ? REDACTED : walk(value)

  const record = (entries: Iterable<readonly [unknown, unknown]>): object => {
    const plain: [string, unknown][] = []
    for (const [name, value] of entries) {
      if (plain.length === MEMBERS) break
      // What is for the inside of this package is for nobody's log
      const text = String(name)
      if (!text.startsWith('~')) plain.push([text, member(text, value)])
    }
    return Object.fromEntries(plain)
  }

  /** A value behind a name may be the pair of a header list: `['cookie', 'a=1']`. */
  const list = (items: Iterable<unknown>): unknown[] => {
    const plain: unknown[] = []
    let before: unknown
    for (const item of items) {
      if (plain.length === MEMBERS) break
      plain.push(typeof before === 'string' ? member(before, item) : walk(item))
      before = item
    }
    return plain
  }

  const error = (thrown: Error): object => ({
    name: walk(thrown.name),
    message: walk(thrown.message),
    ...(stack && { stack: walk(thrown.stack) }),
    ...record(Object.entries(thrown)),
    ...(thrown.cause !== undefined && { cause: walk(thrown.cause) }),
    ...(thrown instanceof AggregateError && { errors: walk(thrown.errors) }),
  })

  const object = (value: object & Partial<Readable>): unknown => {
    if (value instanceof Error) return error(value)
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (Array.isArray(value) || value instanceof Set) return list(value)
    // Headers, maps, forms and queries
    if (typeof value[Symbol.iterator] === 'function')
      return value.entries ? record(value.entries()) : list(value as never)
    return typeof value.toJSON === 'function' ? walk(value.toJSON()) : record(Object.entries(value))
  }

  const walk = (value: unknown): unknown => {
    if (left === 0) return '[cut]'
    left--
    if (typeof value === 'string') return withoutPasswords(value, maxLength + BEYOND).slice(0, maxLength)
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
    if (typeof value === 'bigint') return String(value)
    if (typeof value === 'symbol' || typeof value === 'function') return `[${typeof value}]`
    if (typeof value !== 'object' || value === null) return value
    if (above.includes(value)) return '[circular]'
    if (above.length === DEPTH) return '[cut]'
    above.push(value)
    try {
      return object(value)
    } catch {
      return '[unreadable]'
    } finally {
      above.pop()
    }
  }
  return walk(value)
}

/**
 * A URL's password stands between the colon behind the user and the at sign (RFC 3986 §3.2.1): the last one, since many
 * passwords are not encoded. In what is cut off, the at sign may be missing. A port and a slash begin no password.
 */
const withoutPasswords = (text: string, length: number): string => {
  const isCut = text.length > length
  const shown = text.slice(0, length)
  return shown.replace(/:\/\/\S*/g, (url, start: number) => {
    const end = isCut && start + url.length === length ? length : url.lastIndexOf('@')
    if (end < 0) return url
    return url.slice(0, end).replace(/(:\/\/[^/:]*:)(?!\d{1,5}\/).*/, `$1${REDACTED}`) + url.slice(end)
  })
}
