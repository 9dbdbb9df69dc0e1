import type { ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Writable } from 'node:stream'
import { type Awaitable, isPromise, tryCall } from '../../internal/promise/awaitable.ts'
import type { SourcedBody } from '../../internal/stream/to-stream.ts'
import { report } from '../platform/report.ts'
import { isClosed, isCutOff } from './closed.ts'
import { writeChunk } from './write-chunk.ts'

export interface PumpSource {
  read(): Awaitable<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | string | undefined }>
  cancel(reason?: unknown): Promise<void>
}

/** Write a source as fast as the client reads. If the client disconnects, the source is cancelled. */
export const pump = (source: PumpSource, outgoing: ServerResponse): void => {
  const cancelIfCut = () => {
    if (isCutOff(outgoing)) source.cancel(clientGone()).catch(() => {})
  }
  outgoing.on('close', cancelIfCut)
  outgoing.on('error', cancelIfCut)
  void transfer(source, outgoing, cancelIfCut)
}

export const clientGone = (): Error => new Error('The client disconnected')

/**
 * @param onGone called if the response closes before the end
 * @param takeOver called before each read; returns true when other code writes the rest
 */
export const transfer = async (
  source: PumpSource,
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

/** The source behind a locked stream. It is not cancelled after it has ended, failed or been cancelled. */
export const directSource = ({ '~source': source }: SourcedBody): PumpSource | undefined => {
  if (!source) return undefined
  let over = false
  const fail = (error: unknown): never => {
    over = true
    throw error
  }
  return {
    read: () =>
      tryCall(source.pull, undefined, fail, (result) => {
        over ||= !!result.done
        return result
      }),
    async cancel(reason) {
      if (over) return
      over = true
      await source.cancel(reason)
    },
  }
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
