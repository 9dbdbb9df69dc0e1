import { type Awaitable, attempt, isPromise } from '../awaitable.ts'
import { report } from '../error/report.ts'
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

/** Takes the bytes instead of a stream: a socket has its own queue. */
export interface Sink {
  /** Whether written bytes are still waiting. */
  readonly full: boolean
  /** @returns false if the queue is full; {@link Direct.drained} resolves when it is no longer full */
  write(chunk: Uint8Array): boolean
  end(): void
}

/** Bypasses the stream of events. */
export interface Direct {
  /** Take the bytes from now on. @returns false while the stream still contains some, which must be read first */
  attach(sink: Sink): boolean
  drained(): void
  /** Called when the client has disconnected. */
  cancel(): Promise<void>
  /** End the stream. */
  close(): void
}

/** A stream of events, and its bypass. */
export type EventBody = ReadableStream<Uint8Array> & { readonly '~direct'?: Direct }

/** Bytes that may be buffered before a sender has to wait. */
const MOST = 16_384

const encoder = /* @__PURE__ */ new TextEncoder()

/** Open a stream of events and let the sender fill it. */
export const openEvents = (sender: Sender, heartbeatMs: number, onError: (error: unknown) => void): EventBody => {
  const gone = new AbortController()
  const waiting: ((open: boolean) => void)[] = []
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let sink: Sink | undefined
  let cleanup: (() => void) | undefined
  let heartbeat: ReturnType<typeof setInterval> | undefined

  const tell = (error: unknown): void => void attempt(() => onError(error), undefined, report)
  const wake = (open: boolean): void => {
    for (const resolve of waiting.splice(0)) resolve(open)
  }
  const end = (): void => {
    clearInterval(heartbeat)
    gone.abort()
    wake(false)
    attempt(() => cleanup?.(), undefined, tell)
  }
  const close = (): void => {
    if (gone.signal.aborted) return
    controller?.close()
    end()
    sink?.end()
  }
  const isFull = (): boolean => (sink ? sink.full : (controller?.desiredSize ?? 0) <= 0)
  const write = (chunk: string | Uint8Array): Awaitable<boolean> => {
    if (gone.signal.aborted) return false
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
    controller?.enqueue(bytes)
    return sink?.write(bytes) === false || isFull() ? new Promise((resolve) => waiting.push(resolve)) : true
  }
  const send: Send = Object.assign((event: ServerSentEvent & Framed) => write(event['~frame'] ?? frame(event)), {
    comment: (text = '') => write(comment(text)),
    close,
    signal: gone.signal,
  })
  const beat = (): void => {
    if (!isFull()) send.comment()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (started) => {
        controller = started
      },
      pull: () => wake(true),
      cancel: end,
    },
    { highWaterMark: MOST, size: (chunk) => chunk?.byteLength ?? 0 },
  )

  const settle = async (result: void | (() => void) | ReadableStream): Promise<void> => {
    if (result instanceof ReadableStream) {
      clearInterval(heartbeat)
      await forward(result, write, gone.signal)
    }
    if (typeof result !== 'function') close()
    else if (gone.signal.aborted) await result()
    else cleanup = result
  }
  const fail = (error: unknown): void => {
    tell(error)
    close()
  }
  try {
    if (heartbeatMs > 0) heartbeat = setInterval(beat, heartbeatMs)
    const result = sender(send)
    if (isPromise(result)) result.then(settle).catch(fail)
    else settle(result).catch(fail)
  } catch (error) {
    fail(error)
  }
  const direct: Direct = {
    attach(given) {
      if (gone.signal.aborted || controller?.desiredSize !== MOST) return false
      sink = given
      // Nothing references the stream any more
      controller = undefined
      wake(true)
      return true
    },
    drained: () => wake(true),
    async cancel() {
      if (!gone.signal.aborted) end()
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
