import * as platform from '../platform/response.ts'
import { createTypedText, knownType } from './typed-response.ts'

/** The part of Bun that is used here. */
declare const Bun: { inspect(value: unknown): string }

/**
 * A copy of a response for one request. Bun sets the type of `new Response('hello')` when it is sent, and a copy made
 * of its body, which is a stream then, would be sent as bytes. A clone of what is in memory keeps the type; a clone of
 * a stream would be read twice.
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
