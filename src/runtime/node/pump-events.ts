import type { ServerResponse } from 'node:http'
import {
  attachSink,
  closeStream,
  type EventStreamState,
  endStream,
  MAX_BUFFERED,
  type Sink,
} from '../../internal/sse/event-stream-state.ts'
import { encodeEvent, type ServerSentEvent } from '../../internal/sse/sse-frame.ts'
import { type Closing, endAtShutdown, type OpenSource } from '../../internal/stream/closing.ts'
import type { ChunkSource } from '../../internal/stream/to-stream.ts'
import { report } from '../platform/report.ts'
import { isCutOff } from './closed.ts'
import { breakOff, clientGone, transfer } from './pump.ts'
import { writeChunk } from './write-chunk.ts'

/** The key of a response's writer. With it, all responses share one listener, which saves memory. */
const WRITER: unique symbol = /* @__PURE__ */ Symbol('sluice.writer')

type Outgoing = ServerResponse & { [WRITER]?: EventWriter }

/** @param state of the stream, if it has one. Once the stream is empty, events are written without it */
export const pumpEvents = (
  source: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: Outgoing,
  closing: Closing,
  state: EventStreamState | undefined,
): void => {
  const writer = new EventWriter(source, outgoing, closing, state)
  outgoing[WRITER] = writer
  outgoing.on('close', onClose)
  outgoing.on('error', onClose)
  endAtShutdown(closing, writer)
  void transfer(
    source,
    outgoing,
    () => writer.closed(),
    () => writer.attach(),
    // `writeEvents` has reported a client that is too slow
    (error) => state?.over || report(error),
  )
  // A client is too slow, and `transfer` may be waiting for it
  if (state) source.closed.catch(() => breakOff(outgoing))
}

function onClose(this: Outgoing): void {
  this[WRITER]?.closed()
}

/** Writes events to a response: from its stream at first, then directly. */
class EventWriter implements Sink, OpenSource {
  /** `undefined` once events are written directly. */
  #source: ChunkSource | undefined
  readonly #outgoing: Outgoing
  readonly #closing: Closing
  readonly #state: EventStreamState | undefined
  /** HTTP/2 has no `writableNeedDrain`. */
  #full = false

  constructor(source: ChunkSource, outgoing: Outgoing, closing: Closing, state: EventStreamState | undefined) {
    this.#source = source
    this.#outgoing = outgoing
    this.#closing = closing
    this.#state = state
  }

  /** Write events directly from now on. @returns false while some are in the stream */
  attach(): boolean {
    if (!this.#state || !attachSink(this.#state, this)) return false
    this.#source = undefined
    return true
  }

  closed(): void {
    this.#closing.openSources.delete(this)
    if (!isCutOff(this.#outgoing)) return
    if (this.#source) this.#source.cancel(clientGone()).catch(() => {})
    else if (this.#state) endStream(this.#state)
  }

  endForShutdown(): void {
    if (this.#state) closeStream(this.#state)
    else this.#source?.cancel(new Error('The server is closing')).catch(() => {})
  }

  /** Positive until Node reports that a sender must wait: only then does Node emit `drain`. */
  get desiredSize(): number {
    const room = MAX_BUFFERED - this.#outgoing.writableLength
    return this.#full ? Math.min(room, 0) : Math.max(room, 1)
  }

  /** A socket does not change the bytes, so all clients can share them. */
  encode(event: ServerSentEvent): Uint8Array {
    return encodeEvent(event)
  }

  enqueue(chunk: Uint8Array): void {
    const full = this.#full
    this.#full = true
    try {
      const slow = writeChunk(this.#outgoing, chunk)
      if (!slow) this.#full = full
      else if (!full)
        slow.once('drain', () => {
          this.#full = false
          this.#state?.wake?.(true)
        })
    } catch (error) {
      this.#fail(error)
    }
  }

  close(): void {
    try {
      this.#outgoing.end()
    } catch (error) {
      this.#fail(error)
    }
  }

  error(): void {
    breakOff(this.#outgoing)
  }

  /** Node throws if the body does not match its `Content-Length`, which a sender of events cannot handle. */
  #fail(error: unknown): void {
    breakOff(this.#outgoing)
    report(error)
  }
}
