import { describe, expect, test } from 'vitest'
import { createRecent } from '../../src/internal/store/recent.ts'
import { memoryRateLimit } from '../../src/stores/memory-rate-limit.ts'
import { memorySession } from '../../src/stores/memory-session.ts'

const keys = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`)

/** Reading moves a value to the young generation, so each key is read from a store of its own. */
const keptOf = (count: number, read: (key: string) => unknown): string[] =>
  keys(count).filter((key) => read(key) !== undefined)

/** A value that lives for so many milliseconds from 0. */
const lasting = (name: string, life = 1000) => ({ name, expires: life })
type Lasting = ReturnType<typeof lasting>
const atZero = (): number => 0

describe('K7: recent values, at the limits', () => {
  const filled = (max: number, count: number) => {
    const recent = createRecent<Lasting>(max, atZero)
    for (const key of keys(count)) recent.set(key, lasting(key))
    return recent
  }

  test.each([2, 3, 4, 5, 10, 11, 100])(
    'of at most %d values, the half used last is kept and no more than all',
    (max) => {
      const half = Math.floor(max / 2)
      for (let count = 1; count <= 3 * max; count++) {
        const kept = keptOf(count, (key) => filled(max, count).get(key))
        expect(kept.length, `${count} values`).toBeLessThanOrEqual(max)
        expect(kept.slice(-half), `${count} values`).toEqual(keys(count).slice(-half))
      }
    },
  )

  test('4 values: the first two stay until the fifth comes', () => {
    expect(keptOf(4, (key) => filled(4, 4).get(key))).toEqual(['k0', 'k1', 'k2', 'k3'])
    expect(keptOf(5, (key) => filled(4, 5).get(key))).toEqual(['k2', 'k3', 'k4'])
    expect(keptOf(6, (key) => filled(4, 6).get(key))).toEqual(['k2', 'k3', 'k4', 'k5'])
    expect(keptOf(7, (key) => filled(4, 7).get(key))).toEqual(['k4', 'k5', 'k6'])
  })

  test('an odd maximum is rounded down, so that both halves fit', () => {
    expect(keptOf(5, (key) => filled(5, 5).get(key))).toEqual(['k2', 'k3', 'k4'])
  })

  test.each(['a', 'b', 'c', 'd'])(
    'a value that is set again does not take a second slot: %s of four is there',
    (wanted) => {
      const recent = createRecent<Lasting>(4, atZero)
      for (const key of ['a', 'b', 'b', 'a', 'b', 'c', 'd']) recent.set(key, lasting(key))
      expect(recent.get(wanted)?.name).toBe(wanted)
    },
  )

  test('reading keeps a value: it moves to the young half', () => {
    const recent = createRecent<Lasting>(4, atZero)
    for (const key of ['a', 'b', 'c']) recent.set(key, lasting(key))
    expect(recent.get('a')?.name).toBe('a')
    recent.set('d', lasting('d'))
    expect(['a', 'b'].map((key) => recent.get(key)?.name)).toEqual(['a', undefined])
  })

  test('delete removes from both halves', () => {
    const recent = createRecent<Lasting>(4, atZero)
    for (const key of ['a', 'b', 'c']) recent.set(key, lasting(key))
    recent.delete('a')
    recent.delete('c')
    expect(['a', 'b', 'c'].map((key) => recent.get(key)?.name)).toEqual([undefined, 'b', undefined])
  })

  test.each([
    ['at the end of the longest life the generations stay', 100, ['young', 'new', 'old', 'older']],
    ['one millisecond later the young one becomes the old one', 101, ['new', 'young']],
  ])('%s', (_, end, expected) => {
    let time = 0
    const recent = createRecent<Lasting>(4, () => time)
    for (const key of ['old', 'older']) recent.set(key, lasting(key, 100))
    // The second generation begins here, at 0.
    recent.set('young', lasting('young', 100))
    time = end
    recent.set('new', lasting('new', end + 100))
    expect(Array.from(recent.entries(), ([key]) => key).sort()).toEqual([...expected].sort())
    expect(['old', 'young', 'new'].filter((key) => recent.get(key))).toEqual(['new'])
  })
})

describe('K7: memory stores, at the limits', () => {
  test.each([
    [2, 1],
    [10, 5],
    [11, 5],
  ])('memorySession of %d sessions keeps the %d used last, and never more than all', async (maxSessions, half) => {
    for (let count = 1; count <= 3 * maxSessions; count++) {
      const kept: string[] = []
      for (const key of keys(count)) {
        const store = memorySession({ maxSessions, now: () => 0 })
        for (const id of keys(count)) await store.set(id, { id }, 60)
        if (await store.get(key)) kept.push(key)
      }
      expect(kept.length).toBeLessThanOrEqual(maxSessions)
      expect(kept.slice(-half)).toEqual(keys(count).slice(-half))
    }
  })

  test.each([
    [2, 1],
    [10, 5],
    [11, 5],
  ])('memoryRateLimit of %d keys keeps the %d used last, and never more than all', async (maxKeys, half) => {
    for (let count = 1; count <= 3 * maxKeys; count++) {
      const kept: string[] = []
      for (const key of keys(count)) {
        const store = memoryRateLimit({ maxKeys, now: () => 0 })
        for (const id of keys(count)) await store.increment(id, 1000)
        if ((await store.increment(key, 1000)).count === 2) kept.push(key)
      }
      expect(kept.length).toBeLessThanOrEqual(maxKeys)
      expect(kept.slice(-half)).toEqual(keys(count).slice(-half))
    }
  })

  test.each([2, 1000])('%d is a size', (size) => {
    expect(() => memorySession({ maxSessions: size })).not.toThrow()
    expect(() => memoryRateLimit({ maxKeys: size })).not.toThrow()
  })

  test.each([1, 0, -2, 2.5, Number.NaN, Number.POSITIVE_INFINITY, '10'])('%j is no size', (size) => {
    expect(() => memorySession({ maxSessions: size as number })).toThrow(TypeError)
    expect(() => memoryRateLimit({ maxKeys: size as number })).toThrow(TypeError)
  })

  test('a session is there in its last millisecond and gone at its end', async () => {
    let time = 1000
    const store = memorySession({ now: () => time })
    await store.set('a', { a: 1 }, 60)
    time = 60_999
    expect(await store.get('a')).toEqual({ a: 1 })
    expect(await store.destroy('b')).toBe(false)
    time = 61_000
    expect(await store.get('a')).toBeUndefined()
    expect(await store.destroy('a')).toBe(false)
  })

  test('a window counts in its last millisecond and starts again at its end', async () => {
    let time = 1000
    const store = memoryRateLimit({ now: () => time })
    expect(await store.increment('a', 500)).toEqual({ count: 1, resetTime: 1500 })
    time = 1499
    expect(await store.increment('a', 500)).toEqual({ count: 2, resetTime: 1500 })
    time = 1500
    expect(await store.increment('a', 500)).toEqual({ count: 1, resetTime: 2000 })
  })

  test('a hit is taken back once, and never below none', async () => {
    const store = memoryRateLimit({ now: () => 0 })
    await store.increment('a', 1000)
    for (let time = 0; time < 3; time++) await store.decrement('a')
    expect((await store.increment('a', 1000)).count).toBe(1)
  })
})
