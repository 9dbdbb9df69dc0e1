import { badForm } from '../../internal/bad-form.ts'
import { parseJson } from '../../internal/parse-json.ts'

/** Where the body's bytes are kept once they were asked for. */
export const BYTES: unique symbol = /* @__PURE__ */ Symbol('sluice.bytes')

/** Marks a request whose readers are ours. */
const PATCHED: unique symbol = /* @__PURE__ */ Symbol('sluice.rereadable')

/** A request whose body is kept. */
export type Kept = Request & { [BYTES]?: Promise<Uint8Array<ArrayBuffer>>; [PATCHED]?: true }

/** The readers that a platform's body gives for bytes that are here; only a form can fail. */
const READERS = ['arrayBuffer', 'blob', 'formData', 'bytes'] as const

/** Let every way of reading a body draw on the same bytes. Nothing is read until somebody asks. */
export const rereadable = (request: Request): Request => {
  const kept = request as Kept
  const bodiless = request.method === 'GET' || request.method === 'HEAD'
  if (bodiless || PATCHED in request || (request.bodyUsed && !(BYTES in request))) return request
  kept[PATCHED] = true
  for (const reader of READERS) {
    kept[reader] = async (): Promise<any> => {
      return new Response(await allOf(request), { headers: request.headers })[reader]().catch(badForm)
    }
  }
  kept.text = () => textOf(request)
  kept.json = () => textOf(request).then(parseJson)
  return kept
}

/** The body as text, UTF-8; a byte order mark is dropped. */
export const textOf = (request: Request): Promise<string> =>
  allOf(request).then((bytes) => new TextDecoder().decode(bytes))

/** The whole body, read once by the platform's own method. */
export const allOf = (request: Kept): Promise<Uint8Array<ArrayBuffer>> => {
  request[BYTES] ??= Request.prototype.arrayBuffer.call(request).then((buffer) => new Uint8Array(buffer))
  return request[BYTES]
}
