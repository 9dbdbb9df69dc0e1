import { pathOf, peerOf, searchOf } from '#runtime/request'
import { createResponse } from '#runtime/response'
import type { Awaitable, Context } from './context.ts'
import { type TrustProxy, type Trusts, trustOf } from './internal/client/trust.ts'
import { report } from './internal/error/report.ts'
import { hasNoBody } from './internal/header/fields.ts'
import { endToEnd } from './internal/header/hop-by-hop.ts'
import { checkNames, checkOption, checkWhole } from './internal/options.ts'
import { refuse } from './refuse.ts'

/** Options of {@link proxy}. */
export interface ProxyOptions {
  /** What is cut off the front of the path, without a slash at its end: `/api`. @default '' */
  readonly prefix?: string
  /** Longest time until the head of the answer, in milliseconds; then 504. @default 30000 */
  readonly timeoutMs?: number
  /** How the target learns of the client: `X-Forwarded-*`, `Forwarded` (RFC 7239), or not at all. @default 'x-forwarded' */
  readonly forwarded?: 'x-forwarded' | 'forwarded' | false
  /** Which peers may have named clients before them: what they wrote is kept. That of all others is dropped. @default false */
  readonly trustProxy?: TrustProxy
  /** Fields to set on the request to the target; nothing takes one away. @default {} */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sends the request. @default fetch */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** Fields that name the client. A client that could set them could be anybody. */
const CLIENT_FIELDS = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/

/** Codings that `fetch` takes off, whatever the field says. */
const DECODED = /^(?:x-)?(?:gzip|deflate|br)$/i

/**
 * Send requests on to another server, and its answers back, both as streams.
 *
 * The target is fixed: no path, field or form of a request names another host, or leaves the target's path. Fields of
 * the connection stay on it (RFC 9110 §7.6.1). Redirects go back to the client. A client that goes away ends the
 * request to the target. A target that cannot be reached is a 502, one that does not answer in time a 504.
 *
 * @throws {TypeError} when made, for a target that is not an HTTP address, and for a bad option.
 * @example
 * createApp().all('/api/*', proxy('http://127.0.0.1:4000', { prefix: '/api' }))
 */
export const proxy = (
  target: string | URL,
  options: ProxyOptions = {},
): ((ctx: Context<any, any, any>) => Awaitable<Response>) => {
  checkNames('proxy', options, 'prefix:string timeoutMs forwarded trustProxy headers:object fetch:function')
  const { prefix = '', timeoutMs = 30_000, forwarded = 'x-forwarded', trustProxy = false, headers = {} } = options
  const base = checkedTarget(target)
  checkOption(/^(?:\/[^/]+)*$/.test(prefix), 'proxy: prefix', 'a path such as "/api"', prefix)
  checkWhole(timeoutMs, 'proxy: timeoutMs', 'milliseconds', 1)
  checkOption(
    ['x-forwarded', 'forwarded', false].includes(forwarded),
    'proxy: forwarded',
    '"x-forwarded", "forwarded" or false',
    forwarded,
  )
  const trusts = trustOf(trustProxy, 'proxy')
  const send = options.fetch ?? ((request: Request) => fetch(request))

  return async function proxy(ctx) {
    const { request, method } = ctx
    const url = addressOf(base, pathOf(request), searchOf(request), prefix)
    if (!url) return refuse(ctx, 400, 'Malformed path')
    if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method))
      return refuse(ctx, 405, 'Method Not Allowed', {}, ['allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'])
    const fields = requestFields(ctx, forwarded, trusts, headers)
    const body = method === 'GET' || method === 'HEAD' ? null : request.body
    const controller = new AbortController()
    const leave = (): void => controller.abort(request.signal.reason)
    let late = false
    const timer = setTimeout(() => {
      late = true
      controller.abort(new Error(`No answer within ${timeoutMs} ms`))
    }, timeoutMs)
    request.signal.addEventListener('abort', leave)
    try {
      // `duplex` is what streams ask for (Fetch §5.4); types of the platform do not know it
      const init = { method, headers: fields, body, redirect: 'manual', signal: controller.signal, duplex: 'half' }
      return toAnswer(await send(new Request(url, init as RequestInit)), method)
    } catch (error) {
      if (!request.signal.aborted) report(new Error(`proxy: ${base.origin} gave no answer`, { cause: error }))
      return late ? refuse(ctx, 504, 'Gateway Timeout') : refuse(ctx, 502, 'Bad Gateway')
    } finally {
      clearTimeout(timer)
    }
  }
}

const checkedTarget = (target: string | URL): URL => {
  const text = `${target}`
  checkOption(
    /^https?:\/\/[^/?#@\\]+(?:\/[^?#\\]*)?$/.test(text) && URL.canParse(text),
    'proxy: target',
    'an address such as "http://127.0.0.1:4000/base"',
    text,
  )
  return new URL(text)
}

/**
 * The address at the target. A path is set, never resolved, so it cannot name a host; one that would climb, in whatever
 * spelling, is refused.
 */
const addressOf = (base: URL, path: string, search: string, prefix: string): URL | undefined => {
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : undefined
  if (rest === undefined || (rest && !rest.startsWith('/')) || climbs(rest)) return undefined
  const url = new URL(base)
  const folder = base.pathname.replace(/\/$/, '')
  url.pathname = folder + (rest || '/')
  url.search = search
  return url.origin === base.origin && url.pathname.startsWith(`${folder}/`) ? url : undefined
}

/** Whether a path has a step up or a backslash, decoded once or twice. */
const climbs = (path: string): boolean => {
  try {
    const once = decodeURIComponent(path)
    return [path, once, decodeURIComponent(once.replace(/%(?![\da-f]{2})/gi, '%25'))].some((text) =>
      /(?:^|[/\\])\.\.?(?:[/\\;]|$)|\\/.test(text),
    )
  } catch {
    return true
  }
}

const requestFields = (
  ctx: Context,
  family: ProxyOptions['forwarded'],
  trusts: Trusts,
  own: NonNullable<ProxyOptions['headers']>,
): Headers => {
  const { request, url } = ctx
  const peer = peerOf(request, ctx.env, ctx.execution)
  const believed = trusts(peer, 0)
  const fields = new Headers()
  for (const [name, value] of endToEnd(request.headers))
    if (!/^(?:host|expect|content-length|accept-encoding)$/.test(name) && (believed || !CLIENT_FIELDS.test(name)))
      fields.append(name, value)
  // `fetch` decodes what it gets, so a compressed answer would be work for nothing
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
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) fields.delete(name)
    else fields.set(name, value)
  }
  return fields
}

const toAnswer = (response: Response, method: string): Response => {
  const { status, statusText, body } = response
  const decoded = DECODED.test(response.headers.get('content-encoding') ?? '') && method !== 'HEAD'
  const fields = endToEnd(response.headers).filter(([name]) => !decoded || !/^content-(?:encoding|length)$/.test(name))
  return createResponse(hasNoBody(status) ? null : body, undefined, { status, statusText, headers: fields })
}
