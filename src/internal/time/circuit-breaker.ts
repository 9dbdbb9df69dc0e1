import { inTime } from './in-time.ts'

export type CircuitBreaker = <T>(
  work: () => T | Promise<T>,
  limits: { readonly timeoutMs: number; readonly timeoutError: () => Error; readonly rejectionError: () => Error },
) => Promise<T>

/** Time for which an attempt without an answer keeps others from being sent, in milliseconds. */
const PROBE_TIMEOUT_MS = 30_000

/**
 * Clients of services queue calls that they cannot send. After a call without an answer, one attempt at a time is made,
 * and other calls fail at once with `rejectionError`, until an attempt is answered in time. The next attempt is made
 * when the client has settled the last one, or after 30 seconds, so the queue does not grow while a server is stopped.
 */
export const createCircuitBreaker = (): CircuitBreaker => {
  let isOpen = false
  /** The attempt that the client has not settled. */
  let probe: { readonly since: number } | undefined
  return async (work, { timeoutMs, timeoutError, rejectionError }) => {
    const attempt = { since: performance.now() }
    if (isOpen) {
      if (probe && attempt.since - probe.since < PROBE_TIMEOUT_MS) throw rejectionError()
      probe = attempt
    }
    let isLate = false
    const toError = (): Error => {
      isLate = true
      return timeoutError()
    }
    try {
      const result = await inTime(timeoutMs, toError, async () => {
        try {
          return await work()
        } finally {
          if (probe === attempt) probe = undefined
        }
      })
      isOpen = false
      return result
    } catch (error) {
      isOpen = isLate || isTimeout(error)
      throw error
    }
  }
}

/** The client's own time limit may be shorter. */
const isTimeout = (error: unknown): boolean => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return code === 'ETIMEDOUT' || name === 'TimeoutError'
}
