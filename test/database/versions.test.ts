import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, Model, setDatabase, t, transaction } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Page extends Model {
  static tableName = 'pages'
  static version = true
  static softDelete = true
  static columns = { title: 'string' } as const
  id!: number
  title!: string
  version!: number
  deletedAt?: Date
}

/** Has a column of that name, and no locking. */
class Release extends Model {
  static tableName = 'releases'
  static columns = { version: 'string' } as const
  id!: number
  version!: string
}

class Slot extends Model.define(
  'slots',
  { name: t.string(20).unique(), size: t.integer().default(0) },
  { version: true, timestamps: false },
) {}

const CONFLICT = {
  name: 'HttpError',
  status: 409,
  code: 'version_conflict',
  message: 'Page was changed meanwhile: read it again',
}

describeDatabases('static version: optimistic locking', (bench) => {
  beforeAll(async () => {
    await bench.db.schema
      .createTable('pages')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('title', 'varchar(80)')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('deleted_at', 'datetime(3)')
      .execute()
    await bench.db.schema
      .createTable('releases')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('version', 'varchar(20)')
      .execute()
    await bench.db.schema
      .createTable('slots')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('name', 'varchar(20)', (column) => column.unique())
      .addColumn('size', 'integer')
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute()
  })
  let page: Page
  beforeEach(async () => {
    setDatabase(bench.db)
    page = await Page.create({ title: 'one' })
  })
  const stored = async () => {
    const found = await Page.withTrashed().findById(page.id)
    return { title: found?.title, version: found?.version }
  }

  test('create begins with 1, each update adds 1', async () => {
    expect(page.version).toBe(1)
    await page.update({ title: 'two' })
    await page.update({ title: 'three' })
    expect(page.version).toBe(3)
    expect(await stored()).toEqual({ title: 'three', version: 3 })
  })

  test('create does not take a version from its caller', async () => {
    expect((await Page.create({ title: 'x', version: 99 })).version).toBe(1)
  })

  test('an update of a record that was changed meanwhile is a 409, and writes nothing', async () => {
    const other = await Page.findById(page.id)
    await page.update({ title: 'mine' })
    await expect(other?.update({ title: 'theirs' })).rejects.toMatchObject(CONFLICT)
    expect(await stored()).toEqual({ title: 'mine', version: 2 })
    expect(other?.title).toBe('one')
  })

  test('of ten updates at once one is done', async () => {
    const readers = await Promise.all(Array.from({ length: 10 }, () => Page.findById(page.id)))
    const results = await Promise.allSettled(readers.map((reader, index) => reader?.update({ title: `t${index}` })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await stored()).version).toBe(2)
  })

  test.each([
    ['the version of today', 2, { title: 'new', version: 3 }],
    ['the same as text', '2', { title: 'new', version: 3 }],
  ])('%s among the values is what a client has seen: the update is done', async (_, version, expected) => {
    await page.update({ title: 'old' })
    const fresh = await Page.findById(page.id)
    await fresh?.update({ title: 'new', version: version as number })
    expect(await stored()).toEqual(expected)
  })

  test.each([1, 3, '1', -1, 0])('a version %j among the values that is not that of today is a 409', async (version) => {
    await page.update({ title: 'old' })
    await expect(page.update({ title: 'new', version: version as number })).rejects.toMatchObject(CONFLICT)
    await expect(page.update({ version: version as number })).rejects.toMatchObject(CONFLICT)
    expect(await stored()).toEqual({ title: 'old', version: 2 })
  })

  test.each(['null', '{}', '[2]', '"x"', '1.5', 'true', '""'])(
    'a version %s among the values is a 422',
    async (json) => {
      await expect(page.update({ title: 'new', version: JSON.parse(json) })).rejects.toMatchObject({ status: 422 })
      expect(await stored()).toEqual({ title: 'one', version: 1 })
    },
  )

  test('delete, restore and forceDelete see a change too', async () => {
    const other = await Page.findById(page.id)
    await page.update({ title: 'two' })
    await expect(other?.delete()).rejects.toMatchObject(CONFLICT)
    await expect(other?.forceDelete()).rejects.toMatchObject(CONFLICT)
    await page.delete()
    await page.restore()
    expect(await stored()).toEqual({ title: 'two', version: 4 })
    await page.forceDelete()
    await page.forceDelete()
    expect(await Page.withTrashed().findById(page.id)).toBeUndefined()
  })

  test('a deleted record is a 404 and not a conflict', async () => {
    await bench.db.deleteFrom('pages').execute()
    await expect(page.update({ title: 'x' })).rejects.toMatchObject({ status: 404, message: 'Page not found' })
  })

  test('a conflict rolls the transaction back', async () => {
    const other = await Page.findById(page.id)
    await page.update({ title: 'two' })
    const work = transaction(async () => {
      await Page.create({ title: 'lost' })
      await other?.update({ title: 'x' })
    })
    await expect(work).rejects.toMatchObject(CONFLICT)
    expect(await Page.count({ where: { title: 'lost' } })).toBe(0)
  })

  // SQLite has one writer
  test.runIf(bench.dialect !== 'sqlite').each([
    ['was changed', "update pages set title = 'two', version = version + 1", CONFLICT],
    ['was deleted', 'delete from pages', { status: 404, message: 'Page not found' }],
  ])('a record that %s by another connection since the transaction read it is refused', async (_, statement, error) => {
    const other = createDatabase(bench.url)
    const work = transaction(async () => {
      const record = await Page.findById(page.id)
      await sql.raw(statement).execute(other)
      await record?.update({ title: 'three' })
    })
    await expect(work.finally(() => other.destroy())).rejects.toMatchObject(error)
  })

  test('an upsert changes whatever version the row has: a version among its values is ignored', async () => {
    for (const version of [1, 1, 99, null, 'x'] as never[])
      await Slot.upsert({ name: 'a', size: 1, version } as never, { by: ['name'] })
    expect(await Slot.findMany()).toMatchObject([{ name: 'a', size: 1, version: 5 }])
  })

  test('a column that is called version is an ordinary column without static version', async () => {
    const release = await Release.create({ version: '1.0' })
    await release.update({ version: '1.1' })
    expect((await Release.findById(release.id))?.version).toBe('1.1')
  })
})
