import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeDatabase,
  createDatabase,
  type Database,
  escapeLike,
  gt,
  isIn,
  like,
  Model,
  not,
  setDatabase,
  t,
} from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Item extends Model.define('items', {
  code: t.string(12).unique(),
  name: t.string(8),
  size: t.integer().nullable(),
  price: t.decimal(6, 2).default(0),
  on: t.boolean().default(false),
  at: t.date().nullable(),
}) {}

const create = ({ schema }: Database): Promise<void> =>
  schema
    .createTable('items')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('code', 'varchar(12)', (column) => column.notNull().unique())
    .addColumn('name', 'varchar(8)', (column) => column.notNull())
    .addColumn('size', 'integer')
    .addColumn('price', 'decimal(6, 2)', (column) => column.notNull())
    .addColumn('on', 'boolean', (column) => column.notNull())
    .addColumn('at', 'datetime(3)')
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .execute()

const code = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const values = fc.record(
  {
    name: fc.oneof(fc.string({ maxLength: 9 }), fc.constantFrom('a%', '_', '\\', "'", '"', '😀', '')),
    size: fc.oneof(fc.constant(null), fc.integer({ min: -(2 ** 31) - 1, max: 2 ** 31 }), fc.constantFrom(1.5, 0, 1)),
    price: fc.oneof(fc.double({ noNaN: true, min: -10_001, max: 10_001 }), fc.constantFrom(0.1 + 0.2, 1.25, 9999.99)),
    on: fc.boolean(),
    at: fc.oneof(
      fc.constant(null),
      fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    ),
  },
  { requiredKeys: ['name'] },
)

type Step = (items: typeof Item) => Promise<unknown>

const rows = (items: readonly Item[]): unknown =>
  items.map(({ code: own, name, size, price, on, at }) => ({ own, name, size, price, on, at }))

/** Each step with the words that a counterexample shows. */
const step: fc.Arbitrary<[string, Step]> = fc.oneof(
  fc
    .tuple(code, values)
    .map(([own, given]): [string, Step] => [
      `create ${own} ${JSON.stringify(given)}`,
      async (items) => rows([await items.create({ code: own, ...given })]),
    ]),
  fc
    .tuple(code, values)
    .map(([own, given]): [string, Step] => [
      `upsert ${own} ${JSON.stringify(given)}`,
      async (items) => rows([await items.upsert({ code: own, ...given }, { by: ['code'] })]),
    ]),
  fc
    .tuple(code, values)
    .map(([own, given]): [string, Step] => [
      `firstOrCreate ${own} ${JSON.stringify(given)}`,
      async (items) => rows([await items.firstOrCreate({ code: own }, given)]),
    ]),
  fc
    .array(fc.tuple(code, values), { maxLength: 3 })
    .map((list): [string, Step] => [
      `createMany ${JSON.stringify(list)}`,
      (items) => items.createMany(list.map(([own, given]) => ({ code: own, ...given }))),
    ]),
  fc
    .tuple(code, values)
    .map(([own, given]): [string, Step] => [
      `updateWhere not ${own} ${JSON.stringify(given)}`,
      (items) => items.updateWhere({ code: not(own) }, given),
    ]),
  code.map((own): [string, Step] => [`deleteWhere ${own}`, (items) => items.deleteWhere({ code: isIn([own, 'e']) })]),
  fc
    .tuple(fc.integer({ min: -3, max: 3 }), fc.nat(3))
    .map(([size, offset]): [string, Step] => [
      `findMany size > ${size} from ${offset}`,
      async (items) =>
        rows(
          await items.findMany({ where: { size: gt(size) }, orderBy: { size: 'desc', code: 'asc' }, limit: 2, offset }),
        ),
    ]),
  fc.string({ maxLength: 3 }).map((text): [string, Step] => [
    `findMany name like ${JSON.stringify(text)}`,
    // Letters are left out: their case matters on one database and not on another
    async (items) =>
      rows(await items.findMany({ where: { name: like(`%${escapeLike(text.replace(/[a-z]/gi, ''))}%`) } })),
  ]),
  fc.constant<[string, Step]>([
    'after by price',
    async (items) => {
      const seen: unknown[] = []
      for (let next: string | null | undefined; next !== null; ) {
        const found = await items.after(next, { limit: 2, orderBy: { price: 'desc', code: 'asc' } })
        seen.push(rows(found.data))
        next = found.meta.next
      }
      return seen
    },
  ]),
)

/** What a step gives: a result, or the status of a refusal. */
const outcome = async (run: Step): Promise<unknown> => {
  try {
    return { gave: await run(Item) }
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === undefined) throw error
    return { status }
  }
}

describeDatabases('the same steps', (bench) => {
  if (bench.dialect === 'sqlite') {
    test('are what the others are compared with', () => expect(bench.db).toBeDefined())
    return
  }
  const sqlite = createDatabase('sqlite::memory:')
  beforeAll(async () => {
    await create(sqlite)
    await create(bench.db)
  })
  afterAll(async () => {
    await sqlite.destroy()
    await closeDatabase()
  })

  test('give the same rows, errors and order as on SQLite', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const runs: unknown[][] = []
        for (const db of [sqlite, bench.db]) {
          setDatabase(db)
          await db.deleteFrom('items').execute()
          const run: unknown[] = []
          for (const [words, work] of steps) run.push([words, await outcome(work)])
          run.push(rows(await Item.findMany({ orderBy: { code: 'asc' } })))
          runs.push(run)
        }
        expect(runs[1]).toEqual(runs[0])
      }),
      { numRuns: 60 },
    )
  })
})
