import { checkOption } from '../../internal/options/check.ts'
import { isPromise, markHandled } from '../../internal/promise/awaitable.ts'
import type { Chunk, StreamSource } from '../../internal/stream/to-stream.ts'

const encoder = /* @__PURE__ */ new TextEncoder()

/** Any source of strings or bytes as a stream of bytes; cancelling it ends the source. */
export const toStream = (source: StreamSource): ReadableStream<Uint8Array> => {
  const input = source as AsyncIterable<Chunk> & Iterable<Chunk>
  const open = input?.[Symbol.asyncIterator] ?? input?.[Symbol.iterator]
  // No other code awaits it
  if (isPromise(source as unknown)) markHandled(source as never)
  checkOption(open, 'stream: source', 'a stream or an iterable, not a promise of one', input)
  const iterator = open.call(input)
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      cancel: (reason) => iterator.return?.(reason) as never,
    },
    { highWaterMark: 0 },
  )
}
