/** The 64 characters of base64url (RFC 4648 §5): six bits each. */
export const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * A random text of base64url characters from the platform's generator. Every character is drawn alike: 64 divides 256.
 *
 * @example
 * randomToken(32) // 192 bits
 */
export const randomToken = (length: number): string => {
  let token = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) token += ALPHABET[byte & 63]
  return token
}
