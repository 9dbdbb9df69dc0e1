import { expect, test } from 'vitest'
import { durableObjectRateLimit } from '../../src/stores/durable-object-rate-limit.ts'
import { kvSession } from '../../src/stores/kv-session.ts'
import { redisRateLimit } from '../../src/stores/redis-rate-limit.ts'
import { redisSession } from '../../src/stores/redis-session.ts'
import { sqlSession } from '../../src/stores/sql-session.ts'

const db = { selectFrom: () => {} }
const kv = { get: () => {} }
const send = async (): Promise<unknown> => undefined

test.each<[string, () => unknown]>([
  ['redisRateLimit: send: expected a function, got "redis://x"', () => redisRateLimit({ send: 'redis://x' } as never)],
  ['redisSession: send: expected a function, got undefined', () => redisSession({} as never)],
  [
    'redisSession: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got NaN',
    () => redisSession({ send, timeoutMs: Number.NaN }),
  ],
  ['redisSession: prefix: expected a string, got 5', () => redisSession({ send, prefix: 5 as never })],
  ['kvSession: namespace: expected a KV binding, got undefined', () => kvSession(undefined as never)],
  ['kvSession: prefx: unknown option, did you mean "prefix"?', () => kvSession(kv as never, { prefx: 'x' } as never)],
  ['sqlSession: db: expected a Kysely instance, got undefined', () => sqlSession({} as never)],
  [
    'sqlSession: sweepEvery: expected a whole number of writes from 1, got 0',
    () => sqlSession({ db, sweepEvery: 0 } as never),
  ],
  ['sqlSession: tabel: unknown option, did you mean "table"?', () => sqlSession({ db, tabel: 'x' } as never)],
  [
    'durableObjectRateLimit: namespace: expected a Durable Object binding, got undefined',
    () => durableObjectRateLimit(undefined as never),
  ],
])('%s', (message, make) => {
  expect(make).toThrow(new TypeError(message))
})
