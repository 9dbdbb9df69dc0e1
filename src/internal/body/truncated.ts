import { refusal } from '../error/refusal.ts'

/** The 400 for a body that ended early: the client has disconnected. */
export const truncated = (cause?: Error | null): Error =>
  refusal(400, 'Request body is incomplete', cause ? { cause } : undefined)
