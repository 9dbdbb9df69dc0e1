import { peerOf } from '#runtime/core'
import { addressOf, forOf, pairOf } from '../internal/client/forwarded.ts'
import { isHost } from '../internal/client/host.ts'
import { type TrustProxy, trustOf, walkHops } from '../internal/client/trust.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { Context, Middleware } from '../internal/types/context.ts'

export type { TrustProxy } from '../internal/client/trust.ts'

/** Options of {@link trustedProxy}. */
export interface TrustedProxyOptions {
  /** The trusted proxies, as for `clientAddress`: a number of proxies, their addresses and ranges, or a function. */
  readonly trustProxy: TrustProxy
  /**
   * The headers that each trusted proxy sets, or removes if a client sent them: `X-Forwarded-Proto`, `-Host`, `-For`
   * or `Forwarded` (RFC 7239). Others are not read. @default 'x-forwarded'
   */
  readonly header?: 'x-forwarded' | 'forwarded'
}

/**
 * Set the scheme and the host of `ctx.url` to those that the client used, behind trusted proxies.
 *
 * Place it before everything that reads them: `session` and `csrf` with `secure: 'auto'`, redirects, links. It does not
 * change `ctx.request.url`, and ignores schemes other than `http` and `https`, and hosts that are not valid in a URL.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(trustedProxy({ trustProxy: ['10.0.0.0/8'] }))
 */
export const trustedProxy = (options: TrustedProxyOptions): Middleware => {
  checkNames('trustedProxy', options, 'trustProxy header')
  const { trustProxy, header = 'x-forwarded' } = options
  const isStandard = header === 'forwarded'
  checkOption(isStandard || header === 'x-forwarded', 'trustedProxy: header', '"x-forwarded" or "forwarded"', header)
  const trusts = trustOf(trustProxy, 'trustedProxy')
  const [list, entryOf] = isStandard ? ['forwarded', forOf] : ['x-forwarded-for', addressOf]
  return function trustedProxy(ctx, next) {
    const peer = peerOf(ctx.request, ctx.env, ctx.execution)
    const { trusted } = walkHops(peer && (addressOf(peer) ?? peer), trusts, () => elementsOf(ctx, list), entryOf)
    const read = (part: 'proto' | 'host'): string | undefined =>
      isStandard ? pairOf(outermost(ctx, list, trusted), part) : outermost(ctx, `x-forwarded-${part}`, trusted)
    if (trusted > 0) correctUrl(ctx.url, read('proto'), read('host'))
    return next()
  }
}

const elementsOf = (ctx: Context, name: string): string[] => (ctx.header(name) ?? '').split(',')

/**
 * The value of the outermost trusted proxy: each appends on the right, so values of the client are further left. One of
 * the proxies began a list with fewer entries than there are proxies.
 */
const outermost = (ctx: Context, name: string, trusted: number): string => {
  const elements = elementsOf(ctx, name)
  return elements[Math.max(0, elements.length - trusted)]!.trim()
}

const correctUrl = (url: URL, proto = '', host = ''): void => {
  if (/^https?$/i.test(proto)) url.protocol = proto
  if (!isHost(host)) return
  // Setting a host without a port would keep the old port
  url.port = ''
  url.host = host
}
