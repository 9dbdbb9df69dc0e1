import { hasNoBody } from '../../internal/header/fields.ts'
import { contentOf, withoutBody as dropBody } from './response.ts'

/**
 * Bun and Deno would send `Content-Length: 0`. A response to HEAD has the length that the body has for GET (RFC 9110
 * §8.6), and none if that is not known: of a stream, and of a response without a body, such as that of a proxy.
 */
export const withoutBody = (response: Response): Response => {
  const { content } = contentOf(response)
  // Bun copies the type of a blob or a form only once its headers were read
  void response.headers
  const empty = dropBody(response)
  if (empty.headers.has('content-length')) return empty
  if (content) empty.headers.set('content-length', `${new Blob([content as BlobPart]).size}`)
  if (content != null || empty === response || hasNoBody(empty.status)) return empty
  // A stream that ends when it is read, so that the runtime cannot know its length before
  const body = new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
  return new Response(body, empty)
}
