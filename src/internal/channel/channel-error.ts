import type { CircuitBreaker } from '../time/circuit-breaker.ts'
import { inTime } from '../time/in-time.ts'

/** Why a subscription or a publish has ended. */
export type ChannelErrorCode = 'overflow' | 'backend' | 'closed' | 'too_large'

/**
 * Thrown by a subscription that ended, or by a publish that failed.
 *
 * - `overflow`: the subscriber read its events too slowly, and its queue was full.
 * - `backend`: the backend did not respond in time, or has given up; `cause` says why.
 * - `closed`: the channel was closed.
 * - `too_large`: the event has more bytes than the channel or its backend accepts.
 */
export class ChannelError extends Error {
  override readonly name = 'ChannelError'
  readonly code: ChannelErrorCode

  constructor(code: ChannelErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Call a backend, and throw a {@link ChannelError} if it fails or takes longer than so many milliseconds. */
export const withTimeout = <T>(timeoutMs: number, what: string, work: () => T | Promise<T>): Promise<T> =>
  withChannelErrors(
    what,
    inTime(timeoutMs, () => toTimeoutError(timeoutMs, what), work),
  )

/** Like {@link withTimeout}, with a circuit breaker: a backend without an answer is not called by all who publish. */
export const withBreaker = <T>(
  breaker: CircuitBreaker,
  timeoutMs: number,
  what: string,
  work: () => T | Promise<T>,
): Promise<T> => {
  const rejectionError = (): Error => new ChannelError('backend', `${what} was not sent: the backend does not answer`)
  return withChannelErrors(
    what,
    breaker(work, { timeoutMs, timeoutError: () => toTimeoutError(timeoutMs, what), rejectionError }),
  )
}

const toTimeoutError = (timeoutMs: number, what: string): Error =>
  new ChannelError('backend', `${what} was not answered within ${timeoutMs} ms`)

const withChannelErrors = async <T>(what: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChannelError) throw error
    throw new ChannelError('backend', `${what} failed: ${error instanceof Error ? error.message : error}`, error)
  }
}
