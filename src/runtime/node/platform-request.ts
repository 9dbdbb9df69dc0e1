import { forwardable } from './forwardable.ts'
import { NodeHeaders } from './headers.ts'

/** The part of our request that it needs. */
interface RequestParts {
  readonly url: string
  readonly method: string
  readonly headers: NodeHeaders
  readonly signal: AbortSignal
}

/**
 * A platform `Request` for `fetch`, `new Request` and caches, which accept no other. Hop-by-hop headers are left out,
 * because `fetch` refuses them.
 */
export const platformRequest = (request: RequestParts, body: ReadableStream | undefined): Request => {
  const { url, method, signal } = request
  const headers = new NodeHeaders(forwardable(request.headers.fields))
  if (!body) return new Request(url, { method, headers, signal })
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, init)
}
