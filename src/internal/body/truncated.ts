import { refusal } from '../error/refusal.ts'

/** The body ended before it was complete: the client disconnected, so no one reads a response. */
export const truncated = (cause?: Error | null): Error =>
  refusal(400, 'Request body is incomplete', cause ? { cause } : undefined)
