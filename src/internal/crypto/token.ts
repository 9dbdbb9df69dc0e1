import { toBase64url } from './encoding.ts'

/** A random base64url string. Each character is six bits of the platform's generator, so all are equally likely. */
export const randomToken = (length: number): string =>
  toBase64url(crypto.getRandomValues(new Uint8Array(Math.ceil(length * 0.75)))).slice(0, length)
