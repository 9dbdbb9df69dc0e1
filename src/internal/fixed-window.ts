import type { RateLimitState } from '../stores/rate-limit-store.ts'

/** Count in place while the window lasts. A clock that was set back ends it, else it would last as much longer. */
export const fixedWindow = (state: RateLimitState | undefined, now: number, windowMs: number): RateLimitState => {
  const left = state ? state.resetTime - now : 0
  if (left <= 0 || left > windowMs) return { count: 1, resetTime: now + windowMs, expires: now + windowMs }
  ;(state as { count: number }).count++
  return state!
}
