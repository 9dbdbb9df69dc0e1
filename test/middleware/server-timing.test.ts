import { describe, expect, test, vi } from 'vitest'
import { addTiming, measure, type ServerTimingOptions, serverTiming } from '../../src/middleware/server-timing.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

/** A clock that goes on by so many milliseconds at each look. */
const clock = (step: number) => {
  let time = 0
  return () => {
    time += step
    return time
  }
}

describe.each(doors)('MX8: serverTiming through %s', (_, door) => {
  const fieldOf = async (handler: (ctx: any) => any, options: ServerTimingOptions = {}, path = '/') => {
    const fetch = door({
      use: [serverTiming({ now: clock(1.5), ...options })],
      routes: [['GET', '/', handler]],
      onError: () => text('sorry', 500),
    })
    const { headers } = await fetch(path)
    return { 'server-timing': headers.get('server-timing'), 'timing-allow-origin': headers.get('timing-allow-origin') }
  }

  test.each<[string, (ctx: any) => any, ServerTimingOptions, string | null]>([
    ['the total', () => text('x'), {}, 'total;dur=1.5'],
    ['no total', () => text('x'), { total: false }, null],
    ['not for this client', (ctx) => measure(ctx, 'db', () => text('x')), { enabled: () => false }, null],
    ['a function', (ctx) => measure(ctx, 'db', () => text('x')), {}, 'db;dur=1.5, total;dur=4.5'],
    ['a promise', async (ctx) => measure(ctx, 'db', async () => text('x')), { total: false }, 'db;dur=1.5'],
    [
      'a description',
      (ctx) => measure(ctx, 'db', () => text('x'), 'say "a\\b"\r\n\u00e9'),
      { total: false },
      'db;desc="say \\"a\\\\b\\"";dur=1.5',
    ],
    [
      'a metric without a time',
      (ctx) => {
        addTiming(ctx, 'cache', undefined, 'miss')
        addTiming(ctx, 'wait', 0.12345)
        addTiming(ctx, 'more', 0.1236)
        return text('x')
      },
      { total: false },
      'cache;desc="miss", wait;dur=0.123, more;dur=0.124',
    ],
    [
      'a time of 0, and an empty description',
      (ctx) => {
        addTiming(ctx, 'cache', 0, '')
        return text('x')
      },
      { total: false },
      'cache;desc="";dur=0',
    ],
    [
      'a metric of the handler itself',
      () => text('x', 200, { 'server-timing': 'own;dur=1' }),
      {},
      'own;dur=1, total;dur=1.5',
    ],
    ['a client that enabled accepts', () => text('x'), { enabled: ({ path }) => path === '/' }, 'total;dur=1.5'],
    [
      'a function that throws',
      (ctx) =>
        measure(ctx, 'db', () => {
          throw new Error('x')
        }),
      { total: false },
      'db;dur=1.5',
    ],
    [
      'a promise that rejects',
      (ctx) => measure(ctx, 'db', () => Promise.reject(new Error('x'))),
      { total: false },
      'db;dur=1.5',
    ],
  ])('MX8: %s', async (_, handler, options, expected) => {
    expect((await fieldOf(handler, options))['server-timing']).toBe(expected)
  })

  test('MX8: measure gives back what the function returns, and throws what it throws', async () => {
    const thrown = new Error('no rows')
    let seen: unknown[] = []
    await fieldOf(async (ctx) => {
      const fails = () => {
        throw thrown
      }
      const caught = await Promise.allSettled([
        measure(ctx, 'a', () => 7),
        measure(ctx, 'b', async () => 8),
        (async () => measure(ctx, 'c', fails))(),
        measure(ctx, 'd', async () => fails()),
      ])
      seen = caught.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))
      return text('x')
    })
    expect(seen).toEqual([7, 8, thrown, thrown])
  })

  test('MX8: a promise is measured until it settles', async () => {
    const { 'server-timing': field } = await fieldOf(
      async (ctx) => {
        const gates: (() => void)[] = []
        const slow = measure(ctx, 'slow', () => new Promise<void>((resolve) => void gates.push(resolve)))
        addTiming(ctx, 'before')
        gates[0]!()
        await slow
        return text('x')
      },
      { total: false },
    )
    expect(field).toBe('before, slow;dur=1.5')
  })

  test('MX8: without crossOrigin no script of another origin may read it', async () => {
    expect(await fieldOf(() => text('x'))).toEqual({ 'server-timing': 'total;dur=1.5', 'timing-allow-origin': null })
  })

  test.each(['https://a.example', 'https://a.example, http://[::1]:8080'])('MX8: the origins %s', async (origins) => {
    expect(await fieldOf(() => text('x'), { crossOrigin: origins })).toEqual({
      'server-timing': 'total;dur=1.5',
      'timing-allow-origin': origins,
    })
  })

  test('MX8: a lookup that fails has a total, and scripts of other origins may read it', async () => {
    expect(await fieldOf(() => text('x'), { crossOrigin: '*' }, '/none')).toEqual({
      'server-timing': 'total;dur=1.5',
      'timing-allow-origin': '*',
    })
  })

  test('MX8: crossOrigin replaces what the handler says', async () => {
    const handler = () => text('x', 200, { 'timing-allow-origin': '*' })
    expect((await fieldOf(handler, { crossOrigin: 'https://a.example' }))['timing-allow-origin']).toBe(
      'https://a.example',
    )
  })

  test('MX8: the clock is performance.now', async () => {
    const spy = vi.spyOn(performance, 'now').mockReturnValueOnce(5).mockReturnValueOnce(7)
    try {
      const fetch = door({ use: [serverTiming()], routes: [['GET', '/', () => text('x')]] })
      expect((await fetch('/')).headers.get('server-timing')).toBe('total;dur=2')
    } finally {
      spy.mockRestore()
    }
  })

  test.each([
    ['at most fifty metrics', false, 50],
    ['at most fifty metrics, and the total', true, 51],
  ])('MX8: %s', async (_, total, expected) => {
    const { 'server-timing': field } = await fieldOf(
      (ctx) => {
        for (let index = 0; index < 1000; index++) addTiming(ctx, 'a')
        return text('x')
      },
      { total },
    )
    expect(field!.split(', ').length).toBe(expected)
  })
})

test('MX8: without the middleware, measure runs the function and nothing else', () => {
  const ctx = {}
  expect(measure(ctx, 'db', () => 7)).toBe(7)
  addTiming(ctx, 'db', 1)
  expect(ctx).toEqual({})
})

test('MX8: refuses names and options', () => {
  const message = 'serverTiming: name: expected a token such as "db", got "a b"'
  expect(() => measure({}, 'a b', () => 7)).toThrow(new TypeError(message))
  expect(() => addTiming({}, 'a b')).toThrow(new TypeError(message))
  for (const crossOrigin of ['a\r\nb', '**', 'https://*.example']) {
    const refused = /^serverTiming: crossOrigin: expected "\*" or origins/
    expect(() => serverTiming({ crossOrigin }), crossOrigin).toThrow(refused)
  }
  for (const [name, kind] of Object.entries({
    total: 'boolean',
    enabled: 'function',
    crossOrigin: 'string',
    now: 'function',
  }))
    expect(() => serverTiming({ [name]: 7 })).toThrow(new TypeError(`serverTiming: ${name}: expected a ${kind}, got 7`))
  expect(() => serverTiming({ totals: true } as never)).toThrow(
    new TypeError('serverTiming: totals: unknown option, did you mean "total"?'),
  )
})
