import { hmac } from '#runtime/core'
import { verify } from '../crypto/hmac.ts'

/** The content of a cookie. */
export interface StoredToken {
  readonly token: string
  /** Time at which it expires, in milliseconds since 1970. */
  readonly expires: number
}

/**
 * A cookie's value: the token, when it expires, and the signature over both, the cookie's name and the session's id.
 */
const SEALED = /^([\w-]+)\.(\d{1,16})\.([\w-]{43})$/

/** A cookie's value for a token of one session. */
export const sealToken = async (
  secret: string,
  name: string,
  bound: string,
  { token, expires }: StoredToken,
): Promise<string> => `${token}.${expires}.${await hmac(secret, message(name, bound, token, `${expires}`))}`

/** The token in the cookie, if one of the secrets signed it for that session; whether it has expired is not checked. */
export const openToken = async (
  secrets: readonly string[],
  name: string,
  bound: string,
  sealed: string | undefined,
): Promise<StoredToken | undefined> => {
  const [, token, expires, signature] = SEALED.exec(sealed ?? '') ?? []
  const isSigned = signature && (await verify(secrets, message(name, bound, token!, expires!), signature))
  return isSigned ? { token: token!, expires: Number(expires) } : undefined
}

/** The purpose comes first, as in every signed string, so a signature of a cookie or a session is not valid here. */
const message = (name: string, bound: string, token: string, expires: string): string =>
  ['csrf', name, bound, token, expires].join('\n')
