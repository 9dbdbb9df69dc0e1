import { type Awaitable, attempt } from '../awaitable.ts'
import { report } from '../error/report.ts'

/** Takes the bytes of a line instead of its stream: a socket has a queue of its own. */
export interface Sink {
  /** Whether written bytes are still waiting. */
  readonly full: boolean
  /** @returns false if it is full now; then call `wake` of the line when it no longer is */
  write(chunk: Uint8Array): boolean
  end(): void
}

/**
 * The state of one stream of events. It has functions over it instead of methods and closures: thousands of clients
 * share them, and a bundle contains only those that it calls.
 */
export interface EventLine {
  over: boolean
  readonly onError: (error: unknown) => void
  /** Receives the bytes until there is a sink. */
  controller: ReadableStreamDefaultController<Uint8Array> | undefined
  sink: Sink | undefined
  /** What all senders wait for. */
  room: Promise<boolean> | undefined
  /** Let waiting senders continue; `open` is false if the client has gone. */
  wake: ((open: boolean) => void) | undefined
  /** Created when somebody asks for the signal. */
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
export const tellError = (line: EventLine, error: unknown): void =>
  void attempt(() => line.onError(error), undefined, report)

/** Whether bytes are waiting for the client. */
export const isFull = ({ sink, controller }: EventLine): boolean =>
  sink ? sink.full : (controller?.desiredSize ?? 0) <= 0

/** @returns false if the line is over; else true, or a promise that resolves when the client is ready for more. */
export const writeLine = (line: EventLine, chunk: string | Uint8Array): Awaitable<boolean> => {
  if (line.over) return false
  const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
  line.controller?.enqueue(bytes)
  if (line.sink?.write(bytes) !== false && !isFull(line)) return true
  line.room ??= new Promise((resolve) => {
    line.wake = (open) => {
      line.room = undefined
      resolve(open)
    }
  })
  return line.room
}

/** The client has gone, or the line was closed. */
export const endLine = (line: EventLine): void => {
  line.over = true
  clearInterval(line.heartbeat)
  line.gone?.abort()
  line.wake?.(false)
  attempt(
    () => line.cleanup?.(),
    undefined,
    (error) => tellError(line, error),
  )
}

/** End the line; the client gets what was written. */
export const closeLine = (line: EventLine): void => {
  if (line.over) return
  line.controller?.close()
  endLine(line)
  line.sink?.end()
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

/** Write to a sink from now on. @returns false while bytes are in the stream, which must be read first */
export const attachSink = (line: EventLine, sink: Sink): boolean => {
  if (line.over || line.controller?.desiredSize !== MOST) return false
  line.sink = sink
  // Nothing references the stream any more
  line.controller = undefined
  line.wake?.(true)
  return true
}
