import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { closeDatabase, createDatabase, Model, setDatabase, t } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Event extends Model {
  static tableName = 'events'
  static columns = { at: 'date', count: 'number', isOn: 'boolean', note: 'string', more: 'json', raw: 'bytes' } as const
  id!: number
  at!: Date | null
  count!: number | string | null
  isOn!: boolean | null
  note!: string | null
  more!: unknown
  raw!: Uint8Array | null
}

class Edited extends Model {
  static tableName = 'edits'
  static version = true
  static columns = { note: 'string' } as const
  id!: number
  note!: string
  version!: number
}

class Plain extends Model {
  static tableName = 'edits'
  static columns = { note: 'string', version: 'number' } as const
  id!: number
  version!: number
}

describeDatabases('G20: kinds of columns', (bench) => {
  beforeAll(async () => {
    const { schema } = bench.db
    await schema
      .createTable('events')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('at', 'datetime(3)')
      .addColumn('count', 'bigint')
      .addColumn('is_on', 'boolean')
      .addColumn('note', 'varchar(40)')
      .addColumn('more', 'json')
      .addColumn('raw', bench.dialect === 'postgres' ? 'bytea' : 'blob')
      .execute()
    await schema
      .createTable('edits')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('note', 'varchar(40)')
      .addColumn('version', 'integer')
      .execute()
  })
  beforeEach(() => void setDatabase(bench.db))
  afterAll(() => closeDatabase())

  test.each<[string, object, object]>([
    ['a date', { at: new Date('2026-01-02T03:04:05.678Z') }, { at: new Date('2026-01-02T03:04:05.678Z') }],
    ['milliseconds', { at: 1_767_323_045_678 }, { at: new Date('2026-01-02T03:04:05.678Z') }],
    ['a day', { at: '2026-01-02' }, { at: new Date('2026-01-02T00:00:00Z') }],
    ['a time with T', { at: '2026-01-02T03:04:05Z' }, { at: new Date('2026-01-02T03:04:05Z') }],
    ['a time without a zone, which is UTC', { at: '2026-01-02T03:04' }, { at: new Date('2026-01-02T03:04:00Z') }],
    ['a time as databases write it', { at: '2026-01-02 03:04:05.6' }, { at: new Date('2026-01-02T03:04:05.600Z') }],
    ['a time in another zone', { at: '2026-01-02T03:04:05+01:00' }, { at: new Date('2026-01-02T02:04:05Z') }],
    ['the first year', { at: '1000-01-01' }, { at: new Date('1000-01-01T00:00:00Z') }],
    ['the last year', { at: '9999-12-31' }, { at: new Date('9999-12-31T00:00:00Z') }],
    ['a number', { count: 7 }, { count: 7 }],
    ['a number as text', { count: '7' }, { count: 7 }],
    ['a negative number as text', { count: '-7' }, { count: -7 }],
    ['a number with an exponent as text', { count: '1e3' }, { count: 1000 }],
    ['the largest safe number as a bigint', { count: 2n ** 53n - 1n }, { count: 2 ** 53 - 1 }],
    ['the largest number of 64 bits', { count: 2n ** 63n - 1n }, { count: '9223372036854775807' }],
    ['the smallest number of 64 bits', { count: -(2n ** 63n) }, { count: '-9223372036854775808' }],
    ['true', { isOn: true }, { isOn: true }],
    ['1 as text', { isOn: '1' }, { isOn: true }],
    ['0', { isOn: 0 }, { isOn: false }],
    ['false as text', { isOn: 'false' }, { isOn: false }],
    ['a number for a text', { note: 7 }, { note: '7' }],
    ['a bigint for a text', { note: 7n }, { note: '7' }],
    ['a boolean for a text', { note: false }, { note: 'false' }],
    ['characters of two units', { note: '😀' }, { note: '😀' }],
    ['an object', { more: { a: [1, null] } }, { more: { a: [1, null] } }],
    ['a JSON text', { more: 'x' }, { more: 'x' }],
    ['half a pair inside JSON', { more: ['\ud83d'] }, { more: ['\ud83d'] }],
    ['bytes', { raw: new Uint8Array([0, 255]) }, { raw: expect.objectContaining({ 0: 0, 1: 255 }) }],
    ['null everywhere', { at: null, count: null, note: null }, { at: null, count: null, note: null }],
  ])('%s is stored and read back', async (name, values, expected) => {
    // The JSON of a server is text, which has whole pairs
    if (bench.dialect !== 'sqlite' && name === 'half a pair inside JSON') return
    const made = await Event.create(values as never)
    const found = await Event.findById(made.id)
    for (const [key, value] of Object.entries(expected)) {
      const read = Reflect.get(found ?? {}, key)
      expect(typeof value === 'string' && key === 'count' ? String(read) : read).toEqual(value)
    }
  })

  test.each<[string, object, string]>([
    ['a year before the first', { at: '0999-12-31' }, 'at: expected a date'],
    ['a year after the last', { at: '+010000-01-01' }, 'at: expected a date'],
    ['milliseconds beyond all dates', { at: 8.7e15 }, 'at: expected a date'],
    ['a number as a date in text', { at: '1' }, 'at: expected a date'],
    ['a day with more behind it', { at: '2026-01-02x' }, 'at: expected a date'],
    ['a day with more before it', { at: 'x2026-01-02' }, 'at: expected a date'],
    ['a boolean as a date', { at: true }, 'at: expected a date'],
    ['one more than 64 bits', { count: 2n ** 63n }, 'count: expected a number'],
    ['one less than 64 bits', { count: -(2n ** 63n) - 1n }, 'count: expected a number'],
    ['twice 64 bits', { count: 2n ** 65n }, 'count: expected a number'],
    ['very many digits', { count: '9'.repeat(400) }, 'count: expected a number'],
    ['a text of white space', { count: ' ' }, 'count: expected a number'],
    ['infinity', { count: Number.POSITIVE_INFINITY }, 'count: expected a number'],
    ['a boolean as a number', { count: true }, 'count: expected a number'],
    ['2 as a boolean', { isOn: 2 }, 'isOn: expected a boolean'],
    ['an object as a text', { note: {} }, 'note: expected a string'],
    ['a symbol as JSON', { more: Symbol('x') }, 'more: expected a JSON value'],
    ['a bigint in JSON', { more: { a: 1n } }, 'more: expected a JSON value'],
    ['a text as bytes', { raw: 'x' }, 'raw: expected bytes'],
    ['half a pair', { note: '\ud83d' }, 'note: contains a character that cannot be stored'],
  ])('%s is 422', async (_, values, message) => {
    await expect(Event.create(values as never)).rejects.toMatchObject({ status: 422, message })
  })

  test('a JSON text that holds U+0000 is 422 on PostgreSQL alone', async () => {
    const made = Event.create({ more: { a: '\0' } } as never)
    if (bench.dialect === 'postgres') await expect(made).rejects.toMatchObject({ status: 422 })
    else expect((await Event.findById((await made).id))?.more).toEqual({ a: '\0' })
  })

  describe('NA9: versions', () => {
    test('a new record has the first one, whatever is sent, and an update without values keeps it', async () => {
      const made = await Edited.create({ note: 'a', version: 9 } as never)
      expect({ made: made.version, same: (await made.update({})).version }).toEqual({ made: 1, same: 1 })
      expect((await made.update({ note: 'b' })).version).toBe(2)
      await made.delete()
      expect(await Edited.findById(made.id)).toBeUndefined()
      await expect(made.delete()).resolves.toBeUndefined()
    })

    test('an update without values is 409 too after another one, and so is a delete', async () => {
      const made = await Edited.create({ note: 'a' })
      await (await Edited.findById(made.id))?.update({ note: 'b' })
      const conflict = { status: 409, message: 'Edited was changed meanwhile: read it again' }
      for (const values of [{}, { note: 'c' }, { version: 1 }, { note: 'c', version: '1' }])
        await expect(made.update(values as never)).rejects.toMatchObject(conflict)
      await expect(made.delete()).rejects.toMatchObject(conflict)
      expect((await made.update({ note: 'c', version: 2 } as never)).version).toBe(3)
    })

    test.each([null, 'x', 1.5, '', []])('a version of %j is 422', async (version) => {
      const made = await Edited.create({ note: 'a' })
      await expect(made.update({ note: 'b', version } as never)).rejects.toMatchObject({
        status: 422,
        message: expect.stringMatching(/^version: expected a (?:whole )?number$/),
      })
    })

    test('a column of that name is a column like others without versions', async () => {
      const made = await Plain.create({ version: 9 } as never)
      expect({ made: made.version, updated: (await made.update({ version: 7 } as never)).version }).toEqual({
        made: 9,
        updated: 7,
      })
    })
  })
})

test('G20: a unique belongsTo is a key, and another one is not', async () => {
  class Owner extends Model.define('owners', { name: t.string() }) {}
  class Profile extends Model.define('profiles', {
    owner: t.belongsTo(() => Owner).unique(),
    other: t.belongsTo(() => Owner),
  }) {}
  onTestFinished(closeDatabase)
  setDatabase(createDatabase('sqlite::memory:'))
  await expect(Profile.upsert({} as never, { by: ['ownerId'] })).rejects.toThrow('ownerId: expected a value')
  await expect(Profile.upsert({} as never, { by: ['otherId'] })).rejects.toThrow(
    'Profile.upsert: expected a unique key (ownerId), got otherId',
  )
})
