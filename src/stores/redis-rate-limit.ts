import type { RateLimitStore } from '../internal/store/rate-limit-store.ts'
import { type RedisOptions, redisClient } from '../internal/store/redis.ts'

export type { RedisSend } from '../internal/store/redis.ts'

/** Options of {@link redisRateLimit}. */
export interface RedisRateLimitOptions extends RedisOptions {
  /** Prefix of every key. @default 'sluice:limit:' */
  readonly prefix?: string
  /** Clock, in milliseconds since 1970. Redis itself times the windows. @default Date.now */
  readonly now?: () => number
}

/** Counts a hit. The first one starts the window, and a key without an expiry gets one. */
const FIXED_WINDOW = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }`

/** Subtracts one hit, if the window is still open. */
const TAKE_BACK = `
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then return redis.call('DECR', KEYS[1]) end
return 0`

/**
 * Count in Redis or Valkey, for all processes together. Each hit is one script, so two processes cannot both take the
 * last slot. If Redis does not reply, a hit fails after `timeoutMs`, and the limiter's `passOnStoreError` decides.
 *
 * @throws {TypeError} if `send` is not a function.
 * @example
 * const store = redisRateLimit({ send: (args) => client.sendCommand(args) })
 */
export const redisRateLimit = (options: RedisRateLimitOptions): Required<RateLimitStore> => {
  const { command, run } = redisClient('redisRateLimit', options, 'sluice:limit:', ' now:function')
  const { now = Date.now } = options
  return {
    algorithms: true,
    shared: true,
    async increment(key, windowMs, rule) {
      const script = rule?.algorithm.script ?? FIXED_WINDOW
      const reply = await run(script, key, `${windowMs}`, ...(rule ? [`${rule.max}`] : []))
      const [count, left] = Array.isArray(reply) ? reply : []
      return { count: Number(count), resetTime: now() + Number(left) }
    },
    decrement: (key) => run(TAKE_BACK, key),
    resetKey: (key) => command('DEL', key),
  }
}
