import { hmac } from '#runtime/core'
import { verify } from './hmac.ts'

/** The purpose of a signature: a value that is signed for one purpose is not valid for another. */
type Purpose = 'cookie' | 'session'

/**
 * A cookie's value with its signature. Purpose and name are signed as well, so a value cannot move to another cookie.
 */
export const signValue = async (purpose: Purpose, name: string, value: string, secret: string): Promise<string> =>
  `${value}.${await hmac(secret, messageOf(purpose, name, value))}`

/** The value, if one of the secrets signed it for that purpose and under that name. */
export const openSigned = async (
  purpose: Purpose,
  name: string,
  signed: string,
  secrets: readonly string[],
): Promise<string | undefined> => {
  const dot = signed.lastIndexOf('.')
  const value = signed.slice(0, Math.max(0, dot))
  return (await verify(secrets, messageOf(purpose, name, value), signed.slice(dot + 1))) ? value : undefined
}

/** A name contains no line break, so different cookies have different messages. */
const messageOf = (purpose: Purpose, name: string, value: string): string => `${purpose}\n${name}\n${value}`
