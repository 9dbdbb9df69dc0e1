import { refusal } from './answer.ts'

/** The parameter of a Content-Type, quoted or not. */
const CHARSET = /;[ \t]*charset="?([^\s;"]+)/i

/**
 * Decode bytes by the charset that the Content-Type names, else as UTF-8; a byte order mark is dropped.
 *
 * @throws {Error} 415 for a charset that the platform does not know.
 */
export const decodeText = (bytes: Uint8Array, type: string): string => {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(CHARSET.exec(type)?.[1])
  } catch (cause) {
    const error = 'Unsupported charset'
    throw refusal(415, error, undefined, new Error(error, { cause }))
  }
  return decoder.decode(bytes)
}
