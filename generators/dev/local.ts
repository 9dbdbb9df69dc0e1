/** Names and addresses of this machine, with a port or without, names below `localhost` too (RFC 6761 §6.3). */
const LOCAL_HOST = /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** `127.0.0.0/8`, also as IPv6 spells it, and `::1`. */
const LOCAL_ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i

/** Fields by which a proxy or a tunnel says for whom it asks: then the peer is the proxy. */
export const FORWARDED: readonly string[] = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/**
 * Whether a request was made on this machine, to this machine: a page of another site whose name was pointed here
 * (DNS rebinding) says its own name in `Host`, and another machine has an address of its own.
 *
 * @param address the peer's, where the runtime tells it
 */
export const isLocal = (request: Request, address: string | undefined): boolean => {
  if (FORWARDED.some((name) => request.headers.has(name))) return false
  const host = request.headers.get('host') ?? new URL(request.url).host
  return isLocalHost(host, request.headers.get('x-forwarded-host') ?? undefined, address)
}

/** The same by the host, the one that a proxy was asked for, and the address of the peer. */
export const isLocalHost = (host: string, forwarded: string | undefined, address: string | undefined): boolean =>
  LOCAL_HOST.test(host) && LOCAL_HOST.test(forwarded ?? host) && (address === undefined || LOCAL_ADDRESS.test(address))

/**
 * Whether a request was made by a page of this very origin, by a link that was typed or clicked outside of any page, or
 * by no browser. What another site, or another port of this machine, has a browser ask is not.
 */
export const isOwnRequest = ({ headers, url }: Request): boolean => {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = headers.get('origin')
  return origin === null || origin === `http://${headers.get('host') ?? new URL(url).host}`
}
