import { checkNames, checkWhole } from '../internal/options/check.ts'
import { fixedWindow, type RateLimitState, type RateLimitStore } from '../internal/store/rate-limit-store.ts'
import { createRecent } from '../internal/store/recent.ts'

/** Options of {@link memoryRateLimit}. */
export interface MemoryRateLimitOptions {
  /** Maximum number of keys; the more recently used half is always kept. @default 100000 */
  readonly maxKeys?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Count in this process. Bounded and without timers: expired keys are removed when new ones arrive.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * rateLimiter({ max: 100, windowMs: 60_000, store: memoryRateLimit({ maxKeys: 1_000_000 }) })
 */
export const memoryRateLimit = (options: MemoryRateLimitOptions = {}): Required<RateLimitStore> => {
  checkNames('memoryRateLimit', options, 'maxKeys now:function')
  const { maxKeys = 100_000, now = Date.now } = options
  checkWhole(maxKeys, 'memoryRateLimit: maxKeys', 'keys', 2)
  const states = createRecent<RateLimitState>(maxKeys, now)

  return {
    algorithms: true,
    shared: true,
    increment(key, windowMs, rule) {
      const time = now()
      const previous = states.get(key)
      const state = rule
        ? rule.algorithm.hit(previous, time, windowMs, rule.max)
        : fixedWindow(previous, time, windowMs)
      if (state !== previous) states.set(key, state)
      // A copy, because the state continues to change
      return { count: state.count, resetTime: state.resetTime }
    },
    decrement(key) {
      const state = states.get(key) as { count: number } | undefined
      if (state?.count) state.count--
    },
    resetKey(key) {
      states.delete(key)
    },
  }
}
