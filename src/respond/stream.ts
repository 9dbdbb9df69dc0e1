import { createResponse } from '#runtime/response'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import { toStream } from '../internal/stream/to-stream.ts'

/** What can be streamed: bytes or strings, which are sent as UTF-8. */
export type StreamSource = ReadableStream | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/**
 * A streamed response. The source is cancelled when the client goes.
 *
 * @param headers fields, or all options with `status` in one object
 * @example
 * stream(async function* () { yield 'one'; yield 'two' }, { 'content-type': 'text/plain' })
 */
export const stream = (
  source: StreamSource | (() => StreamSource),
  headers?: HeadersInput | ResponseOptions,
): Response => {
  const body = toStream(typeof source === 'function' ? source() : source)
  const [init, fields] = isOptions(headers) ? ([headers] as const) : ([200, headers] as const)
  return createResponse(body, 'application/octet-stream', init, fields)
}

/** Options are told from fields by a status that is a number or fields that are an object. */
const isOptions = (headers: HeadersInput | ResponseOptions | undefined): headers is ResponseOptions =>
  headers !== undefined &&
  !(Symbol.iterator in headers) &&
  (typeof (headers as ResponseOptions).status === 'number' || typeof (headers as ResponseOptions).headers === 'object')
