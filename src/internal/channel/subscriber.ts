import { compareIds, type Page, type StoredMessage } from './backend.ts'
import { ChannelError } from './channel-error.ts'

/** Reads the stored messages after an id. */
export type ReadAfter = (after: string) => Promise<Page>

/** Limits of a subscriber. */
export interface Bounds {
  readonly limit: number
  readonly overflow: 'disconnect' | 'drop-oldest'
}

/** Consumes messages within the call that delivers them. */
export interface Reader {
  /** Take a message. @returns false if it must wait in the queue */
  pass(message: StoredMessage): boolean
  /** There is a message, or the subscription has ended. */
  sendNext(): void
}

/** How many stored messages are read at once. */
export const PAGE = 256

/**
 * One consumer of a topic. It holds at most `limit` live messages, or while it catches up one page of stored messages:
 * a long replay is never in memory as a whole.
 */
export class Subscriber {
  readonly #bounds: Bounds
  readonly #read: ReadAfter
  #queue: StoredMessage[] = []
  #last: string
  /** True while stored messages are being read, which {@link ready} does. */
  isBehind: boolean
  /** The newest id when the subscription began. */
  readonly #start: string
  /** Live messages that came while a page was being read. */
  #liveMessages: StoredMessage[] | undefined = undefined
  #gap = false
  isEnded = false
  #error: Error | undefined = undefined
  #wake: (() => void) | undefined = undefined
  /** Called instead of {@link ready}. It must not throw. */
  reader: Reader | undefined = undefined

  /** @param after the last id that the consumer has seen; @param newest the id after which live messages come */
  constructor(bounds: Bounds, read: ReadAfter, after: string, newest: string) {
    this.#bounds = bounds
    this.#read = read
    this.#last = after
    this.#start = newest
    this.isBehind = after !== newest
  }

  /** A live message. @param before the id of the previous one: comparing all ids would take longer than the rest */
  push(message: StoredMessage, before?: string): void {
    if (this.isEnded) return
    if (this.isBehind) {
      // If no read is running, the next one returns it
      if (this.#liveMessages && this.#liveMessages.length <= this.#bounds.limit) this.#liveMessages.push(message)
      return
    }
    if (this.#last !== before && compareIds(message.id, this.#last) <= 0) return
    if (!this.#queue.length && !this.#gap && this.reader?.pass(message)) {
      this.#last = message.id
      return
    }
    const { limit, overflow } = this.#bounds
    if (this.#queue.length >= limit) {
      if (overflow === 'disconnect') {
        this.end(new ChannelError('overflow', `The subscriber was too slow: ${limit} events were waiting`))
        return
      }
      this.#queue.shift()
      this.#gap = true
    }
    this.#enqueue(message)
    this.#notify()
  }

  /** End the subscription and drop the queue. */
  end(error?: Error): void {
    if (this.isEnded) return
    this.isEnded = true
    this.#error = error
    this.#queue = []
    this.#liveMessages = undefined
    this.#notify()
  }

  /** The next message; if it is `undefined`, wait for {@link ready}. @throws the error that ended the subscription */
  take(): StoredMessage | undefined {
    if (this.#error) throw this.#error
    const message = this.#queue.shift()
    if (!message || !this.#gap) return message
    this.#gap = false
    return message.gap ? message : { ...message, gap: true }
  }

  /** Resolves when there is a message, or the subscription has ended. */
  async ready(): Promise<void> {
    while (!this.isEnded && !this.#queue.length) {
      if (this.isBehind) await this.#catchUp()
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  async #catchUp(): Promise<void> {
    this.#liveMessages = []
    let page: Page
    try {
      page = await this.#read(this.#last)
    } catch (error) {
      return this.end(error as Error) // Error: `callBackend` throws nothing else
    }
    if (this.isEnded) return
    const live = this.#liveMessages
    this.#liveMessages = undefined
    if (compareIds(this.#last, page.last) > 0) {
      // The log was lost, or the id was never used: read from where the subscription began
      this.#last = compareIds(this.#start, page.last) > 0 ? page.last : this.#start
      this.#gap = true
      return
    }
    for (const message of page.messages) this.#enqueue(message)
    if (page.messages.length >= PAGE || live.length > this.#bounds.limit) return
    this.isBehind = false
    for (const message of live) if (compareIds(message.id, this.#last) > 0) this.#enqueue(message)
  }

  #enqueue(message: StoredMessage): void {
    this.#queue.push(message)
    this.#last = message.id
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = undefined
    this.reader?.sendNext()
  }
}
