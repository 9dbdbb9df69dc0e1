import { CamelCasePlugin, type Dialect, Kysely } from 'kysely'
import { type Awaitable, attempt } from '../internal/awaitable.ts'
import { type Database, type Tables, useDatabase, withDatabase } from '../internal/database/ambient.ts'
import { createMysqlDialect } from '../internal/database/driver/mysql.ts'
import { createPostgresDialect } from '../internal/database/driver/postgres.ts'
import { createSqliteDialect } from '../internal/database/driver/sqlite.ts'
import { parseDatabaseUrl } from '../internal/database/url.ts'
import { report } from '../internal/error/report.ts'
import { checkNames, checkOption } from '../internal/options.ts'

export { closeDatabase, type Database, setDatabase, useDatabase } from '../internal/database/ambient.ts'
export { DatabaseError } from '../internal/database/error/database-error.ts'
export type { DialectName } from '../internal/database/url.ts'

/** The log entry of one statement. */
export interface QueryEvent {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly durationMs: number
  /** Set if the statement failed. */
  readonly error?: unknown
}

/** Options of {@link createDatabase}. */
export interface DatabaseOptions {
  /** `sqlite:<file>`, `sqlite::memory:`, `postgres://…` or `mysql://…` (`mariadb://…`). */
  readonly url: string
  /** Maximum number of open connections to a server; SQLite has one. @default 10 */
  readonly poolSize?: number
  /** How long SQLite waits for another writer, in milliseconds. @default 5000 */
  readonly busyTimeoutMs?: number
  /** Called after each statement. Its own error is reported, and fails no statement. @default none */
  readonly log?: (event: QueryEvent) => Awaitable<void>
}

/**
 * Create a Kysely instance for a URL. It does not connect or load a driver before the first query.
 *
 * camelCase in code is snake_case in the database. `Date`, boolean and integer columns return the same values on all
 * databases.
 *
 * @throws {TypeError} if the URL has an unknown database, or an option is invalid.
 * @example
 * const db = createDatabase('sqlite:./app.db')
 * await db.selectFrom('users').selectAll().execute()
 */
export const createDatabase = <T = Tables>(options: string | DatabaseOptions): Database<T> => {
  const given = typeof options === 'string' ? { url: options } : options
  checkNames('createDatabase', given, 'url poolSize busyTimeoutMs log:function')
  const { url, poolSize = 10, busyTimeoutMs = 5000, log } = given
  checkWhole('poolSize', poolSize, 1)
  checkWhole('busyTimeoutMs', busyTimeoutMs, 0)
  return new Kysely<T>({
    dialect: createDialect(url, poolSize, busyTimeoutMs),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(log && {
      log: ({ query, queryDurationMillis, ...rest }) => {
        const event = {
          sql: query.sql,
          parameters: query.parameters,
          durationMs: queryDurationMillis,
          ...('error' in rest && { error: rest.error }),
        }
        return attempt(log, event, report) as Promise<void>
      },
    }),
  })
}

const createDialect = (url: string, poolSize: number, busyTimeoutMs: number): Dialect => {
  const { dialect, location } = parseDatabaseUrl(url)
  if (dialect === 'sqlite') return createSqliteDialect(location, busyTimeoutMs)
  return dialect === 'postgres' ? createPostgresDialect(location, poolSize) : createMysqlDialect(location, poolSize)
}

const checkWhole = (name: string, value: number, least: number): void => {
  const isWhole = Number.isSafeInteger(value) && value >= least
  checkOption(isWhole, `createDatabase: ${name}`, `a whole number of at least ${least}`, value)
}

/**
 * Run the work in one transaction, which all models use. A throw rolls it back. A nested transaction joins the outer
 * one.
 *
 * @example
 * await transaction(async () => {
 *   const order = await Order.create({ total: 12 })
 *   await Line.create({ orderId: order.id })
 * })
 */
export const transaction = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
  const db = useDatabase()
  return db.isTransaction ? work(db) : db.transaction().execute((inner) => withDatabase(inner, () => work(inner)))
}
