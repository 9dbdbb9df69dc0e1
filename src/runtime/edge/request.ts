import type { Execution } from '../contract.ts'

export { bytesOf, limitBody, textOf } from '../../internal/body/read-body.ts'
export { rereadable } from '../platform/rereadable.ts'

/** Path and query of an absolute URL, which is not parsed. */
const PARTS = /\/\/[^/?#]*([^?#]*)\??([^#]*)/

export const pathOf = ({ url }: Request): string => PARTS.exec(url)![1]!

export const searchOf = ({ url }: Request): string => PARTS.exec(url)![2]!

export const headerOf = (request: Request, name: string): string | null => request.headers.get(name)

/**
 * Standalone workerd has the socket's address in `cf`. Cloudflare's edge does not, but sets a header; on a request that
 * did not come through the edge, that header is set by the client.
 */
export const peerOf = (request: Request, _env?: unknown, execution?: Execution): string | undefined => {
  const { cf } = request as Request & { readonly cf?: { readonly clientIp?: string } }
  if (!cf) return execution?.peer
  return cf.clientIp ? SOCKET.exec(cf.clientIp)?.[1] : (headerOf(request, 'cf-connecting-ip') ?? undefined)
}

/** The address before the port in `192.0.2.1:80` or `[2001:db8::1]:80`. */
const SOCKET = /^\[?([^\]]+)\]?:\d+$/
