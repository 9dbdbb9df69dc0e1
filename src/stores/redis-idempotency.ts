import type { IdempotencyStore } from '../internal/store/idempotency-store.ts'
import { type RedisOptions, redisClient, replyText } from '../internal/store/redis.ts'

export type { RedisSend } from '../internal/store/redis.ts'

/** Options of {@link redisIdempotency}. */
export interface RedisIdempotencyOptions extends RedisOptions {
  /** Prefix of every key. @default 'sluice:idempotency:' */
  readonly prefix?: string
}

/** A client that has lost its connection may send it again: a claim that is already there is its own. */
const TAKE = `
local there = redis.call('GET', KEYS[1])
if there == ARGV[1] then return false end
if there then return there end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return false`

const REPLACE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1`

const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

/**
 * Store responses in Redis or Valkey. All processes share them, and Redis deletes them when they expire.
 *
 * @throws {TypeError} if `send` is not a function.
 * @example
 * idempotency({ store: redisIdempotency({ send: (args) => client.sendCommand(args) }), scope })
 */
export const redisIdempotency = (options: RedisIdempotencyOptions): IdempotencyStore => {
  const { run } = redisClient('redisIdempotency', options, 'sluice:idempotency:')
  return {
    take: async (key, claim, seconds) => replyText(await run(TAKE, key, claim, `${seconds}`)),
    replace: (key, claim, value, seconds) => run(REPLACE, key, claim, value, `${seconds}`),
    release: (key, claim) => run(RELEASE, key, claim),
  }
}
