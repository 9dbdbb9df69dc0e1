import { toBase64url } from './encoding.ts'

/**
 * A random string of base64url characters from the platform's generator. Each character is six of its bits, so all
 * characters are equally likely.
 */
export const randomToken = (length: number): string =>
  toBase64url(crypto.getRandomValues(new Uint8Array(Math.ceil(length * 0.75)))).slice(0, length)
