import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  allOf,
  anyOf,
  escapeLike,
  gt,
  gte,
  isIn,
  isNull,
  like,
  lt,
  lte,
  Model,
  not,
  setDatabase,
} from '../../src/database.ts'
import { describeDatabases } from '../database/databases.ts'

class Account extends Model {
  static tableName = 'accounts'
  static columns = {
    name: 'string',
    token: 'string',
    age: 'number',
    admin: 'boolean',
    born: 'date',
    more: 'json',
  } as const
  id!: number
  name!: string
  token!: string | null
  age!: number | null
  admin!: boolean | null
  born!: Date | null
  more!: unknown
}

const ADA = { name: 'Ada', token: 'secret-1', age: 36, admin: true, born: new Date('1815-12-10T00:00:00.000Z') }
const BEN = { name: 'Ben', token: 'secret-2', age: 18, admin: false, born: new Date('2000-01-01T00:00:00.000Z') }
/** Has no token, as after a password reset that was never asked for. */
const CEM = { name: 'Cem' }

/** What a client can send in place of a token, as text of JSON. */
const NO_SCALARS = [
  'null',
  '[]',
  '["secret-1"]',
  '[["secret-1"]]',
  '[null]',
  '{}',
  '{"in":["secret-1","secret-2"]}',
  '{"not":"x"}',
  '{"gt":""}',
  '{"like":"%"}',
  '{"isNull":true}',
  '{"is":"null"}',
  '{"#test":{"is":"null"}}',
  '{"__proto__":{"is":"null"}}',
  '{"$ne":null}',
  '{"toString":"secret-1","valueOf":"secret-1"}',
]

describeDatabases('F13: values straight from JSON', (bench) => {
  beforeAll(async () => {
    await bench.db.schema
      .createTable('accounts')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('name', 'varchar(80)', (column) => column.notNull())
      .addColumn('token', 'varchar(80)')
      .addColumn('age', 'integer')
      .addColumn('admin', 'boolean')
      .addColumn('born', 'datetime(3)')
      .addColumn('more', 'json')
      .execute()
  })
  beforeEach(async () => {
    setDatabase(bench.db)
    await bench.db.deleteFrom('accounts').execute()
    for (const values of [ADA, BEN, CEM]) await Account.create(values)
  })
  const names = async (where: Parameters<typeof Account.findMany<Account>>[0]): Promise<string> =>
    (await Account.findMany(where)).map(({ name }) => name[0]).join('')

  describe('in where', () => {
    test.each(NO_SCALARS)('%s in place of a value is refused by every finder', async (json) => {
      const refusal = { name: 'HttpError', status: 422, code: 'invalid_column' }
      for (const column of ['token', 'age', 'admin', 'born', 'id']) {
        const where = { [column]: JSON.parse(json) }
        await expect(Account.findOne({ where })).rejects.toMatchObject(refusal)
        await expect(Account.findMany({ where })).rejects.toMatchObject(refusal)
        await expect(Account.count({ where })).rejects.toMatchObject(refusal)
        await expect(Account.withTrashed().findOne({ where })).rejects.toMatchObject(refusal)
      }
    })

    test.each(NO_SCALARS)('%s inside a condition is refused', async (json) => {
      const value = JSON.parse(json)
      const parts = [gt(value), lte(value), isIn([value]), not(value), anyOf(isNull, value), allOf(value), like(value)]
      for (const token of parts)
        await expect(Account.findOne({ where: { token } })).rejects.toMatchObject({ status: 422 })
    })

    test.each(['null', '"secret-1"', '{}', '5', '{"length":1,"0":"secret-1"}'])(
      'isIn(%s), which is not a list, is refused',
      async (json) => {
        await expect(Account.findOne({ where: { token: isIn(JSON.parse(json)) } })).rejects.toMatchObject({
          status: 422,
        })
      },
    )

    test('a member that the client left out is refused', async () => {
      const body = JSON.parse('{}')
      await expect(Account.findOne({ where: { token: body.token } })).rejects.toMatchObject({ status: 422 })
    })

    test.each([
      ['age', true],
      ['age', ''],
      ['age', ' '],
      ['age', 'Infinity'],
      ['age', Number.NaN],
      ['age', Number.POSITIVE_INFINITY],
      ['age', 2n ** 63n],
      ['age', '9223372036854775808'],
      ['admin', 2],
      ['admin', 'yes'],
      ['born', '1'],
      ['born', 'tomorrow'],
      ['born', 1e20],
      ['born', new Date(Number.NaN)],
      ['token', 'a\0b'],
      ['token', '\ud800'],
      ['token', new Date(0)],
    ])('%s: %o, which is no value of that column, is refused', async (column, value) => {
      await expect(Account.findOne({ where: { [column]: value } as never })).rejects.toMatchObject({ status: 422 })
    })

    test.each([
      ['age', 1.5],
      ['age', 1e300],
      ['age', 2 ** 53],
      ['age', -(2n ** 63n)],
      ['token', 0],
      ['token', true],
      ['token', 'secret-1x'],
      ['token', 'secret'],
    ])('%s: %o, a scalar that no row has, finds nothing', async (column, value) => {
      expect(await names({ where: { [column]: value } as never })).toBe('')
    })

    test.each(['null', '[]', '"x"', '""', '5', 'true'])('%s in place of all conditions is refused', async (json) => {
      const where = JSON.parse(json)
      await expect(Account.findMany({ where })).rejects.toThrow(/^where: expected an object of columns, got /)
      await expect(Account.count({ where })).rejects.toThrow(/^where: expected an object of columns, got /)
    })

    test('a condition in place of all conditions is refused', async () => {
      await expect(Account.findMany({ where: isNull as never })).rejects.toThrow('where: expected an object of columns')
    })

    test('the cause says what to write, the answer does not', async () => {
      const error = await Account.findOne({ where: { token: JSON.parse('null') } }).catch((thrown) => thrown)
      expect(error.message).toBe('token: expected a string')
      expect(error.cause.message).toBe(
        'where.token: expected a scalar, isNull, isIn([...]) or another condition, got null',
      )
    })
  })

  describe('in the rest of a search', () => {
    test.each([
      '[]',
      '["name"]',
      '"name"',
      '""',
      'null',
      '1',
      '{"name":null}',
      '{"name":["asc"]}',
      '{"name":{"asc":1}}',
    ])('orderBy: %s is refused', async (json) => {
      await expect(Account.findMany({ orderBy: JSON.parse(json) })).rejects.toThrow(/^orderBy/)
    })

    test.each(['null', '"1"', '[1]', '{}', 'true', '-1', '1.5', '1e16'])(
      'limit and offset: %s is refused',
      async (json) => {
        await expect(Account.findMany({ limit: JSON.parse(json) })).rejects.toThrow(/^limit: expected a whole number/)
        await expect(Account.findMany({ offset: JSON.parse(json) })).rejects.toThrow(/^offset: expected a whole number/)
      },
    )

    test.each(['null', '{}', '[]', '[1]', '[1,2]', 'true', '{"id":1}', '""', '"1,2"', '-1', '1.5'])(
      'findById(%s) finds nothing',
      async (json) => {
        expect(await Account.findById(JSON.parse(json))).toBeUndefined()
        expect(await Account.withTrashed().findById(JSON.parse(json))).toBeUndefined()
      },
    )
  })

  describe('in create and update', () => {
    test.each([
      ['name', '{}'],
      ['name', '[]'],
      ['name', '["x"]'],
      ['name', '{"toString":"x"}'],
      ['name', '"\\ud800"'],
      ['age', '[1]'],
      ['age', '{}'],
      ['age', 'true'],
      ['age', '"1e999"'],
      ['age', '"12345678901234567890"'],
      ['admin', '[true]'],
      ['admin', '{}'],
      ['born', '[0]'],
      ['born', '{}'],
      ['born', 'true'],
      ['born', '"1"'],
    ])('%s: %s is refused and nothing is written', async (column, json) => {
      const values = { name: 'New', [column]: JSON.parse(json) }
      await expect(Account.create(values)).rejects.toMatchObject({ status: 422, code: 'invalid_column' })
      const ada = await Account.findOne({ where: { name: 'Ada' } })
      await expect(ada?.update(values)).rejects.toMatchObject({ status: 422, code: 'invalid_column' })
      expect(await names({})).toBe('ABC')
    })

    test.each(['null', '[]', '[{"name":"New"}]', '"name"', '5', 'true'])(
      '%s in place of the values is refused',
      async (json) => {
        const values = JSON.parse(json)
        const ada = await Account.findOne({ where: { name: 'Ada' } })
        await expect(Account.create(values)).rejects.toMatchObject({
          status: 422,
          message: 'Account: expected an object',
        })
        await expect(ada?.update(values)).rejects.toMatchObject({ status: 422, message: 'Account: expected an object' })
        expect(await Account.count()).toBe(3)
      },
    )

    test('a condition in place of a value is refused', async () => {
      await expect(Account.create({ name: isNull as never })).rejects.toMatchObject({ status: 422 })
    })

    test('a JSON column accepts lists and objects, and cannot be compared', async () => {
      const { id } = await Account.create({ name: 'Dan', more: [{ in: [1] }] })
      expect((await Account.findById(id))?.more).toEqual([{ in: [1] }])
      await expect(Account.findMany({ where: { more: [] } as never })).rejects.toThrow('where.more: a JSON column')
      expect(await names({ where: { more: isNull } })).toBe('ABC')
    })
  })

  describe('the explicit forms', () => {
    test.each<[string, NonNullable<Parameters<typeof Account.findMany<Account>>[0]>['where'] & {}, string]>([
      ['isNull', { token: isNull }, 'C'],
      ['not(isNull)', { token: not(isNull) }, 'AB'],
      ['isIn', { token: isIn(['secret-1', 'secret-2', 'x']) }, 'AB'],
      ['isIn of numbers', { age: isIn([18, 99]) }, 'B'],
      ['isIn of booleans', { admin: isIn([true, false]) }, 'AB'],
      ['isIn of dates', { born: isIn([ADA.born]) }, 'A'],
      ['isIn of an empty list', { token: isIn([]) }, ''],
      ['not(isIn)', { token: not(isIn(['secret-1'])) }, 'B'],
      ['not(isIn) of an empty list', { token: not(isIn([])) }, 'ABC'],
      ['gt at the limit', { age: gt(18) }, 'A'],
      ['gte at the limit', { age: gte(18) }, 'AB'],
      ['lt at the limit', { age: lt(36) }, 'B'],
      ['lte at the limit', { age: lte(36) }, 'AB'],
      ['gt of a fraction', { age: gt(17.5) }, 'AB'],
      ['lt of a date', { born: lt(new Date('2000-01-01T00:00:00.000Z')) }, 'A'],
      ['lte of a date', { born: lte(new Date('2000-01-01T00:00:00.000Z')) }, 'AB'],
      ['not of a value leaves out null', { token: not('secret-1') }, 'B'],
      ['not(not)', { token: not(not('secret-1')) }, 'A'],
      ['allOf', { age: allOf(gte(18), lt(36)) }, 'B'],
      ['anyOf with null', { token: anyOf(isNull, 'secret-2') }, 'BC'],
      ['not(anyOf)', { age: not(anyOf(18, gt(100))) }, 'A'],
      ['like', { name: like('%e%') }, 'BC'],
      ['like with one character', { name: like('B_n') }, 'B'],
      ['two columns', { token: not(isNull), age: gt(20) }, 'A'],
    ])('%s', async (_, where, expected) => {
      expect(await names({ where })).toBe(expected)
      expect(await Account.count({ where })).toBe(expected.length)
    })

    test.each(['100 %', 'a_b', 'back\\slash', '\\', '%', "quote'", '\\%', 'ends with\\\\'])(
      'escapeLike(%j) matches that text alone',
      async (name) => {
        const { id } = await Account.create({ name })
        await Account.create({ name: 'x'.repeat(name.length) })
        const found = await Account.findMany({ where: { name: like(escapeLike(name)) } })
        expect(found.map((one) => one.id)).toEqual([id])
        expect(
          (await Account.findMany({ where: { name: like(`%${escapeLike(name)}%`) } })).map((one) => one.id),
        ).toEqual([id])
      },
    )

    test.each(['\\', 'A\\', '%\\', 'a\\\\\\'])(
      'like(%j), which ends in half an escape, is no error',
      async (pattern) => {
        expect(await names({ where: { name: like(pattern) } })).toBe('')
      },
    )

    test('like on a column that is not text is refused', async () => {
      await expect(Account.findMany({ where: { age: like('1%') as never } })).rejects.toThrow(
        'where.age: like needs a string column, got number',
      )
    })

    test('allOf and anyOf without a condition are refused', () => {
      expect(() => allOf()).toThrow('allOf: expected at least one condition, got none')
      expect(() => anyOf()).toThrow('anyOf: expected at least one condition, got none')
    })

    test('isIn accepts 30,000 values and refuses one more', async () => {
      const values = Array.from({ length: 30_001 }, (_, index) => index)
      expect(await names({ where: { age: isIn(values.slice(1)) } })).toBe('AB')
      await expect(names({ where: { age: isIn(values) } })).rejects.toThrow(
        'where.age: expected at most 30000 values, got 30001',
      )
    })
  })
})
