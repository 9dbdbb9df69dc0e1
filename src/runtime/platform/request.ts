import { tooLarge } from '../../internal/too-large.ts'
import { allOf, BYTES, type Kept } from './rereadable.ts'

export { headerOf, pathOf, searchOf } from './path.ts'
export { rereadable, textOf } from './rereadable.ts'

export const bytesOf = (
  request: Request,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> => {
  const kept = request as Kept
  if (limit === Number.POSITIVE_INFINITY) return allOf(kept)
  if (kept[BYTES]) return kept[BYTES].then((bytes) => within(bytes, limit))
  kept[BYTES] = read(request, limit)
  return kept[BYTES]
}

/** @throws {Error} 413 when there are more bytes than allowed. */
export const within = <Bytes extends Uint8Array>(bytes: Bytes, limit: number): Bytes => {
  if (bytes.byteLength > limit) throw tooLarge()
  return bytes
}

const read = async (request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge()
  return request.body ? readStream(request.body, limit) : new Uint8Array()
}

/** Read a stream to its end, counting; over the limit it is cancelled. @throws {Error} 413. */
export const readStream = async (
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > limit) {
      reader.cancel().catch(() => {})
      throw tooLarge()
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
