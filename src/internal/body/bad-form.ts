import { badBody } from './bad-body.ts'

/** The 400 for a body that is not a valid form of its type. A `TypeError`, as in Fetch. */
export const malformed = (cause?: unknown): Error => badBody('Invalid form', cause)

/** @throws always, the error of {@link malformed} */
export const badForm = (cause: unknown): never => {
  throw malformed(cause)
}
