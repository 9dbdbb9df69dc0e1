import { type Awaitable, tryCall } from '../promise/awaitable.ts'
import {
  closeStream,
  type EventBody,
  type EventStreamState,
  endStream,
  failStream,
  isFull,
  MAX_BUFFERED,
  signalOf,
  writeEvents,
} from './event-stream-state.ts'
import { commentFrame, frame, type ServerSentEvent } from './sse-frame.ts'

/** Sends one event. */
export interface Send<Event extends ServerSentEvent = ServerSentEvent> {
  /**
   * @returns false once the stream is closed, or its client was cut off because too much waits for it; else true, or a
   * promise that resolves when the client is ready for more.
   * @throws {TypeError} for an event name or id with a line break, or a `retry` that is not an integer.
   */
  (event: Event & Pick<ServerSentEvent, 'id' | 'retry'>): Awaitable<boolean>
  /** A comment line, which clients ignore: keeps proxies from closing the connection. */
  comment(text?: string): Awaitable<boolean>
  /** End the stream. */
  close(): void
  /** Aborts when the client has disconnected or the stream was closed. */
  readonly signal: AbortSignal
}

/**
 * Produces events. If it returns a promise, the stream ends when that settles. If it returns a function, the stream
 * stays open, and the function is called when it ends. A returned stream of encoded events is sent as it is. Otherwise
 * the stream ends after the sent events.
 */
export type Sender<Event extends ServerSentEvent = ServerSentEvent> = (
  send: Send<Event>,
) => Awaitable<void | (() => void) | ReadableStream>

export type SendWithStream = Send & { readonly '~stream'?: EventStreamState }

/** A prototype, which thousands of clients share: own getters would turn each function into a dictionary. */
class SendMembers extends Function {
  declare readonly '~stream': EventStreamState

  get signal(): AbortSignal {
    return signalOf(this['~stream'])
  }

  get comment() {
    return (text = '') => writeEvents(this['~stream'], commentFrame(text))
  }

  get close() {
    return () => closeStream(this['~stream'])
  }
}

const sendTo = (state: EventStreamState): Send => {
  const send = (event: ServerSentEvent) => writeEvents(state, (state.sink.encode ?? frame)(event))
  return Object.assign(Object.setPrototypeOf(send, SendMembers.prototype), { '~stream': state })
}

export const openEvents = (
  sender: Sender,
  heartbeatMs: number,
  limit: number,
  onError: (error: unknown) => void,
): EventBody => {
  const state: EventStreamState = {
    over: false,
    onError,
    limit: Math.max(limit, MAX_BUFFERED),
    sink: undefined as never, // until `start`, which runs at once
    drained: undefined,
    wake: undefined,
    abortController: undefined,
    cleanup: undefined,
    heartbeat: undefined,
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        state.sink = controller
      },
      pull: () => state.wake?.(true),
      cancel: () => endStream(state),
    },
    { highWaterMark: MAX_BUFFERED, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  const fail = (error: unknown): void => failStream(state, error)
  if (heartbeatMs > 0) state.heartbeat = setInterval(sendHeartbeat, heartbeatMs, state)
  tryCall(sender, sendTo(state), fail, (result) => void finishSender(state, result).catch(fail))
  return Object.assign(body, { '~stream': state })
}

const sendHeartbeat = (state: EventStreamState): void => {
  if (!isFull(state)) writeEvents(state, commentFrame(''))
}

const finishSender = async (state: EventStreamState, result: void | (() => void) | ReadableStream): Promise<void> => {
  if (result instanceof ReadableStream) {
    clearInterval(state.heartbeat)
    await forward(result, state)
  }
  if (typeof result !== 'function') closeStream(state)
  else if (state.over) await result()
  else state.cleanup = result
}

/** Only as fast as the client reads. The source is cancelled when the client disconnects. */
const forward = async (source: ReadableStream<string | Uint8Array>, state: EventStreamState): Promise<void> => {
  const reader = source.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  const disconnected = signalOf(state)
  if (disconnected.aborted) return cancel()
  disconnected.addEventListener('abort', cancel)
  for (;;) {
    const { done, value } = await reader.read()
    if (done || !(await writeEvents(state, value))) return
  }
}
