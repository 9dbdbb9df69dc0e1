import { AsyncLocalStorage } from 'node:async_hooks'
import { CamelCasePlugin, type Dialect, Kysely } from 'kysely'
import { createMysqlDialect } from './mysql.ts'
import { createPostgresDialect } from './postgres.ts'
import { createSqliteDialect } from './sqlite.ts'
import { parseDatabaseUrl } from './url.ts'

// any: the tables are the user's, and Kysely's own word for unknown ones is any
type Tables = any

/** A Kysely instance over tables that are not described to the compiler; `createDatabase<MyTables>()` describes them. */
export type Database<T = Tables> = Kysely<T>

/** What happened to one statement. */
export interface QueryEvent {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly durationMs: number
  /** Set when the database refused it. */
  readonly error?: unknown
}

/** Options of {@link createDatabase}. */
export interface DatabaseOptions {
  /** `sqlite:<file>`, `sqlite::memory:`, `postgres://…` or `mysql://…` (`mariadb://…`). */
  readonly url: string
  /** Most connections that are open to a server at once; SQLite has one. @default 10 */
  readonly poolSize?: number
  /** How long SQLite waits for another writer, in milliseconds. @default 5000 */
  readonly busyTimeoutMs?: number
  /** Called with each statement after it ran. @default none */
  readonly log?: (event: QueryEvent) => void
}

/**
 * Make a Kysely instance for a URL. Nothing is opened and no driver is loaded before the first query.
 *
 * camelCase in code is snake_case in the database. `Date`, boolean and integers come back alike from all databases.
 *
 * @throws {TypeError} if the URL is none that is spoken, {RangeError} if a number is out of range.
 * @example
 * const db = createDatabase('sqlite:./app.db')
 * await db.selectFrom('users').selectAll().execute()
 */
export const createDatabase = <T = Tables>(options: string | DatabaseOptions): Database<T> => {
  const { url, poolSize = 10, busyTimeoutMs = 5000, log } = typeof options === 'string' ? { url: options } : options
  assertWhole('poolSize', poolSize, 1)
  assertWhole('busyTimeoutMs', busyTimeoutMs, 0)
  return new Kysely<T>({
    dialect: createDialect(url, poolSize, busyTimeoutMs),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(log && {
      log: ({ query, queryDurationMillis, ...rest }) =>
        log({
          sql: query.sql,
          parameters: query.parameters,
          durationMs: queryDurationMillis,
          ...('error' in rest && { error: rest.error }),
        }),
    }),
  })
}

const createDialect = (url: string, poolSize: number, busyTimeoutMs: number): Dialect => {
  const { dialect, location } = parseDatabaseUrl(url)
  if (dialect === 'sqlite') return createSqliteDialect(location, busyTimeoutMs)
  return dialect === 'postgres' ? createPostgresDialect(location, poolSize) : createMysqlDialect(location, poolSize)
}

const assertWhole = (name: string, value: number, least: number): void => {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name}: expected a whole number of at least ${least}, got ${value}`)
  }
}

let ambient: Database | undefined
const scope: AsyncLocalStorage<Database> = /* @__PURE__ */ new AsyncLocalStorage()

/**
 * Say which database the models use.
 *
 * @example
 * setDatabase(createDatabase(process.env.DATABASE_URL ?? 'sqlite:./app.db'))
 */
export const setDatabase = (db: Database): Database => {
  ambient = db
  return db
}

/**
 * The database of the running {@link transaction}, else the one of {@link setDatabase}.
 *
 * @throws {Error} if none was set.
 * @example
 * const rows = await useDatabase().selectFrom('users').selectAll().execute()
 */
export const useDatabase = (): Database => {
  const db = scope.getStore() ?? ambient
  if (db === undefined) throw new Error('No database: call setDatabase(createDatabase(url)) first')
  return db
}

/**
 * Close the database of {@link setDatabase}, and forget it. Does nothing when there is none.
 *
 * @example
 * await closeDatabase()
 */
export const closeDatabase = async (): Promise<void> => {
  const db = ambient
  ambient = undefined
  await db?.destroy()
}

/**
 * Run the work in one transaction, in which every model takes part. A throw rolls it back. A transaction inside a
 * transaction joins it.
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

/** Run the work with this database as the one that the models use. */
export const withDatabase = <T>(db: Database, work: () => Promise<T>): Promise<T> => scope.run(db, work)
