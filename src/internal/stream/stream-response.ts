import { createResponse, streamOf } from '#runtime/core'
import type { HeadersInput, ResponseOptions } from '../header/fields.ts'

/** Cancels the stream if no response can be created, or if its status has no body: nobody will read it. */
export const streamResponse = (
  body: string | ReadableStream,
  type: string,
  init?: number | ResponseOptions,
  headers?: HeadersInput,
): Response => {
  let stream: unknown
  try {
    const response = createResponse(body, type, init, headers)
    stream = streamOf(response)
    return response
  } finally {
    if (!stream) (body as Partial<ReadableStream>).cancel?.().catch(() => {})
  }
}
