import { HttpError } from './http-error.ts'

/**
 * Decode bytes by the charset that the Content-Type names; a byte order mark is dropped.
 *
 * @throws {HttpError} 415 for a charset that the platform does not know.
 */
export const decodeText = (bytes: Uint8Array, charset: string = 'utf-8'): string => {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset)
  } catch (cause) {
    throw new HttpError(415, 'Unsupported charset', { cause })
  }
  return decoder.decode(bytes)
}
