import { type FailureKind, kindOf } from './kind.ts'

/**
 * Explains what is wrong with the database: a missing table, a server that cannot be reached. The driver's
 * error is its `cause`.
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

/** The error with an explanation, if it is one of {@link FailureKind}; every other error unchanged. */
export const toDatabaseError = (error: unknown): unknown => {
  if (error instanceof DatabaseError) return error
  const kind = kindOf(error)
  return isFailure(kind) ? new DatabaseError(kind, SENTENCES[kind](messageOf(error)), error) : error
}

const isFailure = (kind: string | undefined): kind is FailureKind =>
  kind !== undefined && Object.hasOwn(SENTENCES, kind)

/** The message of a thrown value, which is not always an Error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The name that a database puts in quotes, or SQLite at the end. MySQL puts the database in front of a table. */
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
