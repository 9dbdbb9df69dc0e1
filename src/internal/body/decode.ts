import { tooLarge } from './too-large.ts'

/** Shared: without `stream` it keeps no state from one text to the next. */
const UTF8: TextDecoder = /* @__PURE__ */ new TextDecoder()

/**
 * Bytes as text, UTF-8 as Fetch decodes it: a byte order mark is dropped, malformed bytes become U+FFFD.
 *
 * @throws {Error} 413 for more bytes than fit into a string.
 */
export const decodeUtf8 = (bytes: Uint8Array, decoder: TextDecoder = UTF8): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    // A decoder that replaces malformed bytes fails for no other reason.
    throw tooLarge()
  }
}
