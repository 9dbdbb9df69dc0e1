import { report } from '#runtime/core'
import { type Awaitable, isPromise } from '../promise/awaitable.ts'
import { closeLine, type EventLine, failLine, writeLine } from '../sse/event-line.ts'
import type { EventFrame, Sender, SendWithLine } from '../sse/event-stream.ts'
import { frame, type ServerSentEvent } from '../sse/sse-frame.ts'
import { eventOf, type StoredMessage } from './backend.ts'
import type { Reader, Subscriber } from './subscriber.ts'
import type { Membership } from './topics.ts'

/** Turns a message into the bytes of an event stream. */
export type ToFrame = (message: StoredMessage) => ServerSentEvent & EventFrame

const encoder = /* @__PURE__ */ new TextEncoder()

/** An event without data: the client stores the id, and fires no event (WHATWG HTML §9.2.6). */
const placeOf = (id: string): ServerSentEvent & EventFrame => ({
  data: '',
  id,
  '~frame': encoder.encode(`id: ${id}\n\n`),
})

/**
 * Creates the frame of each message once for all clients of a process: subscribers share the object of the message. An
 * entry that is not JSON, written by other software, is a gap.
 *
 * @param describe name and data of an event; without it the data is the event's JSON
 */
export const createFrames = (describe?: (event: unknown) => ServerSentEvent): ToFrame => {
  const frames = new WeakMap<StoredMessage, ServerSentEvent & EventFrame>()
  return (message) => {
    let ready = frames.get(message)
    if (!ready) {
      const value = eventOf(message)
      const described = value === undefined ? GAP : (describe?.(value) ?? { data: message.text })
      const event = { ...described, id: message.id }
      ready = { ...event, '~frame': encoder.encode(frame(event)) }
      frames.set(message, ready)
    }
    return ready
  }
}

/**
 * A sender that sends a topic's messages until the client disconnects. A gap is sent as a separate event, named `gap`.
 */
export const toSender =
  <Sent extends ServerSentEvent>(join: () => Promise<Membership>, toFrame: ToFrame): Sender<Sent> =>
  async (sendEvent) => {
    const send = sendEvent as SendWithLine
    const { subscriber, from, leave } = await join()
    const passing = new Passing(send['~line'] ?? send, subscriber, toFrame)
    subscriber.reader = passing
    // Even a client that loses its connection before the first event can then say where to continue
    send(placeOf(from))
    passing.sendNext()
    return leave
  }

/**
 * Sends messages as they arrive, within the call that delivers them. A loop in an async function would cost memory for
 * each client, and a microtask for each event and client.
 */
class Passing implements Reader {
  /** The line itself where it is known: then nothing keeps `send`. A `send` that a caller has made has none. */
  readonly #to: EventLine | SendWithLine
  readonly #subscriber: Subscriber
  readonly #toFrame: ToFrame
  /** Waiting until the client has read what was sent, or until stored messages were read. */
  #waits = false
  #over = false

  constructor(to: EventLine | SendWithLine, subscriber: Subscriber, toFrame: ToFrame) {
    this.#to = to
    this.#subscriber = subscriber
    this.#toFrame = toFrame
  }

  pass(message: StoredMessage): boolean {
    if (this.#over || this.#waits) return false
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
    if (this.#over || (this.#waits && !subscriber.ended)) return
    try {
      for (let message = subscriber.take(); message; message = subscriber.take()) if (this.#sendMessage(message)) return
      if (subscriber.ended) this.#end()
      else if (subscriber.behind) this.#continueAfter(subscriber.ready())
    } catch (error) {
      this.#end(error)
    }
  }

  /** @returns whether the next message must wait */
  #sendMessage(message: StoredMessage): boolean {
    if (message.gap) this.#send(GAP)
    const open = this.#send(this.#toFrame(message))
    const waits = isPromise(open)
    if (waits) this.#continueAfter(open)
    return waits
  }

  #send(event: ServerSentEvent & EventFrame): Awaitable<boolean> {
    const to = this.#to
    return typeof to === 'function' ? to(event) : writeLine(to, event['~frame'] ?? frame(event))
  }

  #end(error?: unknown): void {
    this.#over = true
    const to = this.#to
    if (typeof to === 'function') {
      if (error !== undefined) (to['~fail'] ?? report)(error)
      to.close()
    } else if (error === undefined) closeLine(to)
    else failLine(to, error)
  }

  #continueAfter(done: Promise<unknown>): void {
    this.#waits = true
    const resume = (): void => {
      this.#waits = false
      this.sendNext()
    }
    done.then(resume)
  }
}

const GAP: ServerSentEvent = { event: 'gap', data: '' }
