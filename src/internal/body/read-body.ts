import { brokenOff, hasLength, readStream } from '#runtime/core'
import type { Awaitable } from '../promise/awaitable.ts'
import { decodeUtf8 } from './decode.ts'
import { tooLarge } from './too-large.ts'

export const DEFAULT_LIMIT = 1_048_576

/** A request that keeps its body once it was read. */
export type RereadableRequest = Request & {
  '~bytes'?: Promise<Uint8Array<ArrayBuffer>>
  '~limit'?: number | undefined
  /** The value that the platform has read, which keeps no bytes. */
  '~json'?: Promise<unknown>
}

/** The request of a context, without adding readers to it, which would cost time for each request. */
export const bareRequest = (ctx: { readonly request: Request }): RereadableRequest =>
  (ctx as { readonly raw?: Request }).raw ?? ctx.request

export const limitBody = (request: RereadableRequest, limit?: number): void => {
  request['~limit'] = limit
}

/** The body, counted while it is read, and kept. A `limit` also applies to kept bytes. @throws {Error} 413 */
export const bytesOf = (request: RereadableRequest, limit?: number): Promise<Uint8Array<ArrayBuffer>> => {
  const kept = request['~bytes']
  if (kept) return limit === undefined ? kept : kept.then((bytes) => checkSize(bytes, limit))
  const bytes = read(request, limit ?? request['~limit'] ?? DEFAULT_LIMIT)
  request['~bytes'] = bytes
  return bytes
}

export const textOf = <T = string>(request: Request, convert = (text: string): Awaitable<T> => text as T): Promise<T> =>
  bytesOf(request).then((bytes) => convert(decodeUtf8(bytes)))

/** The body as a stream, also of bytes that a reader has kept: the stream of a platform's request is used up then. */
export const bodyStream = async (request: RereadableRequest): Promise<ReadableStream<Uint8Array> | null> =>
  request['~bytes'] ? new Response(await bytesOf(request)).body : request.body

export const checkSize = <Bytes extends Uint8Array>(bytes: Bytes, limit: number): Bytes => {
  if (bytes.length > limit) throw tooLarge()
  return bytes
}

const read = (request: RereadableRequest, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (request.bodyUsed) return Promise.reject(new TypeError('Body was read already'))
  const length = request.headers.get('content-length')
  const size = Number(length)
  if (size > limit) return Promise.reject(tooLarge())
  // Not the reader that `rereadable` has added, because that reads what this function returns
  if (size <= limit && `${size}` === length && hasLength(request))
    return Request.prototype.bytes.call(request).then((bytes) => checkSize(bytes, limit), brokenOff)
  return readStream(request.body, limit).catch(brokenOff)
}
