import type { Awaitable } from '../context.ts'

/** What a store answers to a hit. */
export interface RateLimitHit {
  /** Hits in the window, this one included; above `max` when it was one too many. */
  readonly count: number
  /** When the window ends, in milliseconds since 1970. */
  readonly resetTime: number | Date
}

/** What an algorithm keeps for a key. */
export interface RateLimitState extends RateLimitHit {
  readonly resetTime: number
  /** From when on the state says nothing more and may be dropped, in milliseconds since 1970. */
  readonly expires: number
}

/**
 * A way of counting other than the fixed window: `slidingWindow` or `tokenBucket`. Written twice, for stores that
 * count in JavaScript and for Redis; a test holds the two to the same answers.
 */
export interface RateLimitAlgorithm<State extends RateLimitState = any> {
  // any: each algorithm knows its own state, stores only keep it
  readonly name: string
  /** Count one hit. */
  hit(state: State | undefined, now: number, windowMs: number, max: number): State
  /** The same in Lua: `KEYS[1]`, `ARGV = { windowMs, max }`; returns `{ count, milliseconds until reset }`. */
  readonly script: string
}

/** What stores that do more than the fixed window need to know. */
export interface RateLimitRule {
  readonly max: number
  readonly algorithm: RateLimitAlgorithm
}

/** Where counts live. `increment` and `resetKey` are enough. */
export interface RateLimitStore {
  /**
   * Count a hit and tell how many there are in the window, which starts with the first. `rule` comes only with an
   * `algorithm`.
   */
  increment(key: string, windowMs: number, rule?: RateLimitRule): Awaitable<RateLimitHit>
  /** Forget a key. */
  resetKey(key: string): Awaitable<unknown>
  /** Take one hit back; needed by `skipSuccessfulRequests` and `skipFailedRequests`. */
  decrement?(key: string): Awaitable<unknown>
  /** True when it counts by `rule.algorithm` where there is one. */
  readonly algorithms?: boolean
  /** True when several limiters use it: keys then start with the limiter's name, also where none was given. */
  readonly shared?: boolean
}
