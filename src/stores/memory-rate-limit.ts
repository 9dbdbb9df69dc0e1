import { fixedWindow } from '../internal/fixed-window.ts'
import { need } from '../internal/need.ts'
import type { RateLimitState, RateLimitStore } from './rate-limit-store.ts'

/** Options of {@link memoryRateLimit}. */
export interface MemoryRateLimitOptions {
  /** Most keys that are kept; beyond it the one whose window began first goes. @default 100000 */
  readonly maxKeys?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Count in this process. Bounded, because clients choose the keys, and without timers: what has expired goes when others come.
 *
 * @throws {TypeError} when `maxKeys` is not a positive integer.
 * @example
 * rateLimiter({ max: 100, windowMs: 60_000, store: memoryRateLimit({ maxKeys: 1_000_000 }) })
 */
export const memoryRateLimit = (options: MemoryRateLimitOptions = {}): Required<RateLimitStore> => {
  const { maxKeys = 100_000, now = Date.now } = options
  need(Number.isInteger(maxKeys) && maxKeys > 0, 'maxKeys', maxKeys, 'a positive integer')
  const states = new Map<string, RateLimitState>()

  /** A map keeps insertion order, so the front holds what expires first. */
  const makeRoom = (time: number): void => {
    for (const [key, { expires }] of states) {
      if (expires > time && states.size < maxKeys) return
      states.delete(key)
    }
  }

  return {
    algorithms: true,
    shared: true,
    increment(key, windowMs, rule) {
      const time = now()
      const known = states.get(key)
      const state = rule ? rule.algorithm.step(known, time, windowMs, rule.max) : fixedWindow(known, time, windowMs)
      if (state !== known) {
        states.delete(key)
        makeRoom(time)
        states.set(key, state)
      }
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
