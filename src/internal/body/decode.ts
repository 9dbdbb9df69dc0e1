import { tooLarge } from './too-large.ts'

/** One for all: without `stream` it keeps nothing from one text to the next. */
const UTF8: TextDecoder = /* @__PURE__ */ new TextDecoder()

/**
 * Bytes as text, UTF-8 as Fetch decodes it: a byte order mark is dropped, malformed bytes become U+FFFD.
 *
 * @throws {Error} 413 for more bytes than a string can hold.
 */
export const decodeUtf8 = (bytes: Uint8Array, decoder: TextDecoder = UTF8): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    // Nothing else makes a decoder fail that replaces malformed bytes.
    throw tooLarge()
  }
}
