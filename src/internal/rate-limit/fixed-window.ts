/** The state of the fixed window for a key. */
interface Window {
  count: number
  readonly resetTime: number
  readonly expires: number
}

/**
 * Count in place while the window lasts. If the clock was set back, the window ends, because it would otherwise last
 * that much longer.
 */
export const fixedWindow = (state: Window | undefined, now: number, windowMs: number): Window => {
  const remainingMs = state ? state.resetTime - now : 0
  if (!state || remainingMs <= 0 || remainingMs > windowMs)
    return { count: 1, resetTime: now + windowMs, expires: now + windowMs }
  state.count++
  return state
}
