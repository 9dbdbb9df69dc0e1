import { refusal } from '../error/refusal.ts'
import { decodeUtf8 } from './decode.ts'

const CHARSET = /;[ \t]*charset="?([^\s;"]+)/i

/** Decode bytes by the charset of their type, else as UTF-8. @throws {Error} 415 for an unknown one, 413 if too long */
export const decodeText = (bytes: Uint8Array, type: string): string => {
  const charset = CHARSET.exec(type)?.[1]
  if (!charset || /^utf-?8$/i.test(charset)) return decodeUtf8(bytes)
  const decoder = decoderOf(charset)
  const text = decodeUtf8(bytes, decoder)
  return decoder.encoding === 'windows-1252'
    ? text.replace(/[\x80-\x9F]/g, (char) => HIGH[char.charCodeAt(0) - 128]!)
    : text
}

/** Bytes 0x80 to 0x9F of windows-1252, which latin1 means too. The decoder of Node 20 leaves them as they are. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ'

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset)
  } catch (cause) {
    throw refusal(415, 'Unsupported charset', { cause })
  }
}
