import { markHandled } from '../promise/awaitable.ts'
import { eventOf } from './backend.ts'
import { ChannelError } from './channel-error.ts'
import type { Membership } from './topics.ts'

/** An event with its id and topic. */
export interface ChannelMessage<Event> {
  /** Subscribe with `after: id` to get all later events. */
  readonly id: string
  readonly topic: string
  /** The event. Each subscriber gets its own copy, which it may change. */
  readonly event: Event
  /** True if this subscriber has lost events before this one, because the backend or its queue was full. */
  readonly gap: boolean
}

/** The events of a topic, for `for await`. Leaving the loop ends the subscription. */
export interface Subscription<Event> extends AsyncIterableIterator<ChannelMessage<Event>> {
  /** Resolves when this subscriber gets every later event, to the id after which events come. */
  readonly ready: Promise<string>
  next(): Promise<IteratorResult<ChannelMessage<Event>, undefined>>
  return(): Promise<IteratorResult<ChannelMessage<Event>, undefined>>
  [Symbol.asyncIterator](): Subscription<Event>
}

const DONE: IteratorResult<never, undefined> = { done: true, value: undefined }

/** The iterator of a subscriber that may still be joining. */
export const toSubscription = <Event>(
  topic: string,
  joining: Promise<Membership>,
  signal: AbortSignal | undefined,
): Subscription<Event> => {
  let stopped = false
  /** An entry was ignored, so the next message has `gap`. */
  let skipped = false
  const stop = (): void => {
    stopped = true
    signal?.removeEventListener('abort', stop)
    joining.then(({ leave }) => leave()).catch(() => {})
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop)

  // Code that does not use `ready` gets the error from the iterator
  const ready = markHandled(joining.then(({ from }) => from))

  const takeNext = async (): Promise<IteratorResult<ChannelMessage<Event>, undefined>> => {
    try {
      const { subscriber } = await joining
      while (!stopped) {
        const message = subscriber.take()
        if (message) {
          const event = eventOf(message)
          const gap = skipped || message.gap === true
          skipped = event === undefined
          if (skipped) continue
          return { done: false, value: { id: message.id, topic, event: event as Event, gap } }
        }
        if (subscriber.isEnded) break
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
  // One call after the other: two calls of `next` must not return the same message
  let previous: Promise<unknown> = Promise.resolve()
  return {
    ready,
    next() {
      const result = previous.then(takeNext)
      previous = result.catch(() => {})
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

/** The event as JSON. @throws {TypeError} if JSON cannot represent it, {@link ChannelError} if it is too large */
export const toText = (event: unknown, maxBytes: number): string => {
  const text = JSON.stringify(event)
  if (text === undefined)
    throw new TypeError(`channel: event: expected a value that JSON can represent, got ${typeof event}`)
  // A character has at most three bytes, so most events need not be encoded for this
  const bytes = text.length * 3 > maxBytes ? new TextEncoder().encode(text).byteLength : 0
  if (bytes > maxBytes)
    throw new ChannelError('too_large', `The event has ${bytes} bytes, at most ${maxBytes} are allowed`)
  return text
}
