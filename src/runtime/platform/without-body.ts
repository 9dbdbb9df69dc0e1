import { contentOf, withoutBody as dropBody } from './response.ts'

/**
 * `withoutBody` for Bun and Deno, which would send `Content-Length: 0`. A response to HEAD has the length that the body
 * has for GET (RFC 9110 §8.6).
 */
export const withoutBody = (response: Response): Response => {
  const { content } = contentOf(response)
  const empty = dropBody(response)
  if (content && !empty.headers.has('content-length'))
    empty.headers.set('content-length', `${new Blob([content as BlobPart]).size}`)
  return empty
}
