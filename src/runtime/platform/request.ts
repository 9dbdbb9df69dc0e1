import { HttpError } from '../../internal/http-error.ts'
import { parseJson } from '../../internal/json-error.ts'

/** Cut the path out of an absolute URL without parsing it. */
export const pathOf = ({ url }: Request): string => {
  const start = url.indexOf('/', url.indexOf(':') + 3)
  if (start < 0) return '/'
  for (let index = start; index < url.length; index++) {
    const code = url.charCodeAt(index)
    if (code === 63 || code === 35) return url.slice(start, index)
  }
  return url.slice(start)
}

export const headerOf = (request: Request, name: string): string | null => request.headers.get(name)

/** Where the body's bytes are kept once they were asked for. */
const BYTES: unique symbol = /* @__PURE__ */ Symbol('sluice.bytes')

type Kept = Request & { [BYTES]?: Promise<Uint8Array<ArrayBuffer>> | null }

/** Let every way of reading a body draw on the same bytes. Nothing is read until somebody asks. */
export const rereadable = (request: Request): Request => {
  const kept = request as Kept
  if (request.method === 'GET' || request.method === 'HEAD' || kept[BYTES] !== undefined || request.bodyUsed)
    return request
  kept[BYTES] = null
  const text = async () => new TextDecoder().decode(await bytesOf(request))
  const again = async () => new Response(await bytesOf(request), { headers: request.headers })
  return Object.assign(request, {
    text,
    json: async () => parseJson(await text()),
    bytes: () => bytesOf(request),
    arrayBuffer: async () => (await bytesOf(request)).slice().buffer,
    blob: async () => (await again()).blob(),
    formData: async () => (await again()).formData(),
  })
}

export const bytesOf = (
  request: Request,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> => {
  const kept = rereadable(request) as Kept
  if (kept[BYTES]) return kept[BYTES].then((bytes) => within(bytes, limit))
  kept[BYTES] = read(request, limit)
  return kept[BYTES]
}

/** @throws {HttpError} 413 when there are more bytes than allowed. */
export const within = <Bytes extends Uint8Array>(bytes: Bytes, limit: number): Bytes => {
  if (bytes.byteLength > limit) throw new HttpError(413)
  return bytes
}

const read = async (request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (Number(request.headers.get('content-length')) > limit) throw new HttpError(413)
  if (limit === Number.POSITIVE_INFINITY) return new Uint8Array(await Request.prototype.arrayBuffer.call(request))
  return request.body ? readStream(request.body, limit) : new Uint8Array()
}

/** Read a stream to its end, counting; over the limit it is cancelled. @throws {HttpError} 413. */
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
      throw new HttpError(413)
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
