import { isResponse } from '#runtime/core'
import { errorResponseOf } from '../error/error-response.ts'
import { isFieldValue } from '../header/field-name.ts'
import { checkOption } from '../options/check.ts'
import type { Awaitable } from '../promise/awaitable.ts'

/** A challenge with its realm (RFC 9110 §11.5). @throws {TypeError} for a realm that would break the header. */
export const challengeOf = (feature: string, scheme: string, realm: string): string => {
  const isValid = typeof realm === 'string' && isFieldValue(realm) && !/["\\]/.test(realm)
  checkOption(isValid, `${feature}: realm`, 'a string without quotes and line breaks', realm)
  return `${scheme} realm="${realm}"`
}

/** A scheme and its token in the header `Authorization` (RFC 9110 §11.4). */
const CREDENTIALS = /^([^ ]+) +([\w.~+/-]+=*) *$/

/** The token of a scheme; `undefined` if the header is malformed or has another scheme. The case does not matter. */
export const tokenIn = (header: string, scheme: string): string | undefined => {
  const [, headerScheme, token] = CREDENTIALS.exec(header) ?? []
  return headerScheme?.toLowerCase() === scheme.toLowerCase() ? token : undefined
}

/** A user, or nothing if the credentials are not valid. */
export type Verdict<User> = Awaitable<User | null | undefined | false>

/**
 * The user that a check returns; nothing if it throws: libraries throw for a bad token, which must not become a 500.
 * An error with its own response, such as `HttpError`, is passed on, and so is a response that the check returns.
 */
export const verifiedUser = async <User>(check: () => Verdict<User>): Promise<User | undefined> => {
  let user: Awaited<Verdict<User>>
  try {
    user = await check()
  } catch (error) {
    if (errorResponseOf(error)) throw error
    return undefined
  }
  if (isResponse(user)) throw user
  return user || undefined
}
