import type { HeadersInput, ResponseOptions } from '../../internal/header/fields.ts'
import { MOST_TYPES, TEXT } from '../../internal/header/text-type.ts'
import type { ResponseBody } from '../contract.ts'
import { createTyped, whole } from '../platform/response.ts'
import { TextResponse } from './text-response.ts'

export { removeField, streamOf } from '../platform/response.ts'
export { withoutBody } from '../platform/without-body.ts'
export { adopt } from './adopt.ts'
export { addFields } from './fields.ts'

/** Response options by content type. Bun copies a header map in half the time that it takes to read a record. */
const plain = new Map<string, ResponseInit>()

export const createResponse = (
  body: ResponseBody,
  type: string | undefined,
  init?: number | ResponseOptions,
  headers?: HeadersInput,
): Response =>
  init === headers && type && typeof body === 'string'
    ? whole(
        type === TEXT && body ? new TextResponse(body) : new Response(body, plain.get(type) ?? remember(type)),
        body,
      )
    : createTyped(body, type, init, headers)

const remember = (type: string): ResponseInit => {
  const init = { headers: new Headers([['content-type', type]]) }
  if (plain.size < MOST_TYPES) plain.set(type, init)
  return init
}
