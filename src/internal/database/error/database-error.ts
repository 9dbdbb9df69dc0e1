import { propertyOf, textOf } from '../property.ts'
import { type FailureKind, kindOf } from './kind.ts'

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

/**
 * Explains why a connection failed. If a name has several addresses, Node's error has an empty message and contains the
 * reasons as nested errors.
 */
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
