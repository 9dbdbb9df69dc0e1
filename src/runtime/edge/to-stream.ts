import { iteratorOf, type StreamSource } from '../../internal/stream/to-stream.ts'

const encoder = /* @__PURE__ */ new TextEncoder()

/** Any source as a stream of bytes; cancelling it ends the source. */
export const toStream = (source: StreamSource): ReadableStream<Uint8Array> => {
  const iterator = iteratorOf(source)
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      cancel: async (reason) => void (await iterator.return?.(reason)),
    },
    { highWaterMark: 0 },
  )
}
