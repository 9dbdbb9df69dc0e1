import { describe, expect, test } from 'vitest'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { text } from '../../src/respond/text.ts'
import { memoryRateLimit } from '../../src/stores/memory-rate-limit.ts'
import { doors } from '../harness.ts'

describe.each(doors)('F15: keys that clients choose, through %s', (_, door) => {
  const serve = (shared: boolean) => {
    const keys: string[] = []
    const inner = memoryRateLimit()
    const store = {
      ...inner,
      shared,
      increment: (...args: Parameters<typeof inner.increment>) => {
        keys.push(args[0])
        return inner.increment(...args)
      },
    }
    const fetch = door({
      use: [rateLimiter({ max: 1, windowMs: 60_000, store, keyGenerator: (ctx) => ctx.header('x-key') ?? '' })],
      routes: [['GET', '/', () => text('ok')]],
    })
    const ask = async (key: string): Promise<number> =>
      (await fetch(new Request('http://localhost/', { headers: { 'x-key': key } }))).status
    return { ask, keys }
  }

  test.each([true, false])('no key of a store is long, for any input of clients; shared store: %s', async (shared) => {
    const { ask, keys } = serve(shared)
    for (const length of [128, 129, 1000, 15_000]) expect(await ask('k'.repeat(length))).toBe(200)
    const name = shared ? '1-in-60sec:'.length : 0
    expect(keys.map((key) => key.length - name)).toEqual([128, 50, 50, 50])
  })

  test('long keys are told apart by their last character, and counted', async () => {
    const { ask } = serve(false)
    const long = 'k'.repeat(15_000)
    expect({
      endsInA: await ask(`${long}a`),
      endsInB: await ask(`${long}b`),
      endsInAAgain: await ask(`${long}a`),
    }).toEqual({ endsInA: 200, endsInB: 200, endsInAAgain: 429 })
  })

  test('a key that is written like a digest is not the key that has this digest', async () => {
    const { ask, keys } = serve(false)
    await ask('k'.repeat(200))
    expect(keys[0]).toMatch(/^sha256:[\w-]{43}$/)
    expect(await ask(keys[0]!)).toBe(200)
    expect(keys[1]).not.toBe(keys[0])
  })

  test('a line break in a long key changes nothing', async () => {
    const { keys } = serve(false)
    const limiter = rateLimiter({
      max: 1,
      windowMs: 1,
      keyGenerator: () => `a\n${'b'.repeat(200)}`,
      store: { increment: (key) => ({ count: keys.push(key), resetTime: 0 }), resetKey: () => {} },
    })
    await door({ use: [limiter], routes: [['GET', '/', () => text('ok')]] })('/')
    expect(keys[0]).toMatch(/^sha256:[\w-]{43}$/)
  })
})
