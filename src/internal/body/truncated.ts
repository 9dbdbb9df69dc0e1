import { refusal } from '../error/refusal.ts'

/** The body ended before it was complete: the client is gone, so nobody reads a response. */
export const truncated = (cause?: Error | null): Error =>
  refusal(400, 'Request body is incomplete', cause ? { cause } : undefined)
