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
    const ownProbe = { since: performance.now() }
    if (isOpen) {
      if (probe && ownProbe.since - probe.since < PROBE_TIMEOUT_MS) throw rejectionError()
      probe = ownProbe
    }
    const clearProbe = (): void => {
      if (probe === ownProbe) probe = undefined
    }
    let isLate = false
    const end = (): Error => {
      isLate = true
      return timeoutError()
    }
    try {
      const result = await inTime(timeoutMs, end, async () => {
        try {
          return await work()
        } finally {
          clearProbe()
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
