import { pathOf, peerOf, searchOf } from '#runtime/core'
import { canParse } from '../internal/client/can-parse.ts'
import { type TrustProxy, type TrustTest, trustOf } from '../internal/client/trust.ts'
import { endToEnd } from '../internal/header/hop-by-hop.ts'
import { checkOption } from '../internal/options/check.ts'
import { checkDelay } from '../internal/time/delay.ts'
import type { Awaitable, Context } from '../internal/types/context.ts'

/** Headers to set; `undefined` removes one. */
export type ForwardedFields = Readonly<Record<string, string | undefined>>

type ForwardedRequest = Pick<Context, 'request' | 'url' | 'env' | 'execution'>

/** The options for the URL and the headers of a forwarded request. */
export interface ForwardOptions<Ctx> {
  /** Prefix to remove from the path, without a trailing slash: `/api`. @default '' */
  readonly prefix?: string
  /** The headers that name the client: `X-Forwarded-*`, `Forwarded` (RFC 7239) or none. @default 'x-forwarded' */
  readonly forwarded?: 'x-forwarded' | 'forwarded' | false
  /** Trusted peers, whose forwarding headers are kept; those of all others are dropped. @default false */
  readonly trustProxy?: TrustProxy
  /** Headers for the target, or a function that returns them; `undefined` removes one. @default {} */
  readonly headers?: ForwardedFields | ((ctx: Ctx) => Awaitable<ForwardedFields>)
}

/** Create a function that returns URL and headers of a request at the target; `undefined` refuses its path. */
export const forwarder = <Ctx extends ForwardedRequest>(
  feature: string,
  target: string | URL,
  options: ForwardOptions<Ctx> & { readonly timeoutMs?: number },
): { readonly origin: string; readonly forward: (ctx: Ctx) => Promise<{ url: URL; fields: Headers } | undefined> } => {
  const { prefix = '', timeoutMs = 1, forwarded = 'x-forwarded', trustProxy = false, headers = {} } = options
  const base = checkedTarget(target, feature)
  checkOption(/^(?:\/[^/]+)*$/.test(prefix), `${feature}: prefix`, 'a path such as "/api"', prefix)
  checkDelay(timeoutMs, `${feature}: timeoutMs`, 1)
  const isFamily = ['x-forwarded', 'forwarded', false].includes(forwarded)
  checkOption(isFamily, `${feature}: forwarded`, '"x-forwarded", "forwarded" or false', forwarded)
  const isFields = /^[of]/.test(typeof headers) && headers
  checkOption(isFields, `${feature}: headers`, 'an object or a function', headers)
  const trusts = trustOf(trustProxy, feature)
  return {
    origin: base.origin,
    async forward(ctx) {
      const url = targetUrl(base, pathOf(ctx.request), searchOf(ctx.request), prefix)
      const headersFor = typeof headers === 'function' ? headers : () => headers
      return url && { url, fields: fieldsOf(ctx, forwarded, trusts, await headersFor(ctx)) }
    },
  }
}

/** Headers that name the client, or another URL than that of the request: a client could set them to deceive. */
const CLIENT_FIELDS =
  /^(?:forwarded|via|x-forward(?:ed)?)$|^x-(?:forward(?:ed)?|original|rewrite)-|\b(?:forwarded-for|(?:external|viewer)-address)$/
const CLIENT_ADDRESS =
  /(?:^|-)(?:(?:real|client|connect\w+|user|remote|originating|socket|pseudo)-?ip(?:v[46])?|remote-addr)$/

/** Headers in which gateways say who a client is, or what it asked for; docs/proxy.md lists them. */
const GATEWAY_FIELDS =
  /^(?:(?:x-)?(?:remote|webauth|authenticated)-(?:user|groups?)|x-(?:auth-request|ms-client-principal|envoy|consumer|amzn-oidc|goog-(?:authenticated-user|iap))(?:-.*)?|(?:x-)?(?:ssl-)?client-(?:cert|dn|s-dn|verify)(?:-.*)?|cf-access-.*|wl-proxy-.*|(?:x-)?script-name|x-(?:userinfo|host|url-scheme|arr-ssl|proxyuser-ip|vercel-proxied-for)|front-end-https|path-info|proxy)$/

const fieldsOf = (
  ctx: ForwardedRequest,
  family: ForwardOptions<never>['forwarded'],
  trusts: TrustTest,
  added: ForwardedFields,
): Headers => {
  const { request, url } = ctx
  const peer = peerOf(request, ctx.env, ctx.execution)
  const believed = trusts(peer, 0)
  const fields = new Headers()
  const set = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  for (const [name, value] of endToEnd(request.headers)) {
    if (/^(?:host|expect|accept-encoding)$/.test(name)) continue
    if (name === 'content-length' && /^(?:GET|HEAD)$/.test(request.method)) continue
    // CGI, WSGI, Rack and PHP read `x_user` as `x-user`
    const read = name.replaceAll('_', '-')
    const claims = [CLIENT_FIELDS, CLIENT_ADDRESS, GATEWAY_FIELDS].some((names) => names.test(read))
    if (claims && (!believed || read !== name)) continue
    if (!set.has(read)) fields.append(name, value)
  }
  // `fetch` decodes the response, so compressing it would be wasted work
  fields.set('accept-encoding', 'identity')
  const proto = url.protocol.slice(0, -1)
  if (family === 'x-forwarded') {
    if (peer) fields.append('x-forwarded-for', peer)
    if (!fields.has('x-forwarded-host')) fields.set('x-forwarded-host', url.host)
    if (!fields.has('x-forwarded-proto')) fields.set('x-forwarded-proto', proto)
  } else if (family === 'forwarded') {
    const node = peer ? (peer.includes(':') ? `"[${peer}]"` : peer) : 'unknown'
    fields.append('forwarded', `for=${node};host="${url.host}";proto=${proto}`)
  }
  for (const [name, value] of Object.entries(added)) {
    if (value === undefined) fields.delete(name)
    else fields.set(name, value)
  }
  return fields
}

/** The URL of a target: HTTP, without parts that a request could set. */
const checkedTarget = (target: string | URL, feature: string): URL => {
  const text = `${target}`
  const isValid = /^https?:\/\/[^/?#@\\]+(?:\/[^?#\\]*)?$/.test(text) && canParse(text)
  checkOption(isValid, `${feature}: target`, 'an address such as "http://127.0.0.1:4000/base"', text)
  return new URL(text)
}

/** The URL at the target, `undefined` for a path with `..` segments. A path is set, so it cannot select a host. */
const targetUrl = (base: URL, path: string, search: string, prefix: string): URL | undefined => {
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : undefined
  if (below === undefined || (below && !below.startsWith('/')) || leavesPrefix(below)) return undefined
  const url = new URL(base)
  const folder = base.pathname.replace(/\/$/, '')
  url.pathname = folder + (below || '/')
  url.search = search
  return url.pathname.startsWith(`${folder}/`) ? url : undefined
}

/** Whether a path has a `..` segment or a backslash, decoded once or twice. */
const leavesPrefix = (path: string): boolean => {
  try {
    const once = decodeURIComponent(path)
    return [path, once, decodeURIComponent(once.replace(/%(?![\da-f]{2})/gi, '%25'))].some((text) =>
      /(?:^|[/\\])\.\.?(?:[/\\;]|$)|\\/.test(text),
    )
  } catch {
    return true
  }
}
