import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createDatabase } from '../../src/database.ts'
import { createIdempotencyTable, sqlIdempotency } from '../../src/stores/sql-idempotency.ts'
import { createSessionTable } from '../../src/stores/sql-session.ts'
import { type Bench, describeDatabases } from '../database/databases.ts'

/** How the database finds the rows that expired before `time`, in its own words. */
const planOf = async ({ db, dialect }: Bench, table: string, time: number): Promise<string> => {
  const words = dialect === 'sqlite' ? sql`explain query plan` : sql`explain`
  const { rows } = await sql`${words} delete from ${sql.table(table)} where expires <= ${time}`.execute(db)
  return JSON.stringify(rows)
}

describeDatabases('tables of stores', (bench) => {
  test.each([
    ['sessions', createSessionTable, { digest: 'd' }],
    ['idempotency', createIdempotencyTable, {}],
    ['other_sessions', (db: any) => createSessionTable(db, 'other_sessions'), { digest: 'd' }], // any: no schema
  ])(
    'expired rows of %s are found by an index, and creating the table again changes nothing',
    async (table, create, more) => {
      const { db } = bench as { db: any } // any: no schema
      await create(db)
      await create(db)
      for (let from = 0; from < 4000; from += 500) {
        const rows = Array.from({ length: 500 }, (_, n) => ({
          id: `${from + n}`,
          data: 'x',
          expires: from + n,
          ...more,
        }))
        await db.insertInto(table).values(rows).execute()
      }
      if (bench.dialect !== 'sqlite')
        await sql`${bench.dialect === 'mysql' ? sql`analyze table` : sql`analyze`} ${sql.table(table)}`.execute(db)
      const plan = await planOf(bench, table, 5)
      expect(plan).toMatch(
        { sqlite: /SEARCH.*INDEX.*expires</, postgres: /Index Scan.*_expires/, mysql: /"range".*_expires/ }[
          bench.dialect
        ],
      )
      expect((await db.deleteFrom(table).where('expires', '<=', 5).executeTakeFirstOrThrow()).numDeletedRows).toBe(6n)
    },
  )
})

test('MX13: a key is taken, and its request answered, although the expired ones cannot be deleted', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const db = createDatabase<any>('sqlite::memory:') // any: no schema
  await createIdempotencyTable(db)
  const refuses = new Error('deadlock')
  let deletions = 0
  const deleteFrom = (table: string) => {
    // The first deletes all that have expired, the second the key that is taken
    if (deletions++ % 2 === 0) throw refuses
    return db.deleteFrom(table)
  }
  const names = ['selectFrom', 'updateTable', 'insertInto'] as const
  const partly = Object.fromEntries(names.map((name) => [name, db[name].bind(db)]))
  const store = sqlIdempotency({ db: { ...partly, deleteFrom } as never, sweepEvery: 1 })
  const key = 'a'.padStart(64, '0')
  expect(await store.take(key, 'mine', 60)).toBeUndefined()
  expect(await store.take(key, 'yours', 60)).toBe('mine')
  expect(printed.mock.calls).toEqual([[refuses]])
  printed.mockRestore()
  await db.destroy()
})
