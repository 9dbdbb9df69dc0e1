import { isPromise } from '../awaitable.ts'
import type { Framed, Send, Sender } from '../sse/event-stream.ts'
import { frame, type ServerSentEvent } from '../sse/sse-frame.ts'
import type { StoredMessage } from './backend.ts'
import type { Joined } from './topics.ts'

/** A message as bytes of an event stream. */
export type ToFrame = (message: StoredMessage) => ServerSentEvent & Framed

const encoder = /* @__PURE__ */ new TextEncoder()

/** Without data: the client notes the id and tells nobody (WHATWG HTML §9.2.6). */
const placeOf = (id: string): ServerSentEvent & Framed => ({ data: '', id, '~frame': encoder.encode(`id: ${id}\n\n`) })

/**
 * Frames of messages, each made once for all clients of a process: a message is one object for all its subscribers.
 *
 * @param describe name and data of an event; without it the data is the event's JSON
 */
export const createFrames = (
  describe?: (event: unknown) => { readonly event?: string; readonly data: unknown },
): ToFrame => {
  const frames = new WeakMap<StoredMessage, ServerSentEvent & Framed>()
  return (message) => {
    let ready = frames.get(message)
    if (!ready) {
      const shown = describe?.(JSON.parse(message.text)) ?? { data: message.text }
      const event = { ...shown, id: message.id }
      ready = { ...event, '~frame': encoder.encode(frame(event)) }
      frames.set(message, ready)
    }
    return ready
  }
}

/** A sender that sends a topic's messages until the client goes. A gap is an event of its own, named `gap`. */
export const toSender =
  (join: () => Promise<Joined>, toFrame: ToFrame): Sender =>
  async (send: Send) => {
    const { subscriber, from, leave } = await join()
    if (send.signal.aborted) return leave()
    send.signal.addEventListener('abort', leave)
    // A client that reads nothing would be waited for, though its queue is full already
    subscriber.onEnd = send.close
    try {
      // From now on a client that is cut off says where it was, even if no event has come
      send(placeOf(from))
      for (;;) {
        const message = subscriber.take()
        if (!message) {
          if (subscriber.ended) return
          await subscriber.ready()
          continue
        }
        if (message.gap) send({ event: 'gap', data: '' })
        const open = send(toFrame(message))
        if (isPromise(open)) await open
      }
    } finally {
      leave()
    }
  }
