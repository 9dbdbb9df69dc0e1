import { badBody } from './bad-body.ts'

/** A body that is not the form that its type says: 400. A `TypeError`, as Fetch has it. */
export const malformed = (cause?: unknown): Error => badBody('Invalid form', TypeError, cause)

/** @throws always, what {@link malformed} makes */
export const badForm = (cause: unknown): never => {
  throw malformed(cause)
}
