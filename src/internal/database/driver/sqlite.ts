import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { bindParameters } from './bind.ts'
import { openSqlite } from './sqlite-open.ts'

/** The dialect of SQLite: Kysely's own, on the SQLite of the runtime, with transactions that can wait for a writer. */
export const createSqliteDialect = (file: string, busyTimeoutMs: number): Dialect =>
  new EmbeddedSqliteDialect({ database: () => openSqlite(file, busyTimeoutMs) })

class EmbeddedSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#config)
  }

  override createQueryCompiler(): QueryCompiler {
    return new BindingSqliteCompiler()
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/**
 * Takes the write lock when a transaction begins. A deferred transaction that reads and then writes fails at once if
 * another process wrote in between.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const mode = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(mode))
  }
}

class BindingSqliteCompiler extends SqliteQueryCompiler {
  override compileQuery(...parts: Parameters<SqliteQueryCompiler['compileQuery']>): CompiledQuery {
    return bindParameters('sqlite', super.compileQuery(...parts))
  }
}

/**
 * Tells Kysely that SQLite rolls back DDL. Kysely assumes that it does not, and then leaves half a migration behind.
 */
export class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Kysely 0.29 would let each statement wait for the connection, those of the running transaction too. */
  get supportsMultipleConnections(): boolean {
    return true
  }
}
