import { badForm } from '../../internal/body/bad-form.ts'
import { parseJson } from '../../internal/body/parse-json.ts'
import { bytesOf, type Kept, textOf } from './body.ts'

/** The readers that a platform's body gives for bytes that are here; only a form can fail. */
const READERS = ['arrayBuffer', 'blob', 'formData', 'bytes'] as const

/** Let every way of reading a body draw on the same bytes. Nothing is read until somebody asks. */
export const rereadable = (request: Request): Request => {
  const kept = request as Kept
  const bodiless = request.method === 'GET' || request.method === 'HEAD'
  // A request with readers of its own is one of these already.
  if (bodiless || Object.hasOwn(request, 'text') || (request.bodyUsed && !kept['~bytes'])) return request
  for (const reader of READERS) {
    kept[reader] = async (): Promise<any> => {
      return new Response(await bytesOf(request), { headers: request.headers })[reader]().catch(badForm)
    }
  }
  kept.text = () => textOf(request)
  kept.json = () => textOf(request).then(parseJson)
  return kept
}
