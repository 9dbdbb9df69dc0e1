import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fresh, migrate, status } from '../../src/database.ts'
import { type Bench, describeDatabases } from './databases.ts'
import { createMigrationFolder, createTable, KYSELY, type MigrationFolder, schemaOf } from './migration-folder.ts'

const CHILD = fileURLToPath(new URL('migrate-child.ts', import.meta.url))
const DATABASE = fileURLToPath(new URL('../../src/database.ts', import.meta.url))

const children: ChildProcess[] = []

interface Child {
  readonly process: ChildProcess
  readonly answer: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
}

const start = (
  url: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
  lockTimeoutMs = 30_000,
  program = CHILD,
): Child => {
  const child = spawn(
    process.execPath,
    ['-C', 'sluice-source', '--import', 'tsx', program, url, folder, String(lockTimeoutMs)],
    {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  children.push(child)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return { process: child, answer: new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err }))) }
}

/** Some Node versions say of their SQLite that it is new. */
const withoutWarnings = (text: string): string => text.replace(/.*ExperimentalWarning[\s\S]*/, '')

const appears = async (file: string): Promise<void> => {
  const until = Date.now() + 40_000
  while (!existsSync(file)) {
    if (Date.now() > until) throw new Error(`${file} did not appear`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Notes that it ran, slowly enough for the others to come in between if they could. */
const counting = (name: string): string => `
export const up = async (schema, db) => {
  await schema.createTable('${name}').addColumn('id', 'integer').execute()
  await new Promise((resolve) => setTimeout(resolve, 60))
  await db.insertInto('${name}').values({ id: process.pid }).execute()
}
export const down = (schema) => schema.dropTable('${name}').execute()
`

/** Says that it is half way through, and hangs there if it is told to. */
const hanging = (marker: string): string => `
import { writeFileSync } from 'node:fs'
import { sql } from '${KYSELY}'
export const up = async (schema, db) => {
  await schema.createTable('half').addColumn('id', 'integer').addColumn('note', 'varchar(20)').execute()
  await db.insertInto('half').values({ id: 1 }).execute()
  await schema.createIndex('half_id').on('half').column('id').execute()
  if (process.env.SLUICE_TEST_HANG) {
    writeFileSync(${JSON.stringify(marker)}, '')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  }
  await db.updateTable('half').set({ note: 'done' }).execute()
  await schema.createTable('whole').addColumn('id', 'integer').execute()
}
`

describeDatabases('G15: processes that migrate', (bench: Bench) => {
  let folder: MigrationFolder
  beforeEach(async () => {
    folder = await createMigrationFolder()
    await fresh({ db: bench.db, folder: folder.path })
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await folder.remove()
  })

  test('kysely #729, #1894, knex #3538: four at once run each migration exactly once', async () => {
    const names = ['m1', 'm2', 'm3', 'm4']
    for (const name of names) await folder.write(`${name}.mjs`, counting(name))
    const answers = await Promise.all(names.map(() => start(bench.url, folder.path).answer))
    expect(answers.map(({ code, err }) => ({ code, errors: withoutWarnings(err) }))).toEqual(
      Array(4).fill({ code: 0, errors: '' }),
    )
    expect(answers.flatMap(({ out }) => JSON.parse(out)).sort()).toEqual(names)
    expect(answers.filter(({ out }) => out !== '[]')).toHaveLength(1)
    for (const name of names) {
      expect(await bench.db.selectFrom(name).selectAll().execute()).toHaveLength(1)
    }
    expect(await migrate({ db: bench.db, folder: folder.path })).toEqual([])
  })

  test('four at once on a database that was never migrated, nor opened', async () => {
    const url = bench.dialect === 'sqlite' ? `sqlite:${join(folder.path, 'new', 'new.db')}` : bench.url
    await folder.write('a.mjs', counting('only'))
    const answers = await Promise.all([1, 2, 3, 4].map(() => start(url, folder.path).answer))
    expect(answers.map(({ code, err }) => ({ code, errors: withoutWarnings(err) }))).toEqual(
      Array(4).fill({ code: 0, errors: '' }),
    )
    expect(answers.flatMap(({ out }) => JSON.parse(out))).toEqual(['a'])
  })

  test('one waits for another no longer than it was told', async () => {
    const marker = join(folder.path, 'half-way')
    await folder.write('a.mjs', hanging(marker))
    const first = start(bench.url, folder.path, { SLUICE_TEST_HANG: '1' })
    await appears(marker)
    const { code, out } = await start(bench.url, folder.path, {}, 300).answer
    expect({ code, result: JSON.parse(out) }).toEqual({
      code: 4,
      result: { reason: 'locked', message: 'Another process is migrating this database (waited 300 ms)' },
    })
    first.process.kill('SIGKILL')
    await first.answer
  })

  test('knex "already locked": after kill -9 in the middle, the next run ends in the right state', async () => {
    const marker = join(folder.path, 'half-way')
    await folder.write('a.mjs', createTable('before'))
    await folder.write('b.mjs', hanging(marker))
    await folder.write('c.mjs', createTable('after'))
    const first = start(bench.url, folder.path, { SLUICE_TEST_HANG: '1' })
    await appears(marker)
    first.process.kill('SIGKILL')
    await first.answer
    const { code, out, err } = await start(bench.url, folder.path).answer
    expect({ code, errors: withoutWarnings(err) }).toEqual({ code: 0, errors: '' })
    // On SQLite the run is one transaction around its migrations, so nothing of the killed one is left.
    expect(JSON.parse(out)).toEqual(bench.dialect === 'sqlite' ? ['a', 'b', 'c'] : ['b', 'c'])
    expect(Object.keys(await schemaOf(bench.db)).sort()).toEqual(['after', 'before', 'half', 'whole'])
    expect(await bench.db.selectFrom('half').selectAll().execute()).toEqual([{ id: 1, note: 'done' }])
    expect((await status({ db: bench.db, folder: folder.path })).map(({ state }) => state)).toEqual(
      Array(3).fill('executed'),
    )
  })

  test('ND2: a failing statement that nobody awaits fails its migration, which is named and not recorded', async () => {
    await folder.write('a.mjs', createTable('before'))
    const lost = `
      export const up = async (schema) => {
        await schema.createTable('kept').addColumn('id', 'integer').execute()
        schema.alterTable('absent').addColumn('x', 'integer').execute()
        LATER
      }`
    for (const later of ['', `await new Promise((resolve) => setTimeout(resolve, 50))`, 'await schema.hasTable?.()']) {
      await folder.write('b.mjs', lost.replace('LATER', later))
      const { code, out } = await start(bench.url, folder.path).answer
      expect({ code, ...JSON.parse(out) }).toEqual({
        code: 4,
        reason: 'failed',
        message: expect.stringMatching(/^b\.mjs failed: .*absent/),
      })
      const [, b] = await status({ db: bench.db, folder: folder.path })
      expect(b?.state).toBe(bench.dialect === 'mysql' ? 'interrupted' : 'pending')
    }
    expect(Object.keys(await schemaOf(bench.db)).sort()).toEqual(
      bench.dialect === 'mysql' ? ['before', 'kept'] : ['before'],
    )
  })

  test('ND2: a statement that works and that nobody awaits is done before the migration is recorded', async () => {
    await folder.write(
      'a.mjs',
      `export const up = (schema) => void ${'schema'}.createTable('kept').addColumn('id', 'integer').execute()`,
    )
    expect((await start(bench.url, folder.path).answer).out).toBe('["a"]')
    expect(Object.keys(await schemaOf(bench.db))).toEqual(['kept'])
  })

  test('kill -9 in a transaction leaves nothing of it', async () => {
    const marker = join(folder.path, 'half-way')
    await bench.db.schema.createTable('rows').addColumn('n', 'integer').execute()
    const text = `
      import { createDatabase, setDatabase, transaction } from ${JSON.stringify(DATABASE)}
      import { writeFileSync } from 'node:fs'
      const db = setDatabase(createDatabase(process.argv[2]))
      await transaction(async () => {
        await db.insertInto('rows').values({ n: 1 }).execute()
        await transaction(() => db.insertInto('rows').values({ n: 2 }).execute(), { savepoint: true })
        writeFileSync(${JSON.stringify(marker)}, '')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`
    await folder.write('work.mts', text)
    const child = start(bench.url, folder.path, {}, 0, join(folder.path, 'work.mts'))
    await appears(marker)
    child.process.kill('SIGKILL')
    await child.answer
    expect(await bench.db.selectFrom('rows').selectAll().execute()).toEqual([])
    await bench.db.insertInto('rows').values({ n: 3 }).execute()
    expect(await bench.db.selectFrom('rows').selectAll().execute()).toEqual([{ n: 3 }])
  })

  if (bench.dialect !== 'mysql') return
  test('kill -9 between a statement and its note is made good too', async () => {
    await folder.write('a.mjs', hanging(join(folder.path, 'never')))
    const load = async (file: string) => {
      const { up } = await import(file)
      return {
        up: async (...both: unknown[]) => {
          await up(...both)
          throw new Error('stop')
        },
      }
    }
    await expect(migrate({ db: bench.db, folder: folder.path, load, to: 'a' })).rejects.toThrow('stop')
    // As if the process had died in the middle of the third statement, which the server finished.
    await sql`update sluice_migration_step set state = 'started' where step = 3`.execute(bench.db)
    await sql`delete from sluice_migration_step where step > 3`.execute(bench.db)
    await sql`drop table whole`.execute(bench.db)
    expect((await status({ db: bench.db, folder: folder.path }))[0]?.state).toBe('interrupted')
    expect(await migrate({ db: bench.db, folder: folder.path, to: 'a' })).toHaveLength(1)
    expect(Object.keys(await schemaOf(bench.db)).sort()).toEqual(['half', 'whole'])
    expect(await sql`select * from sluice_migration_step`.execute(bench.db)).toMatchObject({ rows: [] })
  })
})
