import { tooLarge } from './too-large.ts'

const UTF8: TextDecoder = /* @__PURE__ */ new TextDecoder()

/** Bytes as text, UTF-8 as Fetch decodes it. @throws {Error} 413 for more bytes than fit into a string. */
export const decodeUtf8 = (bytes: Uint8Array, decoder: TextDecoder = UTF8): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    // A decoder that replaces malformed bytes fails for no other reason
    throw tooLarge()
  }
}
