import type { Execution } from '../contract.ts'
import { headerOf } from '../platform/request.ts'

export { bytesOf, headerOf, limitBody, pathOf, rereadable, searchOf, textOf } from '../platform/request.ts'

/** What the platform says of a request: workerd on its own names the socket, Cloudflare's edge much else. */
interface Marked {
  readonly cf?: { readonly clientIp?: string }
}

/**
 * A workerd that stands alone tells the socket's address in `cf`. Cloudflare's edge does not, and sets a header itself;
 * on a request without its mark that header is a client's claim.
 */
export const peerOf = (request: Request, _env?: unknown, execution?: Execution): string | undefined => {
  const { cf } = request as Request & Marked
  if (!cf) return execution?.peer
  return cf.clientIp ? SOCKET.exec(cf.clientIp)?.[1] : (headerOf(request, 'cf-connecting-ip') ?? undefined)
}

/** `192.0.2.1:80` or `[2001:db8::1]:80`: what stands before the port. */
const SOCKET = /^\[?([^\]]+)\]?:\d+$/
