import type { DialectAdapter } from 'kysely'
import type { Database } from './dialect.ts'
import type { Lease } from './driver/lease.ts'
import { current, type Frame } from './driver/scope.ts'

let ambient: Database | undefined

/** What runs in this database: a transaction, or a migration. @throws {Error} if it failed or is over */
export const currentFrame = (adapter: DialectAdapter): Frame | undefined => {
  let frame = current.getStore()
  while (frame && frame.adapter !== adapter) frame = frame.outer
  frame?.scope.assertOpen()
  return frame
}

/**
 * Set the database that models use.
 *
 * @example
 * setDatabase(createDatabase(process.env.DATABASE_URL ?? 'sqlite:./app.db'))
 */
export const setDatabase = (db: Database): Database => {
  ambient = db
  return db
}

/**
 * The database of the running `transaction`; outside of a transaction, the database of {@link setDatabase}.
 *
 * @throws {Error} if none was set, or if the surrounding transaction has failed or is over.
 * @example
 * const rows = await useDatabase().selectFrom('users').selectAll().execute()
 */
export const useDatabase = (): Database => {
  const frame = current.getStore()
  frame?.scope.assertOpen()
  const db = frame?.db ?? ambient
  if (db === undefined) throw new Error('No database: call setDatabase(createDatabase(url)) first')
  return db
}

/** The Kysely instance that opens transactions, and savepoints in them. */
export const rootDatabase = (): Database => current.getStore()?.root ?? useDatabase()

export const isInTransaction = (): boolean => (current.getStore()?.scope.depth ?? 0) > 0

/**
 * Close and unset the database of {@link setDatabase}. Does nothing if there is none.
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
 * Run the work with this database as the one that the models use. Every other statement for the same database joins its
 * connection.
 *
 * Statements that are sent after the end of the work are refused. If one part of a `Promise.all` failed, the other
 * parts would otherwise write rows that the rollback does not undo.
 *
 * @param opened set if `db` is a transaction that ends with the work: the Kysely instance that opens savepoints in it,
 * and the database that models use
 */
export const withDatabase = async <T>(
  db: Database,
  work: () => Promise<T>,
  opened?: Pick<Frame, 'root' | 'db'>,
): Promise<T> => {
  const executor = db.getExecutor()
  const { adapter } = executor
  const lease = (await executor.provideConnection(async (lent) => lent)) as Lease
  const { connection, scope: around } = lease
  const scope = opened ? around : around.fork()
  lease.scope = scope
  const outer = current.getStore()
  const root = outer?.adapter === adapter ? outer.root : db
  return current.run({ root, db, ...opened, adapter, connection, scope, outer }, async () => {
    try {
      const result = await work()
      scope.state = 'over'
      return result
    } catch (error) {
      scope.state = 'failed'
      throw error
    } finally {
      lease.scope = around
    }
  })
}
