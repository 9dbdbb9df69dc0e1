import { propertyOf, textOf } from '../property.ts'

/** Errors that the values of a statement cause. */
export type RefusalKind = 'not_unique' | 'missing_value' | 'invalid_reference' | 'check_failed' | 'invalid_value'

/** Errors of the database itself, or of the connection to it. */
export type FailureKind =
  | 'missing_table'
  | 'missing_column'
  | 'missing_database'
  | 'access_denied'
  | 'too_many_connections'
  | 'busy'
  | 'unreachable'
  | 'cannot_open'

/** One kind for the different errors of three databases and their drivers. Undefined for any other error. */
export const kindOf = (error: unknown): RefusalKind | FailureKind | undefined => {
  const code = textOf(error, 'code')
  const byCode = own(KINDS, code) ?? own(KINDS, String(propertyOf(error, 'errno'))) ?? own(CLASSES, code.slice(0, 2))
  const message = textOf(error, 'message')
  return byCode ?? (LOST.test(message) ? 'unreachable' : sqliteKind(message))
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** SQLSTATE of PostgreSQL, error number of MySQL and MariaDB, error code of Node's sockets and files. */
const KINDS: Readonly<Record<string, RefusalKind | FailureKind>> = {
  23505: 'not_unique',
  1062: 'not_unique',
  23502: 'missing_value',
  1048: 'missing_value',
  1364: 'missing_value',
  23503: 'invalid_reference',
  1451: 'invalid_reference',
  1452: 'invalid_reference',
  23514: 'check_failed',
  3819: 'check_failed',
  4025: 'check_failed',
  1264: 'invalid_value',
  1292: 'invalid_value',
  1366: 'invalid_value',
  1406: 'invalid_value',
  '42P01': 'missing_table',
  1146: 'missing_table',
  42703: 'missing_column',
  1054: 'missing_column',
  '3D000': 'missing_database',
  1049: 'missing_database',
  28000: 'access_denied',
  '28P01': 'access_denied',
  42501: 'access_denied',
  1044: 'access_denied',
  1045: 'access_denied',
  1142: 'access_denied',
  1698: 'access_denied',
  53300: 'too_many_connections',
  1040: 'too_many_connections',
  40001: 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
  1205: 'busy',
  1213: 'busy',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  HANDSHAKE_NO_SSL_SUPPORT: 'unreachable',
  EPIPE: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  ETIMEDOUT: 'unreachable',
  PROTOCOL_CONNECTION_LOST: 'unreachable',
  EACCES: 'cannot_open',
  EEXIST: 'cannot_open',
  ENOENT: 'cannot_open',
  ENOTDIR: 'cannot_open',
  EROFS: 'cannot_open',
}

/** Classes of SQLSTATE: 08 is "connection exception", 22 is "data exception". No other code has two digits in front. */
const CLASSES: Readonly<Record<string, RefusalKind | FailureKind>> = { '08': 'unreachable', 22: 'invalid_value' }

/** Messages of drivers about a lost connection that come without a code. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|The server does not support SSL|There was an error establishing an SSL connection|Can't add new command when connection is in closed state)/

/**
 * SQLite errors are recognised by their text, which is the same in every binding; not all bindings have the result
 * code.
 */
const sqliteKind = (message: string): RefusalKind | FailureKind | undefined => {
  const [words] = SQLITE.exec(message) ?? []
  return words === undefined ? undefined : SQLITE_KINDS[words]
}

const SQLITE =
  /(?:UNIQUE|NOT NULL|FOREIGN KEY|CHECK) constraint failed|no such table|no such column|has no column named|database is locked|SQLITE_BUSY|unable to open database file/

const SQLITE_KINDS: Readonly<Record<string, RefusalKind | FailureKind>> = {
  'UNIQUE constraint failed': 'not_unique',
  'NOT NULL constraint failed': 'missing_value',
  'FOREIGN KEY constraint failed': 'invalid_reference',
  'CHECK constraint failed': 'check_failed',
  'no such table': 'missing_table',
  'no such column': 'missing_column',
  'has no column named': 'missing_column',
  'database is locked': 'busy',
  SQLITE_BUSY: 'busy',
  'unable to open database file': 'cannot_open',
}
