import { peerOf } from '#runtime/core'
import { addressOf, forOf, pairOf } from '../internal/client/forwarded.ts'
import { walkHops } from '../internal/client/hops.ts'
import { isHost } from '../internal/client/host.ts'
import { type TrustProxy, trustOf } from '../internal/client/trust.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { Context, Middleware } from '../internal/types/context.ts'

export type { TrustProxy } from '../internal/client/trust.ts'

/** Options of {@link trustedProxy}. */
export interface TrustedProxyOptions {
  /** The trusted proxies, as for `clientAddress`: a number of proxies, their addresses and ranges, or a function. */
  readonly trustProxy: TrustProxy
  /**
   * The headers that the trusted proxies write: `x-forwarded` for `X-Forwarded-Proto` and `X-Forwarded-Host`, with
   * `X-Forwarded-For` to distinguish the proxies, or `forwarded` (RFC 7239). Only one family is read; each proxy must
   * set these headers or remove those of the client. @default 'x-forwarded'
   */
  readonly header?: 'x-forwarded' | 'forwarded'
}

/**
 * Set the scheme and the host of `ctx.url` to those that the client used, behind trusted proxies.
 *
 * Place it before everything that reads them: `session` and `csrf` with `secure: 'auto'`, redirects, links. Reads the
 * headers of the proxies, and changes `ctx.url`; `ctx.request.url` is not changed. Schemes other than `http` and
 * `https`, and hosts that are not valid in a URL, are ignored.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(trustedProxy({ trustProxy: ['10.0.0.0/8'] }))
 */
export const trustedProxy = (options: TrustedProxyOptions): Middleware => {
  checkNames('trustedProxy', options, 'trustProxy header')
  const { trustProxy, header = 'x-forwarded' } = options
  checkOption(FAMILIES.has(header), 'trustedProxy: header', '"x-forwarded" or "forwarded"', header)
  const trusts = trustOf(trustProxy, 'trustedProxy')
  const { list, entry, proto, host } = FAMILIES.get(header)!
  return function trustedProxy(ctx, next) {
    const peer = peerOf(ctx.request, ctx.env, ctx.execution)
    const hops = walkHops(peer && (addressOf(peer) ?? peer), trusts, () => elementsOf(ctx, list), entry)
    if (hops.trusted > 0) correctUrl(ctx.url, proto(ctx, hops.trusted), host(ctx, hops.trusted))
    return next()
  }
}

/** The headers of a family: `list` has the proxies, separated by commas. */
interface Family {
  readonly list: string
  readonly entry: (element: string) => string | undefined
  readonly proto: (ctx: Context, trusted: number) => string | undefined
  readonly host: (ctx: Context, trusted: number) => string | undefined
}

const elementsOf = (ctx: Context, name: string): string[] => (ctx.header(name) ?? '').split(',')

/**
 * The value from the outermost trusted proxy. Each proxy appends on the right, so values of the client are further
 * left; if the list has fewer entries than there are proxies, it was started by one of them.
 */
const outermost = (ctx: Context, name: string, trusted: number): string => {
  const elements = elementsOf(ctx, name)
  return elements[Math.max(0, elements.length - trusted)]!.trim()
}

const FAMILIES: ReadonlyMap<string, Family> = /* @__PURE__ */ new Map<string, Family>([
  [
    'x-forwarded',
    {
      list: 'x-forwarded-for',
      entry: addressOf,
      proto: (ctx, trusted) => outermost(ctx, 'x-forwarded-proto', trusted),
      host: (ctx, trusted) => outermost(ctx, 'x-forwarded-host', trusted),
    },
  ],
  [
    'forwarded',
    {
      list: 'forwarded',
      entry: forOf,
      proto: (ctx, trusted) => pairOf(outermost(ctx, 'forwarded', trusted), 'proto'),
      host: (ctx, trusted) => pairOf(outermost(ctx, 'forwarded', trusted), 'host'),
    },
  ],
])

const correctUrl = (url: URL, proto = '', host = ''): void => {
  if (/^https?$/i.test(proto)) url.protocol = proto
  if (!isHost(host)) return
  // Setting a host without a port would keep the old port
  url.port = ''
  url.host = host
}
