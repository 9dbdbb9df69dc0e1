import { createResponse } from '#runtime/core'
import { matchingTag } from './conditional.ts'

/** Headers that describe a body, which a 304 does not have (RFC 9110 §15.4.5). */
const OF_THE_BODY = /^(?:content-(?:type|length|encoding|language|range)|transfer-encoding|accept-ranges)$/

/** A 304 with the headers of the full response, and the tag that the client has: `compression` weakens tags. */
export const notModified = (fields: Iterable<readonly [string, string]>, noneMatch: string | null): Response => {
  const kept = [...fields].filter(([name]) => !OF_THE_BODY.test(name))
  const answer = createResponse(null, undefined, 304, kept)
  const tag = answer.headers.get('etag')
  if (tag) answer.headers.set('etag', matchingTag(noneMatch ?? '', tag) ?? tag)
  return answer
}
