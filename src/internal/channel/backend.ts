import type { Awaitable } from '../awaitable.ts'
import { follows } from './message-id.ts'

/** An event as a backend keeps it. */
export interface StoredMessage {
  /** `<epoch>-<number>`: later messages of a topic have greater ids. */
  readonly id: string
  /** The event as JSON. */
  readonly text: string
  /** True if messages before this one are lost: the backend kept only so many. */
  readonly gap?: boolean
}

/** What a backend answers to a reader that catches up. */
export interface Page {
  /** The oldest first. */
  readonly messages: readonly StoredMessage[]
  /** Id of the newest message of the topic, `'0-0'` if there is none. */
  readonly last: string
}

/** Who hears of new messages of a topic. */
export interface ChannelListener {
  /** Each message once, in order. */
  next(message: StoredMessage): void
  /** The backend has given up: nothing will come any more. */
  fail(error: Error): void
}

/** One topic that is listened to. */
export interface Listening {
  /** Every message after this id goes to the listener. */
  readonly from: string
  stop(): void
}

/**
 * Where a channel keeps its events and through what it passes them on. Topics come as they were given: 1 to 256
 * characters.
 */
export interface ChannelBackend {
  /** Keep an event and pass it on. @returns its id, once the backend has it */
  publish(topic: string, text: string): Awaitable<string>
  /** What came after an id, at most `limit` messages. */
  read(topic: string, after: string, limit: number): Awaitable<Page>
  /** Begin to listen. A backend that loses its connection connects again, and goes on where it was. */
  listen(topic: string, listener: ChannelListener): Awaitable<Listening>
  /** Let go of connections and timers. */
  close?(): Awaitable<void>
}

/** Mark the messages in front of which some are missing, where numbers have no holes. */
export const withGaps = (after: string, messages: readonly StoredMessage[]): StoredMessage[] => {
  let before = after
  return messages.map((message) => {
    const gap = !follows(before, message.id)
    before = message.id
    return gap ? { ...message, gap } : message
  })
}
