import { type Awaitable, tryCall } from '../promise/awaitable.ts'
import {
  closeLine,
  type EventBody,
  type EventLine,
  endLine,
  failLine,
  isFull,
  MOST,
  signalOf,
  writeLine,
} from './event-line.ts'
import { commentFrame, frame, type ServerSentEvent } from './sse-frame.ts'

/** Sends one event. */
export interface Send<Event extends ServerSentEvent = ServerSentEvent> {
  /**
   * @returns false once the stream is closed, or its client was cut off because too much waits for it; else true, or a
   * promise that resolves when the client is ready for more.
   * @throws {TypeError} for an event name or id with a line break, or a `retry` that is not an integer. */
  (event: Event & Pick<ServerSentEvent, 'id' | 'retry'>): Awaitable<boolean>
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
export interface EventFrame {
  readonly '~frame'?: Uint8Array
}

/** A `send`, as far as our own senders may look into it. */
export type SendWithLine = Send & { readonly '~line'?: EventLine; readonly '~fail'?: (error: unknown) => void }

/**
 * The members of all `send` functions. As a prototype: thousands of clients share them, and an own getter would
 * turn each function into a dictionary.
 */
class Members extends Function {
  declare readonly '~line': EventLine

  get signal(): AbortSignal {
    return signalOf(this['~line'])
  }

  get comment() {
    return (text = '') => writeLine(this['~line'], commentFrame(text))
  }

  get close() {
    return () => closeLine(this['~line'])
  }
}

const sendTo = (line: EventLine): Send => {
  const send = (event: ServerSentEvent & EventFrame) =>
    writeLine(line, event['~frame'] ?? (line.sink.encode ?? frame)(event))
  return Object.assign(Object.setPrototypeOf(send, Members.prototype), { '~line': line })
}

/** Open a stream of events and let the sender fill it. */
export const openEvents = (
  sender: Sender,
  heartbeatMs: number,
  limit: number,
  onError: (error: unknown) => void,
): EventBody => {
  const line: EventLine = {
    over: false,
    onError,
    limit: Math.max(limit, MOST),
    sink: undefined as never, // until `start`, which runs at once
    drained: undefined,
    wake: undefined,
    gone: undefined,
    cleanup: undefined,
    heartbeat: undefined,
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        line.sink = controller
      },
      pull: () => line.wake?.(true),
      cancel: () => endLine(line),
    },
    { highWaterMark: MOST, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  const fail = (error: unknown): void => failLine(line, error)
  if (heartbeatMs > 0) line.heartbeat = setInterval(sendHeartbeat, heartbeatMs, line)
  tryCall(sender, sendTo(line), fail, (result) => void finishSender(line, result).catch(fail))
  return Object.assign(body, { '~line': line })
}

const sendHeartbeat = (line: EventLine): void => {
  if (!isFull(line)) writeLine(line, commentFrame(''))
}

const finishSender = async (line: EventLine, result: void | (() => void) | ReadableStream): Promise<void> => {
  if (result instanceof ReadableStream) {
    clearInterval(line.heartbeat)
    await forward(result, line)
  }
  if (typeof result !== 'function') closeLine(line)
  else if (line.over) await result()
  else line.cleanup = result
}

/** Pass on a stream only as fast as the client reads. It is cancelled when the client disconnects. */
const forward = async (source: ReadableStream<string | Uint8Array>, line: EventLine): Promise<void> => {
  const reader = source.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  const disconnected = signalOf(line)
  if (disconnected.aborted) return cancel()
  disconnected.addEventListener('abort', cancel)
  for (;;) {
    const { done, value } = await reader.read()
    if (done || !(await writeLine(line, value))) return
  }
}
