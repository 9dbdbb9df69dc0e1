import { digest } from '#runtime/core'
import { toHex } from './hex.ts'

/** SHA-256 of a string, in hexadecimal. */
export const sha256Text = async (text: string): Promise<string> => toHex(await digest(new TextEncoder().encode(text)))

/**
 * SHA-256 of strings and bytes, each prefixed with its length, so that different lists have different digests; 64
 * hexadecimal digits.
 */
export const sha256Of = async (...parts: readonly (string | Uint8Array<ArrayBuffer>)[]): Promise<string> => {
  const encoder = new TextEncoder()
  const chunks = parts.flatMap((part) => {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part
    return [encoder.encode(`${bytes.byteLength}:`), bytes]
  })
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return toHex(await digest(whole))
}
