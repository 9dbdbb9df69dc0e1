import { endToEnd } from '../../internal/header/hop-by-hop.ts'
import type { NodeHeaders } from './headers.ts'

/** The part of our request that it needs. */
interface RequestParts {
  readonly url: string
  readonly method: string
  readonly headers: NodeHeaders
  readonly signal: AbortSignal
}

/**
 * A platform `Request` for `fetch`, `new Request` and caches, which accept no other. Hop-by-hop headers and `Expect`
 * are left out, because `fetch` refuses them.
 */
export const platformRequest = (request: RequestParts, body: ReadableStream | undefined): Request => {
  const { url, method, signal } = request
  const headers = endToEnd(request.headers).filter(([name]) => name !== 'expect')
  if (!body) return new Request(url, { method, headers, signal })
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, init)
}
