import { afterEach, describe, expect, test, vi } from 'vitest'
import { clientKey } from '../../src/client-address.ts'
import { type RateLimiterOptions, type RateLimitStore, rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { slidingWindow } from '../../src/rate-limit/sliding-window.ts'
import { tokenBucket } from '../../src/rate-limit/token-bucket.ts'
import { text } from '../../src/respond/text.ts'
import { memoryRateLimit } from '../../src/stores/memory-rate-limit.ts'
import { runs } from '../fuzz.ts'
import { doors } from '../harness.ts'

/** No socket here, so the test says who the peer is. */
vi.mock('#runtime/core', async (original) => ({
  ...(await original<object>()),
  peerOf: (request: Request) => request.headers.get('test-peer') ?? undefined,
}))

afterEach(() => vi.restoreAllMocks())

const EPOCH = 1_700_000_000_000

describe.each(doors)('rateLimiter through %s', (_, door) => {
  /** An application with limiters before everything, its clock, and a client that asks from an address. */
  const serve = (...limiters: Partial<RateLimiterOptions>[]) => {
    const clock = { time: EPOCH }
    const now = () => clock.time
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const fetch = door({
      use: limiters.map((options) => rateLimiter({ max: 2, windowMs: 60_000, now, ...options })),
      routes: [
        ['GET', '/', () => text('ok')],
        ['GET', '/late', () => released.then(() => text('ok'))],
        ['GET', '/fail', () => text('no', 422)],
        [
          'GET',
          '/throw',
          () => {
            throw new Error('no')
          },
        ],
      ],
      onError: (error) => text(String(error), 500),
    })
    const ask = (path = '/', headers: Record<string, string> = {}) =>
      fetch(new Request(`http://localhost${path}`, { headers: { 'test-peer': '192.0.2.1', ...headers } }))
    const statuses = async (count: number, path?: string, headers?: Record<string, string>) => {
      const seen: number[] = []
      for (let index = 0; index < count; index++) seen.push((await ask(path, headers)).status)
      return seen
    }
    return { ask, statuses, clock, release }
  }
  const fieldsOf = (response: Response): Record<string, string> =>
    Object.fromEntries([...response.headers].filter(([name]) => /ratelimit|retry/.test(name)))

  test('ML9 L3: request max + 1 is the first to be refused, and a new window begins when the old one ends', async () => {
    const { statuses, clock } = serve({ max: 3 })
    expect(await statuses(5)).toEqual([200, 200, 200, 429, 429])
    clock.time += 59_999
    expect(await statuses(1)).toEqual([429])
    clock.time += 1
    expect(await statuses(4)).toEqual([200, 200, 200, 429])
  })

  test('ML2 ML3: 429 with the message and the seconds to wait, in body and header', async () => {
    const { ask, statuses, clock } = serve({ max: 1 })
    await statuses(1)
    clock.time += 500
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('application/json')
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await refused.json()).toEqual({ error: 'Too many requests, please try again later.', retryAfter: 60 })
  })

  test('ML2: another message', async () => {
    const refused = await serve({ max: 0, message: 'Slow down' }).ask()
    expect(await refused.json()).toEqual({ error: 'Slow down', retryAfter: 60 })
  })

  test('ML1: max 0 refuses all', async () => {
    expect(await serve({ max: 0 }).statuses(2)).toEqual([429, 429])
  })

  test.each<[string, Partial<RateLimiterOptions>, Record<string, string>]>([
    [
      'draft 6 by default',
      {},
      { 'ratelimit-policy': '2;w=60', 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' },
    ],
    [
      'draft 6 by name',
      { standardHeaders: 'draft-6' },
      { 'ratelimit-policy': '2;w=60', 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' },
    ],
    [
      'draft 7',
      { standardHeaders: 'draft-7' },
      { 'ratelimit-policy': '2;w=60', ratelimit: 'limit=2, remaining=1, reset=60' },
    ],
    [
      'draft 8',
      { standardHeaders: 'draft-8' },
      { 'ratelimit-policy': '"2-in-60sec";q=2;w=60', ratelimit: '"2-in-60sec";r=1;t=60' },
    ],
    [
      'draft 8 with a name',
      { standardHeaders: 'draft-8', name: 'login' },
      { 'ratelimit-policy': '"login";q=2;w=60', ratelimit: '"login";r=1;t=60' },
    ],
    ['none', { standardHeaders: false }, {}],
    [
      'ML5: legacy alone',
      { standardHeaders: false, legacyHeaders: true },
      { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': `${EPOCH / 1000 + 60}` },
    ],
  ])('ML4: %s', async (_, options, expected) => {
    expect(fieldsOf(await serve(options).ask())).toEqual(expected)
  })

  test('ML4 ML9: the remaining requests never fall below zero, and the reset counts down in whole seconds', async () => {
    const { ask, statuses, clock } = serve({ max: 1 })
    await statuses(3)
    clock.time += 30_001
    expect(fieldsOf(await ask())).toMatchObject({
      'ratelimit-remaining': '0',
      'ratelimit-reset': '30',
      'retry-after': '30',
    })
  })

  test.each(['/', '/none', '/fail', '/throw'])('ML4: %s carries the headers', async (path) => {
    expect(fieldsOf(await serve({}).ask(path))).toHaveProperty('ratelimit-limit', '2')
  })

  describe('ML6: whose requests are counted together', () => {
    test('GHSA-xh87-mx6m-69f3, CVE-2026-3635: four forged X-Forwarded-For are one client', async () => {
      const { ask } = serve({ max: 1 })
      const seen: number[] = []
      for (const forged of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) {
        const headers = {
          'x-forwarded-for': forged,
          forwarded: `for=${forged}`,
          'x-real-ip': forged,
          'cf-connecting-ip': forged,
        }
        seen.push((await ask('/', headers)).status)
      }
      expect(seen).toEqual([200, 429, 429, 429])
    })

    test('behind one trusted proxy the client is the address that the proxy saw, regardless of earlier entries', async () => {
      const { ask } = serve({ max: 1, keyGenerator: clientKey({ trustProxy: 1 }) })
      const seen: number[] = []
      for (const list of ['6.6.6.6, 1.1.1.1', '7.7.7.7, 1.1.1.1', '1.1.1.1, 2.2.2.2', '2.2.2.2']) {
        seen.push((await ask('/', { 'x-forwarded-for': list })).status)
      }
      expect(seen).toEqual([200, 429, 200, 429])
    })

    test.each([
      ['two IPv4 addresses', '192.0.2.1', '192.0.2.2', 200],
      ['CVE-2026-39409: an IPv4 address and its mapped form', '192.0.2.1', '::ffff:192.0.2.1', 429],
      ['express-rate-limit 8.2.1: two mapped addresses', '::ffff:192.0.2.1', '::ffff:192.0.2.2', 200],
      ['two addresses of one /56', '2001:db8:0:1200::1', '2001:db8:0:12ff:ffff::9', 429],
      ['two networks', '2001:db8:0:1200::1', '2001:db8:0:1300::1', 200],
      ['two spellings of one address', '2001:db8::1', '2001:DB8:0:0:0:0:0:1', 429],
    ])('%s', async (_, one, other, status) => {
      const { ask } = serve({ max: 1 })
      await ask('/', { 'test-peer': one })
      expect((await ask('/', { 'test-peer': other })).status).toBe(status)
    })

    test('clients without an address share one limit, and a warning says so once', async () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      expect(await serve({ max: 1 }).statuses(3, '/', { 'test-peer': '' })).toEqual([200, 429, 429])
      expect(warn).toHaveBeenCalledOnce()
    })

    test('SPEC 2.5: keyGenerator, also asynchronous', async () => {
      for (const keyGenerator of [(ctx: any) => ctx.header('x-user'), async (ctx: any) => ctx.header('x-user')]) {
        const { ask } = serve({ max: 1, keyGenerator })
        expect((await ask('/', { 'x-user': 'a' })).status).toBe(200)
        expect((await ask('/', { 'x-user': 'b' })).status).toBe(200)
        expect((await ask('/', { 'x-user': 'a' })).status).toBe(429)
      }
    })

    test.each(['__proto__', 'constructor', 'toString'])('a key named %s is counted like any other', async (key) => {
      expect(await serve({ max: 1, keyGenerator: () => key }).statuses(2)).toEqual([200, 429])
    })
  })

  describe('ML7: the store', () => {
    test('SPEC 2.5: increment(key, windowMs) and resetKey(key) are enough, and get the key as it was made', async () => {
      const calls: unknown[][] = []
      const store: RateLimitStore = {
        increment: async (...args) => {
          calls.push(args)
          return { count: calls.length, resetTime: EPOCH + 1000 }
        },
        resetKey: async () => {},
      }
      expect(await serve({ store, keyGenerator: () => 'user-1' }).statuses(3)).toEqual([200, 200, 429])
      expect(calls[0]).toEqual(['user-1', 60_000])
    })

    test('a store without decrement keeps what it has counted, and the response', async () => {
      const store = { increment: () => ({ count: 1, resetTime: EPOCH + 5000 }), resetKey: () => {} }
      expect(await serve({ store, skipSuccessfulRequests: true }).statuses(1)).toEqual([200])
    })

    test('a resetTime may be a Date', async () => {
      const store = { increment: () => ({ count: 1, resetTime: new Date(EPOCH + 5000) }), resetKey: () => {} }
      expect(fieldsOf(await serve({ store }).ask())['ratelimit-reset']).toBe('5')
    })

    test('resetKey lets a client go on', async () => {
      const store = memoryRateLimit({ now: () => EPOCH })
      const { statuses } = serve({ max: 1, store, name: 'api' })
      expect(await statuses(2)).toEqual([200, 429])
      await store.resetKey('api:192.0.2.1')
      expect(await statuses(1)).toEqual([200])
    })

    test.each([
      ['asynchronously', { increment: () => Promise.reject(new Error('store is down')), resetKey: () => {} }],
      [
        'synchronously',
        {
          increment: () => {
            throw new Error('store is down')
          },
          resetKey: () => {},
        },
      ],
    ] as [string, RateLimitStore][])(
      'ML9 hazard store down: one that fails %s refuses by default, and lets pass on request',
      async (_, store) => {
        const closed = await serve({ store }).ask()
        expect({ status: closed.status, text: await closed.text() }).toEqual({
          status: 500,
          text: 'Error: store is down',
        })
        const open = await serve({ store, passOnStoreError: true }).ask()
        expect({ status: open.status, fields: fieldsOf(open) }).toEqual({ status: 200, fields: {} })
      },
    )

    test.each([
      ['rejects', async () => Promise.reject(new Error('no store'))],
      [
        'throws',
        () => {
          throw new Error('no store')
        },
      ],
    ] as [string, () => never][])('ML9: a function for the store that %s is a store that fails', async (_, store) => {
      const closed = await serve({ store }).ask()
      expect({ status: closed.status, text: await closed.text() }).toEqual({ status: 500, text: 'Error: no store' })
      expect((await serve({ store, passOnStoreError: true }).ask()).status).toBe(200)
    })

    test('ML10: no client of a limiter chooses a key of another whose name begins with the same', async () => {
      const store = memoryRateLimit()
      const { ask } = serve(
        { store, name: 'login:ip' },
        { store, name: 'login', keyGenerator: (ctx) => ctx.header('user') ?? 'nobody' },
      )
      for (const peer of ['a', 'b', 'c']) await ask('/', { 'test-peer': peer, user: 'ip:192.0.2.1' })
      expect((await ask('/', { user: 'ada' })).status).toBe(200)
    })

    test.each([
      ['nothing', undefined],
      ['no count', { resetTime: EPOCH }],
      ['text', { count: 'many', resetTime: EPOCH }],
      ['NaN', { count: Number.NaN, resetTime: EPOCH }],
    ])('a store that answers %s lets nobody pass', async (_, hit) => {
      const store = { increment: async () => hit, resetKey: async () => {} } as unknown as RateLimitStore
      expect((await serve({ store }).ask()).status).toBeGreaterThanOrEqual(429)
    })

    test('a store may come with the request, as bindings do', async () => {
      const fetch = door({
        use: [rateLimiter({ max: 1, windowMs: 1000, store: (ctx) => ctx.env.store })],
        routes: [['GET', '/', () => text('ok')]],
      })
      const [one, two] = [memoryRateLimit(), memoryRateLimit()]
      const statuses: number[] = []
      for (const store of [one, one, two]) {
        statuses.push(
          (await fetch(new Request('http://localhost/', { headers: { 'test-peer': '1.1.1.1' } }), { store })).status,
        )
      }
      expect(statuses).toEqual([200, 429, 200])
    })
  })

  describe('ML10: several limiters', () => {
    test('each rate limiter with the default store has its own counts', async () => {
      const { statuses } = serve({ max: 3 }, { max: 2, windowMs: 1000 })
      expect(await statuses(4)).toEqual([200, 200, 429, 429])
    })

    test('on one store two rules do not share a key, and a name tells equal rules apart', async () => {
      const store = memoryRateLimit({ now: () => EPOCH })
      expect(await serve({ max: 3, store }, { max: 2, store }).statuses(3)).toEqual([200, 200, 429])
      expect(await serve({ max: 1, store, name: 'a' }, { max: 1, store, name: 'b' }).statuses(2)).toEqual([200, 429])
    })

    test('draft 8 lists both quotas', async () => {
      const { ask } = serve(
        { standardHeaders: 'draft-8', name: 'outer' },
        { standardHeaders: 'draft-8', name: 'inner', max: 1 },
      )
      expect(fieldsOf(await ask())).toEqual({
        'ratelimit-policy': '"inner";q=1;w=60, "outer";q=2;w=60',
        ratelimit: '"inner";r=0;t=60, "outer";r=1;t=60',
      })
    })

    test('with draft 6 the innermost speaks', async () => {
      expect(fieldsOf(await serve({ max: 9 }, { max: 1 }).ask())).toMatchObject({ 'ratelimit-limit': '1' })
    })
  })

  describe('ML9: requests that do not count', () => {
    test.each([
      ['skip', { skip: (ctx: any) => ctx.header('x-internal') === '1' }],
      ['an asynchronous skip', { skip: async (ctx: any) => ctx.header('x-internal') === '1' }],
    ])('%s', async (_, options) => {
      const { statuses } = serve({ max: 1, ...options })
      expect(await statuses(3, '/', { 'x-internal': '1' })).toEqual([200, 200, 200])
      expect(await statuses(2)).toEqual([200, 429])
    })

    test('skipSuccessfulRequests', async () => {
      const { statuses } = serve({ max: 2, skipSuccessfulRequests: true })
      expect(await statuses(5)).toEqual([200, 200, 200, 200, 200])
      expect(await statuses(3, '/fail')).toEqual([422, 422, 429])
    })

    test('skipFailedRequests, errors included', async () => {
      const { statuses } = serve({ max: 2, skipFailedRequests: true })
      expect(await statuses(3, '/throw')).toEqual([500, 500, 500])
      expect(await statuses(3)).toEqual([200, 200, 429])
    })

    test('a response after the end of its window takes nothing from the next window', async () => {
      const { ask, statuses, clock, release } = serve({ max: 1, skipSuccessfulRequests: true })
      const late = ask('/late')
      clock.time += 60_000
      expect(await statuses(1, '/fail')).toEqual([422])
      release()
      expect((await late).status).toBe(200)
      expect(await statuses(1, '/fail')).toEqual([429])
    })

    test('a hit that cannot be subtracted stays counted, and the response is kept', async () => {
      const inner = memoryRateLimit({ now: () => EPOCH })
      const store = { ...inner, decrement: () => Promise.reject(new Error('down')) }
      expect(await serve({ max: 2, store, skipSuccessfulRequests: true }).statuses(3)).toEqual([200, 200, 429])
    })
  })

  describe('ML10: other algorithms', () => {
    test('hazard window edge: a fixed window lets twice max pass across its edge, a sliding one does not', async () => {
      const burst = async (options: Partial<RateLimiterOptions>) => {
        const { statuses, clock } = serve({ max: 10, ...options })
        clock.time = Math.ceil(EPOCH / 60_000) * 60_000 // the beginning of a window of slidingWindow
        await statuses(1)
        clock.time += 59_000
        const before = await statuses(9)
        clock.time += 1000
        return [...before, ...(await statuses(10))].filter((status) => status === 200).length
      }
      expect(await burst({})).toBe(19)
      expect(await burst({ algorithm: slidingWindow })).toBe(9)
    })

    test('a sliding window frees places as the window before goes out of sight', async () => {
      const { statuses, clock } = serve({ max: 10, algorithm: slidingWindow })
      clock.time = Math.ceil(EPOCH / 60_000) * 60_000
      expect(await statuses(11)).toEqual([...Array(10).fill(200), 429])
      clock.time += 60_000 + 30_000
      expect(await statuses(6)).toEqual([...Array(5).fill(200), 429])
      clock.time += 120_000
      expect(await statuses(11)).toEqual([...Array(10).fill(200), 429])
    })

    test('a token bucket lets a burst pass, then one request for each share of the window', async () => {
      const { ask, statuses, clock } = serve({ max: 6, algorithm: tokenBucket })
      expect(await statuses(7)).toEqual([...Array(6).fill(200), 429])
      expect((await ask()).headers.get('retry-after')).toBe('10')
      clock.time += 9_999
      expect(await statuses(1)).toEqual([429])
      clock.time += 1
      expect(await statuses(2)).toEqual([200, 429])
      clock.time += 30_000
      expect(await statuses(4)).toEqual([200, 200, 200, 429])
    })

    test.each([
      ['max 0', { max: 0 }, [429]],
      ['thirds of a window', { max: 3, windowMs: 1000 }, [200, 200, 200, 429]],
    ])('a token bucket with %s', async (_, options, expected) => {
      expect(await serve({ algorithm: tokenBucket, ...options }).statuses(expected.length)).toEqual(expected)
    })
  })

  test('hazard clock: setting the clock back by a day does not block clients for a day', async () => {
    for (const algorithm of [undefined, slidingWindow, tokenBucket]) {
      const { statuses, clock } = serve({ max: 1, ...(algorithm && { algorithm }) })
      expect(await statuses(2)).toEqual([200, 429])
      clock.time -= 86_400_000
      await statuses(1)
      clock.time += 120_000
      expect(await statuses(1)).toEqual([200])
    }
  })

  test('synchronous handlers stay synchronous: the memory store adds no promise', () => {
    const middleware = rateLimiter({ max: 1, windowMs: 1000, keyGenerator: () => 'a' })
    const ctx = { onResponse: () => {} }
    const answer = new Response('ok')
    expect(middleware(ctx as never, () => answer)).toBe(answer)
  })
})

test.each([
  [{ max: 1.5 }, 'max: expected a whole number of requests from 0, got 1.5'],
  [{ max: -1 }, ', got -1'],
  [{ max: undefined }, 'rateLimiter: max: '],
  [{ max: '5' }, ', got "5"'],
  [{ windowMs: 0 }, 'from 1, got 0'],
  [{ windowMs: undefined }, 'rateLimiter: windowMs: '],
  [{ windowMs: Number.POSITIVE_INFINITY }, ', got Infinity'],
  [{ standardHeaders: 'draft-9' }, 'got "draft-9"'],
  [{ standardHeaders: 'draft-66' }, 'got "draft-66"'],
  [{ name: 'a"b' }, 'rateLimiter: name: '],
  [{ name: 'ä' }, 'got "ä"'],
  [{ algorithm: slidingWindow, skipFailedRequests: true }, 'got "sliding-window"'],
  [{ algorithm: slidingWindow, store: { increment: () => {}, resetKey: () => {} } }, 'got "sliding-window"'],
])('ML1: the options %j are refused when made', (options, message) => {
  const make = () => rateLimiter({ max: 1, windowMs: 1000, ...options } as unknown as RateLimiterOptions)
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})

test('ML8: with up to a million distinct keys no map holds more than maxKeys, and each key costs two writes at most', () => {
  // More keys than the store keeps, twice over
  const total = runs(1_000_000, 50)
  const store = memoryRateLimit({ maxKeys: 10_000, now: () => EPOCH })
  const { set } = Map.prototype
  let [writes, largest] = [0, 0]
  const spy = vi.spyOn(Map.prototype, 'set').mockImplementation(function (this: Map<unknown, unknown>, key, value) {
    writes++
    set.call(this, key, value)
    largest = Math.max(largest, this.size)
    return this
  })
  for (let key = 0; key < total; key++) store.increment(`10.${key}`, 60_000)
  spy.mockRestore()
  expect(writes).toBeLessThanOrEqual(2 * total)
  expect(largest).toBeLessThanOrEqual(10_000)
  // the newest half is known, what came long before is not
  const countOf = (key: number) => (store.increment(`10.${key}`, 60_000) as { count: number }).count
  expect({ newest: countOf(total - 1), older: countOf(total - 4_999) }).toEqual({ newest: 2, older: 2 })
  expect(countOf(5)).toBe(1)
})

test('ML8: a limiter of short windows on the same store does not drop the counts of a long one', () => {
  let time = 1
  const store = memoryRateLimit({ now: () => time })
  store.increment('long', 1_000_000)
  for (time = 1; time < 900_000; time += 1000) store.increment(`short ${time}`, 10)
  expect((store.increment('long', 1_000_000) as { count: number }).count).toBe(2)
})

test('ML8: what has expired goes when others come, without a timer', () => {
  const timers = vi.spyOn(globalThis, 'setInterval')
  let time = 1
  const store = memoryRateLimit({ now: () => time })
  for (let key = 0; key < 1000; key++) store.increment(`${key}`, 1000)
  for (const later of [1002, 2004]) {
    time = later
    store.increment(`late ${later}`, 1000)
  }
  time = 500 // if they were still there, the clock that was set back would show them
  expect((store.increment('7', 1000) as { count: number }).count).toBe(1)
  expect(timers).not.toHaveBeenCalled()
  expect(() => memoryRateLimit({ maxKeys: 1 })).toThrow(
    'memoryRateLimit: maxKeys: expected a whole number of keys from 2, got 1',
  )
})
