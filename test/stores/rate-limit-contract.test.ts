import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RateLimitAlgorithm, RateLimitStore } from '../../src/internal/store/rate-limit-store.ts'
import { slidingWindow } from '../../src/rate-limit/sliding-window.ts'
import { tokenBucket } from '../../src/rate-limit/token-bucket.ts'
import { durableObjectRateLimit, rateLimitObject } from '../../src/stores/durable-object-rate-limit.ts'
import { memoryRateLimit } from '../../src/stores/memory-rate-limit.ts'
import { redisRateLimit } from '../../src/stores/redis-rate-limit.ts'
import { describeService } from '../services.ts'
import { type RedisConnection, redisClients } from './clients.ts'
import { createNamespace } from './fakes.ts'

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** For stores that read the clock of this process, time passes when the test says so. */
let ahead = 0
const realNow = Date.now
vi.spyOn(Date, 'now').mockImplementation(() => realNow.call(Date) + ahead)
const skip = async (milliseconds: number): Promise<void> => {
  ahead += milliseconds
}

/**
 * What every store promises.
 *
 * @param pass lets time pass: {@link skip}, or {@link sleep} for a server with a clock of its own
 */
const contract = (storeOf: () => Required<RateLimitStore>, pass: (milliseconds: number) => Promise<void>): void => {
  const hit = async (key: string, windowMs = 10_000) => storeOf().increment(key, windowMs)
  const counts = async (key: string, times: number, algorithm: RateLimitAlgorithm, max: number, windowMs = 60_000) => {
    const seen: number[] = []
    for (let index = 0; index < times; index++)
      seen.push((await storeOf().increment(key, windowMs, { max, algorithm })).count)
    return seen
  }

  test('hits are counted one by one, and each result has its own count', async () => {
    const key = randomUUID()
    const [first, second, third] = [await hit(key), await hit(key), await hit(key)]
    expect({ first: first.count, second: second.count, third: third.count }).toEqual({ first: 1, second: 2, third: 3 })
  })

  test('the window ends where it began, and every hit says when', async () => {
    const key = randomUUID()
    const start = Date.now()
    const first = await hit(key, 60_000)
    const end = Date.now()
    await pass(400)
    const second = await hit(key, 60_000)
    expect(Number(first.resetTime)).toBeGreaterThanOrEqual(start + 59_990)
    expect(Number(first.resetTime)).toBeLessThanOrEqual(end + 60_000)
    // A window that began anew would end at least as much later as time has passed.
    const passed = Date.now() - end
    expect(Math.abs(Number(second.resetTime) - Number(first.resetTime))).toBeLessThan(passed / 2)
  })

  test('a new window begins at one', async () => {
    const key = randomUUID()
    await hit(key, 150)
    await hit(key, 150)
    await pass(180)
    expect((await hit(key, 150)).count).toBe(1)
  })

  test('each key is counted separately, with any name', async () => {
    const id = randomUUID()
    const keys = ['a', 'A', 'a:b', 'ä', '__proto__', 'constructor', 'x y', '*', 'a\nb', ''].map((key) => `${key}${id}`)
    for (const key of keys) expect((await hit(key)).count).toBe(1)
    for (const key of keys) expect((await hit(key)).count).toBe(2)
  })

  test('a key that is reset starts again at zero', async () => {
    const key = randomUUID()
    await hit(key)
    await storeOf().resetKey(key)
    expect((await hit(key)).count).toBe(1)
    await storeOf().resetKey(randomUUID())
  })

  test('a hit is taken back, never below zero', async () => {
    const key = randomUUID()
    await hit(key)
    await hit(key)
    await storeOf().decrement(key)
    expect((await hit(key)).count).toBe(2)
    const other = randomUUID()
    await storeOf().decrement(other)
    expect((await hit(other)).count).toBe(1)
  })

  test('hazard races: of 200 hits at once no two get the same number', async () => {
    const key = randomUUID()
    const hits = await Promise.all(Array.from({ length: 200 }, () => hit(key)))
    expect(hits.map(({ count }) => count).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    )
  })

  test.each([
    ['sliding window', slidingWindow],
    ['token bucket', tokenBucket],
  ])('%s: max hits pass at once, and no more', async (_, algorithm) => {
    expect(await counts(randomUUID(), 7, algorithm, 5)).toEqual([1, 2, 3, 4, 5, 6, 6])
  })

  test('sliding window: hits leave with the window that they were in', async () => {
    const key = randomUUID()
    await counts(key, 5, slidingWindow, 4, 1000)
    await pass(2100)
    expect(await counts(key, 5, slidingWindow, 4, 1000)).toContain(4)
  })

  test('token bucket: tokens come back one after the other', async () => {
    const key = randomUUID()
    expect(await counts(key, 5, tokenBucket, 4, 8000)).toEqual([1, 2, 3, 4, 5])
    await pass(2010)
    expect(await counts(key, 2, tokenBucket, 4, 8000)).toEqual([4, 5])
  })

  test('token bucket: a refused hit says when the next token comes', async () => {
    const key = randomUUID()
    const start = Date.now()
    await counts(key, 2, tokenBucket, 2, 120_000)
    const { count, resetTime } = await storeOf().increment(key, 120_000, { max: 2, algorithm: tokenBucket })
    expect(count).toBe(3)
    expect(Number(resetTime)).toBeGreaterThanOrEqual(start + 59_990)
    expect(Number(resetTime)).toBeLessThanOrEqual(Date.now() + 60_001)
  })

  test.each([
    ['sliding window', slidingWindow],
    ['token bucket', tokenBucket],
  ])('%s: of 200 hits at once exactly max pass', async (_, algorithm) => {
    const key = randomUUID()
    const hits = await Promise.all(
      Array.from({ length: 200 }, () => storeOf().increment(key, 600_000, { max: 50, algorithm })),
    )
    expect(hits.filter(({ count }) => count <= 50)).toHaveLength(50)
  })
}

describe('memory', () => {
  const store = memoryRateLimit() as Required<RateLimitStore>
  contract(() => store, skip)
})

describe('Durable Object', () => {
  const { namespace, objects, ring } = createNamespace(rateLimitObject([slidingWindow, tokenBucket]))
  const store = durableObjectRateLimit(namespace)
  contract(() => store, skip)

  test('an alarm empties the storage once the window is over, and not before', async () => {
    await store.increment('short', 40)
    await ring('short')
    expect(objects.get('short')!.data.size).toBe(1)
    expect(objects.get('short')!.alarm).toBeGreaterThan(0)
    await skip(60)
    await ring('short')
    expect(objects.get('short')!.data.size).toBe(0)
  })

  test('an algorithm that the object does not know is an error', async () => {
    const plain = durableObjectRateLimit(createNamespace(rateLimitObject()).namespace)
    await expect(async () => plain.increment('a', 1000, { max: 1, algorithm: tokenBucket })).rejects.toThrow(
      'no algorithm token-bucket',
    )
  })

  test('a missing binding is refused', () => {
    expect(() => durableObjectRateLimit(undefined as never)).toThrow('durableObjectRateLimit: namespace: expected')
  })
})

describeService('redis', 'Redis', (url) => {
  describe.each(redisClients)('through %s', (_, connect) => {
    const prefix = `test:${randomUUID()}:`
    let connection: RedisConnection
    let store: Required<RateLimitStore>

    beforeAll(async () => {
      connection = await connect(url)
      const send = (args: string[]) => connection.send(args)
      store = redisRateLimit({ send, prefix }) as Required<RateLimitStore>
    })
    afterAll(async () => {
      const keys = (await connection.send(['KEYS', `${prefix}*`])) as string[]
      if (keys.length) await connection.send(['DEL', ...keys])
      await connection.close()
    })

    contract(() => store, sleep)

    test('every key expires by itself, also one that had lost its end', async () => {
      const key = randomUUID()
      await connection.send(['SET', prefix + key, '5'])
      expect((await store.increment(key, 10_000)).count).toBe(6)
      for (const algorithm of [slidingWindow, tokenBucket])
        await store.increment(key + algorithm.name, 10_000, { max: 5, algorithm })
      const keys = (await connection.send(['KEYS', `${prefix}${key}*`])) as string[]
      expect(keys).toHaveLength(3)
      for (const each of keys) expect(Number(await connection.send(['PTTL', each]))).toBeGreaterThan(0)
    })

    test('a key of another type is an error, not a way through', async () => {
      const key = randomUUID()
      await connection.send(['HSET', prefix + key, 'a', '1'])
      await expect(async () => store.increment(key, 1000)).rejects.toThrow(/WRONGTYPE/)
    })
  })

  test('hazard store down: no reply within timeoutMs is an error', async () => {
    const store = redisRateLimit({ send: () => new Promise(() => {}), timeoutMs: 30 })
    await expect(async () => store.increment('a', 1000)).rejects.toThrow('Redis did not answer EVAL within 30 ms')
  })

  test.each([
    [{ send: undefined }, 'redisRateLimit: send: expected a function, got undefined'],
    [
      { send: async () => {}, timeoutMs: 0 },
      'redisRateLimit: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 0',
    ],
  ])('the options %j are refused', (options, message) => {
    expect(() => redisRateLimit(options as never)).toThrow(message)
  })
})
