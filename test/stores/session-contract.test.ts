import { randomBytes, randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDatabase } from '../../src/database.ts'
import type { SessionData, SessionStore } from '../../src/internal/session/session-store.ts'
import { kvSession } from '../../src/stores/kv-session.ts'
import { memorySession } from '../../src/stores/memory-session.ts'
import { redisSession } from '../../src/stores/redis-session.ts'
import { createSessionTable, type SqlSessionStore, sqlSession } from '../../src/stores/sql-session.ts'
import { runs } from '../fuzz.ts'
import { createScratchDatabase, describeService } from '../services.ts'
import { type RedisConnection, redisClients } from './clients.ts'
import { createKv } from './fakes.ts'

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** For stores that read the clock of this process, time passes when the test says so. */
let ahead = 0
const realNow = Date.now
vi.spyOn(Date, 'now').mockImplementation(() => realNow.call(Date) + ahead)
const skip = async (milliseconds: number): Promise<void> => {
  ahead += milliseconds
}
/** What some work with a store fails with. */
const failure = async (work: () => unknown): Promise<unknown> => {
  try {
    await work()
  } catch (error) {
    return error
  }
  return undefined
}

const newId = (): string => randomBytes(24).toString('base64url')

/**
 * What every store promises.
 *
 * @param pass lets time pass: {@link skip}, or {@link sleep} for a server with a clock of its own
 */
const contract = (storeOf: () => SessionStore, pass = skip): void => {
  test('an unknown id has no data', async () => {
    expect(await storeOf().get(newId())).toBeUndefined()
  })

  test.each<[string, SessionData]>([
    ['nothing', {}],
    [
      'all that JSON has',
      { text: 'ä😀"\'\\\u0000', number: -1.5e300, yes: true, none: null, list: [1, [2]], deep: { a: { b: 1 } } },
    ],
    ['keys of every kind', JSON.parse('{"__proto__":{"x":1},"constructor":2,"":3,"1":4}')],
    ['60 kB', { text: 'x'.repeat(60_000) }],
  ])('what is set comes back: %s', async (_, data) => {
    const id = newId()
    await storeOf().set(id, data, 60)
    expect(JSON.stringify(await storeOf().get(id))).toBe(JSON.stringify(data))
  })

  test('a second set replaces the first', async () => {
    const id = newId()
    await storeOf().set(id, { a: 1 }, 60)
    await storeOf().set(id, { b: 2 }, 60)
    expect(await storeOf().get(id)).toEqual({ b: 2 })
  })

  test('hazard shared references: changing an object does not change the store', async () => {
    const id = newId()
    const data = { list: [1] }
    await storeOf().set(id, data, 60)
    data.list.push(2)
    const read = (await storeOf().get(id)) as { list: number[] }
    read.list.push(3)
    expect(await storeOf().get(id)).toEqual({ list: [1] })
  })

  test('ids are case-sensitive', async () => {
    const id = newId()
    await storeOf().set(`a${id}`, { a: 1 }, 60)
    expect(await storeOf().get(`A${id}`)).toBeUndefined()
  })

  test('a destroyed session is gone, and destroying is idempotent', async () => {
    const id = newId()
    await storeOf().set(id, { a: 1 }, 60)
    expect(await storeOf().destroy(id)).not.toBe(false)
    expect(await storeOf().get(id)).toBeUndefined()
    await storeOf().destroy(id)
  })

  test('a session is forgotten when its time is over', async () => {
    const id = newId()
    await storeOf().set(id, { a: 1 }, 2)
    expect(await storeOf().get(id)).toEqual({ a: 1 })
    await pass(3050)
    expect(await storeOf().get(id)).toBeUndefined()
  })

  test('many sessions at once', async () => {
    const ids = Array.from({ length: 100 }, newId)
    await Promise.all(ids.map((id, index) => storeOf().set(id, { index }, 60)))
    const read = await Promise.all(ids.map((id) => storeOf().get(id)))
    expect(read.map((data) => data?.index)).toEqual(ids.map((_, index) => index))
  })
}

/** What stores with `replace` and `touch` promise beyond that. */
const raceContract = (storeOf: () => Required<SessionStore>, pass = skip): void => {
  test('destroy returns whether there was a session', async () => {
    const id = newId()
    await storeOf().set(id, {}, 60)
    expect({ destroyed: await storeOf().destroy(id), destroyedAgain: await storeOf().destroy(id) }).toEqual({
      destroyed: true,
      destroyedAgain: false,
    })
  })

  test('replace writes only existing sessions', async () => {
    const id = newId()
    expect(await storeOf().replace(id, { a: 1 }, 60)).toBe(false)
    expect(await storeOf().get(id)).toBeUndefined()
    await storeOf().set(id, { a: 1 }, 60)
    expect(await storeOf().replace(id, { a: 2 }, 60)).toBe(true)
    expect(await storeOf().get(id)).toEqual({ a: 2 })
  })

  test('replacing with the same data is a success', async () => {
    const id = newId()
    await storeOf().set(id, { a: 1 }, 60)
    expect(await storeOf().replace(id, { a: 1 }, 60)).toBe(true)
  })

  test('replacing with an expectation writes only over exactly that', async () => {
    const id = newId()
    await storeOf().set(id, { a: 'x' }, 60)
    expect(await storeOf().replace(id, { a: 'y' }, 60, '{"a":"X"}')).toBe(false)
    expect(await storeOf().replace(id, { a: 'y' }, 60, '{"a":"x"} ')).toBe(false)
    expect(await storeOf().get(id)).toEqual({ a: 'x' })
    expect(await storeOf().replace(id, { a: 'y' }, 60, '{"a":"x"}')).toBe(true)
    expect(await storeOf().get(id)).toEqual({ a: 'y' })
    expect(await storeOf().replace(newId(), {}, 60, '{}')).toBe(false)
  })

  test('of twenty that expect the same, one wins', async () => {
    const id = newId()
    await storeOf().set(id, { n: 0 }, 60)
    const won = await Promise.all(
      Array.from({ length: 20 }, (_, n) => storeOf().replace(id, { n: n + 1 }, 60, '{"n":0}')),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
  })

  test('touching lets live longer, and brings nothing back', async () => {
    const [kept, dropped] = [newId(), newId()]
    await storeOf().set(kept, { a: 1 }, 2)
    await storeOf().touch(kept, 60)
    await storeOf().set(dropped, { a: 1 }, 60)
    await storeOf().destroy(dropped)
    await storeOf().touch(dropped, 60)
    await pass(3050)
    expect({ kept: await storeOf().get(kept), dropped: await storeOf().get(dropped) }).toEqual({
      kept: { a: 1 },
      dropped: undefined,
    })
  })

  test('replacing and touching bring back nothing that has expired', async () => {
    const id = newId()
    await storeOf().set(id, { a: 1 }, 2)
    await pass(3050)
    expect(await storeOf().replace(id, { a: 2 }, 60)).toBe(false)
    await storeOf().touch(id, 60)
    expect(await storeOf().get(id)).toBeUndefined()
  })
}

describe('memory', () => {
  const store = memorySession()
  contract(() => store)
  raceContract(() => store)

  test('MN3: up to a million sessions leave a bounded store, and sessions in use are kept', async () => {
    const count = runs(1_000_000)
    const small = memorySession({ maxSessions: 1000 })
    small.set('used', { a: 1 }, 60)
    for (let index = 0; index < count; index++) {
      small.set(`${index}`, {}, 60)
      if (index % 400 === 0) small.get('used')
    }
    expect(small.get('used')).toEqual({ a: 1 })
    expect(small.get(`${count - 1}`)).toEqual({})
    expect(small.get(`${count - 2000}`)).toBeUndefined()
  })

  test('the half that was used last is always kept, and more than the maximum never', () => {
    const small = memorySession({ maxSessions: 100 })
    for (let index = 0; index < 1000; index++) {
      small.set(`${index}`, {}, 60)
      for (let back = 0; back < 25 && back <= index; back++) expect(small.get(`${index - back}`)).toEqual({})
    }
    const kept = Array.from({ length: 1000 }, (_, index) => small.get(`${index}`)).filter(Boolean)
    expect(kept.length).toBeLessThanOrEqual(100)
    expect(() => memorySession({ maxSessions: 1 })).toThrow('memorySession: maxSessions: expected')
  })
})

describe('Workers KV', () => {
  const kv = createKv()
  const store = kvSession(kv)
  contract(() => store)

  test('a lifetime below the minute that KV asks for is kept all the same', async () => {
    const id = newId()
    await store.set(id, { a: 1 }, 1)
    expect(kv.map.get(`session:${id}`)!.expires - Date.now()).toBeGreaterThan(50_000)
    expect(() => kvSession(undefined as never)).toThrow('kvSession: namespace: expected')
  })
})

describeService('redis', 'Redis', (url) => {
  describe.each(redisClients)('through %s', (_, connect) => {
    const prefix = `test:${randomUUID()}:`
    let connection: RedisConnection
    let store: Required<SessionStore>
    beforeAll(async () => {
      connection = await connect(url)
      store = redisSession({ send: connection.send, prefix })
    })
    afterAll(async () => {
      const keys = (await connection.send(['KEYS', `${prefix}*`])) as string[]
      if (keys.length) await connection.send(['DEL', ...keys])
      await connection.close()
    })
    contract(() => store, sleep)
    raceContract(() => store, sleep)

    test('a value that is not JSON is no session', async () => {
      const id = newId()
      await connection.send(['SET', prefix + id, '{"user":'])
      expect(await store.get(id)).toBeUndefined()
    })

    test('an error of Redis does not tell logs what was sent', async () => {
      const id = newId()
      await connection.send(['LPUSH', prefix + id, 'a list'])
      const read = await failure(() => store.get(id))
      const write = await failure(() => store.set(id, { password: 'hunter2' }, Number.NaN))
      for (const error of [read, write]) {
        expect(error).toBeInstanceOf(Error)
        expect(inspect(error)).not.toContain(id)
        expect(inspect(error)).not.toContain('hunter2')
        expect(JSON.stringify(error)).not.toContain(id)
      }
    })
  })

  test('hazard store fails: no reply within timeoutMs is an error', async () => {
    const store = redisSession({ send: () => new Promise(() => {}), timeoutMs: 30 })
    await expect(async () => store.get('a')).rejects.toThrow('Redis did not answer GET within 30 ms')
  })
})

/** The SQL store on one kind of database. */
const sqlContract = (connect: () => Promise<{ db: Kysely<any>; close: () => Promise<unknown> }>): void => {
  let opened: Awaited<ReturnType<typeof connect>>
  let store: SqlSessionStore
  beforeAll(async () => {
    opened = await connect()
    await createSessionTable(opened.db)
    await createSessionTable(opened.db)
    store = sqlSession({ db: opened.db })
  })
  afterAll(() => opened.close())
  contract(() => store)
  raceContract(() => store)

  test('two processes that set the same new id at once both succeed', async () => {
    const id = newId()
    await Promise.all(Array.from({ length: 10 }, (_, n) => sqlSession({ db: opened.db }).set(id, { n }, 60)))
    expect(await store.get(id)).toHaveProperty('n')
  })

  test('the table contains no usable id', async () => {
    const id = newId()
    await store.set(id, { a: 1 }, 60)
    const rows = await opened.db.selectFrom('sessions').select('id').execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every((row) => /^[\da-f]{64}$/.test(row.id))).toBe(true)
    expect(rows.some((row) => row.id === id)).toBe(false)
  })

  test('expired entries are removed, on request and automatically after some writes', async () => {
    await store.set(newId(), {}, -1)
    expect(await store.deleteExpired()).toBeGreaterThanOrEqual(1)
    expect(await store.deleteExpired()).toBe(0)
    const fresh = sqlSession({ db: opened.db, sweepEvery: 5 })
    const id = newId()
    for (let index = 0; index < 4; index++) await fresh.set(id, { index }, -1)
    const count = async () =>
      Number(
        (
          await opened.db
            .selectFrom('sessions')
            .select(({ fn }) => fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    const before = await count()
    await fresh.set(newId(), {}, 60)
    expect(await count()).toBe(before)
  })
}

describe('SQLite', () => {
  sqlContract(async () => {
    const db = createDatabase<any>('sqlite::memory:')
    return { db, close: () => db.destroy() }
  })
})

describeService('postgres', 'PostgreSQL', () => {
  sqlContract(async () => {
    const scratch = await createScratchDatabase('postgres')
    const db = createDatabase<any>(scratch.url)
    return { db, close: () => db.destroy().then(scratch.drop) }
  })
})

describeService('mysql', 'MySQL', () => {
  sqlContract(async () => {
    const scratch = await createScratchDatabase('mysql')
    const db = createDatabase<any>(scratch.url)
    return { db, close: () => db.destroy().then(scratch.drop) }
  })

  test('an error of the database does not tell logs what was sent', async () => {
    const scratch = await createScratchDatabase('mysql')
    const db = createDatabase<any>(scratch.url)
    await createSessionTable(db)
    const store = sqlSession({ db })
    const id = newId()
    const large = { password: 'hunter2', text: 'x'.repeat(70_000) }
    const written = await failure(() => store.set(id, large))
    await store.set(id, { a: 1 })
    const replaced = await failure(() => store.replace(id, large, 60))
    for (const error of [written, replaced]) {
      expect(error).toMatchObject({ message: "Data too long for column 'data' at row 1" })
      expect(inspect(error)).not.toContain('hunter2')
      expect(JSON.stringify(error)).not.toContain('hunter2')
    }
    await db.destroy()
    await scratch.drop()
  })
})

test('a session is saved, and its request answered, although the expired ones cannot be deleted', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const db = createDatabase<any>('sqlite::memory:')
  await createSessionTable(db)
  const refuses = new Error('deadlock')
  const deleteFrom = (): never => {
    throw refuses
  }
  const names = ['selectFrom', 'updateTable', 'insertInto'] as const
  const partly = Object.fromEntries(names.map((name) => [name, db[name].bind(db)]))
  const store = sqlSession({ db: { ...partly, deleteFrom } as never, sweepEvery: 1 })
  const id = newId()
  await store.set(id, { a: 1 }, 60)
  expect(await store.get(id)).toEqual({ a: 1 })
  expect(printed.mock.calls).toEqual([[refuses]])
  printed.mockRestore()
  await db.destroy()
})

test('a missing connection is refused', () => {
  expect(() => sqlSession({ db: undefined as never })).toThrow('sqlSession: db: expected')
  expect(() => sqlSession({ db: createDatabase('sqlite::memory:'), sweepEvery: 0 })).toThrow(
    'sqlSession: sweepEvery: expected',
  )
})
