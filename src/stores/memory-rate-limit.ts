import { fixedWindow } from '../internal/fixed-window.ts'
import { need } from '../internal/need.ts'
import { createRecent } from '../internal/recent.ts'
import type { RateLimitState, RateLimitStore } from './rate-limit-store.ts'

/** Options of {@link memoryRateLimit}. */
export interface MemoryRateLimitOptions {
  /** Most keys that are kept; the half of them that was used last always is. @default 100000 */
  readonly maxKeys?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Count in this process. Bounded, because clients choose the keys, and without timers: what has expired goes when
 * others come.
 *
 * @throws {TypeError} when `maxKeys` is not a whole number from 2.
 * @example
 * rateLimiter({ max: 100, windowMs: 60_000, store: memoryRateLimit({ maxKeys: 1_000_000 }) })
 */
export const memoryRateLimit = (options: MemoryRateLimitOptions = {}): Required<RateLimitStore> => {
  const { maxKeys = 100_000, now = Date.now } = options
  need(Number.isInteger(maxKeys) && maxKeys > 1, 'maxKeys', maxKeys, 'a whole number from 2')
  const states = createRecent<RateLimitState>(maxKeys)

  return {
    algorithms: true,
    shared: true,
    increment(key, windowMs, rule) {
      const time = now()
      const known = states.get(key)
      const state = rule ? rule.algorithm.step(known, time, windowMs, rule.max) : fixedWindow(known, time, windowMs)
      if (state !== known) states.set(key, state, time, state.expires - time)
      // a copy: the state goes on counting
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
