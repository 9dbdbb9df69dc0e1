import { type CircuitBreaker, createCircuitBreaker } from '../time/circuit-breaker.ts'

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

/** Call a backend, and throw a {@link ChannelError} if it fails or takes too long. */
export const callBackend = async <T>(
  what: string,
  timeoutMs: number,
  work: () => T | Promise<T>,
  breaker: CircuitBreaker = createCircuitBreaker(),
): Promise<T> => {
  const errorOf = (outcome: string) => (): Error => new ChannelError('backend', `${what} ${outcome}`)
  const timeoutError = errorOf(`was not answered within ${timeoutMs} ms`)
  const rejectionError = errorOf('was not sent: the backend does not answer')
  try {
    return await breaker(work, { timeoutMs, timeoutError, rejectionError })
  } catch (error) {
    if (error instanceof ChannelError) throw error
    throw new ChannelError('backend', `${what} failed: ${error instanceof Error ? error.message : error}`, error)
  }
}
