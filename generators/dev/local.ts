/** Names and addresses of this machine, with or without a port. Includes names below `localhost` (RFC 6761 §6.3). */
const LOCAL_HOST = /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** `127.0.0.0/8`, also in its IPv6 form, and `::1`. */
const LOCAL_ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i

/** Headers in which a proxy or tunnel names its client. The address of the socket is then the proxy's. */
export const FORWARDED: readonly string[] = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/**
 * True if this machine sent the request to itself. A page of another site whose name was changed to this address (DNS
 * rebinding) has its own name in `Host`, and another machine has another address.
 *
 * @param address address of the client, if the runtime provides it
 */
export const isLocal = (request: Request, address: string | undefined): boolean => {
  if (FORWARDED.some((name) => request.headers.has(name))) return false
  const host = request.headers.get('host') ?? new URL(request.url).host
  return isLocalHost(host, request.headers.get('x-forwarded-host') ?? undefined, address)
}

/** The same, from the host, the host that a proxy was asked for, and the address of the client. */
export const isLocalHost = (host: string, forwarded: string | undefined, address: string | undefined): boolean =>
  LOCAL_HOST.test(host) && LOCAL_HOST.test(forwarded ?? host) && (address === undefined || LOCAL_ADDRESS.test(address))

/**
 * True if the request comes from a page of the same origin, from the address bar or a bookmark, or not from a browser.
 * False if a page of another site, or of another port of this machine, caused it.
 */
export const isOwnRequest = ({ headers, url }: Request): boolean => {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = headers.get('origin')
  return origin === null || origin === `http://${headers.get('host') ?? new URL(url).host}`
}
