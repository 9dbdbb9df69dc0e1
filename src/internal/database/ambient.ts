import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'

// any: the tables are the user's, and Kysely's own word for unknown ones is any
export type Tables = any

/**
 * A Kysely instance over tables that are not described to the compiler; `createDatabase<MyTables>()` describes them.
 */
export type Database<T = Tables> = Kysely<T>

let ambient: Database | undefined
/** A transaction that is open or has failed; without a database once its work is done. */
interface Held {
  db: Database | undefined
  failed: boolean
  /** The one around it. */
  readonly outer: Held | undefined
}

const current: AsyncLocalStorage<Held> = /* @__PURE__ */ new AsyncLocalStorage()

/** The innermost one whose work is not done. */
const openOne = (): Held | undefined => {
  let held = current.getStore()
  while (held && held.db === undefined) held = held.outer
  return held
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
 * The database of the running `transaction`, else the one of {@link setDatabase}.
 *
 * @throws {Error} if none was set.
 * @example
 * const rows = await useDatabase().selectFrom('users').selectAll().execute()
 */
export const useDatabase = (): Database => {
  const held = openOne()
  // Until the rollback has ended, its connection would still take a statement, and keep it
  if (held?.failed) throw new Error('The transaction has failed, and takes no more statements')
  const db = held?.db ?? ambient
  if (db === undefined) throw new Error('No database: call setDatabase(createDatabase(url)) first')
  return db
}

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
 * Run the work with this database as the one that the models use. What the work leaves running, such as the sending of
 * a mail, uses what is open around it once the work is done, or else the database of {@link setDatabase}: the
 * transaction takes no more statements. Once the work has failed it gets nothing else: of `Promise.all`, in which one
 * fails, the others would write what the rollback does not take back.
 *
 * @param after what is used instead: a rehearsal must not end in the database itself
 */
export const withDatabase = <T>(db: Database, work: () => Promise<T>, after?: Database): Promise<T> => {
  const held: Held = { db, failed: false, outer: openOne() }
  return current.run(held, async () => {
    try {
      const result = await work()
      held.db = after
      return result
    } catch (error) {
      held.failed = true
      throw error
    }
  })
}
