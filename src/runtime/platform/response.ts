import { addTo, hasNoBody, pairsOf, type ResponseOptions } from '../../internal/header/fields.ts'
import { TEXT } from '../../internal/header/text-type.ts'
import type { AddFields, Content, CreateResponse, ResponseBody } from '../contract.ts'

/**
 * The platform's default type for text means the same as ours, and is twice as fast as an explicit one. Status and
 * headers are equal if both are absent.
 */
export const createResponse: CreateResponse = (body, type, init, headers) =>
  type === TEXT && init === headers ? whole(new Response(body as string), body) : createTyped(body, type, init, headers)

/** `createResponse` for platforms that set the type of a string body only when it is sent. */
export const createTyped: CreateResponse = (body, type, init, headers) => {
  // A key with the value `undefined` counts as absent
  const options: { [Name in keyof ResponseOptions]: ResponseOptions[Name] | undefined } =
    typeof init === 'object' ? init : { status: init }
  const full = !hasNoBody(options.status)
  const content = full ? body : null
  const typeField = full && type ? { 'content-type': type } : undefined
  const input = headers ?? options.headers
  const fields = input && new Headers(pairsOf(input) as HeadersInit)
  if (fields && typeField && !fields.has('content-type')) fields.set('content-type', type!)
  // Otherwise workerd encodes what a handler has encoded once more, because of its header
  const all = { ...options, headers: fields ?? typeField, encodeBody: 'manual' } as ResponseInit
  return whole(new Response(content as BodyInit | null, all), content)
}

/** A response with status 204 and nothing else: `createResponse` would be too large for small bundles. */
export const noContent = (): Response => new Response(null, { status: 204 })

/** Note the text, the bytes or the stream that a response was made of. */
export const whole = (response: WithContent, content: ResponseBody): Response => {
  response[CONTENT] = content
  return response
}

export const addFields: AddFields = (response, list) => {
  addTo(response.headers, list)
  return response
}

export const removeField = (response: Response, name: string): void => response.headers.delete(name)

/** The key of the text or bytes that a response was created from, so that a copy needs no stream. */
const CONTENT: unique symbol = /* @__PURE__ */ Symbol('content')

type WithContent = Response & { [CONTENT]?: ResponseBody }

/**
 * A copy that one request may edit, because a handler may return the same object for every request. Text and bytes are
 * shared; a stream moves to the copy. @throws {TypeError} if the stream was already read, or moved to a copy
 */
export const adopt = (response: WithContent): Response => {
  // A response that switches protocols has no body but a socket, which a copy would lose
  if (response.status === 101) return response
  // After a clone, the stream is no longer the one that the response was made of
  const copy: WithContent = new Response((streamOf(response) ?? response[CONTENT]) as BodyInit, response)
  copy[CONTENT] = response[CONTENT]!
  return copy
}

/** The text or bytes that a response was created from, and the response, which may still be sent. */
export const contentOf = (response: WithContent): Content => {
  const content = response[CONTENT]
  return { content: content instanceof ReadableStream ? null : content, response }
}

/** Whether a response was created from text or bytes. */
export const isWhole = ({ [CONTENT]: content }: WithContent): boolean =>
  content !== undefined && !(content instanceof ReadableStream)

/** Whether the content of a response was noted: if it is not whole, it is a stream. */
export const isNoted = ({ [CONTENT]: content }: WithContent): boolean => content !== undefined

/** The stream that would be sent; `null` for a string, for bytes, and without a body. */
export const streamOf = (response: WithContent): ReadableStream | null => (isWhole(response) ? null : response.body)

/** The response to HEAD: same headers, no body (RFC 9110 §9.3.2). Its stream is cancelled. */
export const withoutBody = (response: Response): Response => {
  // The body of another package's response may not be one that can be cancelled
  streamOf(response)
    ?.cancel?.()
    .catch(() => {})
  // No platform can create a response with such a status: an error, or a switch of protocols
  return response.status < 200 ? response : new Response(null, response)
}

/**
 * `instanceof` would load the platform's class. An error may have a status and headers too, and a record a body, but
 * neither can be read as bytes (the class of Fastly has no `clone`). A thrown value that cannot be read, such as a
 * revoked Proxy, is not a response.
 */
export const isResponse = (value: unknown): value is Response => {
  try {
    return (value as Response)?.status >= 0 && 'arrayBuffer' in (value as Response)
  } catch {
    return false
  }
}
