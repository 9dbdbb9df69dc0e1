import type { ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Writable } from 'node:stream'
import { isPromise } from '../../internal/promise/awaitable.ts'
import type { ChunkSource } from '../../internal/stream/to-stream.ts'
import { report } from '../platform/report.ts'
import { isClosed, isCutOff } from './closed.ts'
import { writeChunk } from './write-chunk.ts'

/** Write a source as fast as the client reads. If the client disconnects, the source is cancelled. */
export const pump = (source: ChunkSource, outgoing: ServerResponse): void => {
  const cancelIfCut = () => {
    if (isCutOff(outgoing)) source.cancel(clientGone()).catch(() => {})
  }
  outgoing.on('close', cancelIfCut)
  outgoing.on('error', cancelIfCut)
  void transfer(source, outgoing, cancelIfCut)
}

export const clientGone = (): Error => new Error('The client disconnected')

/** @param takeOver called before each read; returns true when other code writes the rest */
export const transfer = async (
  source: ChunkSource,
  outgoing: ServerResponse,
  onGone: () => void,
  takeOver?: () => boolean,
  onFailure: (error: unknown) => unknown = report,
): Promise<void> => {
  if (isClosed(outgoing)) return onGone()
  outgoing.flushHeaders()
  try {
    for (;;) {
      if (takeOver?.()) return
      const reading = source.read()
      const { done, value } = isPromise(reading) ? await reading : reading
      if (isClosed(outgoing)) return onGone()
      if (done) break
      const slow = writeChunk(outgoing, value)
      if (slow) await whenDrained(slow, outgoing)
    }
    outgoing.end()
  } catch (error) {
    source.cancel(error).catch(() => {})
    const isLate = isClosed(outgoing)
    breakOff(outgoing)
    if (!isLate) onFailure(error ?? new Error('The response stream failed without an error'))
  }
}

/** Cut a response off, so that the client does not take it as complete. */
export const breakOff = (outgoing: ServerResponse & { readonly stream?: ServerHttp2Stream }): void => {
  if (outgoing.stream)
    outgoing.stream.close(2) // INTERNAL_ERROR (RFC 9113 §7)
  else outgoing.destroy()
}

const whenDrained = (slow: Writable, outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      slow.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    slow.on('drain', done)
    outgoing.on('close', done)
  })
