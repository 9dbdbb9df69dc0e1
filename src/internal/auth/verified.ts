import type { Awaitable } from '../awaitable.ts'
import { answerOf } from '../error/answer.ts'

/** A user, or nothing if the credentials belong to nobody. */
export type Verdict<User> = Awaitable<User | null | undefined | false>

/**
 * Who presented the credentials: nothing when the check says so or throws. Libraries throw at a bad token, which must
 * not become a 500; an error that brings its own answer, such as `HttpError`, passes.
 */
export const verified = async <User>(check: () => Verdict<User>): Promise<User | undefined> => {
  try {
    return (await check()) || undefined
  } catch (error) {
    if (answerOf(error)) throw error
    return undefined
  }
}
