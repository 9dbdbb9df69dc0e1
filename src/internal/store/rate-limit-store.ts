import type { Awaitable } from '../types/context.ts'

/** The result of counting a hit. */
export interface RateLimitHit {
  /** Hits in the window, including this one; above `max` if the hit must be refused. */
  readonly count: number
  /** End of the window, in milliseconds since 1970. */
  readonly resetTime: number | Date
}

/** The state of an algorithm for a key. */
export interface RateLimitState extends RateLimitHit {
  readonly resetTime: number
  /** Time at which the state expires and may be dropped, in milliseconds since 1970. */
  readonly expires: number
}

/** An algorithm other than the fixed window, for stores that count in JavaScript and for Redis. */
export interface RateLimitAlgorithm<State extends RateLimitState = any> {
  // any: each algorithm has its own state type; stores only keep the state
  readonly name: string
  /** Count one hit. */
  hit(state: State | undefined, now: number, windowMs: number, max: number): State
  /** The same in Lua: `KEYS[1]`, `ARGV = { windowMs, max }`; returns `{ count, milliseconds until reset }`. */
  readonly script: string
}

/** Parameters for stores that support `algorithms`. */
export interface RateLimitRule {
  readonly max: number
  readonly algorithm: RateLimitAlgorithm
}

/** Where counts are stored. Only `increment` and `resetKey` are required. */
export interface RateLimitStore {
  /** Count a hit, and return the hits in its window, which starts with the first. `rule` comes with an `algorithm`. */
  increment(key: string, windowMs: number, rule?: RateLimitRule): Awaitable<RateLimitHit>
  /** Delete a key. */
  resetKey(key: string): Awaitable<unknown>
  /** Subtract one hit; needed by `skipSuccessfulRequests` and `skipFailedRequests`. */
  decrement?(key: string): Awaitable<unknown>
  /** True if the store supports `rule.algorithm`. */
  readonly algorithms?: boolean
  /** True if several limiters may share it: keys then start with the limiter's name, even if none was given. */
  readonly shared?: boolean
}

/** The state of the fixed window, whose count changes. */
interface CountedState extends RateLimitState {
  count: number
}

/** Count in place while the window lasts. If the clock was set back, the window ends: it would last too long. */
export const fixedWindow = (state: CountedState | undefined, now: number, windowMs: number): CountedState => {
  const remainingMs = state ? state.resetTime - now : 0
  if (!state || remainingMs <= 0 || remainingMs > windowMs)
    return { count: 1, resetTime: now + windowMs, expires: now + windowMs }
  state.count++
  return state
}
