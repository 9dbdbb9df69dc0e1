import type { Awaitable } from '../promise/awaitable.ts'

/** An event as a backend stores it. */
export interface StoredMessage {
  /**
   * `<epoch>-<number>`: later messages of a topic have greater ids. The epoch is the time when the log of the topic
   * began, so a log that was lost and begins again creates newer ids.
   */
  readonly id: string
  /** The event as JSON. Other programs may have written something else into the backend. */
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
export interface TopicListener {
  /** The listener gets every message after this id. */
  readonly from: string
  stop(): void
}

/** Stores the events of a channel, and sends them to its listeners. A topic is any text of 1 to 256 characters. */
export interface ChannelBackend {
  /** Store an event and send it to the listeners. @returns its id, once it is stored */
  publish(topic: string, text: string): Awaitable<string>
  /** The stored messages after an id, at most `limit`. */
  read(topic: string, after: string, limit: number): Awaitable<Page>
  /**
   * Begin to listen. A topic may have several listeners, if channels share the backend. A backend that loses its
   * connection reconnects, and continues after the last message.
   */
  listen(topic: string, listener: ChannelListener): Awaitable<TopicListener>
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

/** An id before every message. */
export const NOTHING = '0-0'

/** Whether a client has sent an id: two numbers of at most 16 digits. */
export const isMessageId = (text: string): boolean => /^\d{1,16}-\d{1,16}$/.test(text)

const partsOf = (id: string): readonly [epoch: number, number: number] => {
  const at = id.indexOf('-')
  return [Number(id.slice(0, at)), Number(id.slice(at + 1))]
}

/** Negative if the first id is older, positive if it is newer. */
export const compareIds = (a: string, b: string): number => {
  if (a === b) return 0
  const [epochA, numberA] = partsOf(a)
  const [epochB, numberB] = partsOf(b)
  return epochA - epochB || numberA - numberB
}

/** The id that directly follows another, for backends with consecutive numbers. */
export const nextId = (id: string): string => {
  const [epoch, number] = partsOf(id)
  return `${epoch}-${number + 1}`
}

/** Set `gap` on messages that do not directly follow their predecessor, for backends with consecutive numbers. */
export const withGaps = (after: string, messages: readonly StoredMessage[]): StoredMessage[] => {
  let previous = after
  return messages.map((message) => {
    const { id } = message
    const follows = id === nextId(previous) || (previous === NOTHING && id.endsWith('-1'))
    previous = id
    return follows ? message : { ...message, gap: true }
  })
}

/** A listener, and the id of the last message that it got. */
export interface ListenerPosition {
  readonly listener: ChannelListener
  last: string
}

/** Pass the messages after the last one to a listener, for backends with consecutive numbers. */
export const deliver = (target: ListenerPosition, messages: readonly StoredMessage[]): void => {
  const newer = messages.filter(({ id }) => compareIds(id, target.last) > 0)
  for (const message of withGaps(target.last, newer)) {
    target.last = message.id
    target.listener.next(message)
  }
}

/** The listeners of each topic: channels that share a backend each have one for a topic. */
export class Listeners<T> {
  readonly byTopic: Map<string, Set<T>> = new Map()

  /** @returns a function that removes the listener */
  add(topic: string, listener: T): () => void {
    const listeners = this.byTopic.get(topic) ?? new Set()
    this.byTopic.set(topic, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (!listeners.size && this.byTopic.get(topic) === listeners) this.byTopic.delete(topic)
    }
  }

  all(): T[] {
    return [...this.byTopic.values()].flatMap((listeners) => [...listeners])
  }
}
