import { digest } from '#runtime/core'
import { toBytes, toHex } from './encoding.ts'

/** SHA-256 of a string, in hexadecimal. */
export const sha256Text = async (text: string): Promise<string> => toHex(await digest(toBytes(text)))

/** SHA-256 of strings and bytes in hexadecimal. Each is prefixed with its length: other lists have other digests. */
export const sha256Of = async (...parts: readonly (string | Uint8Array<ArrayBuffer>)[]): Promise<string> => {
  const chunks = parts.map(toBytes).flatMap((bytes) => [toBytes(`${bytes.byteLength}:`), bytes])
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return toHex(await digest(whole))
}
