import { isFieldValue } from '../../internal/header/field-name.ts'
import { addTo, type HeadersInput, hasNoBody, type ResponseOptions } from '../../internal/header/fields.ts'
import { MAX_TYPES } from '../../internal/header/text-type.ts'
import type { ResponseBody, ResponseRuntime } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { fixFetchedResponse } from './fetched-response.ts'
import { hasField, toFields } from './headers.ts'
import { alreadyRead, isDisturbed } from './is-disturbed.ts'
import { isStream } from './is-stream.ts'
import { NodeResponse } from './node-response.ts'

/** Header lists for the content types of the helpers, each created once. */
const typeFields = new Map<string, readonly string[]>()

const fieldsOfType = (type: string | undefined): readonly string[] => {
  if (!type) return []
  let fields = typeFields.get(type)
  if (!fields) {
    fields = ['content-type', type]
    if (typeFields.size < MAX_TYPES) typeFields.set(type, fields)
  }
  return fields
}

export const createResponse = (
  body: ResponseBody,
  type: string | undefined,
  init: number | ResponseOptions = 200,
  headers?: HeadersInput,
): Response => {
  const options = typeof init === 'object' ? init : undefined
  // Converted as in Fetch: a string of digits is a number, and a fraction is truncated.
  const status = (options ? (options.status ?? 200) : (init as number)) | 0
  if (isStream(body) && (body.locked || isDisturbed(body))) {
    throw new TypeError('Response body is locked, or was read already')
  }
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

/** A response with status 204 and nothing else, lazy like all responses here. */
export const noContent = (): Response => createResponse(null, undefined, 204)

export const addFields: ResponseRuntime['addFields'] = (response, list) => {
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
