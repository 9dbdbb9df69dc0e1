import { type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'

// any: Kysely uses it for tables that are not described
export type Tables = any

/** A Kysely instance; `createDatabase<MyTables>()` describes its tables to the compiler. */
export type Database<T = Tables> = Kysely<T>

/** The databases that are supported. MariaDB is `mysql`. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

const SERVERS: Readonly<Record<string, DialectName>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

/** Matches a scheme (RFC 3986 §3.1), a colon and the rest. A single letter is a Windows drive. */
const URL_PARTS = /^([a-z][a-z\d+.-]+):(.*)$/is

/**
 * Read `sqlite:./app.db`, `sqlite::memory:`, `postgres://…`, `postgresql://…`, `mysql://…` or `mariadb://…`.
 *
 * @returns the dialect, and the file (or `:memory:`) of SQLite or the whole URL of a server
 * @throws {TypeError} if it is something else. The message names the scheme and never the password.
 * @example
 * parseDatabaseUrl('sqlite:./app.db') // { dialect: 'sqlite', location: './app.db' }
 */
export const parseDatabaseUrl = (url: string): { readonly dialect: DialectName; readonly location: string } => {
  const [, scheme = '', rest = ''] = URL_PARTS.exec(url) ?? []
  const name = scheme.toLowerCase()
  if (name === 'sqlite') {
    // Many tools write `//` before the path, as in `sqlite:///srv/app.db`
    const location = rest.replace(/^\/\//, '')
    if (location === '' || location.includes('\0')) throw invalidUrl('sqlite, without a file')
    return { dialect: 'sqlite', location }
  }
  const dialect = Object.hasOwn(SERVERS, name) ? SERVERS[name] : undefined
  if (dialect === undefined) throw invalidUrl(scheme)
  const location = `${dialect}:${rest}`
  if (!URL.canParse(location) || new URL(location).hostname === '') throw invalidUrl(`${scheme}, without a host`)
  return { dialect, location }
}

const invalidUrl = (scheme: string): TypeError => {
  const expected = 'sqlite:<file>, postgres://<host>/<name> or mysql://<host>/<name>'
  const got = scheme === '' ? 'no scheme' : `scheme ${scheme}`
  return new TypeError(`createDatabase: url: expected ${expected}, got ${got}`)
}

/** @throws {TypeError} if it is another database. */
export const dialectOf = (db: Database): DialectName => {
  const { adapter } = db.getExecutor()
  if (adapter instanceof SqliteAdapter) return 'sqlite'
  if (adapter instanceof PostgresAdapter) return 'postgres'
  if (adapter instanceof MysqlAdapter) return 'mysql'
  throw new TypeError(`db: expected SQLite, PostgreSQL or MySQL, got ${adapter.constructor.name}`)
}
