import type { Kysely } from 'kysely'
import { report } from '#runtime/core'
import { sha256Text } from '../internal/crypto/sha256.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import { type SessionStore, storedObject } from '../internal/session/session-store.ts'
import { withoutSentData } from '../internal/store/without-sent-data.ts'

/** A Kysely instance over any schema. */
type Database = Kysely<any> // any: the application's schema need not mention the table

/** Options of {@link sqlSession}. */
export interface SqlSessionOptions {
  /** The database: PostgreSQL, MySQL, MariaDB or SQLite through Kysely. */
  readonly db: Database
  /** Name of the table. @default 'sessions' */
  readonly table?: string
  /** Number of writes after which expired sessions are deleted. @default 1000 */
  readonly sweepEvery?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** A session store that can delete expired sessions. */
export interface SqlSessionStore extends Required<SessionStore> {
  /** Delete expired sessions, and return their number. The store does so by itself, see `sweepEvery`. */
  deleteExpired(): Promise<number>
}

/**
 * Keep sessions in the table of {@link createSessionTable}. The table has the SHA-256 of an id and not the id, so a
 * leaked table cannot be used to open a session, and no collation can confuse two ids.
 *
 * @throws {TypeError} if `db` is not a Kysely instance.
 * @example
 * session({ secret, store: sqlSession({ db }) })
 */
export const sqlSession = (options: SqlSessionOptions): SqlSessionStore => {
  checkNames('sqlSession', options, 'db table:string sweepEvery now:function')
  const { db, table = 'sessions', sweepEvery = 1000, now = Date.now } = options
  checkOption(typeof db?.selectFrom === 'function', 'sqlSession: db', 'a Kysely instance', typeof db)
  checkWhole(sweepEvery, 'sqlSession: sweepEvery', 'writes', 1)
  const seconds = (ahead = 0): number => Math.floor(now() / 1000) + ahead
  let writes = 0

  const deleteExpired = async (): Promise<number> => {
    const { numDeletedRows } = await db.deleteFrom(table).where('expires', '<=', seconds()).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
  const rowOf = async (json: string, ttlSeconds: number) => ({
    data: json,
    digest: await sha256Text(json),
    expires: seconds(ttlSeconds),
  })
  const update = async (key: string, row: object): Promise<boolean> => {
    const query = db.updateTable(table).set(row).where('id', '=', key)
    return (await withoutSentData(() => query.executeTakeFirstOrThrow())).numUpdatedRows > 0n
  }

  return {
    deleteExpired,
    async get(id) {
      const key = await sha256Text(id)
      const query = db.selectFrom(table).select('data').where('id', '=', key).where('expires', '>', seconds())
      const row = await query.executeTakeFirst()
      return row && storedObject(row.data)
    },
    async set(id, data, ttlSeconds = 86_400) {
      const key = await sha256Text(id)
      const row = await rowOf(JSON.stringify(data), ttlSeconds)
      if (!(await update(key, row))) {
        // If another process has inserted the row in between, there is a row to update
        const query = db.insertInto(table).values({ id: key, ...row })
        await withoutSentData(() => query.execute()).catch(async (error: unknown) => {
          if (!(await update(key, row))) throw error
        })
      }
      writes = (writes + 1) % sweepEvery
      // The session is saved: an error of the housekeeping must not keep its cookie from the browser
      if (writes === 0) await deleteExpired().catch(report)
    },
    async destroy(id) {
      const query = db.deleteFrom(table).where('id', '=', await sha256Text(id))
      return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n
    },
    async replace(id, data, ttlSeconds, expected) {
      const row = await rowOf(JSON.stringify(data), ttlSeconds)
      const key = await sha256Text(id)
      let query = db.updateTable(table).set(row).where('id', '=', key).where('expires', '>', seconds())
      if (expected !== undefined) query = query.where('digest', '=', await sha256Text(expected))
      return (await withoutSentData(() => query.executeTakeFirstOrThrow())).numUpdatedRows > 0n
    },
    async touch(id, ttlSeconds) {
      const key = await sha256Text(id)
      const row = { expires: seconds(ttlSeconds) }
      await db.updateTable(table).set(row).where('id', '=', key).where('expires', '>', seconds()).execute()
    },
  }
}

/**
 * Create the table, and the index that finds expired sessions. An existing table is not changed.
 *
 * @example
 * export const up = (db) => createSessionTable(db)
 */
export const createSessionTable = async (db: Database, table: string = 'sessions'): Promise<void> => {
  await db.schema
    .createTable(table)
    .ifNotExists()
    .addColumn('id', 'char(64)', (column) => column.primaryKey())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('digest', 'char(64)', (column) => column.notNull())
    .addColumn('expires', 'bigint', (column) => column.notNull())
    // MySQL has no `create index if not exists`
    .addUniqueConstraint(`${table}_expires`, ['expires', 'id'])
    .execute()
}
