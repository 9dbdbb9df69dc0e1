import { brokenOff } from '#runtime/core'
import { dropRest } from '../stream/drop-rest.ts'
import { ByteBuffer } from './byte-buffer.ts'

/** Put in front of the form, because its first delimiter has no line break before it. */
const LINE_BREAK: Uint8Array = /* @__PURE__ */ Uint8Array.of(13, 10)

/** The bytes of a form that were read but not yet consumed, and a way to read more if there is a stream. */
export class ByteSource extends ByteBuffer {
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(stream?: ReadableStream<Uint8Array>) {
    super()
    this.#reader = stream?.getReader()
    this.add(LINE_BREAK)
  }

  /** Read more. False at the end. */
  async more(): Promise<boolean> {
    const read = await this.#reader?.read().catch(brokenOff)
    if (read?.value) this.add(read.value)
    return read?.done === false
  }

  /**
   * The position of the pattern, or of what may be its beginning at the end of the bytes read so far; else the size.
   * Linear, because the first byte of a pattern does not occur in it again, or only as in CR LF CR LF.
   */
  find(pattern: Uint8Array, from = 0): number {
    const { bytes } = this
    for (let at = bytes.indexOf(pattern[0]!, from); at >= 0; at = bytes.indexOf(pattern[0]!, at + 1)) {
      let length = 1
      while (length < pattern.length && bytes[at + length] === pattern[length]) length++
      if (length === pattern.length || at + length === bytes.length) return at
    }
    return bytes.length
  }

  /** Cancel the rest of the stream. */
  cancel(): void {
    dropRest(this.#reader)
    this.#reader = undefined
  }
}
