import { CamelCasePlugin, type Dialect } from 'kysely'
import { report } from '#runtime/core'
import { isInTransaction, rootDatabase, useDatabase } from '../internal/database/ambient.ts'
import { type Database, parseDatabaseUrl, type Tables } from '../internal/database/dialect.ts'
import { joiningDialect } from '../internal/database/driver/joining.ts'
import { JoiningKysely } from '../internal/database/driver/joining-kysely.ts'
import { createMysqlDialect } from '../internal/database/driver/mysql.ts'
import { createPostgresDialect } from '../internal/database/driver/postgres.ts'
import { createSqliteDialect } from '../internal/database/driver/sqlite.ts'
import { checkNames, checkWhole } from '../internal/options/check.ts'
import { type Awaitable, tryCall } from '../internal/promise/awaitable.ts'

export { closeDatabase, setDatabase, useDatabase } from '../internal/database/ambient.ts'
export type { Database, DialectName } from '../internal/database/dialect.ts'
export { DatabaseError } from '../internal/database/error/database-error.ts'

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
  const settings = typeof options === 'string' ? { url: options } : options
  checkNames('createDatabase', settings, 'url poolSize busyTimeoutMs log:function')
  const { url, poolSize = 10, busyTimeoutMs = 5000, log } = settings
  checkWhole(poolSize, 'createDatabase: poolSize', 'connections', 1)
  checkWhole(busyTimeoutMs, 'createDatabase: busyTimeoutMs', 'milliseconds')
  return new JoiningKysely<T>({
    dialect: joiningDialect(createDialect(url, poolSize, busyTimeoutMs)),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(log && {
      log: ({ query: { sql, parameters }, queryDurationMillis: durationMs, ...rest }) => {
        const event = { sql, parameters, durationMs, ...('error' in rest && { error: rest.error }) }
        return tryCall(log, event, report) as Promise<void>
      },
    }),
  })
}

const createDialect = (url: string, poolSize: number, busyTimeoutMs: number): Dialect => {
  const { dialect, location } = parseDatabaseUrl(url)
  if (dialect === 'sqlite') return createSqliteDialect(location, busyTimeoutMs)
  return dialect === 'postgres' ? createPostgresDialect(location, poolSize) : createMysqlDialect(location, poolSize)
}

/** Options of {@link transaction}. */
export interface TransactionOptions {
  /**
   * Inside a transaction, begin a savepoint instead of joining: if this work fails and the error is caught, only this
   * work is undone. @default false
   */
  readonly savepoint?: boolean
}

/**
 * Run the work in one transaction. A throw rolls it back.
 *
 * Every statement for this database joins it while the work runs: those of models, of `useDatabase()`, of `query()` and
 * of the Kysely instance itself. A nested transaction joins the outer one, or is a savepoint in it. A
 * statement that is sent after the end of the work is refused.
 *
 * @example
 * await transaction(async () => {
 *   const order = await Order.create({ total: 12 })
 *   await Line.create({ orderId: order.id })
 * })
 */
export const transaction = async <T>(
  work: (db: Database) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  checkNames('transaction', options, 'savepoint:boolean')
  const db = useDatabase()
  if (isInTransaction() && options.savepoint !== true) return work(db)
  return rootDatabase().transaction().execute(work)
}
