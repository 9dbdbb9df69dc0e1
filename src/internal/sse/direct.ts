/** What takes the bytes in place of a stream: a socket has a queue of its own. */
export interface Sink {
  /** Whether what was written waits. */
  readonly full: boolean
  /** @returns false if it is full now; {@link Direct.drained} tells when it is no longer */
  write(chunk: Uint8Array): boolean
  end(): void
}

/** The way around a stream of events. */
export interface Direct {
  /** Take the bytes from now on. @returns false while some are in the stream, which are read first */
  attach(sink: Sink): boolean
  drained(): void
  /** The client has gone. */
  cancel(): Promise<void>
  /** End the stream. */
  close(): void
}

/** A stream of events, and the way around it. */
export type EventBody = ReadableStream<Uint8Array> & { readonly '~direct'?: Direct }
