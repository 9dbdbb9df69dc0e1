import { sign, verify } from './hmac.ts'

/** What a cookie vouches for. */
export interface Held {
  readonly token: string
  /** In milliseconds since 1970. */
  readonly expires: number
}

/** A cookie's value: the token, when it expires, and the signature over both and the session's id. */
const SEALED = /^([\w-]+)\.(\d{1,16})\.([\w-]{43})$/

/** A cookie's value for a token of one session. */
export const sealToken = async (secret: string, bound: string, { token, expires }: Held): Promise<string> =>
  `${token}.${expires}.${await sign(secret, message(bound, token, `${expires}`))}`

/** What the cookie holds, if one of the secrets signed it for that session; whether it has expired is not asked. */
export const openToken = async (
  secrets: readonly string[],
  bound: string,
  sealed: string | undefined,
): Promise<Held | undefined> => {
  const [, token, expires, signature] = SEALED.exec(sealed ?? '') ?? []
  const fine = signature && (await verify(secrets, message(bound, token!, expires!), signature))
  return fine ? { token: token!, expires: Number(expires) } : undefined
}

/** The line breaks keep it apart from anything else that is signed with the same secret, cookies above all. */
const message = (bound: string, token: string, expires: string): string => `csrf\n${bound}\n${token}\n${expires}`
