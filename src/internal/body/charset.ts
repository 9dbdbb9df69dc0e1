import { refusal } from '../error/answer.ts'
import { decodeUtf8 } from './decode.ts'

/** The parameter of a Content-Type, quoted or not. */
const CHARSET = /;[ \t]*charset="?([^\s;"]+)/i

/**
 * Decode bytes by the charset that the Content-Type names, else as UTF-8; a byte order mark is dropped.
 *
 * @throws {Error} 415 for a charset that the platform does not support, 413 for more bytes than fit into a string.
 */
export const decodeText = (bytes: Uint8Array, type: string): string => {
  const charset = CHARSET.exec(type)?.[1]
  if (!charset || /^utf-?8$/i.test(charset)) return decodeUtf8(bytes)
  return decodeUtf8(bytes, decoderOf(charset))
}

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset)
  } catch (cause) {
    const error = 'Unsupported charset'
    throw refusal(415, error, undefined, new Error(error, { cause }))
  }
}
