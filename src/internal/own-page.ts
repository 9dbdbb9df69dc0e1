import type { Context } from '../context.ts'

/**
 * Whether a page of ours, or of one of `origins`, made the request; `undefined` when there is no telling.
 *
 * @param bound whether the request belongs to a session
 */
export const isOwnPage = (ctx: Context, origins: ReadonlySet<string>, bound: boolean): boolean | undefined => {
  const origin = ctx.header('origin')
  const site = ctx.header('sec-fetch-site')
  if (origin && origins.has(origin)) return true
  if (site) return site === 'same-origin' || site === 'none'
  // a page with `Referrer-Policy: no-referrer` sends null, as a sandboxed frame does: there the session has to tell
  if (origin === 'null' && bound) return undefined
  const page = origin ?? ctx.header('referer')
  // the scheme is left out: behind a proxy that ends TLS it is not ours
  return page ? /^https?:\/\/([^/?#]+)/.exec(page)?.[1] === ctx.url.host : undefined
}
