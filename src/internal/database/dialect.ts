import { MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'
import type { Database } from './ambient.ts'
import type { DialectName } from './url.ts'

/** @throws {TypeError} if it is another database. */
export const dialectOf = (db: Database): DialectName => {
  const { adapter } = db.getExecutor()
  if (adapter instanceof SqliteAdapter) return 'sqlite'
  if (adapter instanceof PostgresAdapter) return 'postgres'
  if (adapter instanceof MysqlAdapter) return 'mysql'
  throw new TypeError(`db: expected SQLite, PostgreSQL or MySQL, got ${adapter.constructor.name}`)
}
