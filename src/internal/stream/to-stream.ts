import { checkOption } from '../options/check.ts'
import { type Awaitable, isPromise, markHandled, tryCall, whenResolved } from '../promise/awaitable.ts'

/** A text is sent as UTF-8. */
type Chunk = string | Uint8Array

/** The values that can be streamed. */
export type StreamSource = ReadableStream | AsyncIterable<Chunk> | Iterable<Chunk>

/** A stream, and its source for servers that write to a socket directly. Who uses the source locks the stream. */
export type SourcedBody = ReadableStream<Uint8Array> & { readonly '~source'?: ChunkSource }

export interface ChunkSource {
  /** The next chunk; may throw or reject. */
  read(): Awaitable<{ readonly done?: boolean | undefined; readonly value?: Chunk | undefined }>
  cancel(reason?: unknown): Promise<void>
}

/** Any source as a stream of bytes. It pulls only as fast as the reader reads; cancelling it ends the source. */
export const toStream = (source: StreamSource): SourcedBody => {
  const encoder = new TextEncoder()
  const chunks = chunksOf(source)
  const stream = new ReadableStream<Uint8Array>(
    {
      // A chunk that is available needs no promise
      pull: (controller) =>
        whenResolved(chunks.read(), ({ done, value }) => {
          if (done) controller.close()
          else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value!)
        }),
      cancel: (reason) => chunks.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return Object.assign(stream, { '~source': chunks })
}

const chunksOf = (source: StreamSource): ChunkSource => {
  if (source instanceof ReadableStream) return source.getReader()
  const iterator = iteratorOf(source)
  const next = (): ReturnType<ChunkSource['read']> => iterator.next()
  let over = false
  const fail = (error: unknown): never => {
    over = true
    throw error
  }
  return {
    read: () =>
      tryCall(next, undefined, fail, (result) => {
        over ||= !!result.done
        return result
      }),
    // An iterator that has ended, failed or returned must not return again
    async cancel() {
      if (over) return
      over = true
      await iterator.return?.()
    },
  }
}

type Open = (this: unknown) => Iterator<Chunk> | AsyncIterator<Chunk>

/** @throws {TypeError} for another source. A promise is refused, and its error dropped: nobody else waits for it. */
export const iteratorOf = (source: StreamSource): ReturnType<Open> => {
  const input = source as { [Symbol.asyncIterator]?: Open; [Symbol.iterator]?: Open } | undefined | null
  const open = input?.[Symbol.asyncIterator] ?? input?.[Symbol.iterator]
  if (isPromise(input as unknown)) markHandled(input)
  checkOption(open, 'stream: source', 'a stream or an iterable, not a promise of one', input)
  return open.call(input)
}
