import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CacheEntry, CacheStore } from '../../src/internal/store/cache-store.ts'
import { memoryCache } from '../../src/stores/memory-cache.ts'
import { platformCache } from '../../src/stores/platform-cache.ts'
import { redisCache } from '../../src/stores/redis-cache.ts'
import { describeService } from '../services.ts'
import { fakeCaches } from './fake-caches.ts'

const entry = (tags: string[] = [], size = 3): CacheEntry => ({
  status: 200,
  fields: [
    ['content-type', 'text/plain'],
    ['x-é', 'ü'],
  ],
  body: new Uint8Array(size).map((_, at) => 255 - (at % 256)),
  time: 1_700_000_000_000,
  life: { fresh: 60, whileRevalidate: 0, ifError: 0, age: 0 },
  vary: ['accept'],
  tags,
})

/** What every store does. */
const contract = (make: () => CacheStore): void => {
  test('MX2: gives back what was kept, byte by byte', async () => {
    const store = make()
    await store.set('a', entry([], 20_000), 60)
    expect(await store.get('a')).toEqual(entry([], 20_000))
    expect(await store.get('b')).toBe(undefined)
  })
  test('MX2: the last of a key counts, and a deleted one is gone', async () => {
    const store = make()
    await store.set('a', entry(), 60)
    await store.set('a', entry(['new']), 60)
    expect((await store.get('a'))?.tags).toEqual(['new'])
    await store.delete('a')
    expect(await store.get('a')).toBe(undefined)
  })
  test('MX2: purge removes entries with the tag, and keeps later ones', async () => {
    const store = make()
    await store.set('one', entry(['red', 'blue']), 60)
    await store.set('two', entry(['blue']), 60)
    await store.set('three', entry(), 60)
    await store.purge('red')
    expect({
      one: await store.get('one'),
      two: !!(await store.get('two')),
      three: !!(await store.get('three')),
    }).toEqual({
      one: undefined,
      two: true,
      three: true,
    })
    await store.set('one', entry(['red']), 60)
    expect(await store.get('one')).toBeDefined()
    await store.purge('__proto__')
  })
  test('MX2: a deletion and a purge keep out what was begun before them, and nothing else', async () => {
    const store = make()
    const before = await store.begin!()
    expect(await store.set('b', entry(['blue']), 60, before)).not.toBe(false)
    await store.delete('a')
    await store.purge('red')
    const after = await store.begin!()
    expect(await store.set('a', entry(), 60, before)).toBe(false)
    expect(await store.set('b', entry(['blue', 'red']), 60, before)).toBe(false)
    expect((await store.get('b'))?.tags).toEqual(['blue'])
    expect(await store.set('a', entry(['red']), 60, after)).not.toBe(false)
    expect(await store.get('a')).toEqual(entry(['red']))
    expect(await store.set('b', entry(['blue', 'green']), 60, before)).not.toBe(false)
    expect((await store.get('b'))?.tags).toEqual(['blue', 'green'])
  })
}

describe('memory', () => {
  contract(() => memoryCache())

  test('MX2: an entry exists for its lifetime in seconds and not longer', () => {
    let time = 0
    const store = memoryCache({ now: () => time })
    void store.set('a', entry(), 60)
    time = 59_999
    expect(store.get('a')).toBeDefined()
    time = 60_000
    expect(store.get('a')).toBe(undefined)
  })

  test('MX2: memory is bounded by bytes, and entries in use are kept', () => {
    const store = memoryCache({ maxBytes: 200_000 })
    for (let count = 0; count < 1000; count++) {
      void store.set(`k${count}`, entry([], 1000), 60)
      store.get('k0')
    }
    const kept = Array.from({ length: 1000 }, (_, at) => store.get(`k${at}`)).filter(Boolean).length
    expect(kept * 1500).toBeLessThanOrEqual(200_000)
    expect(kept).toBeGreaterThan(50)
    expect(store.get('k0')).toBeDefined()
  })

  test('MX2: an entry larger than half of the limit is not stored, and removes the old one', () => {
    const store = memoryCache({ maxBytes: 10_000 })
    void store.set('a', entry([], 10), 60)
    void store.set('a', entry([], 5000), 60)
    expect(store.get('a')).toBe(undefined)
  })

  test('MX2: memoryCache: maxBytes: expected a whole number of bytes from 1, got 0', () =>
    expect(() => memoryCache({ maxBytes: 0 })).toThrow('memoryCache: maxBytes: expected a whole number of bytes'))
})

describe('the Cache API', () => {
  contract(() => platformCache({ cache: fakeCaches() }))
  contract(() => {
    const cache = fakeCaches()
    return platformCache({ cache: async () => cache })
  })
  test('MX2: platformCache: cache: expected a Cache, got undefined', () =>
    expect(() => platformCache({} as never)).toThrow('platformCache: cache: expected a Cache'))
})

describeService('redis', 'redis', (url) => {
  const client = createClient({ url })
  let prefix = 0
  beforeAll(() => client.connect())
  afterAll(() => client.close())
  const prefixed = (): string => `files:${process.pid}:${Date.now()}:${prefix++}:`
  const make = (name = prefixed()): CacheStore => redisCache({ send: (args) => client.sendCommand(args), prefix: name })
  contract(make)

  test('MX2: an entry that replaces a longer one is kept for its own lifetime', async () => {
    const name = prefixed()
    const store = make(name)
    await store.set('a', entry(), 3600)
    await store.set('a', entry(), 120)
    expect(await client.ttl(`${name}response:a`)).toBeLessThanOrEqual(120)
    await store.delete('a')
    await store.set('a', entry(), 2)
    // As long as responses that were begun before the deletion may come
    expect(await client.ttl(`${name}response:a`)).toBeGreaterThan(2)
  })
})
