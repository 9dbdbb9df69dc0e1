import { basename, join } from 'node:path'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createDatabase,
  fresh,
  type LoadFile,
  MigrationError,
  Model,
  migrate,
  rollback,
  seed,
  setDatabase,
  status,
  transaction,
  useDatabase,
} from '../../src/database.ts'
import { openSqlite } from '../../src/internal/database/driver/sqlite-open.ts'
import { type Bench, describeDatabases } from './databases.ts'
import {
  createMigrationFolder,
  createTable,
  KYSELY,
  loadAnew,
  type MigrationFolder,
  schemaOf,
} from './migration-folder.ts'

const ONE = '2026_01_01_000000_create_ones'
const TWO = '2026_01_02_000000_create_twos'
const THREE = '2026_01_03_000000_create_threes'

/** Two statements that work, and one that no database understands. */
const BROKEN = `
import { sql } from '${KYSELY}'
export const up = async (schema, db) => {
  await schema.createTable('half').addColumn('id', 'integer').execute()
  await db.insertInto('half').values({ id: 1 }).execute()
  await sql\`select from where\`.execute(db)
}
export const down = (schema) => schema.dropTable('half').execute()
`

/** Tables that the catalogue of a database lists as something else, or that consist of several. */
const SPECIAL_TABLES = {
  sqlite: ['create virtual table docs using fts5(title, body)'],
  postgres: [
    'create table days (id integer) partition by range (id)',
    'create table days_one partition of days for values from (1) to (2)',
  ],
  mysql: ['create table history (id integer) with system versioning', 'create sequence numbers'],
}

const caught = async (promise: Promise<unknown>): Promise<MigrationError> => {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(MigrationError)
  return error
}

/** Tables of which only one of the databases has the kind. */
const ownKinds = async ({ db, dialect }: Bench): Promise<string[]> => {
  if (dialect === 'sqlite') return ['create virtual table words using fts5(title)']
  if (dialect === 'postgres') {
    return [
      "create type mood as enum ('a')",
      'create domain note as text',
      'create sequence tickets',
      'create type pair as (a int, b int)',
      'create type spread as range (subtype = int)',
      'create function one() returns int language sql as $$ select 1 $$',
      'create procedure two() language sql as $$ select 1 $$',
      'create aggregate total(int) (sfunc = int4pl, stype = int)',
    ]
  }
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const isMaria = /mariadb/i.test(`${rows[0]?.version}`)
  const routines = ['create function one() returns int deterministic return 1', 'create procedure two() select 1']
  if (!isMaria) return routines
  return [...routines, 'create table history (id integer) with system versioning', 'create sequence numbers']
}

const emptied = async (bench: Bench): Promise<void> => {
  const folder = await createMigrationFolder()
  await fresh({ db: bench.db, folder: folder.path })
  await folder.remove()
}

describeDatabases('G15: migrations', (bench) => {
  let folder: MigrationFolder
  let options: { db: Bench['db']; folder: string; load: LoadFile }
  beforeEach(async () => {
    await emptied(bench)
    folder = await createMigrationFolder({
      [`${ONE}.mjs`]: createTable('ones'),
      [`${TWO}.mjs`]: createTable('twos'),
      [`${THREE}.mjs`]: createTable('threes'),
    })
    options = { db: bench.db, folder: folder.path, load: loadAnew }
  })
  afterEach(() => folder.remove())
  const names = (runs: readonly { name: string }[]): string[] => runs.map(({ name }) => name)
  const tables = async (): Promise<string[]> => Object.keys(await schemaOf(bench.db)).sort()

  test('run in the order of their names, each once', async () => {
    const runs = await migrate(options)
    expect(names(runs)).toEqual([ONE, TWO, THREE])
    expect(runs[0]).toMatchObject({ file: join(folder.path, `${ONE}.mjs`), direction: 'up' })
    expect(runs[0]?.statements[0]?.sql).toContain('create table')
    expect(runs[0]?.statements).toHaveLength(1)
    expect(await tables()).toEqual(['ones', 'threes', 'twos'])
    expect(await migrate(options)).toEqual([])
  })

  test('a new file runs in the next run', async () => {
    await folder.remove(`${THREE}.mjs`)
    await migrate(options)
    await folder.write(`${THREE}.mjs`, createTable('threes'))
    expect(names(await migrate(options))).toEqual([THREE])
  })

  test.each([TWO, `${TWO}.mjs`, `${TWO}.ts`, `src/database/migrations/${TWO}.ts`])(
    'to %s leaves later ones',
    async (to) => {
      expect(names(await migrate({ ...options, to }))).toEqual([ONE, TWO])
      expect(names(await migrate({ ...options, to }))).toEqual([])
      expect(names(await migrate(options))).toEqual([THREE])
    },
  )

  test('to a name that there is not runs nothing', async () => {
    expect(await caught(migrate({ ...options, to: 'nowhere' }))).toMatchObject({ reason: 'unknown' })
    expect(await tables()).toEqual([])
  })

  test('an empty or missing folder has no migrations', async () => {
    const nowhere = { ...options, folder: join(folder.path, 'nowhere') }
    expect(await migrate(nowhere)).toEqual([])
    expect(await rollback(nowhere)).toEqual([])
    expect(await status(nowhere)).toEqual([])
  })

  test('a folder that is a file is an error, and not a folder without migrations', async () => {
    const file = { ...options, folder: join(folder.path, `${ONE}.mjs`) }
    await expect(migrate(file)).rejects.toThrow('ENOTDIR')
  })

  test('a migration streams the rows of its own connection', async () => {
    await migrate(options)
    const load = async (): Promise<unknown> => ({
      up: async (_: unknown, db: Bench['db']) => {
        await db
          .insertInto('ones')
          .values([{ id: 7 }, { id: 8 }])
          .execute()
        const rows: object[] = []
        for await (const row of db.selectFrom('ones').selectAll().orderBy('id').stream(1)) rows.push(row)
        await db
          .insertInto('twos')
          .values(rows as never)
          .execute()
      },
    })
    await folder.write('2026_02_01_000000_rows.mjs', '')
    await migrate({ ...options, load })
    expect(await bench.db.selectFrom('twos').selectAll().orderBy('id').execute()).toEqual([{ id: 7 }, { id: 8 }])
  })

  test.each<[string, (options: any) => Promise<unknown>, object, string]>([
    ['migrate', migrate, { dryrun: true }, 'migrate: dryrun: unknown option, did you mean "dryRun"?'],
    ['migrate', migrate, { dryRun: 'yes' }, 'migrate: dryRun: expected a boolean, got "yes"'],
    ['migrate', migrate, { folder: undefined }, 'migrate: folder: expected a folder, got undefined'],
    ['rollback', rollback, { dryrun: true }, 'rollback: dryrun: unknown option, did you mean "dryRun"?'],
    ['rollback', rollback, { steps: 1 }, 'rollback: steps: unknown option, did you mean "step"?'],
    ['rollback', rollback, { step: 0 }, "rollback: step: expected a whole number of at least 1 or 'all', got 0"],
    ['fresh', fresh, { dryRun: true }, 'fresh: dryRun: unknown option, expected one of db, folder, load, '],
    ['fresh', fresh, { folder: '' }, 'fresh: folder: expected a folder, got ""'],
    [
      'migrate',
      migrate,
      { lockTimeoutMs: Number.NaN },
      'migrate: lockTimeoutMs: expected milliseconds from 0, got NaN',
    ],
    ['status', status, { foldr: 'x' }, 'status: foldr: unknown option, did you mean "folder"?'],
    ['status', status, { folder: undefined }, 'status: folder: expected a folder, got undefined'],
    ['seed', seed, { name: 'users' }, 'seed: name: unknown option, expected one of db, folder, load, '],
  ])('%s with a bad option runs nothing (%#)', async (_, run, bad, message) => {
    await migrate({ ...options, to: ONE })
    await expect(run({ ...options, ...bad })).rejects.toThrow(message)
    expect(await tables()).toEqual(['ones'])
  })

  test('dryRun returns the SQL and changes nothing', async () => {
    const before = await bench.db.introspection.getTables({ withInternalKyselyTables: true })
    const runs = await migrate({ ...options, dryRun: true })
    expect(names(runs)).toEqual([ONE, TWO, THREE])
    expect(runs[1]?.statements[0]?.sql).toMatch(/^create table ["`]twos["`]/)
    expect(await bench.db.introspection.getTables({ withInternalKyselyTables: true })).toEqual(before)
    await migrate(options)
    expect((await rollback({ ...options, dryRun: true }))[0]?.statements[0]?.sql).toMatch(/^drop table ["`]threes["`]/)
    expect(await tables()).toEqual(['ones', 'threes', 'twos'])
  })

  test('dryRun of one that uses transactions and rows runs nothing either', async () => {
    await folder.write(
      '2026_02_01_000000_rows.mjs',
      `export const up = async (schema, db) => {
        await db.transaction().execute(async (inner) => {
          for (const row of await inner.selectFrom('ones').selectAll().execute()) throw new Error('a row')
          await inner.insertInto('ones').values({ id: 7 }).execute()
        })
      }`,
    )
    const runs = await migrate({ ...options, dryRun: true })
    expect(runs[3]?.statements).toMatchObject([{ parameters: [] }, { parameters: [7] }])
    expect(await tables()).toEqual([])
  })

  test('dryRun of one that does not wait for its statements runs nothing either, not even later', async () => {
    await migrate(options)
    await bench.db.insertInto('ones').values({ id: 7 }).execute()
    setDatabase(bench.db)
    await folder.write(
      '2026_02_01_000000_rows.mjs',
      `export const up = async () => {
        const empty = async (use) => {
          for (let times = 0; times < 9; times++) {
            await use().deleteFrom('ones').execute()
            await new Promise(setImmediate)
          }
        }
        globalThis.emptied = [empty(globalThis.useIt)]
        await globalThis.transactionOf(async () => void globalThis.emptied.push(empty(globalThis.useIt)))
      }`,
    )
    vi.stubGlobal('useIt', useDatabase)
    vi.stubGlobal('transactionOf', transaction)
    vi.stubGlobal('emptied', undefined)
    await migrate({ ...options, dryRun: true })
    await Promise.allSettled(Reflect.get(globalThis, 'emptied') as Promise<void>[])
    vi.unstubAllGlobals()
    expect(await bench.db.selectFrom('ones').selectAll().execute()).toMatchObject([{ id: 7 }])
  })

  test('status lists executed and pending migrations, and changes nothing', async () => {
    expect((await status(options)).map(({ state }) => state)).toEqual(['pending', 'pending', 'pending'])
    expect(await bench.db.introspection.getTables({ withInternalKyselyTables: true })).toHaveLength(0)
    const before = Date.now()
    await migrate({ ...options, to: ONE })
    const after = Date.now()
    const [first, second] = await status(options)
    expect(first).toMatchObject({ name: ONE, state: 'executed', file: join(folder.path, `${ONE}.mjs`) })
    expect(first?.executedAt?.getTime()).toBeGreaterThanOrEqual(before - 1000)
    expect(first?.executedAt?.getTime()).toBeLessThanOrEqual(after + 1000)
    expect(second).toEqual({ name: TWO, state: 'pending', file: join(folder.path, `${TWO}.mjs`) })
  })

  describe('rollback', () => {
    beforeEach(() => migrate(options))

    test.each<[string, { step?: number | 'all' }, string[], string[]]>([
      ['one without being told', {}, [THREE], ['ones', 'twos']],
      ['two', { step: 2 }, [THREE, TWO], ['ones']],
      ['more than there are', { step: 99 }, [THREE, TWO, ONE], []],
      ['all', { step: 'all' }, [THREE, TWO, ONE], []],
    ])('undoes %s', async (_, how, undone, left) => {
      expect(names(await rollback({ ...options, ...how }))).toEqual(undone)
      expect(await tables()).toEqual(left)
      expect(names(await migrate(options))).toEqual([...undone].reverse())
    })

    test.each([0, -1, 1.5, Number.NaN])('refuses step %s', async (step) => {
      await expect(rollback({ ...options, step })).rejects.toThrow(RangeError)
    })

    test('one without down is said before anything is undone', async () => {
      await folder.write(`${TWO}.mjs`, 'export const up = () => {}')
      const error = await caught(rollback({ ...options, step: 'all' }))
      expect(error).toMatchObject({ reason: 'irreversible', file: join(folder.path, `${TWO}.mjs`) })
      expect(error.message).toContain(`${TWO} exports no function down`)
      expect(await tables()).toEqual(['ones', 'threes', 'twos'])
    })

    test('one whose file is gone is said; the others can be undone', async () => {
      await folder.remove(`${TWO}.mjs`)
      expect(await caught(rollback({ ...options, step: 2 }))).toMatchObject({ reason: 'missing' })
      expect(names(await rollback(options))).toEqual([THREE])
    })
  })

  describe('a failing one', () => {
    const file = '2026_01_02_120000_broken.mjs'
    beforeEach(() => folder.write(file, BROKEN))

    test('names its file and the SQL, and keeps what ran before it', async () => {
      const error = await caught(migrate(options))
      expect(error.reason).toBe('failed')
      expect(basename(error.file ?? '')).toBe(file)
      expect(error.sql).toBe('select from where')
      expect(error.message).toMatch(/^2026_01_02_120000_broken\.mjs failed: .*syntax/i)
      expect(error.cause).toBeInstanceOf(Error)
      expect(names(error.completed)).toEqual([ONE, TWO])
      expect((await status(options)).map(({ state }) => state)).toEqual([
        'executed',
        'executed',
        bench.dialect === 'mysql' ? 'interrupted' : 'pending',
        'pending',
      ])
    })

    test('leaves the schema as before it, where DDL is transactional', async () => {
      await migrate({ ...options, to: TWO })
      const before = await schemaOf(bench.db)
      await caught(migrate(options))
      const half = bench.dialect === 'mysql' ? { half: ['id'] } : {}
      expect(await schemaOf(bench.db)).toEqual({ ...before, ...half })
    })

    test('continues after the mistake was corrected, and releases the lock', async () => {
      await caught(migrate(options))
      await caught(migrate(options))
      await folder.write(file, BROKEN.replace('select from where', 'select 1'))
      expect(names(await migrate(options))).toEqual(['2026_01_02_120000_broken', THREE])
      expect(await bench.db.selectFrom('half').selectAll().execute()).toEqual([{ id: 1 }])
      expect(names(await rollback({ ...options, step: 'all' }))).toHaveLength(4)
      expect(await tables()).toEqual([])
    })

    if (bench.dialect !== 'mysql') {
      test('at its commit says why, leaves nothing, and the database goes on', async () => {
        await folder.write(
          file,
          `import { sql } from '${KYSELY}'
           export const up = async (schema, db) => {
             await sql\`create table refs (one_id integer references ones(id) deferrable initially deferred)\`.execute(db)
             await sql\`insert into refs values (99)\`.execute(db)
           }`,
        )
        for (const _ of ['first', 'second']) {
          const error = await caught(migrate(options))
          expect({ reason: error.reason, message: error.message.toLowerCase() }).toEqual({
            reason: 'failed',
            message: expect.stringContaining('foreign key'),
          })
        }
        expect(await tables()).not.toContain('refs')
        const [broken] = (await status(options)).filter(({ name }) => file.startsWith(name))
        expect(broken).toMatchObject({ state: 'pending' })
      })
    }

    test('in down leaves the migration as executed', async () => {
      await folder.remove(file)
      await migrate(options)
      const text = await folder.read(`${THREE}.mjs`)
      await folder.write(`${THREE}.mjs`, text.replace("dropTable('threes')", "dropTable('nowhere')"))
      const error = await caught(rollback(options))
      expect(error).toMatchObject({ reason: 'failed' })
      expect(error.sql).toMatch(/^drop table ["`]nowhere["`]/)
      expect((await status(options)).at(-1)?.executedAt).toBeInstanceOf(Date)
      expect(await tables()).toContain('threes')
    })

    test('that throws undefined has not run', async () => {
      await folder.write(file, 'export const up = async () => { throw undefined }')
      const error = await caught(migrate(options))
      expect(error).toMatchObject({ reason: 'failed', file: join(folder.path, file) })
      expect((await status(options)).at(-1)?.state).toBe('pending')
    })

    test('that throws its own error has no SQL', async () => {
      await folder.write(file, `export const up = () => { throw new Error('I do not want to') }`)
      expect(await caught(migrate(options))).toMatchObject({
        message: `${file} failed: I do not want to`,
        sql: undefined,
      })
    })
  })

  describe('mistakes in the folder of migrations', () => {
    test('a file that was edited after it had run is reported', async () => {
      await migrate({ ...options, to: TWO })
      await folder.write(`${ONE}.mjs`, `${createTable('ones')}\n// edited`)
      expect((await status(options)).map(({ state }) => state)).toEqual(['edited', 'executed', 'pending'])
      const error = await caught(migrate(options))
      expect(error).toMatchObject({ reason: 'edited', file: join(folder.path, `${ONE}.mjs`) })
      expect(await tables()).toEqual(['ones', 'twos'])
    })

    test('other line ends and another extension are no edit', async () => {
      await migrate(options)
      await folder.write(`${ONE}.mjs`, `\uFEFF${createTable('ones').replaceAll('\n', '\r\n')}`)
      await folder.remove(`${TWO}.mjs`)
      await folder.write(`${TWO}.js`, '// compiled')
      expect((await status(options)).map(({ state }) => state)).toEqual(['executed', 'executed', 'executed'])
      expect(await migrate(options)).toEqual([])
    })

    test('a file that ran and is gone is reported', async () => {
      await migrate({ ...options, to: TWO })
      await folder.remove(`${ONE}.mjs`)
      expect((await status(options))[0]).toMatchObject({ name: ONE, state: 'missing' })
      expect(await caught(migrate(options))).toMatchObject({ reason: 'missing' })
      expect(await tables()).toEqual(['ones', 'twos'])
    })

    test('a file that comes before one which has run is reported', async () => {
      await migrate({ ...options, to: TWO })
      await folder.write('2026_01_01_120000_late.mjs', createTable('late'))
      const error = await caught(migrate(options))
      expect(error).toMatchObject({ reason: 'order', file: join(folder.path, '2026_01_01_120000_late.mjs') })
      expect(await tables()).toEqual(['ones', 'twos'])
    })

    test('two files of one name are refused', async () => {
      await folder.write(`${ONE}.js`, createTable('ones'))
      expect(await caught(migrate(options))).toMatchObject({ reason: 'invalid' })
      await folder.remove(`${ONE}.js`)
      await folder.write(`${ONE.toUpperCase()}.mjs`, createTable('ones'))
      expect(await caught(migrate(options))).toMatchObject({ reason: 'invalid' })
    })

    test.each([
      ['cannot be parsed', 'export const up = ('],
      ['exports no up', 'export const down = () => {}'],
      ['exports an up that is no function', 'export const up = 1'],
    ])('a last file that %s keeps the first from running', async (_, text) => {
      await folder.write('2026_09_01_000000_bad.mjs', text)
      expect(await caught(migrate(options))).toMatchObject({
        reason: 'invalid',
        file: join(folder.path, '2026_09_01_000000_bad.mjs'),
      })
      expect(await tables()).toEqual([])
    })

    test('declarations, tests and other files are passed over', async () => {
      for (const name of ['a.d.ts', 'a.test.ts', 'a.spec.js', 'README.md', '.gitkeep', 'a.mjs.map']) {
        await folder.write(name, '(')
      }
      expect(names(await migrate(options))).toEqual([ONE, TWO, THREE])
    })
  })

  test('names sort by code unit, regardless of clock and locale', async () => {
    for (const name of ['a_B', 'a_a', 'a-b', 'aB', 'a1', 'B'])
      await folder.write(`2027_${name}.mjs`, 'export const up = () => {}')
    const order = [ONE, TWO, THREE, ...['B', 'a-b', 'a1', 'aB', 'a_B', 'a_a'].map((name) => `2027_${name}`)]
    expect(names(await migrate(options))).toEqual(order)
    await bench.db
      .updateTable('kysely_migration')
      .set({ timestamp: '2020-01-01T00:00:00.000Z' })
      .where('name', '=', TWO)
      .execute()
    expect(await migrate(options)).toEqual([])
  })

  test('load is Node’s own import when none is given', async () => {
    const { db, folder } = options
    expect(names(await migrate({ db, folder }))).toEqual([ONE, TWO, THREE])
  })

  test('load decides how a file becomes a module, and a default export will do', async () => {
    const loaded: string[] = []
    const load = async (file: string): Promise<unknown> => {
      loaded.push(basename(file))
      return {
        default: {
          up: (schema: {
            createTable: (name: string) => { addColumn: (...parts: string[]) => { execute: () => unknown } }
          }) => schema.createTable('made').addColumn('id', 'integer').execute(),
        },
      }
    }
    await migrate({ ...options, load, to: ONE })
    expect(loaded).toEqual([`${ONE}.mjs`])
    expect(await tables()).toEqual(['made'])
  })

  test('models and transactions inside a migration take part in it', async () => {
    class Note extends Model {
      static tableName = 'ones'
      id!: number
    }
    setDatabase(bench.db)
    const load = async (): Promise<unknown> => ({
      up: async (_: unknown, db: Bench['db']) => {
        await db.schema
          .createTable('ones')
          .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
          .execute()
        expect((await Note.create({})).id).toBe(1)
        throw new Error('no')
      },
    })
    expect((await caught(migrate({ ...options, load, to: ONE }))).message).toContain('no')
    expect(await tables()).toEqual(bench.dialect === 'mysql' ? ['ones'] : [])
  })

  test('nango #7394: one connection is enough, and none is left locked', async () => {
    const db = createDatabase({ url: bench.url, poolSize: 1 })
    expect(names(await migrate({ ...options, db }))).toHaveLength(3)
    expect(names(await rollback({ ...options, db, step: 'all' }))).toHaveLength(3)
    expect(names(await migrate(options))).toHaveLength(3)
    await db.destroy()
  })

  test('a run waits for the previous one, and fails when that takes too long', async () => {
    const other = createDatabase(bench.url)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const load = async (file: string): Promise<unknown> => {
      begin()
      await held
      return loadAnew(file)
    }
    const first = migrate({ ...options, load })
    await begun
    const late = { ...options, db: other }
    expect(await caught(migrate({ ...late, lockTimeoutMs: 60 }))).toMatchObject({ reason: 'locked' })
    expect(await caught(fresh({ ...late, lockTimeoutMs: 60 }))).toMatchObject({ reason: 'locked' })
    const second = migrate(late)
    release()
    expect(names(await first)).toEqual([ONE, TWO, THREE])
    expect(await second).toEqual([])
    await other.destroy()
  })

  test('fresh drops tables that refer to each other, views and odd names, and runs everything', async () => {
    await migrate(options)
    const { schema } = bench.db
    await schema.createTable('odd name').addColumn('id', 'integer').execute()
    await schema
      .createTable('children')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('one_id', 'integer')
      .addForeignKeyConstraint('fk', ['one_id'], 'ones', ['id'])
      .execute()
    await bench.db.insertInto('ones').values({ id: 1 }).execute()
    await bench.db.insertInto('children').values({ id: 1, oneId: 1 }).execute()
    for (const statement of SPECIAL_TABLES[bench.dialect]) await sql.raw(statement).execute(bench.db)
    await schema.createView('seen').as(bench.db.selectFrom('ones').selectAll()).execute()
    expect(names(await fresh(options))).toEqual([ONE, TWO, THREE])
    expect(await tables()).toEqual(['ones', 'threes', 'twos'])
    await schema
      .createTable('strict')
      .addColumn('one_id', 'integer')
      .addForeignKeyConstraint('fk', ['one_id'], 'ones', ['id'])
      .execute()
    await expect(bench.db.insertInto('strict').values({ oneId: 99 }).execute()).rejects.toThrow()
  })

  test('fresh drops the kinds of tables that one database alone has', async () => {
    const own = await ownKinds(bench)
    for (const statement of own) await sql.raw(statement).execute(bench.db)
    expect(names(await fresh(options))).toEqual([ONE, TWO, THREE])
    expect(await tables()).toEqual(['ones', 'threes', 'twos'])
    // They can be created again
    for (const statement of own) await sql.raw(statement).execute(bench.db)
    await fresh(options)
  })

  test('ND6: a name without a timestamp is refused before it blocks all later ones', async () => {
    await folder.write('create_users.mjs', createTable('users'))
    const error = await caught(migrate(options))
    expect({ reason: error.reason, message: error.message }).toEqual({
      reason: 'order',
      message:
        'create_users has no timestamp in front of its name, so every later migration would come before it: add one',
    })
    expect(await tables()).toEqual([])
  })

  test('ND6: transaction = false runs a migration without one', async () => {
    const what = {
      sqlite: 'create index ones_id on ones (id)',
      postgres: 'create index concurrently ones_id on ones (id)',
      mysql: 'create index ones_id on ones (id)',
    }[bench.dialect]
    await folder.write(
      '2026_02_01_000000_index.mjs',
      `import { sql } from '${KYSELY}'
      export const transaction = false
      export const up = (schema, db) => sql\`${what}\`.execute(db)
      export const down = (schema) => schema.dropIndex('ones_id')${bench.dialect === 'mysql' ? ".on('ones')" : ''}.execute()`,
    )
    await folder.write('2026_02_02_000000_fours.mjs', createTable('fours'))
    expect(names(await migrate(options))).toHaveLength(5)
    expect(names(await rollback({ ...options, step: 2 }))).toEqual([
      '2026_02_02_000000_fours',
      '2026_02_01_000000_index',
    ])
  })

  test('ND6: of one without a transaction that fails, what it did stays, and it has not run', async () => {
    await folder.write(`${TWO}.mjs`, `export const transaction = false\n${BROKEN}`)
    expect((await caught(migrate(options))).reason).toBe('failed')
    expect(await tables()).toEqual(bench.dialect === 'sqlite' ? ['ones'] : ['half', 'ones'])
    expect((await status(options)).map(({ state }) => state)[1]).toBe(
      bench.dialect === 'mysql' ? 'interrupted' : 'pending',
    )
  })

  test.runIf(bench.dialect === 'mysql')(
    'a step of a rollback that is left makes an executed one interrupted',
    async () => {
      await migrate({ ...options, to: TWO })
      for (const [migration, direction] of [
        [ONE, 'up'],
        [TWO, 'down'],
      ])
        await sql`insert into sluice_migration_step (migration, direction, step, hash, state)
        values (${migration}, ${direction}, 1, '', 'done')`.execute(bench.db)
      const states = (await status(options)).map(({ name, state }) => [name, state])
      expect(Object.fromEntries(states)).toMatchObject({ [ONE]: 'executed', [TWO]: 'interrupted' })
    },
  )

  test('the exported db takes part in a migration, and in a rehearsal', async () => {
    vi.stubGlobal('exportedDb', bench.db)
    await folder.write(
      '2026_02_01_000000_rows.mjs',
      `export const up = async () => {
        await globalThis.exportedDb.insertInto('ones').values({ id: 7 }).execute()
        throw new Error('no')
      }`,
    )
    await migrate({ ...options, to: THREE })
    expect((await caught(migrate({ ...options, dryRun: true }))).message).toContain('no')
    expect((await caught(migrate(options))).message).toContain('no')
    vi.unstubAllGlobals()
    expect(await bench.db.selectFrom('ones').selectAll().execute()).toHaveLength(bench.dialect === 'mysql' ? 1 : 0)
  })

  describe('seed', () => {
    class One extends Model {
      static tableName = 'ones'
      id!: number
    }
    let seeds: MigrationFolder
    beforeEach(async () => {
      await migrate(options)
      seeds = await createMigrationFolder({
        'a.mjs': `export const seed = (db) => db.insertInto('ones').values({ id: 1 }).execute()`,
        'b.mjs': `export const seed = (db) => db.insertInto('twos').values({ id: 1 }).execute()`,
      })
    })
    afterEach(() => seeds.remove())

    test('runs the files in order', async () => {
      expect(names(await seed({ db: bench.db, folder: seeds.path }))).toEqual(['a', 'b'])
      expect(await bench.db.selectFrom('twos').selectAll().execute()).toEqual([{ id: 1 }])
    })

    test('takes models along, and rolls back a file that fails', async () => {
      setDatabase(bench.db)
      const load = async (file: string): Promise<unknown> => ({
        seed: async (db: Bench['db']) => {
          await One.create({})
          if (basename(file) === 'b.mjs') await db.insertInto('nowhere').values({ id: 1 }).execute()
        },
      })
      const error = await caught(seed({ db: bench.db, folder: seeds.path, load }))
      expect(error).toMatchObject({ reason: 'failed', file: join(seeds.path, 'b.mjs') })
      expect(error.sql).toContain('nowhere')
      expect(await One.count()).toBe(1)
    })

    test('a statement that fails and is caught: PostgreSQL keeps nothing and says so, the others keep the rest', async () => {
      const twice = `db.insertInto('ones').values({ id: 1 }).execute()`
      await seeds.write('a.mjs', `export const seed = async (db) => { await ${twice}; await ${twice}.catch(() => {}) }`)
      const ran = seed({ db: bench.db, folder: seeds.path })
      if (bench.dialect === 'postgres') expect((await caught(ran)).message).toContain('The transaction was rolled back')
      else expect(names(await ran)).toEqual(['a', 'b'])
      expect(await bench.db.selectFrom('ones').selectAll().execute()).toHaveLength(Number(bench.dialect !== 'postgres'))
    })

    test('a file without seed is said', async () => {
      await seeds.write('c.mjs', 'export const sow = 1')
      expect(await caught(seed({ db: bench.db, folder: seeds.path }))).toMatchObject({ reason: 'invalid' })
    })
  })
})

test('G15: a migration that fails leaves a database as it was that a plain Kysely has opened', async () => {
  const folder = await createMigrationFolder({ [`${ONE}.mjs`]: createTable('ones'), [`${TWO}.mjs`]: BROKEN })
  const config = { database: () => openSqlite(join(folder.path, 'plain.db'), 1000) }
  const db = new Kysely<any>({ dialect: new SqliteDialect(config) }) // any: tables of no model
  const error = await caught(migrate({ db, folder: folder.path, load: loadAnew }))
  expect({ file: basename(error.file!), schema: Object.keys(await schemaOf(db)) }).toEqual({
    file: `${TWO}.mjs`,
    schema: ['ones'],
  })
  await db.destroy()
  await folder.remove()
})
