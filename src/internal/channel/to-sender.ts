import { checkOption } from '../options/check.ts'
import { isPromise } from '../promise/awaitable.ts'
import type { Sender, SendWithStream } from '../sse/event-stream.ts'
import { closeStream, type EventStreamState, failStream, writeEvents } from '../sse/event-stream-state.ts'
import { frame, type ServerSentEvent } from '../sse/sse-frame.ts'
import { eventOf, type StoredMessage } from './backend.ts'
import type { Reader, Subscriber } from './subscriber.ts'
import type { Membership } from './topics.ts'

/** The bytes of a message in an event stream. */
export type ToFrame = (message: StoredMessage) => Uint8Array

/**
 * Creates the frame of each message once for all clients of a process, which share the object of the message. An entry
 * that is not JSON, which another program has written, is a gap.
 *
 * @param describe name and data of an event; without it the data is the event's JSON
 */
export const createFrames = (describe?: (event: unknown) => ServerSentEvent): ToFrame => {
  const frames = new WeakMap<StoredMessage, Uint8Array>()
  return (message) => {
    const cached = frames.get(message)
    if (cached) return cached
    const event = eventOf(message)
    const described = event === undefined ? GAP : (describe?.(event) ?? { data: message.text })
    const bytes = new TextEncoder().encode(frame({ ...described, id: message.id }))
    frames.set(message, bytes)
    return bytes
  }
}

/** A sender of a topic's messages until the client disconnects. A gap is a separate event, named `gap`. */
export const toSender =
  <Sent extends ServerSentEvent>(join: () => Promise<Membership>, toFrame: ToFrame): Sender<Sent> =>
  async (send) => {
    const { '~stream': target } = send as SendWithStream
    checkOption(target, 'stream: send', 'the send function of sse', typeof send)
    const { subscriber, from, leave } = await join()
    const messages = new MessageSender(target, subscriber, toFrame)
    subscriber.reader = messages
    // A client that loses its connection before the first event can say where to continue: it stores the id of an event
    // without data, and fires no event (WHATWG HTML §9.2.6)
    writeEvents(target, `id: ${from}\n\n`)
    messages.sendNext()
    return leave
  }

/** Sends messages within the call that delivers them: an async loop would cost memory and microtasks per client. */
class MessageSender implements Reader {
  readonly #target: EventStreamState
  readonly #subscriber: Subscriber
  readonly #toFrame: ToFrame
  /** Waiting until the client has read what was sent, or until stored messages were read. */
  #isWaiting = false
  #isEnded = false

  constructor(target: EventStreamState, subscriber: Subscriber, toFrame: ToFrame) {
    this.#target = target
    this.#subscriber = subscriber
    this.#toFrame = toFrame
  }

  pass(message: StoredMessage): boolean {
    if (this.#isEnded || this.#isWaiting) return false
    try {
      this.#sendMessage(message)
    } catch (error) {
      this.#end(error)
    }
    return true
  }

  sendNext(): void {
    const subscriber = this.#subscriber
    // The end of a subscription does not wait for a client that reads nothing
    if (this.#isEnded || (this.#isWaiting && !subscriber.isEnded)) return
    try {
      for (let message = subscriber.take(); message; message = subscriber.take()) if (this.#sendMessage(message)) return
      if (subscriber.isEnded) this.#end()
      else if (subscriber.isBehind) this.#continueAfter(subscriber.ready())
    } catch (error) {
      this.#end(error)
    }
  }

  /** @returns whether the next message must wait */
  #sendMessage(message: StoredMessage): boolean {
    if (message.gap) writeEvents(this.#target, frame(GAP))
    const sent = writeEvents(this.#target, this.#toFrame(message))
    if (!isPromise(sent)) return false
    this.#continueAfter(sent)
    return true
  }

  #end(error?: unknown): void {
    this.#isEnded = true
    if (error === undefined) closeStream(this.#target)
    else failStream(this.#target, error)
  }

  #continueAfter(done: Promise<unknown>): void {
    this.#isWaiting = true
    done.then(() => {
      this.#isWaiting = false
      this.sendNext()
    })
  }
}

const GAP: ServerSentEvent = { event: 'gap', data: '' }
