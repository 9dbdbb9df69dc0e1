import type { Kysely } from 'kysely'
import { report } from '#runtime/core'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import type { IdempotencyStore } from '../internal/store/idempotency-store.ts'
import { withoutSentData } from '../internal/store/without-sent-data.ts'

/** A Kysely instance over any schema. */
type Database = Kysely<any> // any: the application's schema need not mention the table

/** Options of {@link sqlIdempotency}. */
export interface SqlIdempotencyOptions {
  /** The database: PostgreSQL, MySQL, MariaDB or SQLite through Kysely. */
  readonly db: Database
  /** Name of the table. @default 'idempotency' */
  readonly table?: string
  /** Number of keys after which expired ones are deleted. @default 1000 */
  readonly sweepEvery?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Store responses in the table of {@link createIdempotencyTable}. All processes share it.
 *
 * @throws {TypeError} if `db` is not a Kysely instance, or for a bad option.
 * @example
 * idempotency({ store: sqlIdempotency({ db }), scope })
 */
export const sqlIdempotency = (options: SqlIdempotencyOptions): IdempotencyStore => {
  checkNames('sqlIdempotency', options, 'db table:string sweepEvery now:function')
  const { db, table = 'idempotency', sweepEvery = 1000, now = Date.now } = options
  checkOption(typeof db?.selectFrom === 'function', 'sqlIdempotency: db', 'a Kysely instance', typeof db)
  checkWhole(sweepEvery, 'sqlIdempotency: sweepEvery', 'keys', 1)
  const seconds = (ahead = 0): number => Math.floor(now() / 1000) + ahead
  let claims = 0

  const find = async (key: string): Promise<string | undefined> => {
    const query = db.selectFrom(table).select('data').where('id', '=', key).where('expires', '>', seconds())
    return (await query.executeTakeFirst())?.data
  }
  const sweep = async (): Promise<void> => {
    if (++claims % sweepEvery) return
    await withoutSentData(() => db.deleteFrom(table).where('expires', '<=', seconds()).execute()).catch(report)
  }

  return {
    async take(key, claim, life) {
      const stored = await find(key)
      if (stored !== undefined) return stored
      await sweep()
      await db.deleteFrom(table).where('id', '=', key).where('expires', '<=', seconds()).execute()
      const row = { id: key, data: claim, expires: seconds(life) }
      try {
        await db.insertInto(table).values(row).execute()
        return undefined
      } catch (error) {
        // Another process was faster: its row exists now
        const other = await find(key)
        if (other === undefined) throw error
        return other
      }
    },
    replace(key, claim, value, life) {
      const query = db.updateTable(table).set({ data: value, expires: seconds(life) })
      return withoutSentData(() => query.where('id', '=', key).where('data', '=', claim).execute())
    },
    release: (key, claim) => db.deleteFrom(table).where('id', '=', key).where('data', '=', claim).execute(),
  }
}

/**
 * Create the table, and the index that finds expired keys. An existing table is not changed.
 *
 * @example
 * export const up = (db) => createIdempotencyTable(db)
 */
export const createIdempotencyTable = async (db: Database, table: string = 'idempotency'): Promise<void> => {
  await db.schema
    .createTable(table)
    .ifNotExists()
    .addColumn('id', 'char(64)', (column) => column.primaryKey())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('expires', 'bigint', (column) => column.notNull())
    // MySQL has no `create index if not exists`
    .addUniqueConstraint(`${table}_expires`, ['expires', 'id'])
    .execute()
}
