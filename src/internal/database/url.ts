/** The databases that are supported. MariaDB is `mysql`. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** The parts of a database URL. */
export interface DatabaseAddress {
  readonly dialect: DialectName
  /** The file (or `:memory:`) of SQLite; the whole URL of a server. */
  readonly location: string
}

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
 * @throws {TypeError} if it is something else. The message names the scheme and never the password.
 * @example
 * parseDatabaseUrl('sqlite:./app.db') // { dialect: 'sqlite', location: './app.db' }
 */
export const parseDatabaseUrl = (url: string): DatabaseAddress => {
  const [, scheme = '', rest = ''] = URL_PARTS.exec(url) ?? []
  const name = scheme.toLowerCase()
  if (name === 'sqlite') return { dialect: 'sqlite', location: sqliteFile(rest) }
  const dialect = Object.hasOwn(SERVERS, name) ? SERVERS[name] : undefined
  if (dialect === undefined) throw refuse(scheme)
  const location = `${dialect}:${rest}`
  if (!URL.canParse(location) || new URL(location).hostname === '') throw refuse(`${scheme}, without a host`)
  return { dialect, location }
}

/** `//` is accepted before the path, as in `sqlite:///srv/app.db`, because so many tools write it. */
const sqliteFile = (rest: string): string => {
  const file = rest.startsWith('//') ? rest.slice(2) : rest
  if (file === '' || file.includes('\0')) throw refuse('sqlite, without a file')
  return file
}

const refuse = (what: string): TypeError =>
  new TypeError(
    `createDatabase: url: expected sqlite:<file>, postgres://<host>/<name> or mysql://<host>/<name>, got ${what === '' ? 'no scheme' : `scheme ${what}`}`,
  )
