import type { RateLimitAlgorithm, RateLimitState } from '../internal/store/rate-limit-store.ts'

/**
 * A bucket of `max` tokens that refills evenly within a window: a client may send a burst, and then continue at the
 * rate `max / windowMs`. Stored as one number, the time when the bucket is full again (generic cell rate algorithm).
 * That is also the reset; for a refused hit, it is when the next token is available. Refused hits cost nothing.
 *
 * @example
 * rateLimiter({ max: 20, windowMs: 10_000, algorithm: tokenBucket })
 */
export const tokenBucket: RateLimitAlgorithm<RateLimitState> = {
  name: 'token-bucket',
  hit(state, now, windowMs, max) {
    const pace = windowMs / max
    // if the clock was set back, the wait is never longer than a full window
    const previous = Math.min(Math.max(state?.expires ?? now, now), now + windowMs)
    const full = previous + pace
    if (full - now > windowMs + TOLERANCE) return { count: max + 1, resetTime: full - windowMs, expires: previous }
    return { count: Math.ceil((full - now) / pace - TOLERANCE), resetTime: full, expires: full }
  },
  script: `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local window, max = tonumber(ARGV[1]), tonumber(ARGV[2])
local pace = window / max
local before = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or now), now), now + window)
local full = before + pace
if full - now > window + 0.001 then return { max + 1, math.ceil(full - window - now) } end
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return { math.ceil((full - now) / pace - 0.001), math.ceil(full - now) }`,
}

/** Tolerance for floating point errors when a window is divided, in milliseconds. */
const TOLERANCE = 0.001
