import { checkOption } from '../options/check.ts'

/** Whether a close frame may carry a code (RFC 6455 §7.4, IANA registry): not 1004 to 1006, and not 1015. */
export const isSendable = (code: number): boolean =>
  Number.isInteger(code) && /^(100[0-37-9]|101[0-4]|[34]\d{3})$/.test(`${code}`)

/** @throws {TypeError} for a code or a reason that a close frame must not or cannot carry */
export const checkClose = (code: number, reason: string): void => {
  checkOption(isSendable(code), 'close: code', '1000 to 1014 except 1004 to 1006, or 3000 to 4999', code)
  const short = typeof reason === 'string' && sizeOf(reason, 123) <= 123
  checkOption(short, 'close: reason', 'a string of at most 123 bytes', reason)
}

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
