import { Redis } from 'ioredis'
import { expect, test, vi } from 'vitest'
import { redisCache } from '../../src/stores/redis-cache.ts'
import { redisIdempotency } from '../../src/stores/redis-idempotency.ts'
import { redisRateLimit } from '../../src/stores/redis-rate-limit.ts'
import { type RedisSend, redisSession } from '../../src/stores/redis-session.ts'
import { describeService } from '../services.ts'
import { canStart, ended, startServer } from '../stoppable-server.ts'

/** One use of each store: its name, and what it does with Redis. */
const uses: readonly [string, (send: RedisSend) => () => unknown][] = [
  ['redisSession', (send) => redisStore(redisSession({ send, timeoutMs: 300 }), (store) => store.get('a'))],
  [
    'redisRateLimit',
    (send) => redisStore(redisRateLimit({ send, timeoutMs: 300 }), (store) => store.increment('a', 1000)),
  ],
  ['redisCache', (send) => redisStore(redisCache({ send, timeoutMs: 300 }), (store) => store.get('a'))],
  [
    'redisIdempotency',
    (send) => redisStore(redisIdempotency({ send, timeoutMs: 300 }), (store) => store.take('a', 'claim', 60)),
  ],
]
const redisStore =
  <Store>(store: Store, use: (store: Store) => unknown) =>
  () =>
    use(store)

describeService('redis', 'a Redis that accepts and never answers', () => {
  test.runIf(canStart('redis')).each(uses)(
    'CH1: %s sends one command to it at a time, and tells others at once',
    async (_, open) => {
      const server = await startServer('redis')
      const client = new Redis(server.port, '127.0.0.1', { retryStrategy: () => 50 })
      client.on('error', () => {})
      ended.push(() => client.disconnect())
      await vi.waitFor(() => client.ping(), { timeout: 10_000 })
      const send = vi.fn<RedisSend>(([name, ...args]) => client.call(name!, ...args))
      const store = open(send)
      const use = async (): Promise<unknown> => store()
      await use()
      await server.stop()
      send.mockClear()
      // Nothing is known yet, so both are sent
      for (const late of await Promise.allSettled([use(), use()]))
        expect(late).toMatchObject({ reason: { code: 'ETIMEDOUT', message: expect.stringContaining('within 300 ms') } })
      const attempt = use()
      await expect(attempt).rejects.toThrow(/^Redis did not answer \w+ within 300 ms$/)
      for (let n = 0; n < 1000; n++)
        await expect(use()).rejects.toMatchObject({
          code: 'ETIMEDOUT',
          message: expect.stringMatching(/^\w+ was not sent: Redis does not answer$/),
        })
      expect(send).toHaveBeenCalledTimes(3)
      server.go()
      await vi.waitFor(use, { timeout: 10_000 })
      await Promise.all([use(), use(), use()])
    },
  )
})
