import { refusal } from '../error/answer.ts'

/** The body ended before it was complete: the client is gone, so nobody reads a response. */
export const truncated = (cause?: Error | null): Error => {
  const error = 'Request body is incomplete'
  return refusal(400, error, undefined, new Error(error, cause ? { cause } : {}))
}
