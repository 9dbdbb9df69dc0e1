import type { Execution } from '../contract.ts'
import { headerOf } from './path.ts'

export { bytesOf, limitBody, textOf } from '../../internal/body/read-body.ts'
export { rereadable } from '../platform/rereadable.ts'
export { headerOf, pathOf, searchOf } from './path.ts'

/**
 * The platform's data about a request: standalone workerd has the socket's address, Cloudflare's edge has other data.
 */
interface PlatformRequest {
  readonly cf?: { readonly clientIp?: string }
}

/**
 * Standalone workerd has the socket's address in `cf`. Cloudflare's edge does not, but sets a header; on a request that
 * did not come through the edge, that header is set by the client.
 */
export const peerOf = (request: Request, _env?: unknown, execution?: Execution): string | undefined => {
  const { cf } = request as Request & PlatformRequest
  if (!cf) return execution?.peer
  return cf.clientIp ? SOCKET.exec(cf.clientIp)?.[1] : (headerOf(request, 'cf-connecting-ip') ?? undefined)
}

/** The address before the port in `192.0.2.1:80` or `[2001:db8::1]:80`. */
const SOCKET = /^\[?([^\]]+)\]?:\d+$/
