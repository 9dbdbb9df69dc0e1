import { limitBody, rereadable } from '#runtime/core'
import { dropRest } from '../stream/drop-rest.ts'
import { tooLarge } from './too-large.ts'

export interface LimitedRequest extends Request {
  '~counted'?: number
  /** The 413 of a stream that was too long: `fetch` wraps the errors of the streams that it sends. */
  '~tooLarge'?: Error
}

/** Limit the bytes of a request: a reader, or the stream, fails with a 413. The smallest of several limits applies. */
export const limitBodyStream = (raw: Request, limit: number): void => {
  const request: LimitedRequest = rereadable(raw)
  const previousLimit = request['~counted']
  if (previousLimit !== undefined && previousLimit <= limit) return
  limitBody(request, limit)
  request['~counted'] = limit
  if (previousLimit !== undefined) return
  const { clone } = request
  let source: ReadableStream<Uint8Array> | null = null
  let counted: ReadableStream<Uint8Array> | null = null
  const prototype: object = Object.getPrototypeOf(request)
  Object.defineProperty(request, 'body', {
    configurable: true,
    get() {
      const body: ReadableStream<Uint8Array> | null = Reflect.get(prototype, 'body', request)
      if (body !== source) counted = body && count(body, request)
      source = body
      return counted
    },
  })
  // A clone of a platform request would read the stream behind ours
  request.clone = () => {
    const copy = clone.call(request)
    limitBodyStream(copy, request['~counted']!)
    return copy
  }
}

const count = (body: ReadableStream<Uint8Array>, request: LimitedRequest): ReadableStream<Uint8Array> => {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let size = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader()
        const { done, value } = await reader.read()
        if (done) return controller.close()
        size += value.byteLength
        if (size <= request['~counted']!) return controller.enqueue(value)
        dropRest(reader)
        request['~tooLarge'] = tooLarge()
        throw request['~tooLarge']
      },
      cancel: (reason) => (reader ? reader.cancel(reason) : body.cancel(reason)),
    },
    { highWaterMark: 0 },
  )
}
