import { type RedisOptions, redisClient } from '../internal/redis.ts'
import type { RateLimitStore } from './rate-limit-store.ts'

export type { RedisSend } from '../internal/redis.ts'

/** Options of {@link redisRateLimit}. */
export interface RedisRateLimitOptions extends RedisOptions {
  /** Stands before all keys. @default 'sluice:limit:' */
  readonly prefix?: string
  /** Clock, in milliseconds since 1970; windows are timed by Redis itself. @default Date.now */
  readonly now?: () => number
}

/** Count, and start the window with the first hit; a key that lost its end gets a new one. */
const FIXED_WINDOW = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }`

/** Take one back from a window that is still open. */
const TAKE_BACK = `
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then return redis.call('DECR', KEYS[1]) end
return 0`

/**
 * Count in Redis or Valkey, for all processes together. Each hit is one script, so no two processes can both take the
 * last place. When Redis is away, hits fail after `timeoutMs`, and the limiter's `passOnStoreError` decides.
 *
 * @throws {TypeError} when `send` is no function.
 * @example
 * const store = redisRateLimit({ send: (args) => client.sendCommand(args) })
 */
export const redisRateLimit = (options: RedisRateLimitOptions): Required<RateLimitStore> => {
  const { prefix = 'sluice:limit:', now = Date.now } = options
  const { command, run } = redisClient(options)
  return {
    algorithms: true,
    shared: true,
    async increment(key, windowMs, rule) {
      const script = rule?.algorithm.script ?? FIXED_WINDOW
      const reply = await run(script, prefix + key, `${windowMs}`, ...(rule ? [`${rule.max}`] : []))
      const [count, left] = reply as [number, number]
      return { count: Number(count), resetTime: now() + Number(left) }
    },
    decrement: (key) => run(TAKE_BACK, prefix + key),
    resetKey: (key) => command('DEL', prefix + key),
  }
}
