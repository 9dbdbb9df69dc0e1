import type { StoredMessage } from './backend.ts'
import { ChannelError } from './channel-error.ts'
import type { Joined } from './topics.ts'

/** An event as a subscriber gets it. */
export interface ChannelMessage<Event> {
  /** Subscribe with this as `after` to get what came later. */
  readonly id: string
  readonly topic: string
  /** The event, parsed anew for each subscriber: it is yours to change. */
  readonly event: Event
  /** True if events before this one are lost for this subscriber: the backend or its queue kept only so many. */
  readonly gap: boolean
}

/** The events of a topic, one after the other. Leaving the loop ends the subscription. */
export interface Subscription<Event> extends AsyncIterableIterator<ChannelMessage<Event>> {
  /** Resolves, to the id after which events come, when every later publish reaches this subscriber. */
  readonly ready: Promise<string>
  next(): Promise<IteratorResult<ChannelMessage<Event>, undefined>>
  return(): Promise<IteratorResult<ChannelMessage<Event>, undefined>>
  [Symbol.asyncIterator](): Subscription<Event>
}

const DONE: IteratorResult<never, undefined> = { done: true, value: undefined }

/** Make the iterator of a subscriber that is joining. */
export const toSubscription = <Event>(
  topic: string,
  joining: Promise<Joined>,
  signal: AbortSignal | undefined,
): Subscription<Event> => {
  let stopped = false
  const stop = (): void => {
    stopped = true
    signal?.removeEventListener('abort', stop)
    joining.then(
      ({ leave }) => leave(),
      () => {},
    )
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop)

  const ready = joining.then(({ from }) => from)
  // Whoever only iterates gets the error from there
  ready.catch(() => {})

  const pull = async (): Promise<IteratorResult<ChannelMessage<Event>, undefined>> => {
    try {
      const { subscriber } = await joining
      while (!stopped) {
        const message = subscriber.take()
        if (message) return { done: false, value: toMessage(topic, message) }
        if (subscriber.ended) break
        await subscriber.ready()
      }
    } catch (error) {
      if (!stopped) {
        stop()
        throw error
      }
    }
    return DONE
  }
  // One after the other: two callers of `next` must not get the same place
  let turn: Promise<unknown> = Promise.resolve()
  return {
    ready,
    next() {
      const result = turn.then(pull)
      turn = result.catch(() => {})
      return result
    },
    async return() {
      stop()
      return DONE
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const toMessage = <Event>(topic: string, { id, text, gap = false }: StoredMessage): ChannelMessage<Event> => ({
  id,
  topic,
  event: JSON.parse(text),
  gap,
})

/** @returns the event as JSON. @throws {TypeError} for what JSON cannot hold, {@link ChannelError} for too many bytes */
export const toText = (event: unknown, maxBytes: number): string => {
  const text = JSON.stringify(event)
  if (text === undefined) throw new TypeError(`channel: event: expected what JSON can hold, got ${typeof event}`)
  // A character has at most three bytes, so most events need no count
  const bytes = text.length * 3 > maxBytes ? new TextEncoder().encode(text).byteLength : 0
  if (bytes > maxBytes) throw new ChannelError('too_large', `The event has ${bytes} bytes, of at most ${maxBytes}`)
  return text
}
