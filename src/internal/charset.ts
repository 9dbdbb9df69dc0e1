import { HttpError } from './http-error.ts'

/** The parameter of a Content-Type, quoted or not. */
const CHARSET = /;[ \t]*charset="?([^\s;"]+)/i

/**
 * Decode bytes by the charset that the Content-Type names, else as UTF-8; a byte order mark is dropped.
 *
 * @throws {HttpError} 415 for a charset that the platform does not know.
 */
export const decodeText = (bytes: Uint8Array, type: string): string => {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(CHARSET.exec(type)?.[1])
  } catch (cause) {
    throw new HttpError(415, 'Unsupported charset', { cause })
  }
  return decoder.decode(bytes)
}
