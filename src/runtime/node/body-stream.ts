import type { IncomingMessage } from 'node:http'
import type { Awaitable } from '../../internal/promise/awaitable.ts'
import { clientLeft, lostReason, responseSent, restOf } from './body.ts'
import { READ, UNREAD } from './exchange.ts'

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

/** The body as a stream that reads from the socket only as fast as it is read itself. */
export const toStream = (incoming: IncomingMessage): Body => {
  let open = true
  const stream: Body = new ReadableStream(
    {
      start(controller) {
        const stop = (error: Error | false): void => {
          if (!open) return
          open = false
          if (error) controller.error(error)
          else controller.close()
        }
        const close = (cause?: Error): void => {
          if (!open) return
          const remaining = restOf(incoming)
          if (remaining) controller.enqueue(new Uint8Array(remaining))
          stop(remaining === undefined && clientLeft(cause))
        }
        const lost = lostReason(incoming)
        if (lost) return stop(lost)
        incoming.emit(READ)
        if (incoming.destroyed) return close()
        incoming.pause()
        // Otherwise Node drops a body that is not read before the response is sent, as if it were empty
        incoming.read(0)
        incoming.on('data', (chunk: Buffer) => {
          if (!open) return
          controller.enqueue(new Uint8Array(chunk))
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
        })
        incoming.on('end', () => stop(incoming.aborted && clientLeft()))
        incoming.on('error', close)
        incoming.on('close', close)
        // Otherwise the rest would hold back the next request of the connection
        incoming.on(UNREAD, () => {
          if (isLocked(stream)) return
          stop(responseSent())
          incoming.resume()
        })
        return undefined
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        open = false
        incoming.resume()
      },
    },
    { highWaterMark: 65_536, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  return stream
}

const forks = new WeakMap<ReadableStream, readonly ReadableStream[]>()

/** Two streams of the same content. */
export const fork = (stream: Body): [Body, Body] => {
  const both = stream.tee()
  forks.set(stream, both)
  return both
}

/** Whether a stream, or one that it was forked into, is being read. */
const isLocked = (stream: ReadableStream): boolean => forks.get(stream)?.some(isLocked) ?? stream.locked

/** Kept bytes as a stream. */
export const streamOf = (bytes: Awaitable<Uint8Array<ArrayBuffer>>): Body =>
  new ReadableStream({
    async start(controller) {
      const all = await bytes
      if (all.byteLength) controller.enqueue(all.slice())
      controller.close()
    },
  })
