import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type MigrationModule, Model, migrate, setDatabase, status } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'
import { createMigrationFolder, type MigrationFolder } from './migration-folder.ts'

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const

/** Long enough for Node to report a rejection that nobody has handled. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

describeDatabases('ND2: a migration that does not await its work', (bench) => {
  let folder: MigrationFolder
  let runners: (() => void)[]
  const uncaught = vi.fn()
  beforeEach(async () => {
    folder = await createMigrationFolder({ 'a.mjs': '' })
    // The process as users have it: the listeners of the test runner would fail the run
    runners = EVENTS.flatMap((event) => {
      const listeners = process.rawListeners(event) as (() => void)[]
      process.removeAllListeners(event)
      return listeners.map((listener) => () => void process.on(event as 'exit', listener))
    })
    process.on('uncaughtException', uncaught)
  })
  afterEach(async () => {
    await turn()
    for (const event of EVENTS) process.removeAllListeners(event)
    for (const restore of runners) restore()
    uncaught.mockReset()
    await folder.remove()
    await sql`drop table if exists kept`.execute(bench.db)
    for (const table of ['kysely_migration', 'kysely_migration_lock', 'sluice_migration', 'sluice_migration_step'])
      await bench.db.schema.dropTable(table).ifExists().execute()
  })
  const run = (up: MigrationModule['up']) => migrate({ db: bench.db, folder: folder.path, load: async () => ({ up }) })
  const listeners = () => EVENTS.map((event) => process.listenerCount(event))

  class Kept extends Model {
    static tableName = 'kept'
    id!: number
  }
  const create = (schema: Parameters<NonNullable<MigrationModule['up']>>[0]) =>
    schema
      .createTable('kept')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'varchar(9)', (column) => column.notNull())
      .execute()

  test.each<[string, MigrationModule['up'], RegExp]>([
    ['statement', async (_, db) => void sql`select from where`.execute(db), /^select from where$/],
    [
      'call of a model',
      async (schema) => {
        await create(schema)
        void Kept.create({})
      },
      /^insert into .kept./,
    ],
  ])('fails when a %s fails, with the file and the SQL', async (_, up, statement) => {
    setDatabase(bench.db)
    const before = listeners()
    const error = await run(up).catch((reason) => reason)
    expect(error).toMatchObject({ reason: 'failed', sql: expect.stringMatching(statement) })
    expect({ listeners: listeners(), uncaught: uncaught.mock.calls }).toEqual({ listeners: before, uncaught: [] })
    expect(await status({ db: bench.db, folder: folder.path })).not.toMatchObject([{ state: 'executed' }])
  })

  test('ends with every statement done and listed, and leaves no listener', async () => {
    const before = listeners()
    const [done] = await run(async (schema, db) => {
      await create(schema)
      void db
        .insertInto('kept')
        .values({ id: 1, name: 'a' })
        .execute()
        .then(() => db.insertInto('kept').values({ id: 2, name: 'b' }).execute())
    })
    expect(await bench.db.selectFrom('kept').selectAll().execute()).toHaveLength(2)
    expect({ statements: done?.statements.length, listeners: listeners() }).toEqual({
      statements: 3,
      listeners: before,
    })
  })

  test('ends the process when something else fails, as without a migration', async () => {
    const foreign = new Error('foreign')
    await run(async () => {
      void Promise.reject(foreign)
      await turn()
    })
    expect(uncaught.mock.calls.map(([reason]) => reason)).toEqual([foreign])
  })

  test('leaves the failure of something else to a listener of the application', async () => {
    const foreign = new Error('foreign')
    const listen = vi.fn()
    process.on('unhandledRejection', listen)
    await run(async () => {
      void Promise.reject(foreign)
      await turn()
    })
    expect({ listened: listen.mock.calls.map(([reason]) => reason), uncaught: uncaught.mock.calls }).toEqual({
      listened: [foreign],
      uncaught: [],
    })
  })

  test('that catches the failure of a statement has no SQL in an error of its own', async () => {
    if (bench.dialect === 'postgres') return
    const error = await run(async (_, db) => {
      await sql`select from where`.execute(db).catch(() => {})
      throw new Error('own')
    }).catch((reason) => reason)
    expect(error).toMatchObject({ message: 'a.mjs failed: own', sql: undefined })
  })
})
