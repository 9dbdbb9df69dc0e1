import * as platform from '../platform/compression-stream.ts'
import { NodeResponse } from './node-response.ts'
import { createResponse } from './response.ts'

export { canEncode, encode } from '../platform/zlib.ts'

/** The body, taken out of its response: bytes if the response was created from text or bytes. */
export const takeBody = (response: Response): ReadableStream<Uint8Array> | Uint8Array | null => {
  if (!NodeResponse.owns(response)) return response.body
  const body = response.take()
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** The response with another body. */
export const withBody = (response: Response, body: Uint8Array | ReadableStream): Response => {
  if (!NodeResponse.owns(response)) return platform.withBody(response, body)
  const { status, statusText, headers } = response
  return createResponse(body, undefined, { status, statusText, headers })
}
