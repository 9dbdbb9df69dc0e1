import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeDatabase, Model, setDatabase } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Bill extends Model {
  static tableName = 'bills'
  static columns = { total: 'number', title: 'string' } as const
  id!: number
  total!: number
  title!: string
}

describeDatabases('what clients send', (bench) => {
  beforeAll(async () => {
    await bench.db.schema
      .createTable('bills')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('total', 'decimal(30, 2)')
      .addColumn('title', 'varchar(40)')
      .execute()
  })
  beforeEach(() => void setDatabase(bench.db))
  afterAll(() => closeDatabase())

  test.each(['12345678901234567.89', '-12345678901234567.89', '9007199254740993.50'])(
    'ND3: the decimal %s as text is kept exactly; SQLite, which would round it, refuses it',
    async (total) => {
      const made = Bill.create({ total: total as never })
      if (bench.dialect === 'sqlite') {
        await expect(made).rejects.toMatchObject({ status: 422, message: 'total: expected a number' })
        return
      }
      const { id } = await made
      expect(String((await Bill.findById(id))?.total)).toBe(total)
      expect(await Bill.count({ where: { total: total as never } })).toBe(1)
    },
  )

  test.each([
    ['19.99', 19.99],
    ['19.90', 19.9],
    ['007.50', 7.5],
    ['0.00', 0],
    ['-0.10', -0.1],
    ['123456789012.34', 123456789012.34],
    ['1234567890123.40000', 1234567890123.4],
    ['0000000000000000007.50', 7.5],
    ['-000000000000000007.50', -7.5],
    ['10203040.0500000000000', 10203040.05],
    ['0.00000000000000000', 0],
    ['5', 5],
  ])('ND3: the decimal %s as text is the number %d', async (text, total) => {
    expect((await Bill.create({ total: text as never })).total).toBe(total)
  })

  test('ND3: a small decimal of sixteen characters as text is a number, which the servers round', async () => {
    const { total } = await Bill.create({ total: '0.00000000000001' as never })
    expect(total).toBe(bench.dialect === 'sqlite' ? 1e-14 : 0)
  })

  test.each([1e20, -1, 1.5, Number.NaN, '10' as never])(
    'ND4: a limit or offset of %s, as a query string can have it, is 400',
    async (count) => {
      for (const options of [{ limit: count }, { offset: count }]) {
        await expect(Bill.findMany(options)).rejects.toMatchObject({ status: 400 })
      }
    },
  )

  test('ND4: a text with U+0000 is 422, and the message says why', async () => {
    const refusal = { status: 422, message: 'title: contains a character that cannot be stored' }
    await expect(Bill.create({ title: 'a\0' })).rejects.toMatchObject(refusal)
    await expect(Bill.findMany({ where: { title: '\0' } })).rejects.toMatchObject(refusal)
  })

  test('ND7: an undefined offset skips no record', async () => {
    const offset: number | undefined = undefined
    expect(await Bill.findMany({ where: { title: 'none' }, offset, limit: offset })).toEqual([])
  })
})
