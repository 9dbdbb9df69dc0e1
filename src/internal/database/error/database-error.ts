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

/**
 * Explains what is wrong with the database, such as a missing table or a server that cannot be reached. Its `cause` is
 * the driver's error.
 *
 * @example
 * await Post.findMany().catch((error) => {
 *   if (error instanceof DatabaseError && error.code === 'missing_table') console.error('Run the migrations first')
 * })
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  /** Stable name for programs: `missing_table`, `unreachable` … */
  readonly code: FailureKind

  constructor(code: FailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** A `DatabaseError` for an error of the database itself; every other error unchanged. */
export const toDatabaseError = (error: unknown): unknown => {
  if (error instanceof DatabaseError) return error
  const kind = kindOf(error)
  return isFailure(kind) ? new DatabaseError(kind, SENTENCES[kind](messageOf(error)), error) : error
}

/** Explains a failed connection. For a name with several addresses, Node nests the reasons in an empty error. */
export const toReachError = (database: string, error: unknown): unknown => {
  const isAggregate = error instanceof AggregateError
  if (!isAggregate && kindOf(error) !== 'unreachable') return toDatabaseError(error)
  const reasons: readonly unknown[] = isAggregate ? error.errors : [error]
  const texts = new Set(reasons.map(reasonOf))
  const message = `${database} cannot be reached: ${[...texts].join('; ')}. Is it running, and is the URL right?`
  return new DatabaseError('unreachable', message, error)
}

const reasonOf = (error: unknown): string => {
  const [code, address, hostname] = [textOf(error, 'code'), textOf(error, 'address'), textOf(error, 'hostname')]
  if (code === 'ECONNREFUSED' && address)
    return `nothing listens on ${address.includes(':') ? `[${address}]` : address}:${propertyOf(error, 'port')}`
  if ((code === 'ENOTFOUND' || code === 'EAI_AGAIN') && hostname) return `the host name ${hostname} is not known`
  return messageOf(error)
}

const isFailure = (kind: string | undefined): kind is FailureKind =>
  kind !== undefined && Object.hasOwn(SENTENCES, kind)

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The name that a message has in quotes, or at its end on SQLite. MySQL puts the database in front of a table. */
const nameIn = (text: string): string => {
  const [, quoted] = /^column (\S+) does/.exec(text) ?? /["'`]([^"'`]+)["'`]/.exec(text) ?? []
  const last = text.slice(text.lastIndexOf(' ') + 1)
  return JSON.stringify((quoted ?? (/^[\w$.]+$/.test(last) ? last : '')).replaceAll('"', ''))
}

const SENTENCES: Readonly<Record<FailureKind, (text: string) => string>> = {
  missing_table: (text) => `There is no table ${nameIn(text.replace(/'[^'.]+\./, "'"))}. Has its migration run?`,
  missing_column: (text) => `There is no column ${nameIn(text)}. Has its migration run?`,
  missing_database: (text) => `The server has no database ${nameIn(text)}. Create it, or correct the URL`,
  access_denied: (text) => `The database refuses this user (${text}). Check user, password and grants`,
  too_many_connections: () => 'The database has no free connection. Lower poolSize, or raise its limit',
  busy: (text) => `The database is busy with another process or transaction (${text}). Try again`,
  unreachable: (text) => `The database cannot be reached: ${text}`,
  cannot_open: (text) => `The database file cannot be opened (${text}). Check its path, and that it may be written`,
}

/** Codes of deadlocks and of serialization failures, which end one transaction so that another goes on. */
const DEADLOCKS: readonly unknown[] = ['40001', '40P01', 1213]

/** True if a transaction failed so that another one could go on: it can be repeated at once. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof DatabaseError && ['code', 'errno'].some((name) => DEADLOCKS.includes(propertyOf(error.cause, name)))

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

/** SQLSTATE of PostgreSQL or its class (two digits), error number of MySQL, error code of Node's sockets, files. */
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
