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

  /** Index of the pattern in the window, -1 when it is not there. */
  indexOf(pattern: Uint8Array): number {
    let at = this.#window.indexOf(pattern[0]!)
    while (at >= 0 && !this.startsWith(pattern, at)) at = this.#window.indexOf(pattern[0]!, at + 1)
    return at
  }

  startsWith(pattern: Uint8Array, at = 0): boolean {
    return pattern.every((byte, index) => this.#window[at + index] === byte)
  }

  /** Leave the rest of the stream. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {})
  }
}
