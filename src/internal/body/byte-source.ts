import { ByteBuffer } from './byte-buffer.ts'

/** The first delimiter of a form has no line break before it, as all others have. */
const LINE_BREAK: Uint8Array = /* @__PURE__ */ Uint8Array.of(13, 10)

/** The bytes of a form that were read and not yet taken, and a way to read more where there is a stream. */
export class ByteSource extends ByteBuffer {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(stream?: ReadableStream<Uint8Array>) {
    super()
    this.#reader = stream?.getReader()
    this.add(LINE_BREAK)
  }

  /** Read on. False when there is nothing more. */
  async more(): Promise<boolean> {
    const read = await this.#reader?.read()
    if (read?.value) this.add(read.value)
    return read?.done === false
  }

  /**
   * Where the pattern is, or where it may begin at the end of what was read so far; else the size. Whoever reads on
   * searches from there.
   *
   * @param pattern bytes, of which the first does not come again: every byte is then looked at twice at most. A pattern
   *   such as CR LF CR LF costs a few looks more.
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

  /** Leave the rest of the stream. */
  async cancel(): Promise<void> {
    await this.#reader?.cancel().catch(() => {})
  }
}
