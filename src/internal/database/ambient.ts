import { AsyncLocalStorage } from 'node:async_hooks'
import type { DialectAdapter, Kysely } from 'kysely'
import { Lease } from './driver/lease.ts'
import { assertOpen } from './driver/scope.ts'

// any: Kysely uses it for tables that are not described
export type Tables = any

/**
 * A Kysely instance over tables that are not described to the compiler; `createDatabase<MyTables>()` describes them.
 */
export type Database<T = Tables> = Kysely<T>

let ambient: Database | undefined

/** A transaction, or the connection of a migration. */
interface Frame {
  readonly db: Database
  /** The Kysely instance that opens savepoints. */
  readonly root: Database
  readonly adapter: DialectAdapter
  /** Where statements for the database of `db` go. */
  readonly lease: Lease | undefined
  readonly outer: Frame | undefined
  readonly isTransaction: boolean
  state: 'open' | 'failed' | 'over'
}

const current: AsyncLocalStorage<Frame> = /* @__PURE__ */ new AsyncLocalStorage()

/** The connection of the transaction of this database that is running. @throws {Error} if it failed or is over */
export const currentScope = (adapter: DialectAdapter): Lease | undefined => {
  let frame = current.getStore()
  while (frame && frame.adapter !== adapter) frame = frame.outer
  if (frame) assertOpen(frame.state)
  return frame?.lease
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
  if (frame) assertOpen(frame.state)
  const db = frame?.db ?? ambient
  if (db === undefined) throw new Error('No database: call setDatabase(createDatabase(url)) first')
  return db
}

/** The Kysely instance that opens transactions, and savepoints in them. */
export const rootDatabase = (): Database => current.getStore()?.root ?? useDatabase()

export const isInTransaction = (): boolean => current.getStore()?.isTransaction ?? false

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
  const connection = await executor.provideConnection(async (lent) => lent)
  const lease = connection instanceof Lease ? connection : undefined
  const outer = current.getStore()
  const root = outer?.adapter === adapter ? outer.root : db
  const frame: Frame = { root, db, ...opened, adapter, lease, outer, isTransaction: db.isTransaction, state: 'open' }
  const close = (state: 'failed' | 'over'): void => {
    frame.state = state
    if (opened) lease?.scope.close(state)
  }
  return current.run(frame, async () => {
    try {
      const result = await (lease ? lease.scope.run(work) : work())
      close('over')
      return result
    } catch (error) {
      close('failed')
      throw error
    }
  })
}
