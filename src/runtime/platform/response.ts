import type { FieldList } from '../../context.ts'
import { addTo, type HeadersInput, hasNoBody, pairsOf, type ResponseOptions } from '../../internal/fields.ts'
import type { ResponseBody } from '../contract.ts'

/** `createResponse` on the platform's own class. */
export const createResponse = (
  body: ResponseBody,
  type: string | undefined,
  init: number | ResponseOptions = 200,
  headers?: HeadersInput,
): Response => {
  const options = typeof init === 'number' ? { status: init } : init
  const status = options.status ?? 200
  const empty = hasNoBody(status)
  const input = headers ?? (options as ResponseOptions).headers
  let fields: HeadersInit = type && !empty ? { 'content-type': type } : {}
  if (input) {
    const merged = new Headers()
    for (const [name, value] of pairsOf(input)) merged.append(name, value)
    if (type && !empty && !merged.has('content-type')) merged.set('content-type', type)
    fields = merged
  }
  return new Response(empty ? null : (body as BodyInit | null), { ...options, headers: fields })
}

export const addFields = (response: Response, list: FieldList): void => addTo(response.headers, list)

/** Deleting a field that is not there changes nothing, and throws only where headers are frozen (Fetch, guard "immutable"). */
export const mutable = (response: Response): Response => {
  try {
    response.headers.delete('x-sluice')
    return response
  } catch {
    return new Response(response.body, response)
  }
}

export const withoutBody = (response: Response): Response => {
  if (!response.body) return response
  response.body.cancel().catch(() => {})
  return new Response(null, response)
}
