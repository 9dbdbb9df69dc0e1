import { refusal } from '../error/refusal.ts'

/** The 400 for a body that is not a valid form of its type. */
export const malformed = (cause?: unknown): Error => refusal(400, 'Invalid form', { cause })

export const badForm = (cause: unknown): never => {
  throw malformed(cause)
}
