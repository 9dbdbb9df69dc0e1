import { sign, verify } from './hmac.ts'

/** What a signature is for: a value that is signed for one purpose is worth nothing for another. */
type Purpose = 'cookie' | 'session'

/**
 * A cookie's value with its signature. Purpose and name are signed as well, so a value cannot move to another cookie.
 */
export const signValue = async (purpose: Purpose, name: string, value: string, secret: string): Promise<string> =>
  `${value}.${await sign(secret, messageOf(purpose, name, value))}`

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

/** A name holds no line break, so no two cookies have one message. */
const messageOf = (purpose: Purpose, name: string, value: string): string => `${purpose}\n${name}\n${value}`
