import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { isIn, Model, setDatabase } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Item extends Model {
  static tableName = 'items'
  static timestamps = true
  static softDelete = true
  static columns = { title: 'string', body: 'string', extra: 'json', amount: 'number' } as const
  id!: number
  title!: string
  body!: string | null
  extra!: unknown
  amount!: number | null
  createdAt!: Date
  updatedAt!: Date
  deletedAt?: Date
}

/** Text made of what means something to one of the databases or to their drivers. */
const sqlText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          "'",
          '"',
          '`',
          '\\',
          "\\'",
          ';',
          '--',
          '-- -',
          '#',
          '/*',
          '*/',
          '?',
          '$1',
          ':id',
          '@x',
          '%',
          '_',
          '||',
          '(',
          ')',
          '=',
          ',',
          '\n',
          '\r',
        ],
        ...[
          "' or '1'='1",
          "'; drop table items; --",
          '"; drop table items; --',
          '`; drop table items; --',
          "\\'; drop table items; -- ",
        ],
        ...[
          "' union select 1,2,3 --",
          "') or 1=1 --",
          '1 = 1',
          'null',
          '{}',
          '[]',
          '$$',
          "E'",
          '0x27',
          '\u02bc',
          '\uff07',
          '\u00bf\x27',
          '\x1a',
          '\b',
        ],
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll('\0', '').slice(0, 60))
  // Half of a surrogate pair is no text that a database could store.
  .filter((text) => text === new TextDecoder().decode(new TextEncoder().encode(text)))

const anyKey = fc.oneof(
  sqlText,
  fc.constantFrom('id', 'secret', '__proto__', 'constructor', 'created_at', 'items.title', 'title; --', 'title as x'),
)

describeDatabases('G20: SQL metacharacters', (bench) => {
  beforeAll(async () => {
    setDatabase(bench.db)
    await bench.db.schema
      .createTable('items')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('title', 'varchar(255)', (column) => column.notNull())
      .addColumn('body', 'text')
      .addColumn('extra', 'json')
      .addColumn('amount', 'integer')
      .addColumn('secret', 'varchar(20)', (column) => column.notNull().defaultTo('kept'))
      .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
      .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
      .addColumn('deleted_at', 'datetime(3)')
      .execute()
  })
  let witness: Item
  beforeEach(async () => {
    setDatabase(bench.db)
    await bench.db.deleteFrom('items').execute()
    witness = await Item.create({ title: 'witness', body: 'body', amount: 5 })
  })
  /** The record that nobody touches is there as it was, and alone. */
  const isUntouched = async (): Promise<void> => {
    const rows = await bench.db.selectFrom('items').selectAll().execute()
    expect(rows).toMatchObject([
      { id: witness.id, title: 'witness', body: 'body', amount: 5, secret: 'kept', deletedAt: null },
    ])
    expect(rows).toHaveLength(1)
  }
  const runs = { numRuns: 60 }

  test('in values are stored, found, changed and deleted as the text that they are', () =>
    fc.assert(
      fc.asyncProperty(sqlText, sqlText, async (title, body) => {
        const item = await Item.create({ title, body, extra: { [title]: body } })
        expect(item).toMatchObject({ title, body })
        expect(item.extra).toEqual({ [title]: body })
        expect((await Item.findMany({ where: { title, id: item.id } })).map(({ id }) => id)).toEqual([item.id])
        expect((await Item.findOne({ where: { title: isIn([title]), body, id: item.id } }))?.body).toBe(body)
        expect(await Item.count({ where: { title, body, id: isIn([item.id, witness.id]) } })).toBe(1)
        expect(await Item.query().where('title', '=', title).where('id', '=', item.id).execute()).toHaveLength(1)
        await item.update({ title: body, body: title, extra: [title, body] })
        expect(await Item.findById(item.id)).toMatchObject({ title: body, body: title, extra: [title, body] })
        await item.delete()
        expect(await Item.withTrashed().count({ where: { title: body, id: item.id } })).toBe(1)
        await (await Item.onlyTrashed().findOne({ where: { body: title, id: item.id } }))?.restore()
        await item.forceDelete()
        await isUntouched()
      }),
      runs,
    ))

  test('in an id find nothing', () =>
    fc.assert(
      fc.asyncProperty(sqlText, async (id) => {
        fc.pre(!/^\d+$/.test(id))
        expect(await Item.findById(id)).toBeUndefined()
        expect(await Item.findById(`${witness.id}${id === '' ? ' ' : id}`)).toBeUndefined()
      }),
      runs,
    ))

  test('in names of columns are passed over when they are written', () =>
    fc.assert(
      fc.asyncProperty(anyKey, sqlText, async (key, value) => {
        fc.pre(!['title', 'body', 'extra', 'amount'].includes(key))
        const values = Object.fromEntries([
          ['title', 'new'],
          [key, value],
        ])
        const item = await Item.create(values as never)
        await item.update(values as never)
        expect(
          await bench.db.selectFrom('items').selectAll().where('id', '=', item.id).executeTakeFirst(),
        ).toMatchObject({
          title: 'new',
          secret: 'kept',
          body: null,
          deletedAt: null,
        })
        await item.forceDelete()
        await isUntouched()
      }),
      runs,
    ))

  test('in names of columns and directions are refused when they are asked for', () =>
    fc.assert(
      fc.asyncProperty(anyKey, sqlText, async (key, value) => {
        fc.pre(
          !['title', 'body', 'extra', 'amount', 'id', 'asc', 'desc'].includes(key) && !['asc', 'desc'].includes(value),
        )
        const entry = Object.fromEntries([[key, value]])
        await expect(Item.findMany({ where: entry as never })).rejects.toThrow(TypeError)
        await expect(Item.count({ where: entry as never })).rejects.toThrow(TypeError)
        await expect(Item.findMany({ orderBy: entry as never })).rejects.toThrow(TypeError)
        await expect(Item.findMany({ orderBy: { title: value as 'asc' } })).rejects.toThrow(TypeError)
        await expect(Item.findMany({ limit: value as never })).rejects.toMatchObject({ status: 400 })
        await expect(Item.findMany({ offset: value as never })).rejects.toMatchObject({ status: 400 })
        await isUntouched()
      }),
      runs,
    ))

  test('node-mysql2 #1914: objects in place of values never become SQL', () =>
    fc.assert(
      fc.asyncProperty(anyKey, fc.anything({ maxDepth: 2 }), async (key, inner) => {
        const value = Object.fromEntries([[key, inner]])
        await expect(Item.findMany({ where: { title: value as never } })).rejects.toMatchObject({ status: 422 })
        await expect(Item.findOne({ where: { title: [value] as never } })).rejects.toMatchObject({ status: 422 })
        await expect(Item.findMany({ where: { amount: value as never } })).rejects.toMatchObject({ status: 422 })
        await expect(witness.update({ title: value as never })).rejects.toMatchObject({ status: 422 })
        await expect(Item.create({ title: value as never })).rejects.toMatchObject({ status: 422 })
        await isUntouched()
      }),
      runs,
    ))

  test('node-mysql2 #1914: objects through the Kysely builder never become SQL', async () => {
    for (const value of [{ title: 1 }, { id: true }, [['witness']], { toString: () => "' or 1 = 1" }]) {
      const found = Item.query()
        .where('title', '=', value as never)
        .execute()
      expect(await found.catch(() => [])).toEqual([])
    }
    await isUntouched()
  })

  test('text that ends in a backslash or half an escape keeps its quote closed', async () => {
    for (const title of ['\\', "\\'", "'\\", '\\\\', "\\\\'", '\u00bf\\', "a' -- \\"]) {
      const item = await Item.create({ title, body: ' or 1=1 -- ' })
      expect((await Item.findOne({ where: { title, body: ' or 1=1 -- ' } }))?.title).toBe(title)
      await item.forceDelete()
    }
    await isUntouched()
  })
})
