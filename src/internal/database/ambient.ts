import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'

// any: the tables are the user's, and Kysely's own word for unknown ones is any
export type Tables = any

/**
 * A Kysely instance over tables that are not described to the compiler; `createDatabase<MyTables>()` describes them.
 */
export type Database<T = Tables> = Kysely<T>

let ambient: Database | undefined
/** A transaction that is open; without a database once it has ended. */
interface Held {
  db: Database | undefined
}

const current: AsyncLocalStorage<Held> = /* @__PURE__ */ new AsyncLocalStorage()

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
  const db = current.getStore()?.db ?? ambient
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
 * a mail, uses the database of {@link setDatabase} once the work has ended: the transaction takes no more statements.
 */
export const withDatabase = <T>(db: Database, work: () => Promise<T>): Promise<T> => {
  const held: Held = { db }
  return current.run(held, async () => {
    try {
      return await work()
    } finally {
      held.db = undefined
    }
  })
}
