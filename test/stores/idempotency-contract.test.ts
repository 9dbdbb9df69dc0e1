import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../src/database/connect.ts'
import type { IdempotencyStore } from '../../src/internal/store/idempotency-store.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { redisIdempotency } from '../../src/stores/redis-idempotency.ts'
import { createIdempotencyTable, sqlIdempotency } from '../../src/stores/sql-idempotency.ts'
import { createScratchDatabase, describeService } from '../services.ts'
import { redisClients } from './clients.ts'

const key = (name: string) => name.padStart(64, '0')

/** What every store must do. */
const contract = (make: () => IdempotencyStore) => {
  test('MX13: one taker of many gets a key, the others what it has put there', async () => {
    const store = make()
    const claims = Array.from({ length: 8 }, (_, index) => `claim ${index}`)
    const seen = await Promise.all(claims.map((claim) => store.take(key('many'), claim, 60)))
    expect(seen.filter((there) => there === undefined).length).toBe(1)
    const winner = claims[seen.indexOf(undefined)]
    expect(seen.filter((there) => there !== undefined)).toEqual(Array(7).fill(winner))
  })

  test('MX13: the claim is replaced once, and only by its owner', async () => {
    const store = make()
    expect(await store.take(key('a'), 'mine', 60)).toBeUndefined()
    await store.replace(key('a'), 'yours', 'bad', 60)
    expect(await store.take(key('a'), 'other', 60)).toBe('mine')
    await store.replace(key('a'), 'mine', 'answer "ü"', 60)
    expect(await store.take(key('a'), 'other', 60)).toBe('answer "ü"')
    await store.replace(key('a'), 'mine', 'late', 60)
    await store.release(key('a'), 'mine')
    expect(await store.take(key('a'), 'other', 60)).toBe('answer "ü"')
  })

  test('MX13: only the owner frees a key', async () => {
    const store = make()
    await store.take(key('b'), 'mine', 60)
    await store.release(key('b'), 'yours')
    expect(await store.take(key('b'), 'other', 60)).toBe('mine')
    await store.release(key('b'), 'mine')
    expect(await store.take(key('b'), 'other', 60)).toBeUndefined()
  })
}

describe('MX13: memory', () => {
  contract(() => memoryIdempotency())

  test('MX13: the store is bounded', () => {
    const store = memoryIdempotency({ maxKeys: 10 })
    for (let index = 0; index < 1000; index++) store.take(`${index}`, 'c', 60)
    const kept = Array.from({ length: 1000 }, (_, index) => store.take(`${index}`, 'd', 60)).filter(Boolean)
    expect(kept.length).toBeLessThanOrEqual(10)
    expect(() => memoryIdempotency({ maxKeys: 1 })).toThrow(/^memoryIdempotency: maxKeys: /)
  })
})

const sql = (urlOf: () => Promise<{ url: string; drop: () => Promise<void> }>) => {
  let db: any // any: no schema
  let scratch: Awaited<ReturnType<typeof urlOf>>
  beforeAll(async () => {
    scratch = await urlOf()
    db = createDatabase(scratch.url)
    await createIdempotencyTable(db)
    await createIdempotencyTable(db)
  })
  afterAll(async () => {
    await db?.destroy()
    await scratch?.drop()
  })
  contract(() => sqlIdempotency({ db }))

  test('MX13: a key ends after its time, and expired ones are swept', async () => {
    let time = 1_000_000_000
    const store = sqlIdempotency({ db, now: () => time, sweepEvery: 1 })
    await store.take(key('t1'), 'one', 10)
    await store.take(key('t2'), 'two', 10)
    time += 9_999
    expect(await store.take(key('t1'), 'other', 10)).toBe('one')
    time += 1
    expect(await store.take(key('t1'), 'other', 10)).toBeUndefined()
    const rows = await db.selectFrom('idempotency').select('id').where('id', '=', key('t2')).execute()
    expect(rows).toEqual([])
  })
}

describe('MX13: SQLite', () => sql(async () => ({ url: 'sqlite::memory:', drop: async () => {} })))
describeService('postgres', 'MX13: PostgreSQL', () => sql(() => createScratchDatabase('postgres')))
describeService('mysql', 'MX13: MariaDB', () => sql(() => createScratchDatabase('mysql')))

describe.each(redisClients)('MX13: Redis through %s', (_, client) => {
  describeService('redis', 'MX13: the store', (url) => {
    let connection: Awaited<ReturnType<typeof client>>
    beforeAll(async () => {
      connection = await client(url)
    })
    afterAll(async () => connection?.close())
    const prefix = `toolbox:${process.pid}:${Math.random()}:`
    contract(() => redisIdempotency({ send: (args) => connection.send(args), prefix }))

    test('MX13: a claim that a client sends twice, because its connection was lost, is taken', async () => {
      // ioredis sends again what was not answered, though Redis may have run it
      const twice = async (args: string[]): Promise<unknown> => {
        await connection.send(args)
        return connection.send(args)
      }
      const key = `resent ${Math.random()}`
      const store = redisIdempotency({ send: twice, prefix })
      expect(await store.take(key, 'mine', 60)).toBeUndefined()
      expect(await store.take(key, 'other', 60)).toBe('mine')
    })

    test('MX13: Redis knows when keys end', async () => {
      const store = redisIdempotency({ send: (args) => connection.send(args), prefix })
      await store.take(key('ttl'), 'c', 100)
      const ttl = async () => Number(await connection.send(['TTL', prefix + key('ttl')]))
      expect(await ttl()).toBeGreaterThan(90)
      await store.replace(key('ttl'), 'c', 'v', 1000)
      expect(await ttl()).toBeGreaterThan(900)
    })
  })
})
