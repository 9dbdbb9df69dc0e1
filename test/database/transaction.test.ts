import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  closeDatabase,
  createDatabase,
  type Database,
  Model,
  setDatabase,
  transaction,
  useDatabase,
} from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Tag extends Model {
  static tableName = 'tags'
  static columns = { name: 'string' } as const
  id!: number
  name!: string
}

const create = (db: Database): Promise<void> =>
  db.schema
    .createTable('tags')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'varchar(40)', (column) => column.unique())
    .execute()

const fail = (): never => {
  throw new Error('undo')
}

describeDatabases('ND1: transactions', (bench) => {
  let other: Database
  beforeAll(async () => {
    await create(bench.db)
  })
  beforeEach(async () => {
    setDatabase(bench.db)
    await bench.db.deleteFrom('tags').execute()
  })
  const insert = (name: string, db: Database = bench.db) => db.insertInto('tags').values({ name }).execute()
  const names = async (): Promise<string[]> => (await Tag.findMany()).map(({ name }) => name)

  /** Every way to send a statement, each to be joined to a transaction around it. */
  const WAYS: [string, (name: string) => Promise<unknown>][] = [
    ['a model', (name) => Tag.create({ name })],
    ['useDatabase()', (name) => insert(name, useDatabase())],
    ['the exported db', (name) => insert(name)],
    ['sql``', (name) => sql`insert into tags (name) values (${name})`.execute(bench.db)],
    ['db.withPlugin()', (name) => insert(name, bench.db.withoutPlugins())],
    ['db.connection()', (name) => bench.db.connection().execute((held) => insert(name, held))],
    ['transaction()', (name) => transaction(() => insert(name))],
    ['transaction() with a savepoint', (name) => transaction(() => insert(name), { savepoint: true })],
    ['db.transaction()', (name) => bench.db.transaction().execute((inner) => insert(name, inner))],
    ['a model in db.transaction()', (name) => bench.db.transaction().execute(() => Tag.create({ name }))],
  ]
  const AROUND: [string, (work: () => Promise<unknown>) => Promise<unknown>][] = [
    ['transaction()', (work) => transaction(work)],
    ['db.transaction()', (work) => bench.db.transaction().execute(work)],
    ['db.withoutPlugins().transaction()', (work) => bench.db.withoutPlugins().transaction().execute(work)],
    [
      'a transaction with an isolation level',
      (work) =>
        bench.dialect === 'sqlite'
          ? bench.db.transaction().execute(work)
          : bench.db.transaction().setIsolationLevel('serializable').execute(work),
    ],
    [
      'db.connection().transaction()',
      (work) => bench.db.connection().execute((held) => held.transaction().execute(work)),
    ],
  ]

  describe.each(AROUND)('in %s', (_, around) => {
    test.each(WAYS)('what %s writes is rolled back on a throw', async (_, write) => {
      await expect(around(() => write('a').then(fail))).rejects.toThrow('undo')
      expect(await names()).toEqual([])
    })

    test.each(WAYS)('what %s writes is kept otherwise, and seen inside', async (_, write) => {
      await around(async () => {
        await write('a')
        expect(await names()).toEqual(['a'])
      })
      expect(await names()).toEqual(['a'])
    })
  })

  test('a savepoint that fails and is caught undoes its own work only', async () => {
    await transaction(async () => {
      await insert('a')
      await transaction(() => insert('b').then(fail), { savepoint: true }).catch(() => {})
      await bench.db
        .transaction()
        .execute(() => insert('c').then(fail))
        .catch(() => {})
      await insert('d')
    })
    expect(await names()).toEqual(['a', 'd'])
  })

  test('a statement that fails in a savepoint leaves the transaction usable, on PostgreSQL too', async () => {
    await transaction(async () => {
      await insert('a')
      await transaction(() => insert('a'), { savepoint: true }).catch(() => {})
      await insert('b')
    })
    expect(await names()).toEqual(['a', 'b'])
  })

  test('a failed statement that is caught inside a savepoint: PostgreSQL undoes the savepoint and says so', async () => {
    let caught = ''
    await transaction(async () => {
      await insert('a')
      await transaction(
        async () => {
          await insert('b')
          await insert('a').catch(() => {})
        },
        { savepoint: true },
      ).catch((error: Error) => {
        caught = error.message
      })
    })
    const isPostgres = bench.dialect === 'postgres'
    expect({ names: await names(), isTold: caught.startsWith('The transaction was rolled back: a statement') }).toEqual(
      {
        names: isPostgres ? ['a'] : ['a', 'b'],
        isTold: isPostgres,
      },
    )
  })

  test('savepoints in savepoints, and savepoints one after the other', async () => {
    const nested = <T>(work: () => Promise<T>): Promise<T> => transaction(work, { savepoint: true })
    await transaction(async () => {
      await nested(async () => {
        await insert('a')
        await nested(() => insert('b').then(fail)).catch(() => {})
        await nested(() => insert('c'))
      })
      await nested(() => nested(() => insert('d')).then(fail)).catch(() => {})
      await nested(() => insert('e'))
    })
    expect(await names()).toEqual(['a', 'c', 'e'])
  })

  test('the handle of the outer transaction, used in a savepoint, does not wait for that savepoint', async () => {
    await transaction(async (outer) => {
      await insert('a', outer)
      await transaction(() => insert('b', outer).then(fail), { savepoint: true }).catch(() => {})
      await insert('c', outer)
    })
    expect(await names()).toEqual(['a', 'c'])
  })

  test('parallel work inside: savepoints take turns, and no other statement gets into one', async () => {
    await transaction(async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          await insert(`s${i}`)
          const inner = transaction(() => insert(`n${i}`).then(() => i % 2 === 0 && fail()), { savepoint: true })
          await inner.catch(() => {})
          await Tag.create({ name: `m${i}` })
        }),
      )
    })
    const kept = await names()
    const count = (letter: string): number => kept.filter((name) => name.startsWith(letter)).length
    expect({ s: count('s'), n: count('n'), m: count('m') }).toEqual({ s: 20, n: 10, m: 20 })
  })

  test('a nested transaction with an isolation level of its own is refused', async () => {
    const nested = transaction(() =>
      bench.db
        .transaction()
        .setIsolationLevel('serializable')
        .execute(async () => {}),
    )
    await expect(nested).rejects.toThrow('has the isolation level and access mode of the outer one')
  })

  test('another database in a transaction has transactions of its own', async () => {
    other = createDatabase('sqlite::memory:')
    await create(other)
    await transaction(async () => {
      await insert('a', other)
      await insert('a')
      await other.transaction().execute(async () => {
        await insert('b', other)
        await insert('b')
      })
      fail()
    }).catch(() => {})
    expect((await other.selectFrom('tags').selectAll().execute()).map(({ name }) => name)).toEqual(['a', 'b'])
    expect(await names()).toEqual([])
    await other.destroy()
  })

  test('a handle of the outer transaction, used in a savepoint and there in a transaction of another database', async () => {
    other = createDatabase('sqlite::memory:')
    await transaction(async (outer) => {
      await transaction(() => other.transaction().execute(() => insert('a', outer)), { savepoint: true })
    })
    expect(await names()).toEqual(['a'])
    await other.destroy()
  })

  test('a statement that nobody awaits is part of the transaction that it began in, or refused', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await transaction(async () => {
      await insert('a')
      late = insert('b').catch(() => {})
    })
    await late
    await expect(bench.db.transaction().execute(() => insert('c').then(fail))).rejects.toThrow('undo')
    expect((await names())[0]).toBe('a')
  })

  test('a stream takes part', async () => {
    const seen: string[] = []
    await transaction(async () => {
      await insert('a')
      await insert('b')
      for await (const { name } of Tag.query().orderBy('id').stream()) seen.push(name)
      fail()
    }).catch(() => {})
    expect({ seen, names: await names() }).toEqual({ seen: ['a', 'b'], names: [] })
  })

  test('twenty at once, each with every way to write, all commit', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        transaction(async () => {
          for (const [way, write] of WAYS) await write(`${i} ${way}`)
        }),
      ),
    )
    expect(await Tag.count()).toBe(20 * WAYS.length)
  })

  test('a log sees the statements of a transaction, and what opens and ends it', async () => {
    const seen: string[] = []
    const db = createDatabase({ url: bench.url, log: ({ sql: text }) => void seen.push(text.split(' ')[0] ?? '') })
    await db.transaction().execute(async () => {
      await sql`select 1`.execute(db)
      await db.transaction().execute(async (inner) => sql`select 2`.execute(inner))
    })
    await db.destroy()
    expect(seen.filter((word) => word === 'select' || word === 'savepoint' || word === 'release')).toEqual(
      bench.dialect === 'postgres'
        ? ['select', 'savepoint', 'select', 'release', 'select']
        : ['select', 'savepoint', 'select', 'release'],
    )
  })

  test('a connection that could not begin is returned', async () => {
    const db = createDatabase({ url: bench.url, poolSize: 1 })
    const odd = db
      .transaction()
      .setIsolationLevel('odd' as 'serializable')
      .execute(async () => {})
    await expect(odd).rejects.toThrow()
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    await db.destroy()
  })

  test('startTransaction is refused, and says what to write', () => {
    const error = 'startTransaction: statements cannot join it, use transaction(work)'
    expect(() => bench.db.startTransaction()).toThrow(error)
    expect(() => bench.db.withoutPlugins().startTransaction()).toThrow(error)
  })

  afterEach(() => setDatabase(bench.db))
  afterAll(() => closeDatabase())
})
