import { brokenOff, readWhole } from '#runtime/whole-body'
import { decodeUtf8 } from './decode.ts'
import { tooLarge } from './too-large.ts'

/** Default limit of a body, in bytes. */
export const DEFAULT_LIMIT = 1_048_576

/** A request whose body is kept once it was read, and that may have a limit for it. */
export type Kept = Request & {
  '~bytes'?: Promise<Uint8Array<ArrayBuffer>>
  '~limit'?: number | undefined
}

export const limitBody = (request: Kept, limit?: number): void => {
  request['~limit'] = limit
}

export const bytesOf = (request: Kept, limit?: number): Promise<Uint8Array<ArrayBuffer>> => {
  const known = request['~bytes']
  if (known) return limit === undefined ? known : known.then((bytes) => within(bytes, limit))
  const bytes = read(request, limit ?? request['~limit'] ?? DEFAULT_LIMIT)
  request['~bytes'] = bytes
  return bytes
}

export const textOf = <T = string>(request: Request, convert = (text: string): T => text as T): Promise<T> =>
  bytesOf(request).then((bytes) => convert(decodeUtf8(bytes)))

/** @throws {Error} 413 when there are more bytes than allowed. */
export const within = <Bytes extends Uint8Array>(bytes: Bytes, limit: number): Bytes => {
  if (bytes.length > limit) throw tooLarge()
  return bytes
}

const read = (request: Kept, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (request.bodyUsed) return Promise.reject(new TypeError('Body was read already'))
  const length = request.headers.get('content-length')
  const size = Number(length)
  if (size > limit) return Promise.reject(tooLarge())
  const whole = size <= limit && `${size}` === length && readWhole(request)
  return whole ? whole.then((bytes) => within(bytes, limit)) : readStream(request.body, limit).catch(brokenOff)
}

/**
 * Read a stream to its end and count its bytes; over the limit it is cancelled. A single chunk is returned directly;
 * several are copied together, so that a view of a few bytes does not keep its whole block in memory.
 *
 * @throws {Error} 413.
 */
export const readStream = async (
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  let bytes = new Uint8Array()
  if (!stream) return bytes
  const reader = stream.getReader()
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
