import { badForm } from '../../internal/bad-form.ts'
import { parseJson } from '../../internal/parse-json.ts'

/** Where the body's bytes are kept once they were asked for. */
export const BYTES: unique symbol = /* @__PURE__ */ Symbol('sluice.bytes')

/** A request whose body is kept. */
export type Kept = Request & { [BYTES]?: Promise<Uint8Array<ArrayBuffer>> | null }

/** The readers that Fetch gives a body, save `json`; of bytes that are here, only a form can fail. */
const READERS = ['text', 'arrayBuffer', 'blob', 'formData', 'bytes'] as const

/** Let every way of reading a body draw on the same bytes. Nothing is read until somebody asks. */
export const rereadable = (request: Request): Request => {
  const kept = request as Kept
  if (request.method === 'GET' || request.method === 'HEAD' || BYTES in request || request.bodyUsed) return request
  kept[BYTES] = null
  for (const reader of READERS) {
    kept[reader] = async (): Promise<any> => {
      kept[BYTES] ??= readAll(request)
      return new Response(await kept[BYTES], { headers: request.headers })[reader]().catch(badForm)
    }
  }
  kept.json = async () => parseJson(await kept.text())
  return kept
}

/** The whole body, by the platform's own method. */
export const readAll = async (request: Request): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await Request.prototype.arrayBuffer.call(request))
