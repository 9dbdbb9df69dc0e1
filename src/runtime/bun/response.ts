import { hasNoBody } from '../../internal/header/fields.ts'
import type { CreateResponse } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { createTypedText, knownType } from './typed-response.ts'

export { streamOf } from '../platform/response.ts'
export { withoutBody } from '../platform/without-body.ts'
export { addFields } from './fields.ts'

declare const Bun: { inspect(value: unknown): string }

export const createResponse: CreateResponse = (body, type, init, headers) =>
  headers || !type || typeof body !== 'string' || typeof init === 'object' || (init && hasNoBody(init))
    ? platform.createTyped(body, type, init, headers)
    : createTypedText(body, type, init)

/** A response whose type is all that it has loses no other field. */
export const removeField = (response: Response, name: string): void => {
  if (name === 'content-type' || knownType(response) === undefined) platform.removeField(response, name)
}

/**
 * Bun sets the type of `new Response('hello')` when it is sent. A copy of its body would be a stream, and sent as
 * bytes. A clone of what is in memory keeps the type; a clone of a stream would be read twice.
 */
export const adopt = (response: Response): Response => {
  const type = knownType(response)
  if (type !== undefined) return createTypedText(platform.contentOf(response).content as string, type, response.status)
  return isBare(response) ? response.clone() : platform.adopt(response)
}

/** Whether a response has no type and its body is in memory. Only its printed form says so before the body is read. */
const isBare = (response: Response): boolean =>
  !platform.isWhole(response) &&
  !response.bodyUsed &&
  !response.headers.has('content-type') &&
  /\n {2}Blob/.test(Bun.inspect(response))
