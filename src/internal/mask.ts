import { randomToken } from './token.ts'

/** The 64 characters of base64url (RFC 4648 §5): six bits each. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Hide a token behind a random pad of its length: each copy looks different and all mean the same.
 *
 * @throws {TypeError} for a text that is no token.
 */
export const mask = (token: string): string => {
  const pad = randomToken(token.length)
  return pad + xor(pad, token)
}

/** The token behind a pad. Of a text that {@link mask} did not make, something else. */
export const unmask = (masked: string): string => {
  const half = masked.length / 2
  return xor(masked.slice(0, half), masked.slice(half))
}

const xor = (pad: string, text: string): string => {
  let out = ''
  for (let index = 0; index < pad.length; index++) {
    out += ALPHABET[ALPHABET.indexOf(pad[index]!) ^ ALPHABET.indexOf(text[index]!)]
  }
  return out
}
