import type { RateLimitAlgorithm, RateLimitState } from '../internal/store/rate-limit-store.ts'

/** Two consecutive windows. */
interface SlidingState extends RateLimitState {
  /** Start of the current window, a multiple of its length. */
  readonly start: number
  /** Accepted hits in the previous and in the current window. */
  readonly previous: number
  readonly current: number
}

/**
 * A window that moves with the clock: the hits of the previous window count in proportion to its overlap, as if they
 * were evenly distributed, so a burst at a window boundary cannot pass twice. Refused hits do not count.
 *
 * @example
 * rateLimiter({ max: 100, windowMs: 60_000, algorithm: slidingWindow })
 */
export const slidingWindow: RateLimitAlgorithm<SlidingState> = {
  name: 'sliding-window',
  hit(state, now, windowMs, max) {
    const start = now - (now % windowMs)
    const same = state?.start === start
    const previous = same ? state.previous : state?.start === start - windowMs ? state.current : 0
    const used = Math.floor((previous * (windowMs - (now - start))) / windowMs) + (same ? state.current : 0)
    const fits = used < max
    const count = fits ? used + 1 : max + 1
    const current = (same ? state.current : 0) + (fits ? 1 : 0)
    return { count, resetTime: start + windowMs, expires: start + 2 * windowMs, start, previous, current }
  },
  script: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window, max = tonumber(ARGV[1]), tonumber(ARGV[2])
local start = now - now % window
local state = redis.call('HMGET', KEYS[1], 's', 'p', 'c')
local known = tonumber(state[1] or -1)
local previous, current = 0, 0
if known == start then previous, current = tonumber(state[2]), tonumber(state[3])
elseif known == start - window then previous = tonumber(state[3]) end
local used = math.floor(previous * (window - (now - start)) / window) + current
local count = max + 1
if used < max then
  count = used + 1
  redis.call('HSET', KEYS[1], 's', string.format('%.0f', start), 'p', previous, 'c', current + 1)
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', start + 2 * window - now))
end
return { count, start + window - now }`,
}
