import { report } from '#runtime/core'
import { type Awaitable, tryCall } from '../promise/awaitable.ts'
import { type Backpressure, tooSlow, waitForDrain } from '../stream/backpressure.ts'
import type { ServerSentEvent } from './sse-frame.ts'

/** A controller, or a socket with its own queue. From a `desiredSize` of 0 on, senders wait until `wake` is called. */
export interface Sink
  extends Pick<ReadableStreamDefaultController<Uint8Array>, 'desiredSize' | 'enqueue' | 'close' | 'error'> {
  /** Encodes an event instead of `frame`. */
  encode?: (event: ServerSentEvent) => Uint8Array
}

/** Functions over it, not methods and closures: thousands of clients share them, and bundles have only those called. */
export interface EventStreamState extends Backpressure {
  over: boolean
  readonly onError: (error: unknown) => void
  /** Bytes that may wait for the client when an event is sent. */
  readonly limit: number
  sink: Sink
  /** Created when the signal is first read. */
  abortController: AbortController | undefined
  cleanup: (() => void) | undefined
  heartbeat: ReturnType<typeof setInterval> | undefined
}

export type EventBody = ReadableStream<Uint8Array> & { readonly '~stream'?: EventStreamState }

/** Bytes that may wait for a reader before a sender waits: `desiredSize` is this, less what waits. */
export const MAX_BUFFERED = 16_384

const encoder = /* @__PURE__ */ new TextEncoder()

const tellError = (error: unknown, state: EventStreamState): void =>
  void tryCall(() => state.onError(error), undefined, report)

export const isFull = ({ sink }: EventStreamState): boolean => sink.desiredSize! <= 0

/** @returns false if the stream is over; else true, or a promise that resolves when the client is ready for more. */
export const writeEvents = (state: EventStreamState, chunk: string | Uint8Array): Awaitable<boolean> => {
  if (state.over) return false
  const { sink } = state
  const waiting = MAX_BUFFERED - sink.desiredSize!
  if (waiting > state.limit) {
    const error = tooSlow(waiting)
    endStream(state)
    // Events that wait are dropped
    sink.error(error)
    tellError(error, state)
    return false
  }
  sink.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  return !isFull(state) || waitForDrain(state)
}

export const endStream = (state: EventStreamState): void => {
  if (state.over) return
  state.over = true
  clearInterval(state.heartbeat)
  state.abortController?.abort()
  state.wake?.(false)
  tryCall(({ cleanup }) => cleanup?.(), state, tellError)
}

/** End the stream; the client still gets the written events. */
export const closeStream = (state: EventStreamState): void => {
  if (state.over) return
  state.sink.close()
  endStream(state)
}

export const failStream = (state: EventStreamState, error: unknown): void => {
  tellError(error, state)
  closeStream(state)
}

export const signalOf = (state: EventStreamState): AbortSignal => {
  state.abortController ??= new AbortController()
  if (state.over) state.abortController.abort()
  return state.abortController.signal
}

/** Write to a socket from now on. @returns false while bytes are in the stream, which must be read first */
export const attachSink = (state: EventStreamState, sink: Sink): boolean => {
  if (state.over || state.sink.desiredSize !== MAX_BUFFERED) return false
  // Nothing references the stream any more
  state.sink = sink
  state.wake?.(true)
  return true
}
