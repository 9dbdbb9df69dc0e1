import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  MysqlIntrospector,
  PostgresIntrospector,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import { type Database, type DialectName, dialectOf } from '../dialect.ts'
import { joiningDialect } from './joining.ts'
import { JoiningKysely } from './joining-kysely.ts'
import { isControl } from './lease.ts'
import { commitPostgres } from './postgres.ts'
import { TransactionalSqliteAdapter } from './sqlite.ts'

/** Sees each statement on the connection and decides whether it runs. */
export type Watch = (query: CompiledQuery, run: () => Promise<Result>, inTransaction: boolean) => Promise<Result>

export type Result = QueryResult<unknown>

/** Options of {@link onConnection}. */
export interface SingleConnectionOptions {
  /** Provides plugins, compiler and adapter. */
  readonly db: Database
  /** The connection that runs every statement. */
  readonly connection: DatabaseConnection
  readonly watch: Watch
  /** True if a transaction is open on the connection already, so that further ones are savepoints. */
  readonly inTransaction: boolean
}

/** Run the work with an exclusive connection of `db`. */
export const holdConnection = <T>(db: Database, work: (connection: DatabaseConnection) => Promise<T>): Promise<T> =>
  db.connection().execute(async (held) => work(await held.getExecutor().provideConnection(async (lent) => lent)))

/** A Kysely instance on one connection, whose statements are watched and whose transactions nest. */
export const onConnection = (options: SingleConnectionOptions): Database => {
  const { db, inTransaction } = options
  const dialect = dialectOf(db)
  const executor = db.getExecutor()
  const { adapter } = executor
  const isPlainSqlite = dialect === 'sqlite' && !adapter.supportsTransactionalDdl
  const single = {
    createAdapter: () => (isPlainSqlite ? new TransactionalSqliteAdapter() : adapter),
    createDriver: () => singleDriver(dialect, options),
    createIntrospector: (instance: Database) => new INTROSPECTORS[dialect](instance),
    createQueryCompiler: () => executor,
  }
  return new JoiningKysely({
    dialect: joiningDialect(single, inTransaction ? 1 : 0),
    plugins: [...executor.plugins],
  })
}

const INTROSPECTORS = { sqlite: SqliteIntrospector, postgres: PostgresIntrospector, mysql: MysqlIntrospector }

const singleDriver = (dialect: DialectName, { connection, watch }: SingleConnectionOptions): Driver => {
  const send = (sql: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(sql))
  let inTransaction = false
  const watched: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
      isControl(query)
        ? connection.executeQuery<R>(query)
        : ((await watch(query, () => connection.executeQuery(query), inTransaction)) as QueryResult<R>),
    streamQuery: (...parts) => connection.streamQuery(...parts),
  }
  return {
    init: async () => {},
    destroy: async () => {},
    acquireConnection: async () => watched,
    releaseConnection: async () => {},
    beginTransaction: async () => {
      await send(dialect === 'sqlite' ? 'begin immediate' : 'begin')
      inTransaction = true
    },
    commitTransaction: async () => {
      await (dialect === 'postgres' ? commitPostgres(connection) : send('commit'))
      // A commit that fails leaves the transaction open, and a rollback follows
      inTransaction = false
    },
    rollbackTransaction: async () => {
      inTransaction = false
      await send('rollback')
    },
  }
}

/** A connection without a database: every statement succeeds and returns no rows. */
export const noConnection: DatabaseConnection = {
  executeQuery: async () => ({ rows: [] }),
  streamQuery: async function* () {},
}
