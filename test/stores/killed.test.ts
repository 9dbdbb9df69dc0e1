import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { cache } from '../../src/middleware/cache.ts'
import { idempotency } from '../../src/middleware/idempotency.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { serve } from '../../src/serve.ts'
import { redisCache } from '../../src/stores/redis-cache.ts'
import { redisIdempotency } from '../../src/stores/redis-idempotency.ts'
import { redisRateLimit } from '../../src/stores/redis-rate-limit.ts'
import { redisSession } from '../../src/stores/redis-session.ts'
import { describeService } from '../services.ts'
import { canStart, ended, startServer } from '../stoppable-server.ts'
import { redisClients } from './clients.ts'

/** How long a request may take before it counts as hung, in milliseconds. */
const HUNG_MS = 20_000
const SECRET = 'a secret of at least thirty-two bytes'

/** Paths, and their status while Redis is away, as the pages of the middleware say. */
const DOCUMENTED = {
  'GET /session': 500,
  'GET /session/open': 200,
  'GET /limited': 500,
  'GET /limited/open': 200,
  'GET /cached': 200,
  'POST /once': 500,
}
type Use = keyof typeof DOCUMENTED
const USES = Object.keys(DOCUMENTED) as Use[]

const appOf = (send: (args: string[]) => Promise<unknown>, paid: () => void | Promise<void>) => {
  const app = createApp()
  const options = { send, timeoutMs: 500 }
  const visits = (passOnStoreError: boolean) =>
    session({ secret: SECRET, store: redisSession(options), passOnStoreError })
  const limit = (passOnStoreError: boolean) =>
    rateLimiter({
      max: 1e9,
      windowMs: 60_000,
      store: redisRateLimit(options),
      passOnStoreError,
      keyGenerator: () => 'k',
    })
  const count = (ctx: { state: { session: Record<string, any> } }) => {
    ctx.state.session.count = (ctx.state.session.count ?? 0) + 1
    return json(ctx.state.session)
  }
  app.get('/session', visits(false), count)
  app.get('/session/open', visits(true), count)
  app.get('/limited', limit(false), () => json(1))
  app.get('/limited/open', limit(true), () => json(1))
  app.get('/cached', cache({ store: redisCache(options), maxAge: 60 }), () => json(1))
  app.post('/once', idempotency({ scope: () => '', store: redisIdempotency(options) }), async () => {
    await paid()
    return json(1)
  })
  return app
}

describe.each(redisClients)('a Redis that is killed with kill -9, through %s', (_, connect) => {
  describeService('redis', 'while requests use it', () => {
    const begin = async (paid: () => void | Promise<void> = () => {}) => {
      const redis = await startServer('redis')
      const { send, close } = await vi.waitFor(() => connect(`redis://127.0.0.1:${redis.port}`), { timeout: 10_000 })
      ended.push(close)
      const server = await serve(appOf(send, paid).fetch, { port: 0, hostname: '127.0.0.1', graceMs: 1000 })
      ended.push(() => server.close())
      const ask = async (use: Use): Promise<number> => {
        const [method, path] = use.split(' ') as [string, string]
        const headers = { 'idempotency-key': crypto.randomUUID(), connection: 'close' }
        const signal = AbortSignal.timeout(HUNG_MS)
        const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, signal })
        await response.text()
        return response.status
      }
      const askAll = async () => Object.fromEntries(await Promise.all(USES.map(async (use) => [use, await ask(use)])))
      return { redis, ask, askAll }
    }

    test.runIf(canStart('redis'))(
      'every request is answered as documented, and all is well once it is back',
      async () => {
        const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
        const { redis, ask, askAll } = await begin()
        const well = Object.fromEntries(USES.map((use) => [use, 200]))
        expect(await askAll()).toEqual(well)

        let over = false
        const seen: [Use, number][] = []
        const clients = USES.flatMap((use) => [use, use, use]).map(async (use) => {
          while (!over) seen.push([use, await ask(use)])
        })
        await vi.waitFor(() => expect(seen.length).toBeGreaterThan(60), { timeout: 20_000 })
        expect(new Set(seen.map(([, status]) => status))).toEqual(new Set([200]))
        // Some commands are sent and never answered
        await redis.stop()
        await redis.kill()
        const before = seen.length
        await vi.waitFor(() => expect(seen.length).toBeGreaterThan(before + 60), { timeout: 30_000 })
        expect(await askAll()).toEqual(DOCUMENTED)
        for (const [use, status] of seen.slice(before)) expect([200, DOCUMENTED[use]], use).toContain(status)
        redis.again()
        await vi.waitFor(async () => expect(await askAll()).toEqual(well), { timeout: 30_000, interval: 200 })
        over = true
        await Promise.all(clients)
        printed.mockRestore()
      },
    )

    test.runIf(canStart('redis'))(
      'MX13: work that is done is answered, although its answer cannot be kept',
      async () => {
        const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
        let kill = async () => {}
        const { redis, ask } = await begin(() => kill())
        expect(await ask('POST /once')).toBe(200)
        kill = redis.kill
        expect(await ask('POST /once')).toBe(200)
        expect(printed).toHaveBeenCalled()
        printed.mockRestore()
      },
    )
  })
})
