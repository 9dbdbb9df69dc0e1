import type { ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { report } from '../../internal/error/report.ts'
import type { Direct, Sink } from '../../internal/sse/direct.ts'
import { isClosed, isCutOff } from './closed.ts'

/** Where the bytes of a body come from. */
export type Source = Pick<ReadableStreamDefaultReader<Uint8Array | string>, 'read' | 'cancel'>

/**
 * Read only as fast as the client. The source is cancelled when the client disconnects, and if the source fails, the
 * connection is broken.
 *
 * @param direct bypasses the stream for events; used as soon as the stream is empty
 */
export const pump = async (source: Source, outgoing: ServerResponse, direct?: Direct): Promise<void> => {
  // Not `source` itself in the closure, which would keep a stream that is no longer read
  let from: Pick<Source, 'cancel'> = source
  const gone = () => {
    if (isCutOff(outgoing)) from.cancel(new Error('The client has gone')).catch(() => {})
  }
  outgoing.on('close', gone)
  outgoing.on('error', gone)
  if (isClosed(outgoing)) return gone()
  outgoing.flushHeaders()
  const sink = direct && new OutgoingSink(outgoing)
  try {
    for (;;) {
      if (sink && direct.attach(sink)) {
        from = direct
        sink.tell(direct)
        return
      }
      const { done, value } = await source.read()
      if (isClosed(outgoing)) return gone()
      if (done) break
      if (!outgoing.write(value)) await drained(outgoing)
    }
    outgoing.end()
  } catch (error) {
    source.cancel(error).catch(() => {})
    const late = isClosed(outgoing)
    breakOff(outgoing)
    if (!late) report(error ?? new Error('The stream of a response failed, and gave no reason'))
  }
}

/** A response that accepts events directly, without a stream. */
class OutgoingSink implements Sink {
  readonly #outgoing: ServerResponse
  /** HTTP/2 has no `writableNeedDrain`. */
  full = false

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  /** Tell when what was written has left. */
  tell(direct: Direct): void {
    this.#outgoing.on('drain', () => {
      this.full = false
      direct.drained()
    })
  }

  write(chunk: Uint8Array): boolean {
    this.full = !this.#try(() => this.#outgoing.write(chunk))
    return !this.full
  }

  end(): void {
    this.#try(() => this.#outgoing.end())
  }

  /** Node throws if the `Content-Length` does not match the body: a sender of events could not handle that. */
  #try<T>(go: () => T): T | false {
    try {
      return go()
    } catch (error) {
      breakOff(this.#outgoing)
      report(error)
      return false
    }
  }
}

/** `INTERNAL_ERROR` (RFC 9113 §7). */
const HTTP2_INTERNAL_ERROR = 2

/**
 * End a response so that the client does not take it as complete: HTTP/2 sends an error code, HTTP/1.1 closes the
 * connection.
 */
export const breakOff = (outgoing: ServerResponse & { readonly stream?: ServerHttp2Stream }): void => {
  if (outgoing.stream) outgoing.stream.close(HTTP2_INTERNAL_ERROR)
  else outgoing.destroy()
}

/** A whole body as slices, each sent before the next. */
export const slicesOf = (body: string | Uint8Array, size: number): Source => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  let at = 0
  return {
    async read() {
      if (at >= bytes.byteLength) return { done: true, value: undefined }
      const value = bytes.subarray(at, at + size)
      at += size
      return { done: false, value }
    },
    async cancel() {},
  }
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.on('drain', done)
    outgoing.on('close', done)
  })
