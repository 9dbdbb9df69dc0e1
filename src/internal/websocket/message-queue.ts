/** Messages that may wait for a handler that is slower than its client, if reading cannot be paused. */
const MAX_WAITING = 1024

/** Messages that wait for a handler, the oldest first. */
export class MessageQueue {
  readonly #messages: (string | Uint8Array)[] = []
  #held = 0

  /** @param halted reading is paused: these messages arrived together @returns false if too many wait now */
  put(message: string | Uint8Array, max: number, halted = false): boolean {
    this.#messages.push(message)
    this.#held += message.length
    return (halted || this.#messages.length <= MAX_WAITING) && this.#held <= max
  }

  take(): string | Uint8Array | undefined {
    const message = this.#messages.shift()
    this.#held -= message?.length ?? 0
    return message
  }
}

/** Bytes of a message; a string that is short enough anyway is not counted. */
export const sizeOf = (message: string | Uint8Array, max: number): number =>
  typeof message === 'string' && message.length * 3 > max
    ? new TextEncoder().encode(message).byteLength
    : message.length
