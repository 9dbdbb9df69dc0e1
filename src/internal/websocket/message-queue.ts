/** Messages that may wait for a handler, if reading cannot be paused. */
const MAX_WAITING = 1024

/** Messages that wait for a handler, the oldest first. */
export class MessageQueue {
  readonly #messages: (string | Uint8Array)[] = []
  #size = 0

  /** @param paused reading is paused, so these messages arrived together @returns false if too many wait now */
  put(message: string | Uint8Array, maxSize: number, paused = false): boolean {
    this.#messages.push(message)
    this.#size += message.length
    return (paused || this.#messages.length <= MAX_WAITING) && this.#size <= maxSize
  }

  take(): string | Uint8Array | undefined {
    const message = this.#messages.shift()
    this.#size -= message?.length ?? 0
    return message
  }
}

/** Bytes of a message. The length of a string that cannot exceed the maximum is enough. */
export const sizeOf = (message: string | Uint8Array, max: number): number =>
  typeof message === 'string' && message.length * 3 > max
    ? new TextEncoder().encode(message).byteLength
    : message.length
