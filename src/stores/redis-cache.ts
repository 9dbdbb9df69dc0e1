import { MAX_FILL_SECONDS, NEVER, taggedStore } from '../internal/cache/tagged-store.ts'
import type { CacheStore } from '../internal/store/cache-store.ts'
import { type RedisOptions, redisClient, replyText } from '../internal/store/redis.ts'

export type { RedisSend } from '../internal/store/redis.ts'

/** Options of {@link redisCache}. */
export interface RedisCacheOptions extends RedisOptions {
  /** Prefix of every key. @default 'sluice:cache:' */
  readonly prefix?: string
}

/** See `StringStore.replace`: the script compares the deletion and writes the entry in one step. */
const REPLACE = `
local deletedAt = redis.call('GETRANGE', KEYS[1], 0, 15)
local time = redis.call('TIME')[1]
if deletedAt >= ARGV[1] or time - string.sub(ARGV[1], 1, 10) >= ${MAX_FILL_SECONDS} then return 0 end
if deletedAt == '' then deletedAt = '${NEVER}' end
redis.call('SET', KEYS[1], deletedAt .. ARGV[1] .. ARGV[2], 'EX',
math.max(ARGV[3], string.sub(deletedAt, 1, 10) + ${MAX_FILL_SECONDS} - time))
return 1`

/** See `StringStore.recordDeletion`. */
const RECORD_DELETION = `
local deletedAt = redis.call('GETRANGE', KEYS[1], 0, 15)
redis.call('SET', KEYS[1], deletedAt > ARGV[1] and deletedAt or ARGV[1], 'EX', ARGV[2])`

/** A script with a key, so that all ask one node of a cluster: the clocks of nodes differ. */
const TIME = "return redis.call('TIME')"

/**
 * Store responses in Redis or Valkey, for all processes together. Redis deletes them when they expire; limit its memory
 * with `maxmemory` and an eviction policy.
 *
 * @throws {TypeError} if `send` is not a function.
 * @example
 * cache({ store: redisCache({ send: (args) => client.sendCommand(args) }) })
 */
export const redisCache = (options: RedisCacheOptions): CacheStore => {
  const { command, run } = redisClient('redisCache', options, 'sluice:cache:')
  return taggedStore({
    get: async (key) => replyText(await command('GET', key)),
    recordDeletion: (key, moment, ttlSeconds) => run(RECORD_DELETION, key, moment, `${ttlSeconds}`),
    replace: (key, begun, json, ttlSeconds) => run(REPLACE, key, begun, json, `${ttlSeconds}`),
    async time() {
      const [seconds, microseconds] = (await run(TIME, 'time')) as [unknown, unknown]
      return `${seconds}${`${microseconds}`.padStart(6, '0')}`
    },
  })
}
