/** Bytes of a stream, a window of which can be searched. It holds what was read and not yet taken. */
export class ByteSource {
  #window: Uint8Array
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  /** @param before bytes that stand before those of the stream */
  constructor(stream: ReadableStream<Uint8Array>, before: Uint8Array) {
    this.#reader = stream.getReader()
    this.#window = before
  }

  /** How many bytes can be taken at once. */
  get size(): number {
    return this.#window.byteLength
  }

  /** Take bytes off the front; the first `drop` of them are left out. */
  take(count: number, drop = 0): Uint8Array {
    const taken = this.#window.subarray(drop, count)
    this.#window = this.#window.subarray(count)
    return taken
  }

  /** Read on. False when the stream has ended. */
  async more(): Promise<boolean> {
    const { done, value } = await this.#reader.read()
    if (done) return false
    const joined = new Uint8Array(this.size + value.byteLength)
    joined.set(this.#window)
    joined.set(value, this.size)
    this.#window = joined
    return true
  }

  /** Index of the pattern in the window, -1 when it is not there. Skips by the byte under the pattern's end (Horspool). */
  indexOf(pattern: Uint8Array): number {
    const last = pattern.length - 1
    for (let at = 0; at + last < this.size; ) {
      if (this.startsWith(pattern, at)) return at
      at += last - (last && pattern.lastIndexOf(this.#window[at + last]!, last - 1)) || 1
    }
    return -1
  }

  startsWith(pattern: Uint8Array, at = 0): boolean {
    let index = 0
    while (index < pattern.length && this.#window[at + index] === pattern[index]) index++
    return index === pattern.length
  }

  /** Leave the rest of the stream. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {})
  }
}
