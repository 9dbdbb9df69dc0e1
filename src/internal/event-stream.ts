import type { Awaitable } from '../context.ts'
import { comment, frame, type ServerSentEvent } from './sse-frame.ts'

/** Sends one event. */
export interface Send {
  /**
   * @returns false once the stream is closed; else a promise that resolves when the client is ready for more.
   * @throws {TypeError} for an event name or id with a line break, or a `retry` that is no whole number.
   */
  (event: ServerSentEvent): Awaitable<boolean>
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
export type Sender = (send: Send) => Awaitable<void | (() => void) | ReadableStream>

/** Open a stream of events and let the sender fill it. */
export const openEvents = (
  sender: Sender,
  heartbeatMs: number,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const gone = new AbortController()
  const encoder = new TextEncoder()
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let resume: ((open: boolean) => void) | undefined
  let cleanup: (() => void) | undefined
  let heartbeat: ReturnType<typeof setInterval> | undefined

  const end = (): void => {
    if (gone.signal.aborted) return
    clearInterval(heartbeat)
    gone.abort()
    resume?.(false)
    try {
      cleanup?.()
    } catch (error) {
      onError(error)
    }
  }
  const close = (): void => {
    if (gone.signal.aborted) return
    controller.close()
    end()
  }
  const write = (text: string): Awaitable<boolean> => {
    if (gone.signal.aborted) return false
    controller.enqueue(encoder.encode(text))
    if ((controller.desiredSize ?? 0) > 0) return true
    return new Promise((resolve) => {
      const earlier = resume
      resume = (open) => {
        earlier?.(open)
        resolve(open)
      }
    })
  }
  const send: Send = Object.assign((event: ServerSentEvent) => write(frame(event)), {
    comment: (text = '') => write(comment(text)),
    close,
    signal: gone.signal,
  })
  const body = new ReadableStream<Uint8Array>(
    {
      start: (started) => {
        controller = started
      },
      pull: () => {
        resume?.(true)
        resume = undefined
      },
      cancel: end,
    },
    { highWaterMark: 16_384, size: (chunk) => chunk?.byteLength ?? 0 },
  )

  const settle = (result: void | (() => void) | ReadableStream): void => {
    if (typeof result !== 'function') close()
    else if (gone.signal.aborted) result()
    else cleanup = result
  }
  const fail = (error: unknown): void => {
    onError(error)
    close()
  }
  try {
    const result = sender(send)
    if (result instanceof ReadableStream) return result
    if (heartbeatMs > 0) heartbeat = setInterval(() => void send.comment(), heartbeatMs)
    if (result instanceof Promise) result.then(settle as (result: unknown) => void).catch(fail)
    else settle(result)
  } catch (error) {
    fail(error)
  }
  return body
}
