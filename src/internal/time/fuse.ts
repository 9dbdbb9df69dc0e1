import { inTime } from './in-time.ts'

/** Calls a service while it answers. */
export type Fuse = <T>(
  work: () => T | Promise<T>,
  limits: { readonly timeoutMs: number; readonly late: () => Error; readonly unsent: () => Error },
) => Promise<T>

/** Time for which an attempt without an answer keeps others from being sent, in milliseconds. */
const HOLD_MS = 30_000

/**
 * Clients of services queue calls that they cannot send. So after a call without an answer, one attempt at a time is
 * made, and other calls fail at once with `unsent`, until an attempt is answered in time. The next attempt is made when
 * the client has settled the last one, or after 30 seconds: the queue of a client does not grow while a server is
 * stopped.
 */
export const createFuse = (): Fuse => {
  let silent = false
  /** The attempt that the client has not settled. */
  let trial: { readonly since: number } | undefined
  return async (work, { timeoutMs, late, unsent }) => {
    const ownTrial = { since: performance.now() }
    if (silent) {
      if (trial && ownTrial.since - trial.since < HOLD_MS) throw unsent()
      trial = ownTrial
    }
    const clearTrial = (): void => {
      if (trial === ownTrial) trial = undefined
    }
    let isLate = false
    const end = (): Error => {
      isLate = true
      return late()
    }
    try {
      const result = await inTime(timeoutMs, end, async () => {
        try {
          return await work()
        } finally {
          clearTrial()
        }
      })
      silent = false
      return result
    } catch (error) {
      silent = isLate || isTimeout(error)
      throw error
    }
  }
}

/** The client's own time limit may be shorter. */
const isTimeout = (error: unknown): boolean => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return code === 'ETIMEDOUT' || name === 'TimeoutError'
}
