import { takesEvents } from '#runtime/events'
import { type Awaitable, attempt } from '../awaitable.ts'
import { report } from '../error/report.ts'
import type { Direct, EventBody, Sink } from './direct.ts'
import { comment, frame, type ServerSentEvent } from './sse-frame.ts'

/** Sends one event. */
export interface Send<Event extends ServerSentEvent = ServerSentEvent> {
  /**
   * @returns false once the stream is closed; else a promise that resolves when the client is ready for more.
   * @throws {TypeError} for an event name or id with a line break, or a `retry` that is not an integer. */
  (event: Event): Awaitable<boolean>
  /** A comment line, which clients ignore: keeps proxies from closing the connection. */
  comment(text?: string): Awaitable<boolean>
  /** End the stream. */
  close(): void
  /** Aborts when the client has disconnected or the stream was closed. */
  readonly signal: AbortSignal
}

/**
 * Produces events. If it returns a promise, the stream ends when that settles; if it returns a function, the stream
 * stays open and the function is called when the client has disconnected. Otherwise the stream ends after the sent
 * events.
 */
export type Sender<Event extends ServerSentEvent = ServerSentEvent> = (
  send: Send<Event>,
) => Awaitable<void | (() => void) | ReadableStream>

/** An event that is already encoded, because many clients get it. */
export interface Framed {
  readonly '~frame'?: Uint8Array
}

/** Bytes that wait for a reader before a sender waits. */
const MOST = 16_384

const encoder = /* @__PURE__ */ new TextEncoder()

/** Open a stream of events and let the sender fill it. */
export const openEvents = (sender: Sender, heartbeatMs: number, onError: (error: unknown) => void): EventBody => {
  /** Made when somebody asks for it: it would be a third of what a client costs. */
  let gone: AbortController | undefined
  let over = false
  /** What all senders wait for. */
  let room: Promise<boolean> | undefined
  let wake: ((open: boolean) => void) | undefined
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let sink: Sink | undefined
  let cleanup: (() => void) | undefined
  let heartbeat: ReturnType<typeof setInterval> | undefined

  const tell = (error: unknown): void => void attempt(() => onError(error), undefined, report)
  const end = (): void => {
    over = true
    clearInterval(heartbeat)
    gone?.abort()
    wake?.(false)
    attempt(() => cleanup?.(), undefined, tell)
  }
  const close = (): void => {
    if (over) return
    controller?.close()
    end()
    sink?.end()
  }
  const isFull = (): boolean => (sink ? sink.full : (controller?.desiredSize ?? 0) <= 0)
  const write = (chunk: string | Uint8Array): Awaitable<boolean> => {
    if (over) return false
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
    controller?.enqueue(bytes)
    if (sink?.write(bytes) !== false && !isFull()) return true
    room ??= new Promise((resolve) => {
      wake = (open) => {
        room = undefined
        resolve(open)
      }
    })
    return room
  }
  const fail = (error: unknown): void => {
    tell(error)
    close()
  }
  const signalOf = (): AbortSignal => {
    gone ??= new AbortController()
    if (over) gone.abort()
    return gone.signal
  }
  const plain = (event: ServerSentEvent & Framed) => write(event['~frame'] ?? frame(event))
  const members = { comment: (text = '') => write(comment(text)), close, '~fail': fail }
  // `defineProperty` does not tell the type of the signal
  const send = Object.defineProperty(Object.assign(plain, members), 'signal', { get: signalOf }) as unknown as Send
  const beat = (): void => {
    if (!isFull()) send.comment()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (started) => {
        controller = started
      },
      pull: () => wake?.(true),
      cancel: end,
    },
    { highWaterMark: MOST, size: (chunk) => chunk?.byteLength ?? 0 },
  )

  const settle = async (result: void | (() => void) | ReadableStream): Promise<void> => {
    if (result instanceof ReadableStream) {
      clearInterval(heartbeat)
      await forward(result, write, signalOf())
    }
    if (typeof result !== 'function') close()
    else if (over) await result()
    else cleanup = result
  }
  if (heartbeatMs > 0) heartbeat = setInterval(beat, heartbeatMs)
  attempt(sender, send, fail, (result) => void settle(result).catch(fail))
  if (!takesEvents) return body
  const direct: Direct = {
    attach(given) {
      if (over || controller?.desiredSize !== MOST) return false
      sink = given
      // Nothing references the stream any more
      controller = undefined
      wake?.(true)
      return true
    },
    drained: () => wake?.(true),
    async cancel() {
      if (!over) end()
    },
    close,
  }
  return Object.assign(body, { '~direct': direct })
}

/** Pass on a stream only as fast as the client reads. It is cancelled when the client disconnects. */
const forward = async (
  source: ReadableStream<string | Uint8Array>,
  write: (chunk: string | Uint8Array) => Awaitable<boolean>,
  gone: AbortSignal,
): Promise<void> => {
  const reader = source.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  if (gone.aborted) return cancel()
  gone.addEventListener('abort', cancel)
  for (;;) {
    const { done, value } = await reader.read()
    if (done || !(await write(value))) return
  }
}
