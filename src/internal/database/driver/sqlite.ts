import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { bindingCompiler } from './bind.ts'
import { openSqlite } from './sqlite-open.ts'

/** Kysely's dialect on the SQLite of the runtime, with transactions that can wait for a writer. */
export const createSqliteDialect = (file: string, busyTimeoutMs: number): Dialect => {
  const config = { database: () => openSqlite(file, busyTimeoutMs) }
  return Object.assign(new SqliteDialect(config), {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver(config),
    createQueryCompiler: () => bindingCompiler('sqlite', new SqliteQueryCompiler()),
  })
}

/**
 * Takes the write lock when a transaction begins. A deferred transaction that reads and then writes fails at once if
 * another process wrote in between.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  /** Resolves when all earlier users of the only connection have returned it. */
  #queue: Promise<void> = Promise.resolve()
  #leave = (): void => {}

  /** Wait for the only connection. Kysely 0.29 does so outside its drivers, where the transaction itself waits too. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#queue
    let leave = (): void => {}
    this.#queue = new Promise((resolve) => {
      leave = resolve
    })
    await before
    this.#leave = leave
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection()
    this.#leave()
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const mode = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(mode))
  }
}

/** Tells Kysely that SQLite can roll back DDL. Otherwise Kysely would leave half a migration behind. */
export class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Kysely 0.29 would let each statement wait for the connection, also statements of the running transaction. */
  get supportsMultipleConnections(): boolean {
    return true
  }
}
