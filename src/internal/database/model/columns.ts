import { refusal } from '../../error/refusal.ts'
import type { DialectName } from '../dialect.ts'

/** The kind of a column, which decides how a value is written and read. */
export type ColumnKind = 'string' | 'email' | 'number' | 'boolean' | 'date' | 'json' | 'bytes'

/**
 * An input value in the form for the database. Forms and query strings contain text, so `'12'` is a number and `'true'`
 * a boolean.
 *
 * @throws {HttpError} 422 if the value is of another kind: client input must not cause a server error.
 */
export const toColumn = (name: string, kind: ColumnKind, value: unknown, dialect: DialectName): unknown => {
  if (value === null) return null
  const { write, words } = KINDS[kind]
  const cell = write(value, dialect)
  if (cell === undefined) throw refusal(422, `${name}: expected ${words}`, { code: 'invalid_column' })
  if (typeof cell === 'string' && cannotBeStored(kind, cell, dialect)) {
    throw refusal(422, `${name}: contains a character that cannot be stored`, { code: 'invalid_column' })
  }
  return cell
}

/**
 * PostgreSQL cannot store U+0000, not even escaped in JSON, and some SQLite bindings cut the text there when they read
 * it. Half a surrogate pair becomes U+FFFD in UTF-8, so different strings would become equal.
 */
const cannotBeStored = (kind: ColumnKind, text: string, dialect: DialectName): boolean =>
  kind === 'json' ? dialect === 'postgres' && text.includes('\\u0000') : /[\0\uD800-\uDFFF]/u.test(text)

const toNumber = (value: unknown, dialect: DialectName): number | bigint | string | undefined => {
  if (typeof value === 'string' && DECIMAL.test(value) && !isExact(value)) {
    // SQLite has no decimals: it would round
    return dialect === 'sqlite' ? undefined : value
  }
  if (typeof value === 'bigint' || (typeof value === 'string' && WHOLE.test(value))) return toInteger(value)
  const number =
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** Matches a decimal number in plain digits. */
const DECIMAL = /^-?\d+\.\d+$/

/** True if a JavaScript number has all digits of a decimal. */
const isExact = (decimal: string): boolean => {
  // A number holds fifteen digits exactly
  if (decimal.length <= 16) return true
  let end = decimal.length
  while (decimal[end - 1] === '0') end -= 1
  if (decimal[end - 1] === '.') end -= 1
  const shortest = decimal.slice(0, end).replace(/^(-?)0+(?=\d)/, '$1')
  return String(Number(decimal)) === shortest || /^-?0?$/.test(shortest)
}

/** Matches a whole number. */
const WHOLE = /^-?\d+$/

/** A whole number without loss; undefined beyond the 64 bits that the three databases have. */
const toInteger = (digits: string | bigint): number | bigint | undefined => {
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  if (Math.abs(number) > 2 ** 64) return undefined
  const whole = BigInt(digits)
  return BigInt.asIntN(64, whole) === whole ? whole : undefined
}

/** The years that all three databases can store: MySQL begins with 1000, and its driver reads 0001 as 2001. */
const toDate = (value: unknown): Date | undefined => {
  const isReadable = typeof value === 'number' || (typeof value === 'string' && hasDay(value))
  const date = isReadable ? parseDate(value) : value
  if (!(date instanceof Date)) return undefined
  const year = date.getUTCFullYear()
  return year >= 1000 && year <= 9999 ? date : undefined
}

/** Matches ISO 8601 dates and times that `Date` can read. V8 would also read `'1'` as a day in 2001. */
const ISO = /^([+-]?\d{4,6}-\d\d-(\d\d))(?:[T ]\d\d:\d\d|$)/

/** True if the string is a date whose day exists: `Date` reads February 31 as March 3. */
const hasDay = (text: string): boolean => {
  const [, date = '', day] = ISO.exec(text) ?? []
  return new Date(date).getUTCDate() === Number(day)
}

/** Matches times without a zone, such as `2026-11-21 10:00:00`. Databases mean UTC. */
const ZONELESS = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

const parseDate = (value: string | number): Date =>
  new Date(typeof value === 'string' && !value.endsWith('Z') ? value.replace(ZONELESS, '$1T$2Z') : value)

const toJson = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = /* @__PURE__ */ new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
])

const toText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  const isScalar = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  return isScalar ? String(value) : undefined
}

const readText = (cell: unknown): unknown => (typeof cell === 'number' ? String(cell) : cell)

const readNumber = (cell: unknown): unknown => {
  const number = Number(cell)
  if (typeof cell === 'string' && !isExact(cell) && DECIMAL.test(cell)) return cell
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? cell : number
}

/** How values of one kind are written and read. */
interface KindRules {
  /** The kind in messages. */
  readonly words: string
  /** A value as the database takes it; undefined for a value of another kind. */
  readonly write: (value: unknown, dialect: DialectName) => unknown
  /** A cell that is not null as the model returns it: the same on all three databases. */
  readonly read: (cell: unknown, dialect: DialectName) => unknown
  /** The `typeof` of cells that need no conversion: a `Date` is an object. */
  readonly plainType?: string
}

export const KINDS: Readonly<Record<ColumnKind, KindRules>> = {
  string: { words: 'a string', write: toText, read: readText, plainType: 'string' },
  email: {
    words: 'a string',
    // Reads and writes use one spelling of a mailbox. A schema checks whether it is an address
    write: (value) => toText(value)?.trim().toLowerCase(),
    read: readText,
    plainType: 'string',
  },
  number: { words: 'a number', write: toNumber, read: readNumber, plainType: 'number' },
  boolean: { words: 'a boolean', write: (value) => BOOLEANS.get(value), read: (cell) => BOOLEANS.get(cell) ?? cell },
  date: {
    words: 'a date',
    write: toDate,
    read: (cell) => (typeof cell === 'string' || typeof cell === 'number' ? parseDate(cell) : cell),
    plainType: 'object',
  },
  json: {
    words: 'a JSON value',
    write: toJson,
    // pg has parsed it already: a string there is a JSON string
    read: (cell, dialect) => (dialect !== 'postgres' && typeof cell === 'string' ? JSON.parse(cell) : cell),
  },
  bytes: {
    words: 'bytes',
    write: (value) => (value instanceof Uint8Array ? value : undefined),
    read: (cell) => cell,
  },
}
