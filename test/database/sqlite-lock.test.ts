import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createDatabase, type Database, fresh, Model, migrate, rollback, setDatabase, t } from '../../src/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const open = (busyTimeoutMs: number, url = `sqlite:${join(folder, `${files++}.db`)}`): Database =>
  createDatabase({ url, busyTimeoutMs })

const patienceOf = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(db)
  return Number(rows[0]?.timeout)
}

test.each([0, 1, 1234])(
  'K7: a busyTimeoutMs of %d is what it was before a migration took its lock',
  async (patience) => {
    const db = open(patience)
    expect(await patienceOf(db)).toBe(patience)
    for (const run of [migrate, rollback, fresh]) {
      await run({ db, folder })
      expect(await patienceOf(db)).toBe(patience)
    }
    await db.destroy()
  },
)

test('K7: it is so too when another process kept the lock', async () => {
  const url = `sqlite:${join(folder, 'held.db')}`
  const [holder, db] = [open(0, url), open(77, url)]
  await patienceOf(db)
  await holder.connection().execute(async (held) => {
    await sql`begin immediate`.execute(held)
    await expect(migrate({ db, folder, lockTimeoutMs: 0 })).rejects.toMatchObject({ reason: 'locked' })
    await sql`rollback`.execute(held)
  })
  expect(await patienceOf(db)).toBe(77)
  await migrate({ db, folder })
  await Promise.all([holder.destroy(), db.destroy()])
})

test('createMany waits once for a locked file, and then fails with `busy`', async () => {
  const url = `sqlite:${join(folder, 'busy.db')}`
  const begun: unknown[] = []
  const log = ({ sql, error }: { sql: string; error?: unknown }) => {
    if (error) begun.push(sql)
  }
  const holder = open(0, url)
  const db = createDatabase({ url, busyTimeoutMs: 1, log })
  setDatabase(db)
  class Note extends Model.define('notes', { title: t.string() }) {}
  await sql`create table notes (id integer primary key, title text)`.execute(holder)
  await holder.connection().execute(async (held) => {
    await sql`begin immediate`.execute(held)
    await expect(Note.createMany([{ title: 'a' }])).rejects.toMatchObject({ name: 'DatabaseError', code: 'busy' })
    await sql`rollback`.execute(held)
  })
  expect(begun).toHaveLength(1)
  await Promise.all([holder.destroy(), db.destroy()])
})
