/** The part of a request that is checked. */
interface CheckedRequest {
  readonly url: URL
  header(name: string): string | null
}

/**
 * Whether a page of this application, or of one of `origins`, caused the request; `undefined` if the request does not
 * say.
 *
 * @param bound whether the request belongs to a session
 */
export const isOwnPage = (ctx: CheckedRequest, origins: ReadonlySet<string>, bound: boolean): boolean | undefined => {
  const origin = ctx.header('origin')
  const site = ctx.header('sec-fetch-site')
  if (origin && origins.has(origin)) return true
  if (site) return site === 'same-origin' || site === 'none'
  // A page with `Referrer-Policy: no-referrer` sends null, as a sandboxed frame does: there the session decides
  if (origin === 'null' && bound) return undefined
  const page = origin ?? ctx.header('referer')
  // The scheme is not compared: behind a proxy that terminates TLS, the application sees another one
  return page ? /^https?:\/\/([^/?#]+)/.exec(page)?.[1] === ctx.url.host : undefined
}
