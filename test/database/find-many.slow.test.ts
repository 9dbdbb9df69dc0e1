import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, Model, setDatabase, t } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Part extends Model.define('parts', {
  code: t.string(12),
  name: t.string(40),
  size: t.integer().nullable(),
  price: t.decimal(6, 2),
  on: t.boolean(),
  at: t.date(),
}) {}

const COLUMNS = ['id', 'code', 'name', 'size', 'price', 'on', 'at', 'createdAt', 'updatedAt'].map(
  (name) => `parts.${name}`,
)

/** CPU time of this process for some runs, in milliseconds: others on the machine do not count. */
const cpu = async (runs: number, work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  for (let run = 0; run < runs; run++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

/** The driver of MySQL spends so little on a row that the same work of the model is a larger part. */
const MOST = { sqlite: 1.3, postgres: 1.3, mysql: 1.5 }

describeDatabases('findMany beside the query of Kysely that it makes', (bench) => {
  const most = MOST[bench.dialect]
  beforeAll(async () => {
    setDatabase(bench.db)
    await bench.db.schema
      .createTable('parts')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('code', 'varchar(12)')
      .addColumn('name', 'varchar(40)')
      .addColumn('size', 'integer')
      .addColumn('price', 'decimal(6, 2)')
      .addColumn('on', 'boolean')
      .addColumn('at', 'datetime(3)')
      .addColumn('created_at', 'datetime(3)')
      .addColumn('updated_at', 'datetime(3)')
      .execute()
    const part = (n: number) => ({
      code: `c${n}`,
      name: 'A part',
      size: n,
      price: 1.25,
      on: n % 2 === 0,
      at: new Date(n),
    })
    await Part.createMany(Array.from({ length: 1000 }, (_, n) => part(n)))
  })
  afterAll(closeDatabase)

  test.each([
    [20, 100],
    [1000, 6],
  ])('%i records cost little more CPU time, dates and booleans included', async (limit, runs) => {
    const ours = () => Part.findMany({ limit })
    const plain = () => bench.db.selectFrom('parts').select(COLUMNS).orderBy('parts.id', 'asc').limit(limit).execute()
    expect(await plain()).toHaveLength(limit)
    expect((await ours())[1]).toMatchObject({ on: false, at: new Date(1) })
    const ratio = async (): Promise<number> => {
      const times: [number[], number[]] = [[], []]
      for (let round = 0; round < 21; round++) {
        const both = [ours, plain].map((work, index) => async () => times[index]?.push(await cpu(runs, work)))
        for (const work of round % 2 ? both : both.reverse()) await work()
      }
      return median(times[0]) / median(times[1])
    }
    // A collection of garbage may fall into one of the two
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 4 && least > most; attempt++) least = Math.min(least, await ratio())
    expect(least).toBeLessThanOrEqual(most)
  })
})
