import { toStream } from '#runtime/core'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import { streamResponse } from '../internal/stream/stream-response.ts'
import type { StreamSource } from '../internal/stream/to-stream.ts'

export type { StreamSource } from '../internal/stream/to-stream.ts'

/**
 * A streamed response. The source is cancelled when the client disconnects.
 *
 * @param headers headers, or all options with `status` in one object
 * @throws {TypeError} for a source that cannot be streamed, such as a promise or an `async` function
 * @example
 * stream(async function* () { yield 'one'; yield 'two' }, { 'content-type': 'text/plain' })
 */
export const stream = (
  source: StreamSource | (() => StreamSource),
  headers?: HeadersInput | ResponseOptions,
): Response => {
  const body = toStream(typeof source === 'function' ? source() : source)
  return streamResponse(body, 'application/octet-stream', isOptions(headers) ? headers : headers && { headers })
}

/** Options have a numeric `status`, or an object as `headers`. */
const isOptions = (headers: HeadersInput | ResponseOptions | undefined): headers is ResponseOptions =>
  headers !== undefined &&
  !(Symbol.iterator in headers) &&
  (typeof (headers as ResponseOptions).status === 'number' || typeof (headers as ResponseOptions).headers === 'object')
