import { addTo } from '../../internal/header/fields.ts'
import type { ResponseRuntime } from '../contract.ts'
import * as platform from '../platform/response.ts'

export { createResponse, removeField, withoutBody } from '../platform/response.ts'

/**
 * `adopt`: Deno clones a response of text or bytes without a stream, in a third of the time that it takes to read its
 * fields. One that was sent already has nothing left to clone.
 */
export const adopt = (response: Response): Response => {
  const { content } = platform.contentOf(response)
  return content === undefined || response.bodyUsed
    ? platform.adopt(response)
    : platform.whole(response.clone(), content)
}

export const addFields: ResponseRuntime['addFields'] = (response, list, own) => {
  const copy = own ? response : adopt(response)
  addTo(copy.headers, list)
  return copy
}
