/**
 * Bytes that are added at the end and removed from the front.
 *
 * A single chunk is kept as it is. Several are copied, each byte at most three times on average: a view of one byte
 * would keep the memory of its whole block. Nothing is written over bytes that were taken.
 */
export class ByteBuffer {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array()
  #start = 0
  #end = 0

  /** Number of bytes that can be taken. */
  get size(): number {
    return this.#end - this.#start
  }

  /** The bytes that can be taken, in place. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(this.#start, this.#end)
  }

  /** @param expected the total number of bytes, if known: allocated at once, but only when an eighth has arrived */
  add(chunk: Uint8Array, expected = 0): void {
    const size = this.size + chunk.length
    if (this.#end + chunk.length > this.#bytes.length) {
      const old = this.bytes
      const room = size <= expected && expected <= 8 * size ? expected : Math.max(2 * old.length, size, 1024)
      this.#bytes = old.length ? new Uint8Array(room) : (chunk as Uint8Array<ArrayBuffer>)
      this.#bytes.set(old)
      this.#start = 0
      this.#end = old.length
    }
    if (this.#bytes !== chunk) this.#bytes.set(chunk, this.#end)
    this.#end += chunk.length
  }

  /** Take bytes off the front. */
  take(count: number): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.subarray(0, count)
    this.#start += count
    return taken
  }

  /** All bytes. The memory behind them holds nothing else. */
  whole(): Uint8Array<ArrayBuffer> {
    const { bytes } = this
    return bytes.length === this.#bytes.length ? bytes : bytes.slice()
  }
}
