/**
 * Any source of strings or bytes as a stream of bytes. Pulls only as fast as the reader reads; cancelling it ends the source.
 */
export const toStream = (
  source: ReadableStream | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  const next = puller(source)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await next.pull()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : (value as Uint8Array))
      },
      cancel: next.cancel,
    },
    { highWaterMark: 0 },
  )
}

interface Puller {
  pull(): Promise<{ readonly done?: boolean; readonly value?: unknown }>
  cancel(reason: unknown): Promise<void>
}

const puller = (source: ReadableStream | AsyncIterable<unknown> | Iterable<unknown>): Puller => {
  if (source instanceof ReadableStream) {
    const reader = source.getReader()
    return { pull: () => reader.read(), cancel: (reason) => reader.cancel(reason) }
  }
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : (source as Iterable<unknown>)[Symbol.iterator]()
  return {
    pull: async () => iterator.next(),
    cancel: async () => {
      await iterator.return?.()
    },
  }
}
