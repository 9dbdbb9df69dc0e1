import type { FieldList } from '../../internal/header/fields.ts'
import {
  addTo,
  fillIn,
  type HeadersInput,
  hasNoBody,
  pairsOf,
  type ResponseOptions,
} from '../../internal/header/fields.ts'
import type { Content, ResponseBody } from '../contract.ts'

/** `createResponse` on the platform's own class. */
export const createResponse = (
  body: ResponseBody,
  type: string | undefined,
  init: number | ResponseOptions = {},
  headers?: HeadersInput,
): Response => {
  const options: ResponseOptions = typeof init === 'number' ? { status: init } : init
  const empty = hasNoBody(options.status)
  const given = headers ?? options.headers
  const own = type && !empty ? { 'content-type': type } : {}
  const fields = given && new Headers(own)
  // Made into the platform's own first, which checks that pairs are pairs.
  if (fields) fillIn(fields, new Headers(pairsOf(given) as HeadersInit))
  const response: WithContent = new Response(empty ? null : (body as BodyInit | null), {
    ...options,
    headers: fields ?? own,
  })
  if (!empty && !(body instanceof ReadableStream)) response[CONTENT] = body
  return response
}

export const addFields = (response: Response, list: FieldList): void => addTo(response.headers, list)

/** Where a response keeps the text or bytes that it was made of, so that a copy needs no stream. */
const CONTENT: unique symbol = /* @__PURE__ */ Symbol('sluice.content')

type WithContent = Response & { [CONTENT]?: ResponseBody }

export const adopt = (response: WithContent): Response => {
  // A response that switches protocols has no body, but its socket, which a copy would lose
  if (response.status === 101) return response
  const copy: WithContent = new Response((response[CONTENT] ?? response.body) as BodyInit | null, response)
  copy[CONTENT] = response[CONTENT]!
  // A text gets a type of the platform's unless it has one
  if (!response.headers.has('content-type')) copy.headers.delete('content-type')
  return copy
}

/** The text or bytes that a response was made of, and the response, which may still be sent. */
export const contentOf = (response: WithContent): Content => {
  const content = response[CONTENT]
  return { content: content instanceof ReadableStream ? null : content, response }
}

export const withoutBody = (response: WithContent, kept?: Response): Response => {
  const body = response[CONTENT] ? null : response.body
  if (body !== kept?.body) body?.cancel().catch(() => {})
  // No platform makes a response of such a status: an error, or a switch of protocols
  return response.status < 200 ? response : new Response(null, response)
}
