import { toBytes, toHex } from './encoding.ts'
import { openSigned, type Purpose, signValue } from './hmac.ts'
import { randomToken } from './token.ts'

/** The content of a cookie. */
export interface StoredToken {
  readonly token: string
  /** Time at which it expires, in milliseconds since 1970. */
  readonly expires: number
}

/** The value of a cookie for a token of one session: the token, when it expires, and the signature. */
export const sealToken = (
  secret: string,
  name: string,
  sessionId: string,
  { token, expires }: StoredToken,
): Promise<string> => signValue(purposeOf(name, sessionId), `${token}.${expires}`, secret)

/** The token in a cookie, which may have expired; an empty one unless one of the secrets signed it for that session. */
export const openToken = async (
  secrets: readonly string[],
  name: string,
  sessionId: string,
  sealed: string,
): Promise<StoredToken> => {
  const value = sealed && (await openSigned(purposeOf(name, sessionId), sealed, secrets))
  const [token = '', expires = 0] = value?.split('.') ?? []
  return { token, expires: Number(expires) }
}

/** As JSON, the id of a session contains no line break either. */
const purposeOf = (name: string, sessionId: string): Purpose => `csrf\n${name}\n${JSON.stringify(sessionId)}`

/**
 * Hide the token in a page that is sent compressed: a different string each time, which `csrf()` accepts like the token
 * itself. The length of a compressed page with parts of the request could reveal a constant secret (BREACH).
 *
 * @example
 * html(`<input type="hidden" name="_csrf" value="${maskCsrfToken(ctx.state.csrfToken)}">`)
 */
export const maskCsrfToken = (token: string): string => {
  // A random pad of the same length, then the token behind it, in hexadecimal
  const pad = toBytes(randomToken(token.length))
  const hidden = toBytes(token).map((byte, index) => byte ^ pad[index]!)
  return toHex(pad) + toHex(hidden)
}

/** The token that {@link maskCsrfToken} has hidden. For any other string, the result is not a token. */
export const unmaskToken = (masked: string): string => {
  const codes = (masked.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16))
  const half = codes.length / 2
  return String.fromCharCode(...codes.slice(half).map((code, index) => code ^ codes[index]!))
}
