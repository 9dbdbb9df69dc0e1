import { canParse } from '../internal/client/can-parse.ts'
import type { AnyContext } from '../internal/types/context.ts'
import { redirect } from './redirect.ts'

type RedirectContext = Pick<AnyContext, 'url' | 'header'>

/**
 * Redirect a client back to the page of `Referer`, if that is another page of this host; else to `fallback`.
 *
 * The redirect is relative, so it cannot leave the origin. Behind proxies, put `trustedProxy` in front.
 *
 * @param fallback a path of this application
 * @param status 301, 302, 303, 307 or 308; @default 303, after which the client asks with GET
 * @throws {TypeError} for a fallback that is not a path. @throws {RangeError} for another status.
 * @example
 * app.post('/likes', async (ctx) => redirectBack(ctx, '/posts'))
 */
export const redirectBack = (ctx: RedirectContext, fallback: string = '/', status: number = 303): Response => {
  if (!/^\/(?![/\\])/.test(fallback)) throw new TypeError(`redirectBack: fallback: expected a path, got "${fallback}"`)
  return redirect(pageOf(ctx) ?? fallback, status)
}

const pageOf = (ctx: RedirectContext): string | undefined => {
  const referer = ctx.header('referer') ?? ''
  if (!/^https?:/i.test(referer) || !canParse(referer)) return undefined
  const { host, pathname, search } = new URL(referer)
  // The scheme is not compared: behind a proxy that terminates TLS, the application sees another one
  if (host !== ctx.url.host || pathname + search === ctx.url.pathname + ctx.url.search) return undefined
  // Two slashes would begin the name of another host
  return pathname.replace(/^\/+/, '/') + search
}
