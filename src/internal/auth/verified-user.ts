import { isResponse } from '#runtime/core'
import { answerOf } from '../error/answer.ts'
import type { Awaitable } from '../promise/awaitable.ts'

/** A user, or nothing if the credentials are not valid. */
export type Verdict<User> = Awaitable<User | null | undefined | false>

/**
 * The user of the credentials; nothing if the check returns nothing or throws. Libraries throw for a bad token, which
 * must not become a 500. An error with its own response, such as `HttpError`, is passed on, and so is a response that
 * the check returns: it is not a user.
 */
export const verifiedUser = async <User>(check: () => Verdict<User>): Promise<User | undefined> => {
  let user: Awaited<Verdict<User>>
  try {
    user = await check()
  } catch (error) {
    if (answerOf(error)) throw error
    return undefined
  }
  if (isResponse(user)) throw user
  return user || undefined
}
