import { report } from '#runtime/core'
import { type Awaitable, tryCall } from '../promise/awaitable.ts'
import { type Backpressure, tooSlow, waitForDrain } from '../stream/backpressure.ts'
import type { ServerSentEvent } from './sse-frame.ts'

/**
 * Takes the bytes of a line: the controller of its stream, or a socket, which has a queue of its own. `desiredSize` is
 * `MOST` less what waits; from 0 on a sender waits, until `wake` of the line is called.
 */
export interface Sink
  extends Pick<ReadableStreamDefaultController<Uint8Array>, 'desiredSize' | 'enqueue' | 'close' | 'error'> {
  /** Encodes an event instead of `frame`. */
  encode?: (event: ServerSentEvent) => Uint8Array
}

/**
 * The state of one stream of events. It has functions over it instead of methods and closures: thousands of clients
 * share them, and a bundle contains only those that it calls.
 */
export interface EventLine extends Backpressure {
  over: boolean
  readonly onError: (error: unknown) => void
  /** Bytes that may wait for the client when an event is sent. */
  readonly limit: number
  sink: Sink
  /** Created when the signal is first read. */
  gone: AbortController | undefined
  cleanup: (() => void) | undefined
  heartbeat: ReturnType<typeof setInterval> | undefined
}

/** A stream of events, with its line for servers that can write to a socket directly. */
export type EventBody = ReadableStream<Uint8Array> & { readonly '~line'?: EventLine }

/** Bytes that may wait for a reader before a sender waits. */
export const MOST = 16_384

const encoder = /* @__PURE__ */ new TextEncoder()

/** Pass an error on to the option `onError`. */
const tellError = (line: EventLine, error: unknown): void => void tryCall(() => line.onError(error), undefined, report)

/** Whether bytes are waiting for the client. */
export const isFull = ({ sink }: EventLine): boolean => sink.desiredSize! <= 0

/** @returns false if the line is over; else true, or a promise that resolves when the client is ready for more. */
export const writeLine = (line: EventLine, chunk: string | Uint8Array): Awaitable<boolean> => {
  if (line.over) return false
  const { sink } = line
  const waiting = MOST - sink.desiredSize!
  if (waiting > line.limit) {
    const error = tooSlow(waiting)
    endLine(line)
    // Events that wait are dropped
    sink.error(error)
    tellError(line, error)
    return false
  }
  sink.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  return !isFull(line) || waitForDrain(line)
}

/** The client disconnected, or the stream was closed. */
export const endLine = (line: EventLine): void => {
  if (line.over) return
  line.over = true
  clearInterval(line.heartbeat)
  line.gone?.abort()
  line.wake?.(false)
  tryCall(
    () => line.cleanup?.(),
    undefined,
    (error) => tellError(line, error),
  )
}

/** End the line; the client still gets the written events. */
export const closeLine = (line: EventLine): void => {
  if (line.over) return
  line.sink.close()
  endLine(line)
}

/** End the line because of an error. */
export const failLine = (line: EventLine, error: unknown): void => {
  tellError(line, error)
  closeLine(line)
}

/** Aborts when the line is over. */
export const signalOf = (line: EventLine): AbortSignal => {
  line.gone ??= new AbortController()
  if (line.over) line.gone.abort()
  return line.gone.signal
}

/** Write to a socket from now on. @returns false while bytes are in the stream, which must be read first */
export const attachSink = (line: EventLine, sink: Sink): boolean => {
  if (line.over || line.sink.desiredSize !== MOST) return false
  // Nothing references the stream any more
  line.sink = sink
  line.wake?.(true)
  return true
}
