/** Options for converting values to plain ones. */
export interface PlainRules {
  readonly isSecret: (name: string) => boolean
  /** Maximum length of a string, in characters. */
  readonly maxLength: number
  /** Write the stack trace of errors. */
  readonly stack: boolean
}

/** Maximum number of levels, of members of one value, and of values in total. */
const DEPTH = 10
const MEMBERS = 100
const VALUES = 1000

/** The end of a password is searched up to this many characters beyond the maximum length. */
const BEYOND = 1024

const REDACTED = '[redacted]'

/**
 * Convert any value to one that `JSON.stringify` can write, including circular references, BigInt, getters that throw
 * and endless lists. Secrets are replaced by name, and passwords in URLs in any string.
 */
export const toPlain = (value: unknown, { isSecret, maxLength, stack }: PlainRules): unknown => {
  const ancestors: object[] = []
  let remaining = VALUES

  const member = (name: string, value: unknown): unknown =>
    // A boolean such as `csrfFailed` or `hasPassword` is a fact about a secret, not a secret
    value !== null && value !== undefined && typeof value !== 'boolean' && isSecret(name) ? REDACTED : walk(value)

  const record = (entries: Iterable<readonly [unknown, unknown]>): object => {
    const plain: [string, unknown][] = []
    for (const [name, value] of entries) {
      if (plain.length === MEMBERS) break
      // Internal properties of this package do not belong in a log
      const text = String(name)
      if (!text.startsWith('~')) plain.push([text, member(text, value)])
    }
    return Object.fromEntries(plain)
  }

  // A value after a name may be a pair of a header list: `['cookie', 'a=1']`
  const list = (items: Iterable<unknown>): unknown[] => {
    const plain: unknown[] = []
    let previous: unknown
    for (const item of items) {
      if (plain.length === MEMBERS) break
      plain.push(typeof previous === 'string' ? member(previous, item) : walk(item))
      previous = item
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

  const object = (value: object & Partial<Headers & { toJSON(): unknown }>): unknown => {
    if (value instanceof Error) return error(value)
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (Array.isArray(value) || value instanceof Set) return list(value)
    // Headers, maps, forms and queries
    if (typeof value[Symbol.iterator] === 'function')
      return value.entries ? record(value.entries()) : list(value as never)
    return typeof value.toJSON === 'function' ? walk(value.toJSON()) : record(Object.entries(value))
  }

  const walk = (value: unknown): unknown => {
    if (remaining === 0) return '[cut]'
    remaining--
    if (typeof value === 'string') return withoutPasswords(value, maxLength + BEYOND).slice(0, maxLength)
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
    if (typeof value === 'bigint') return String(value)
    if (typeof value === 'symbol' || typeof value === 'function') return `[${typeof value}]`
    if (typeof value !== 'object' || value === null) return value
    if (ancestors.includes(value)) return '[circular]'
    if (ancestors.length === DEPTH) return '[cut]'
    ancestors.push(value)
    try {
      return object(value)
    } catch {
      return '[unreadable]'
    } finally {
      ancestors.pop()
    }
  }
  return walk(value)
}

/**
 * Replace passwords in URLs: the text between the colon after the user and the last at sign (RFC 3986 §3.2.1), since
 * many passwords are not encoded. In a cut text, the at sign may be missing. A port followed by a slash is no password.
 */
const withoutPasswords = (text: string, length: number): string => {
  const isCut = text.length > length
  const head = text.slice(0, length)
  return head.replace(/:\/\/\S*/g, (url, start: number) => {
    const end = isCut && start + url.length === length ? length : url.lastIndexOf('@')
    if (end < 0) return url
    return url.slice(0, end).replace(/(:\/\/[^/:]*:)(?!\d{1,5}\/).*/, `$1${REDACTED}`) + url.slice(end)
  })
}
