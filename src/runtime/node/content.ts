import type { Content } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { NodeResponse } from './node-response.ts'

/** The text or bytes that a response was created from, and the response to use from now on. */
export const contentOf = (response: Response): Content => {
  if (!NodeResponse.owns(response)) return platform.contentOf(response)
  const copy = response.copy()
  const content = response.take()
  return { content: content instanceof ReadableStream ? null : content, response: copy }
}
