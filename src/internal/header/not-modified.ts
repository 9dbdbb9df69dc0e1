import { createResponse } from '#runtime/core'
import { matchingTag } from './conditional.ts'

/** Headers that describe a body, which a 304 does not have (RFC 9110 §15.4.5). */
const OF_THE_BODY = /^(?:content-(?:type|length|encoding|language|range)|transfer-encoding|accept-ranges)$/

/** A 304 with the headers of the full response, and the tag that the client has: `compression` weakens tags. */
export const notModified = (fields: Iterable<readonly [string, string]>, noneMatch: string | null): Response => {
  const remaining = [...fields].filter(([name]) => !OF_THE_BODY.test(name))
  const response = createResponse(null, undefined, 304, remaining)
  const tag = response.headers.get('etag')
  if (tag) response.headers.set('etag', matchingTag(noneMatch ?? '', tag) ?? tag)
  return response
}
