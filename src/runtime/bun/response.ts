import { type HeadersInput, hasNoBody, type ResponseOptions } from '../../internal/header/fields.ts'
import type { ResponseBody } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { createTypedText, knownType } from './typed-response.ts'

export { streamOf } from '../platform/response.ts'
export { withoutBody } from '../platform/without-body.ts'
export { adopt } from './adopt.ts'
export { addFields } from './fields.ts'

export const createResponse = (
  body: ResponseBody,
  type: string | undefined,
  init?: number | ResponseOptions,
  headers?: HeadersInput,
): Response =>
  headers || !type || typeof body !== 'string' || typeof init === 'object' || (init && hasNoBody(init))
    ? platform.createTyped(body, type, init, headers)
    : createTypedText(body, type, init)

/** A response whose type is all that it has loses no other field. */
export const removeField = (response: Response, name: string): void => {
  if (name === 'content-type' || knownType(response) === undefined) platform.removeField(response, name)
}
