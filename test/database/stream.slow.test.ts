import { afterAll, expect, test } from 'vitest'
import { closeDatabase, Model, setDatabase, t } from '../../src/database.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { describeDatabases } from './databases.ts'

class Point extends Model.define('points', { n: t.integer() }, { timestamps: false }) {}

const ROWS = 1_000_000

describeDatabases('a million rows', (bench) => {
  afterAll(closeDatabase)

  test('stream() and query().stream() read them all at flat memory', { timeout: 600_000 }, async () => {
    setDatabase(bench.db)
    await bench.db.schema
      .createTable('points')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('n', 'integer')
      .execute()
    for (let from = 0; from < ROWS; from += 50_000)
      await Point.createMany(Array.from({ length: 50_000 }, (_, n) => ({ n: from + n })))
    for (const rows of [() => Point.stream(), () => Point.query().stream()]) {
      let [count, sum, base, most] = [0, 0, 0, 0]
      for await (const { n } of rows()) {
        sum += n
        count++
        if (count % 50_000 !== 0) continue
        collectGarbage()
        const { heapUsed, external } = process.memoryUsage()
        // What the first rows needed is what all of them may need
        if (count <= 100_000) base = Math.max(base, heapUsed + external)
        else most = Math.max(most, heapUsed + external)
      }
      expect({ count, sum }).toEqual({ count: ROWS, sum: (ROWS * (ROWS - 1)) / 2 })
      // A million records would be more than 100 MB
      expect((most - base) / 1e6).toBeLessThan(20)
    }
  })
})
