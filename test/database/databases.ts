import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { createDatabase, type Database } from '../../src/database/connect.ts'
import type { DialectName } from '../../src/internal/database/dialect.ts'
import { createScratchDatabase, describeService } from '../services.ts'

/** An empty database of one test file; `db` and `url` are there once the tests run. */
export interface Bench {
  readonly dialect: DialectName
  url: string
  db: Database
}

/** The same tests on SQLite, PostgreSQL and MariaDB, each on a database of its own. */
export const describeDatabases = (title: string, body: (bench: Bench) => void): void => {
  describe(`${title} (sqlite)`, () => {
    const bench = { dialect: 'sqlite' } as Bench
    let folder = ''
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sluice-db-'))
      bench.url = `sqlite:${join(folder, 'test.db')}`
      bench.db = createDatabase(bench.url)
    })
    afterAll(async () => {
      await bench.db.destroy()
      await rm(folder, { recursive: true, force: true })
    })
    body(bench)
  })
  for (const dialect of ['postgres', 'mysql'] as const) {
    describeService(dialect, title, () => {
      const bench = { dialect } as Bench
      let drop = async (): Promise<void> => {}
      beforeAll(async () => {
        const scratch = await createScratchDatabase(dialect)
        drop = scratch.drop
        bench.url = scratch.url
        bench.db = createDatabase(bench.url)
      })
      afterAll(async () => {
        await bench.db.destroy()
        await drop()
      })
      body(bench)
    })
  }
}
