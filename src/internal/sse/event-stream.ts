import type { Awaitable } from '../awaitable.ts'
import { isPromise } from '../awaitable.ts'
import { comment, frame, type ServerSentEvent } from './sse-frame.ts'

/** Sends one event. */
export interface Send<Event extends ServerSentEvent = ServerSentEvent> {
  /**
   * @returns false once the stream is closed; else a promise that resolves when the client is ready for more.
   * @throws {TypeError} for an event name or id with a line break, or a `retry` that is no whole number.
   */
  (event: Event): Awaitable<boolean>
  /** A comment line, which clients ignore: keeps proxies from closing the connection. */
  comment(text?: string): Awaitable<boolean>
  /** End the stream. */
  close(): void
  /** Aborts when the client has gone or the stream was closed. */
  readonly signal: AbortSignal
}

/**
 * Produces events. When the promise that it returns settles, the stream ends; a function that it returns keeps the stream open
 * and is called when the client has gone. Without either the stream ends after what was sent.
 */
export type Sender<Event extends ServerSentEvent = ServerSentEvent> = (
  send: Send<Event>,
) => Awaitable<void | (() => void) | ReadableStream>

/** An event whose bytes are ready, since many clients get it. */
export interface Framed {
  readonly '~frame'?: Uint8Array
}

/** Open a stream of events and let the sender fill it. */
export const openEvents = (
  sender: Sender,
  heartbeatMs: number,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const gone = new AbortController()
  const encoder = new TextEncoder()
  const waiting: ((open: boolean) => void)[] = []
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let cleanup: (() => void) | undefined
  let heartbeat: ReturnType<typeof setInterval> | undefined

  const tell = (error: unknown): void => {
    try {
      onError(error)
    } catch (worse) {
      console.error(worse)
    }
  }
  const wake = (open: boolean): void => {
    for (const resolve of waiting.splice(0)) resolve(open)
  }
  const end = (): void => {
    clearInterval(heartbeat)
    gone.abort()
    wake(false)
    try {
      cleanup?.()
    } catch (error) {
      tell(error)
    }
  }
  const close = (): void => {
    if (gone.signal.aborted) return
    controller.close()
    end()
  }
  const isFull = (): boolean => (controller.desiredSize ?? 0) <= 0
  const write = (chunk: string | Uint8Array): Awaitable<boolean> => {
    if (gone.signal.aborted) return false
    controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
    return isFull() ? new Promise((resolve) => waiting.push(resolve)) : true
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
    { highWaterMark: 16_384, size: (chunk) => chunk?.byteLength ?? 0 },
  )

  const settle = async (result: void | (() => void) | ReadableStream): Promise<void> => {
    if (result instanceof ReadableStream) {
      clearInterval(heartbeat)
      await forward(result, write, gone.signal)
    }
    if (typeof result !== 'function') close()
    else if (gone.signal.aborted) result()
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
  return body
}

/** Pass on what a stream gives, as fast as the client reads. It is cancelled when the client goes. */
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
