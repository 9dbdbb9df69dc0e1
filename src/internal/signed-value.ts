import { sign, verify } from './hmac.ts'

/** A cookie's value with its signature; the name is signed as well, so a value cannot move to another cookie. */
export const signValue = async (name: string, value: string, secret: string): Promise<string> =>
  `${value}.${await sign(secret, `${name}=${value}`)}`

/** The value, if one of the secrets signed it under that name. */
export const openSigned = async (
  name: string,
  signed: string,
  secrets: readonly string[],
): Promise<string | undefined> => {
  const dot = signed.lastIndexOf('.')
  const value = signed.slice(0, Math.max(0, dot))
  return (await verify(secrets, `${name}=${value}`, signed.slice(dot + 1))) ? value : undefined
}
