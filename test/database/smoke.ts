// The same short life of a database on any runtime: node, bun or deno runs this file and sees `ok`.
// With arguments, other databases too: smoke.ts sqlite:./x.db postgres://… mysql://…

import { strict as assert } from 'node:assert'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  closeDatabase,
  createDatabase,
  fresh,
  Model,
  migrate,
  rollback,
  setDatabase,
  status,
  transaction,
} from '../../src/database.ts'

class Note extends Model {
  static tableName = 'notes'
  static timestamps = true
  static softDelete = true
  static columns = { title: 'string', isDone: 'boolean', extra: 'json', dueAt: 'date' } as const
  id!: number
  title!: string
  isDone!: boolean | null
  extra!: unknown
  dueAt!: Date | null
  createdAt!: Date
  updatedAt!: Date
  deletedAt?: Date
}

const MIGRATION = `
export const up = (schema) => schema.createTable('notes')
  .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
  .addColumn('title', 'varchar(255)', (column) => column.notNull().unique())
  .addColumn('is_done', 'boolean').addColumn('extra', 'json').addColumn('due_at', 'datetime(3)')
  .addColumn('created_at', 'datetime(3)').addColumn('updated_at', 'datetime(3)').addColumn('deleted_at', 'datetime(3)')
  .execute()
export const down = (schema) => schema.dropTable('notes').execute()
`
const BROKEN = `export const up = async (schema, db) => {
  await schema.createTable('half').addColumn('id', 'integer').execute()
  await db.insertInto('nowhere').values({ id: 1 }).execute()
}`

const live = async (url: string, folder: string): Promise<void> => {
  const db = setDatabase(createDatabase(url))
  await fresh({ db, folder: join(folder, 'none') })
  assert.equal((await migrate({ db, folder })).length, 1)
  assert.equal((await migrate({ db, folder })).length, 0)
  const dueAt = new Date('2026-01-02T03:04:05.678Z')
  const note = await Note.create({ title: "it's", isDone: true, extra: { a: [1] }, dueAt })
  const found = await Note.findById(String(note.id))
  assert.deepEqual([found?.title, found?.isDone, found?.extra, found?.dueAt], ["it's", true, { a: [1] }, dueAt])
  assert.ok(found?.createdAt instanceof Date)
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(found))).sort(), [
    'createdAt',
    'dueAt',
    'extra',
    'id',
    'isDone',
    'title',
    'updatedAt',
  ])
  await assert.rejects(Note.create({ title: "it's" }), { status: 409 })
  await assert.rejects(Note.create({}), { status: 422 })
  await assert.rejects(transaction(async () => Promise.reject((await note.update({ title: 'lost' })).title)))
  assert.equal(await Note.count({ where: { title: "it's" } }), 1)
  await note.delete()
  assert.deepEqual([await Note.count(), await Note.onlyTrashed().count()], [0, 1])
  await note.restore()
  await note.forceDelete()
  const broken = join(folder, '2026_02_01_000000_broken.mjs')
  await writeFile(broken, BROKEN)
  await assert.rejects(migrate({ db, folder }), { name: 'MigrationError', file: broken })
  await rm(broken)
  assert.deepEqual(
    (await status({ db, folder })).map(({ state }) => state),
    ['executed'],
  )
  assert.equal((await rollback({ db, folder, step: 'all' })).length, 1)
  await closeDatabase()
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-smoke-'))
await writeFile(join(folder, '2026_01_01_000000_create_notes.mjs'), MIGRATION)
try {
  for (const url of [`sqlite:${join(folder, 'smoke.db')}`, ...process.argv.slice(2)]) await live(url, folder)
  console.log('ok')
} finally {
  await rm(folder, { recursive: true, force: true })
}
