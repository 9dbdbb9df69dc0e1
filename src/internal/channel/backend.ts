import type { Awaitable } from '../promise/awaitable.ts'
import { follows } from './message-id.ts'

/** An event as a backend stores it. */
export interface StoredMessage {
  /** `<epoch>-<number>`: later messages of a topic have greater ids. */
  readonly id: string
  /** The event as JSON. Others may have written something else into the backend: see {@link eventOf}. */
  readonly text: string
  /** True if messages before this one are lost, because the backend keeps a limited number. */
  readonly gap?: boolean
}

/** The result of a backend's `read`. */
export interface Page {
  /** The oldest first. */
  readonly messages: readonly StoredMessage[]
  /** Id of the newest message of the topic, `'0-0'` if there is none. */
  readonly last: string
}

/** Receives the new messages of a topic. */
export interface ChannelListener {
  /** Each message once, in order. */
  next(message: StoredMessage): void
  /** The backend has given up: no further message comes. */
  fail(error: Error): void
}

/** A topic that a listener is registered for. */
export interface Listening {
  /** The listener gets every message after this id. */
  readonly from: string
  stop(): void
}

/**
 * Stores the events of a channel, and sends them to its listeners. Topics are passed unchanged: any text of 1 to 256
 * characters.
 */
export interface ChannelBackend {
  /** Store an event and send it to the listeners. @returns its id, once it is stored */
  publish(topic: string, text: string): Awaitable<string>
  /** The stored messages after an id, at most `limit`. */
  read(topic: string, after: string, limit: number): Awaitable<Page>
  /**
   * Begin to listen. A topic may have several listeners, if channels share the backend. A backend that loses its
   * connection reconnects, and continues after the last message.
   */
  listen(topic: string, listener: ChannelListener): Awaitable<Listening>
  /** Close connections and stop timers. Remaining listeners, such as those of another channel, fail. */
  close?(): Awaitable<void>
}

/** The event of a message, `undefined` for a string that is not JSON, which another program has written. */
export const eventOf = ({ text }: StoredMessage): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error message for listeners that remain when their backend is closed. */
export const CLOSED = 'The backend was closed'

/** Set `gap` on messages that do not directly follow their predecessor, for backends with consecutive numbers. */
export const withGaps = (after: string, messages: readonly StoredMessage[]): StoredMessage[] => {
  let before = after
  return messages.map((message) => {
    const gap = !follows(before, message.id)
    before = message.id
    return gap ? { ...message, gap } : message
  })
}
