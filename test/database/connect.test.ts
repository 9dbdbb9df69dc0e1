import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MysqlAdapter, PostgresAdapter, SqliteAdapter, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  closeDatabase,
  createDatabase,
  type QueryEvent,
  setDatabase,
  transaction,
  useDatabase,
} from '../../src/database.ts'
import { type DialectName, parseDatabaseUrl } from '../../src/internal/database/dialect.ts'
import { bindParameters } from '../../src/internal/database/driver/bind.ts'
import { isMissing, loadDriver } from '../../src/internal/database/driver/load-driver.ts'
import { toSafeInteger } from '../../src/internal/database/driver/sqlite-open.ts'
import { toReachError } from '../../src/internal/database/error/database-error.ts'
import { type Bench, describeDatabases } from './databases.ts'

const fail = (): never => {
  throw new Error('the log failed')
}

describe('a database URL', () => {
  test.each([
    ['sqlite:./app.db', 'sqlite', './app.db'],
    ['sqlite:app.db', 'sqlite', 'app.db'],
    ['SQLite:/srv/my app.db', 'sqlite', '/srv/my app.db'],
    ['sqlite:///srv/app.db', 'sqlite', '/srv/app.db'],
    ['sqlite:C:\\data\\app.db', 'sqlite', 'C:\\data\\app.db'],
    ['sqlite::memory:', 'sqlite', ':memory:'],
    ['postgres://me:se:cret@host/db?sslmode=require', 'postgres', 'postgres://me:se:cret@host/db?sslmode=require'],
    ['postgresql://host/db', 'postgres', 'postgres://host/db'],
    ['mysql://host:3307/db', 'mysql', 'mysql://host:3307/db'],
    ['mariadb://host/db', 'mysql', 'mysql://host/db'],
  ])('%s is understood', (url, dialect, location) => {
    expect(parseDatabaseUrl(url)).toEqual({ dialect, location })
  })

  test.each([
    '',
    'app.db',
    './app.db',
    'C:\\app.db',
    'sqlite:',
    'sqlite://',
    'sqlite:a\0b',
    'file:app.db',
    'mssql://me:secret@host/db',
    'postgres:',
    'postgres:///db',
    'mysql://',
    'mysql:secret',
    '__proto__://secret',
    'constructor:secret',
    'javascript:alert(1)//secret',
  ])('%j is refused, and the password is not repeated', (url) => {
    expect(() => createDatabase(url)).toThrow(TypeError)
    expect(() => createDatabase(url)).toThrow(/^createDatabase: url: expected sqlite:<file>, /)
    expect(() => createDatabase(url)).not.toThrow(/secret/)
  })

  test.each([
    [
      { url: 'sqlite::memory:', poolSize: 0 },
      'createDatabase: poolSize: expected a whole number of connections from 1, got 0',
    ],
    [
      { url: 'sqlite::memory:', poolSize: 1.5 },
      'createDatabase: poolSize: expected a whole number of connections from 1, got 1.5',
    ],
    [{ url: 'sqlite::memory:', log: true } as never, 'createDatabase: log: expected a function, got true'],
    [
      { url: 'sqlite::memory:', poolsize: 5 } as never,
      'createDatabase: poolsize: unknown option, did you mean "poolSize"?',
    ],
    [
      { url: 'sqlite::memory:', busyTimeoutMs: -1 },
      'createDatabase: busyTimeoutMs: expected a whole number of milliseconds from 0, got -1',
    ],
  ])('the options %o are refused', (options, message) => {
    expect(() => createDatabase(options)).toThrow(new TypeError(message))
  })
})

describe('a driver that is not installed', () => {
  const missing = (message: string, code = 'ERR_MODULE_NOT_FOUND'): Error => Object.assign(new Error(message), { code })

  test('is named, with the command that installs it', async () => {
    const error = missing("Cannot find package 'pg' imported from /app/x.js")
    const loading = loadDriver('pg', 'PostgreSQL', () => Promise.reject(error))
    await expect(loading).rejects.toThrow('PostgreSQL needs the package pg: npm install pg')
    await expect(loading).rejects.toMatchObject({ cause: error })
  })

  test.each([
    ["Cannot find package 'pg-pool' imported from /node_modules/pg/lib/index.js", 'pg', false],
    ["Cannot find package 'pg' imported from /app/x.js", 'pg', true],
    ['No such built-in module: node:sqlite', 'node:sqlite', true],
    ['Cannot find package "mysql2" from "/app/x.js"', 'mysql2', true],
    ["Cannot find module '@photostructure/sqlite'", '@photostructure/sqlite', true],
  ])('%s: is it %s? %s', (message, name, expected) => {
    expect(isMissing(missing(message), name)).toBe(expected)
    expect(isMissing(missing(message, 'EACCES'), name)).toBe(false)
  })

  test('that is there and breaks keeps its own error', async () => {
    const error = new SyntaxError('broken')
    await expect(loadDriver('pg', 'PostgreSQL', () => Promise.reject(error))).rejects.toBe(error)
  })
})

test.each([
  ['postgres://localhost:1/x', /^PostgreSQL cannot be reached: nothing listens on .*127\.0\.0\.1:1\. Is it running/],
  ['mysql://localhost:1/x', /^MySQL cannot be reached: nothing listens on .*127\.0\.0\.1:1\. Is it running/],
])('%s, where nobody listens, is an error with a reason', async (url, message) => {
  const db = createDatabase(url)
  await expect(sql`select 1`.execute(db)).rejects.toThrow(message)
  await db.destroy()
})

test.each([
  ['postgres', 65_535, undefined],
  [
    'postgres',
    65_536,
    'PostgreSQL: expected at most 65535 parameters in a statement, got 65536: send several statements',
  ],
  ['mysql', 65_536, undefined],
])('%s: a statement with %i parameters is refused with %s', async (scheme, count, message) => {
  const db = createDatabase(`${scheme}://127.0.0.1:1/x`)
  const ids = Array.from({ length: count }, (_, id) => id)
  const compile = () => db.selectFrom('posts').selectAll().where('id', 'in', ids).compile().parameters.length
  if (message === undefined) expect(compile()).toBe(count)
  else expect(compile).toThrow(new RangeError(message))
  await db.destroy()
})

test('several addresses that refuse are one reason each', () => {
  const error = new AggregateError([new Error('refused ::1'), 'refused 127.0.0.1'])
  expect(toReachError('MySQL', error)).toMatchObject({
    code: 'unreachable',
    message: 'MySQL cannot be reached: refused ::1; refused 127.0.0.1. Is it running, and is the URL right?',
    cause: error,
  })
  const other = new Error('something else')
  expect(toReachError('MySQL', other)).toBe(other)
})

describe('values', () => {
  const date = new Date('2026-01-02T03:04:05.678Z')
  const bytes = new Uint8Array([1])
  test.each<[DialectName, unknown, unknown]>([
    ['sqlite', true, 1],
    ['sqlite', false, 0],
    ['sqlite', undefined, null],
    ['sqlite', date, '2026-01-02T03:04:05.678Z'],
    ['sqlite', { a: 1 }, '{"a":1}'],
    ['sqlite', bytes, bytes],
    ['sqlite', 5n, 5n],
    ['postgres', date, '2026-01-02T03:04:05.678Z'],
    ['postgres', undefined, null],
    ['postgres', true, true],
    ['postgres', ['a'], ['a']],
    ['mysql', undefined, null],
    ['mysql', { a: 1 }, '{"a":1}'],
    ['mysql', [['a']], '[["a"]]'],
    ['mysql', 5n, '5'],
    ['mysql', date, date],
    ['mysql', bytes, bytes],
  ])('%s is given %o as %o', (dialect, value, expected) => {
    expect(bindParameters(dialect, { parameters: [value] } as never).parameters).toEqual([expected])
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s never reaches MySQL as a bare word', (value) => {
    expect(() => bindParameters('mysql', { parameters: [value] } as never)).toThrow(RangeError)
  })

  test.each<[bigint, number | string]>([
    [9007199254740991n, 9007199254740991],
    [9007199254740992n, '9007199254740992'],
    [-9007199254740991n, -9007199254740991],
    [-9007199254740992n, '-9007199254740992'],
  ])('the integer %s is read as %s', (value, expected) => {
    expect(toSafeInteger(value)).toBe(expected)
  })
})

describeDatabases('a connection', (bench: Bench) => {
  test('is the Kysely of its database', () => {
    const adapters = { sqlite: SqliteAdapter, postgres: PostgresAdapter, mysql: MysqlAdapter }
    expect(bench.db.getExecutor().adapter).toBeInstanceOf(adapters[bench.dialect])
  })

  test('speaks camelCase, and keeps the keys inside JSON', async () => {
    await bench.db.schema
      .createTable('camel_case')
      .addColumn('firstName', 'varchar(20)')
      .addColumn('some_data', 'json')
      .execute()
    await bench.db
      .insertInto('camelCase')
      .values({ firstName: 'Ada', someData: JSON.stringify({ in_ner: 1 }) })
      .execute()
    const { rows } = await sql<Record<string, unknown>>`select first_name, some_data from camel_case`.execute(bench.db)
    expect(rows[0]?.firstName).toBe('Ada')
    expect(JSON.stringify(rows[0]?.someData)).toContain('in_ner')
  })

  test('logs each statement, its values, and errors', async () => {
    const events: QueryEvent[] = []
    const db = createDatabase({ url: bench.url, log: (event) => void events.push(event) })
    await sql`select ${1} as one`.execute(db)
    await sql`select nonsense from nowhere`.execute(db).catch(() => {})
    await db.destroy()
    const [first, second] = events.slice(-2)
    expect(first).toMatchObject({ parameters: [1], durationMs: expect.any(Number) })
    expect(first).not.toHaveProperty('error')
    expect(second).toMatchObject({ sql: 'select nonsense from nowhere', error: expect.any(Error) })
  })

  test.each([
    ['throws', () => fail()],
    ['rejects', async () => fail()],
  ])('a log that %s is reported, and fails no statement', async (_, log) => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const db = createDatabase({ url: bench.url, log })
    await sql`select 1 as one`.execute(db)
    await expect(sql`select nonsense from nowhere`.execute(db)).rejects.toThrow(/nonsense|nowhere/)
    await db.destroy()
    expect(told.mock.calls.flat()).toContainEqual(new Error('the log failed'))
    told.mockRestore()
  })

  test('rolls back on a throw and isolates unfinished work', async () => {
    await bench.db.schema.createTable('counts').addColumn('n', 'integer').execute()
    const failing = bench.db.transaction().execute(async (inner) => {
      await inner.insertInto('counts').values({ n: 1 }).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await bench.db.selectFrom('counts').selectAll().execute()).toEqual([])
  })

  test('a statement that fails and is caught: PostgreSQL keeps nothing and says so, the others keep the rest', async () => {
    await bench.db.schema.createTable('sums').addColumn('n', 'integer').execute()
    const caught = bench.db.transaction().execute(async (inner) => {
      await inner.insertInto('sums').values({ n: 1 }).execute()
      await sql`insert into nowhere values (1)`.execute(inner).catch(() => {})
      return 'done'
    })
    const isPostgres = bench.dialect === 'postgres'
    if (isPostgres) await expect(caught).rejects.toThrow('The transaction was rolled back: a statement in it failed')
    else expect(await caught).toBe('done')
    expect(await bench.db.selectFrom('sums').selectAll().execute()).toEqual(isPostgres ? [] : [{ n: 1 }])
  })

  describe('ND5: streams', () => {
    beforeAll(async () => {
      await bench.db.schema.createTable('flow').addColumn('n', 'bigint').execute()
      const rows = Array.from({ length: 250 }, (_, n) => ({ n }))
      await bench.db.insertInto('flow').values(rows).execute()
    })
    const flow = (least: number) => bench.db.selectFrom('flow').selectAll().where('n', '>=', least).orderBy('n')

    test.each([
      ['fewer rows than a chunk', 201, 100],
      ['exactly one chunk', 150, 100],
      ['several chunks', 0, 100],
      ['no rows', 250, 100],
    ])('%s', async (_, least, size) => {
      const seen: unknown[] = []
      for await (const row of flow(least).stream(size)) seen.push(row)
      expect(seen).toEqual(Array.from({ length: 250 - least }, (_, i) => ({ n: least + i })))
    })

    test('one that is left early, and one that fails, return their connection', async () => {
      const db = createDatabase({ url: bench.url, poolSize: 1 })
      const first = async (query: { stream: (size: number) => AsyncIterable<unknown> }): Promise<unknown> => {
        for await (const row of query.stream(10)) return row
        return undefined
      }
      expect(await first(db.selectFrom('flow').selectAll().orderBy('n'))).toEqual({ n: 0 })
      await expect(first(db.selectFrom('nowhere').selectAll())).rejects.toThrow('nowhere')
      expect(await first(db.selectFrom('flow').selectAll().where('n', '=', 7))).toEqual({ n: 7 })
      expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
      await db.destroy()
    })
  })

  if (bench.dialect !== 'sqlite') {
    test('that the server cuts fails its query, and the next one has a new connection', async () => {
      const [own, kill] =
        bench.dialect === 'postgres'
          ? ['select pg_backend_pid() as id', 'select pg_terminate_backend($id)']
          : ['select connection_id() as id', 'kill $id']
      const db = createDatabase({ url: bench.url, poolSize: 1 })
      const cut = db.transaction().execute(async (inner) => {
        const { rows } = await sql.raw<{ id: number }>(own).execute(inner)
        await sql.raw(kill.replace('$id', String(rows[0]?.id))).execute(bench.db)
        await new Promise((resolve) => setTimeout(resolve, 50))
        await sql`select 1`.execute(inner)
      })
      await expect(cut).rejects.toThrow()
      expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
      await db.destroy()
    })
  }

  test('gives counts of changed rows', async () => {
    await bench.db.schema.createTable('streamed').addColumn('n', 'bigint').execute()
    const added = await bench.db
      .insertInto('streamed')
      .values([{ n: 1 }, { n: 2 }, { n: 3 }])
      .executeTakeFirst()
    expect(added.numInsertedOrUpdatedRows).toBe(3n)
    expect((await bench.db.deleteFrom('streamed').where('n', '=', 3).executeTakeFirst()).numDeletedRows).toBe(1n)
  })
})

describe('SQLite', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-sqlite-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('opens nothing before the first query, and makes the folder then', async () => {
    const file = join(folder, 'deep', 'er', 'app.db')
    const db = createDatabase(`sqlite:${file}`)
    expect(existsSync(join(folder, 'deep'))).toBe(false)
    await sql`select 1`.execute(db)
    expect(existsSync(file)).toBe(true)
    await db.destroy()
  })

  test('enforces foreign keys, keeps a write-ahead log and waits for other writers', async () => {
    const db = createDatabase({ url: `sqlite:${join(folder, 'pragmas.db')}`, busyTimeoutMs: 1234 })
    const read = async (name: string): Promise<unknown> =>
      Object.values((await sql.raw<object>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0]
    expect({
      foreignKeys: await read('foreign_keys'),
      journalMode: await read('journal_mode'),
      busyTimeout: await read('busy_timeout'),
    }).toEqual({
      foreignKeys: 1,
      journalMode: 'wal',
      busyTimeout: 1234,
    })
    await db.destroy()
  })

  test('a second writer is turned away before its transaction begins, not in the middle of it', async () => {
    const url = `sqlite:${join(folder, 'writers.db')}`
    const first = createDatabase(url)
    const second = createDatabase({ url, busyTimeoutMs: 0 })
    await first.schema.createTable('counter').addColumn('n', 'integer').execute()
    let hasBegun = false
    await first.transaction().execute(async (inner) => {
      await inner.selectFrom('counter').selectAll().execute()
      const blocked = second.transaction().execute(async () => {
        hasBegun = true
      })
      await expect(blocked).rejects.toThrow(/locked/)
      await inner.insertInto('counter').values({ n: 1 }).execute()
    })
    expect(hasBegun).toBe(false)
    const reading = second.transaction().setAccessMode('read only')
    await first.transaction().execute(async () => {
      expect(await reading.execute((inner) => inner.selectFrom('counter').selectAll().execute())).toEqual([{ n: 1 }])
    })
    await Promise.all([first.destroy(), second.destroy()])
  })

  test('a file that cannot be opened is an error of the query, and the next one tries again', async () => {
    const db = createDatabase(`sqlite:${folder}`)
    await expect(sql`select 1`.execute(db)).rejects.toThrow()
    await expect(sql`select 1`.execute(db)).rejects.toThrow()
  })

  test('setDatabase, useDatabase and closeDatabase keep one database for the models', async () => {
    const db = setDatabase(createDatabase('sqlite::memory:'))
    expect(useDatabase()).toBe(db)
    await sql`create table t (n integer)`.execute(db)
    await expect(transaction(() => sql`insert into nowhere values (1)`.execute(useDatabase()))).rejects.toThrow(
      'nowhere',
    )
    await closeDatabase()
    await closeDatabase()
    expect(() => useDatabase()).toThrow('No database')
    await expect(sql`select 1`.execute(db)).rejects.toThrow()
  })
})
