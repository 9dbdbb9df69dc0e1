import { taggedStore } from '../internal/cache/tagged-store.ts'
import { type RedisOptions, redisClient } from '../internal/store/redis.ts'
import type { CacheEntry, CacheStore } from './cache-store.ts'

export type { RedisSend } from '../internal/store/redis.ts'

/** Options of {@link redisCache}. */
export interface RedisCacheOptions extends RedisOptions {
  /** Prefix of every key. @default 'sluice:cache:' */
  readonly prefix?: string
}

/**
 * Store responses in Redis or Valkey, for all processes together. Redis deletes them when they expire; limit its memory
 * with `maxmemory` and an eviction policy.
 *
 * @throws {TypeError} if `send` is not a function.
 * @example
 * cache({ store: redisCache({ send: (args) => client.sendCommand(args) }) })
 */
export const redisCache = (options: RedisCacheOptions): CacheStore => {
  const { prefix = 'sluice:cache:' } = options
  const { command } = redisClient('redisCache', options)
  return taggedStore<CacheEntry>({
    async get(key) {
      const text = await command('GET', prefix + key)
      return text === null || text === undefined ? undefined : String(text)
    },
    set: (key, text, ttlSeconds) => command('SET', prefix + key, text, 'EX', `${ttlSeconds}`),
    delete: (key) => command('DEL', prefix + key),
  })
}
