import { badForm } from '../../internal/body/bad-form.ts'
import { parseJson } from '../../internal/body/parse-json.ts'
import { bytesOf, type RereadableRequest, textOf } from '../../internal/body/read-body.ts'
import { markHandled } from '../../internal/promise/awaitable.ts'

const READERS = ['arrayBuffer', 'blob', 'formData', 'bytes'] as const

/** Let all readers of a body use the same bytes. Nothing is read before the first reader is called. */
export const rereadable = (request: Request): Request => {
  const readable = request as RereadableRequest
  const bodiless = request.method === 'GET' || request.method === 'HEAD'
  // A request with its own readers was already changed by this function
  if (bodiless || Object.hasOwn(request, 'text') || (request.bodyUsed && !readable['~bytes'])) return request
  const read = async (reader: (typeof READERS)[number]): Promise<any> =>
    new Response(await bytesOf(request), { headers: request.headers })[reader]().catch(badForm)
  // An error that nobody awaits must not end the process: any client could cause one
  for (const reader of READERS) readable[reader] = () => markHandled(read(reader))
  readable.text = () => markHandled(textOf(request))
  readable.json = () => markHandled(readable['~json'] ?? textOf(request, parseJson))
  return readable
}
