import { decodeUtf8 } from '../../internal/body/decode.ts'
import { tooLarge } from '../../internal/body/too-large.ts'

/** Default limit of a body, in bytes. */
export const DEFAULT_LIMIT = 1_048_576

/** A request whose body is kept once it was read, and that may have a limit for it. */
export type Kept = Request & {
  '~bytes'?: Promise<Uint8Array<ArrayBuffer>>
  '~limit'?: number
  /** True if it comes from a server, which enforces the `Content-Length` of a body. */
  '~measured'?: boolean
}

export const limitBody = (request: Kept, limit: number = DEFAULT_LIMIT): void => {
  request['~limit'] = limit
}

export const bytesOf = (request: Kept, limit?: number): Promise<Uint8Array<ArrayBuffer>> => {
  const known = request['~bytes']
  if (known) return limit === undefined ? known : known.then((bytes) => within(bytes, limit))
  const bytes = read(request, limit ?? request['~limit'] ?? DEFAULT_LIMIT)
  request['~bytes'] = bytes
  return bytes
}

export const textOf = (request: Request, limit?: number): Promise<string> => bytesOf(request, limit).then(decodeUtf8)

/** @throws {Error} 413 when there are more bytes than allowed. */
export const within = <Bytes extends Uint8Array>(bytes: Bytes, limit: number): Bytes => {
  if (bytes.length > limit) throw tooLarge()
  return bytes
}

/**
 * If the server enforces the length, the platform can read the body at once, in a third of the time of a stream. For a
 * chunked body, the length is not reliable.
 */
const read = (request: Kept, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  const { headers } = request
  const length = headers.get('content-length')
  if (request.bodyUsed) return Promise.reject(new TypeError('Body was read already'))
  if (Number(length) > limit) return Promise.reject(tooLarge())
  // Not the reader that `rereadable` has added, because that calls this function
  if (request['~measured'] && /^\d+$/.test(length ?? '') && !headers.has('transfer-encoding'))
    return Request.prototype.arrayBuffer.call(request).then((all) => within(new Uint8Array(all), limit))
  return request.body ? readStream(request.body, limit) : Promise.resolve(new Uint8Array())
}

/**
 * Read a stream to its end and count its bytes; over the limit it is cancelled. A single chunk is returned directly;
 * several are copied together, so that a view of a few bytes does not keep its whole block in memory.
 *
 * @throws {Error} 413.
 */
export const readStream = async (
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = stream.getReader()
  let bytes = new Uint8Array()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size < bytes.length ? bytes.slice(0, size) : bytes
    const end = size + value.length
    if (end > limit) {
      reader.cancel().catch(() => {})
      throw tooLarge()
    }
    if (end > bytes.length) {
      const old = bytes
      bytes = size ? new Uint8Array(2 * end) : (value as Uint8Array<ArrayBuffer>)
      bytes.set(old)
    }
    if (bytes !== value) bytes.set(value, size)
    size = end
  }
}
