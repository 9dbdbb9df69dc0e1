import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  MysqlIntrospector,
  PostgresIntrospector,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import type { Database } from '../ambient.ts'
import type { DialectName } from '../url.ts'
import { joiningDialect } from './joining.ts'
import { JoiningKysely } from './joining-kysely.ts'
import { isControl } from './lease.ts'
import { commitPostgres } from './postgres.ts'
import { TransactionalSqliteAdapter } from './sqlite.ts'

/** Sees each statement on the connection and decides whether it runs. */
export type Watch = (query: CompiledQuery, run: () => Promise<Result>, inTransaction: boolean) => Promise<Result>

/** The result of a statement. */
export type Result = QueryResult<unknown>

/** Options of {@link onConnection}. */
export interface SingleConnectionOptions {
  /** Provides plugins, compiler and adapter. */
  readonly db: Database
  readonly dialect: DialectName
  /** The connection that runs every statement. */
  readonly connection: DatabaseConnection
  readonly watch: Watch
  /** True if a transaction is open on the connection already, so that further ones are savepoints. */
  readonly inTransaction: boolean
}

/** Run the work with an exclusive connection of `db`. */
export const holdConnection = <T>(db: Database, work: (connection: DatabaseConnection) => Promise<T>): Promise<T> =>
  db.connection().execute(async (held) => {
    const connection = await held.getExecutor().provideConnection(async (lent) => lent)
    return work(connection)
  })

/** A Kysely instance on one connection, whose statements are watched and whose transactions nest. */
export const onConnection = ({ db, dialect, connection, watch, inTransaction }: SingleConnectionOptions): Database => {
  const executor = db.getExecutor()
  const begin = dialect === 'sqlite' ? 'begin immediate' : 'begin'
  const commit = dialect === 'postgres' ? commitPostgres : commitPlainly
  const { adapter } = executor
  const plain: Dialect = {
    createAdapter: () =>
      dialect === 'sqlite' && !adapter.supportsTransactionalDdl ? new TransactionalSqliteAdapter() : adapter,
    createDriver: () => new SingleConnectionDriver({ connection, watch, begin, commit }),
    createIntrospector: (instance) => introspect(dialect, instance),
    createQueryCompiler: () => ({ compileQuery: (node, queryId) => executor.compileQuery(node, queryId) }),
  }
  return new JoiningKysely({
    dialect: joiningDialect(plain, { depth: inTransaction ? 1 : 0 }),
    plugins: [...executor.plugins],
  })
}

const commitPlainly = (connection: DatabaseConnection): Promise<unknown> =>
  connection.executeQuery(CompiledQuery.raw('commit'))

const introspect = (dialect: DialectName, plain: Database): DatabaseIntrospector => {
  if (dialect === 'sqlite') return new SqliteIntrospector(plain)
  return dialect === 'postgres' ? new PostgresIntrospector(plain) : new MysqlIntrospector(plain)
}

interface SingleDriverOptions {
  readonly connection: DatabaseConnection
  readonly watch: Watch
  /** The statement that opens the outermost transaction. */
  readonly begin: string
  /** Commits it. */
  readonly commit: (connection: DatabaseConnection) => Promise<unknown>
}

class SingleConnectionDriver implements Driver {
  readonly #plain: DatabaseConnection
  readonly #watched: DatabaseConnection
  readonly #begin: string
  readonly #commit: SingleDriverOptions['commit']
  #inTransaction = false

  constructor({ connection, watch, begin, commit }: SingleDriverOptions) {
    this.#plain = connection
    this.#begin = begin
    this.#commit = commit
    this.#watched = {
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
        isControl(query)
          ? connection.executeQuery<R>(query)
          : ((await watch(query, () => connection.executeQuery(query), this.#inTransaction)) as QueryResult<R>),
      streamQuery: (...parts) => connection.streamQuery(...parts),
    }
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}
  async releaseConnection(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#watched
  }

  async beginTransaction(): Promise<void> {
    await this.#plain.executeQuery(CompiledQuery.raw(this.#begin))
    this.#inTransaction = true
  }

  async commitTransaction(): Promise<void> {
    // A commit that fails leaves the transaction open, and is followed by a rollback.
    await this.#commit(this.#plain)
    this.#inTransaction = false
  }

  async rollbackTransaction(): Promise<void> {
    this.#inTransaction = false
    await this.#plain.executeQuery(CompiledQuery.raw('rollback'))
  }
}

/** A connection without a database: every statement succeeds and returns no rows. */
export const noConnection: DatabaseConnection = {
  executeQuery: async () => ({ rows: [] }),
  streamQuery: async function* () {},
}
