import { isFieldValue } from '../../internal/header/field-name.ts'
import { addTo, hasNoBody } from '../../internal/header/fields.ts'
import { MAX_TYPES } from '../../internal/header/text-type.ts'
import type { AddFields, Content, CreateResponse } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { hasField, toFields } from './headers.ts'
import { NodeResponse } from './node-response.ts'
import { decodes } from './outgoing.ts'
import { alreadyRead, isDisturbed, isStream } from './streams.ts'

const typeFields = new Map<string, readonly string[]>()

const fieldsOfType = (type: string | undefined): readonly string[] => {
  if (!type) return []
  const cached = typeFields.get(type)
  if (cached) return cached
  const fields = ['content-type', type]
  if (typeFields.size < MAX_TYPES) typeFields.set(type, fields)
  return fields
}

export const createResponse: CreateResponse = (body, type, init = 200, headers) => {
  const options = typeof init === 'object' ? init : undefined
  // Fetch converts a string of digits to a number, and truncates a fraction
  const status = (options ? (options.status ?? 200) : (init as number)) | 0
  if (isStream(body) && (body.locked || isDisturbed(body)))
    throw new TypeError('Response body is locked, or was read already')
  if (!(status >= 200 && status <= 599))
    throw new RangeError(`response: status: expected a number from 200 to 599, got ${status}`)
  const empty = hasNoBody(status)
  const input = headers ?? options?.headers
  let fields = fieldsOfType(empty ? undefined : type)
  if (input) {
    const list = toFields(input)
    fields = hasField(list, 'content-type') ? list : [...fields, ...list]
  }
  const statusText = options?.statusText ?? ''
  if (statusText && !isFieldValue(statusText))
    throw new TypeError(`response: statusText: expected a reason phrase, got ${JSON.stringify(statusText)}`)
  return new NodeResponse(empty ? null : body, status, statusText, fields)
}

export const noContent = (): Response => createResponse(null, undefined, 204)

export const addFields: AddFields = (response, list) => {
  if (NodeResponse.owns(response)) response.addList(list)
  else addTo(response.headers, list)
  return response
}

export const removeField = (response: Response, name: string): void => {
  if (NodeResponse.owns(response)) response.removeField(name)
  else platform.removeField(response, name)
}

export const adopt = (response: Response): Response => {
  if (NodeResponse.owns(response)) return response.copy()
  if (response.bodyUsed || response.body?.locked) throw alreadyRead()
  return platform.adopt(fixFetchedResponse(response))
}

export const withoutBody = (response: Response): Response =>
  NodeResponse.owns(response) ? response.withoutBody() : platform.withoutBody(response)

export const streamOf = (response: Response): ReadableStream | null =>
  NodeResponse.owns(response) ? response.stream : platform.streamOf(response)

export const contentOf = (response: Response): Content => {
  if (!NodeResponse.owns(response)) return platform.contentOf(response)
  const copy = response.copy()
  const content = response.take()
  return { content: isStream(content) ? null : content, response: copy }
}

/** The body, taken out of its response: bytes if the response was created from text or bytes. */
export const takeBody = (response: Response): ReadableStream<Uint8Array> | Uint8Array | null => {
  if (!NodeResponse.owns(response)) return response.body
  const body = response.take()
  return typeof body === 'string' ? Buffer.from(body) : body
}

export const withBody = ({ status, statusText, headers }: Response, body: Uint8Array | ReadableStream): Response =>
  createResponse(body, undefined, { status, statusText, headers })

/** Remove from a response of `fetch` its hop-by-hop headers, and the coding and length of a decoded body. */
export const fixFetchedResponse = (response: Response): Response => {
  if (!response.url) return response
  const copy = new Response(response.body, response)
  const { headers } = copy
  headers.delete('connection')
  headers.delete('keep-alive')
  const coding = headers.get('content-encoding')
  if (response.body && coding !== null && decodes(coding, false)) {
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  return copy
}
