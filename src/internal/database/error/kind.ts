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

type ErrorKind = RefusalKind | FailureKind

/** Gives the errors of three databases and their drivers one name. Undefined for any other error. */
export const kindOf = (error: unknown): ErrorKind | undefined => {
  const code = textOf(error, 'code')
  const message = textOf(error, 'message')
  const byCode = kindOfCode(code) ?? kindOfCode(String(propertyOf(error, 'errno'))) ?? kindOfCode(code.slice(0, 2))
  if (byCode) return byCode
  if (CONNECTION_LOST.test(message)) return 'unreachable'
  return SQLITE_MESSAGES.find(([text]) => message.includes(text))?.[1]
}

const kindOfCode = (code: string): ErrorKind | undefined =>
  CODES.find(([, codes]) => codes.split(' ').includes(code))?.[0]

/**
 * SQLSTATE of PostgreSQL or its class (the first two digits), error number of MySQL and MariaDB, error code of Node's
 * sockets and files.
 */
const CODES: readonly (readonly [ErrorKind, string])[] = [
  ['not_unique', '23505 1062'],
  ['missing_value', '23502 1048 1364'],
  ['invalid_reference', '23503 1451 1452'],
  ['check_failed', '23514 3819 4025'],
  ['invalid_value', '22 1264 1292 1366 1406'],
  ['missing_table', '42P01 1146'],
  ['missing_column', '42703 1054'],
  ['missing_database', '3D000 1049'],
  ['access_denied', '28000 28P01 42501 1044 1045 1142 1698'],
  ['too_many_connections', '53300 1040'],
  ['busy', '40001 40P01 55P03 1205 1213'],
  ['unreachable', '08 57P01 57P02 57P03 HANDSHAKE_NO_SSL_SUPPORT PROTOCOL_CONNECTION_LOST EPIPE ETIMEDOUT EAI_AGAIN'],
  ['unreachable', 'ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND'],
  ['cannot_open', 'EACCES EEXIST ENOENT ENOTDIR EROFS'],
]

/** Messages of drivers about a lost connection that come without a code. */
const CONNECTION_LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|The server does not support SSL|There was an error establishing an SSL connection|Can't add new command when connection is in closed state)/

/** SQLite errors are recognised by their text, which is the same in every binding; not all have the result code. */
const SQLITE_MESSAGES: readonly (readonly [string, ErrorKind])[] = [
  ['UNIQUE constraint failed', 'not_unique'],
  ['NOT NULL constraint failed', 'missing_value'],
  ['FOREIGN KEY constraint failed', 'invalid_reference'],
  ['CHECK constraint failed', 'check_failed'],
  ['no such table', 'missing_table'],
  ['no such column', 'missing_column'],
  ['has no column named', 'missing_column'],
  ['database is locked', 'busy'],
  ['SQLITE_BUSY', 'busy'],
  ['unable to open database file', 'cannot_open'],
]
