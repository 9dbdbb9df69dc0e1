import { decodes, joinsSlashes, send as platformSend } from '#runtime/outgoing'
import { createResponse } from '#runtime/response'
import type { AnyContext, Awaitable, Context } from './context.ts'
import { bodyStream } from './internal/body/body-stream.ts'
import type { TrustProxy } from './internal/client/trust.ts'
import { report } from './internal/error/report.ts'
import { hasNoBody } from './internal/header/fields.ts'
import { endToEnd } from './internal/header/hop-by-hop.ts'
import { checkNames } from './internal/options.ts'
import { type ForwardedFields, forwarder } from './internal/proxy/forward.ts'
import { refuse } from './refuse.ts'
import { signalOf } from './signal.ts'

/** Options of {@link proxy}. */
export interface ProxyOptions {
  /** Prefix to remove from the path, without a trailing slash: `/api`. @default '' */
  readonly prefix?: string
  /** Longest time until the response headers arrive, in milliseconds; then 504. @default 30000 */
  readonly timeoutMs?: number
  /**
   * How the target learns about the client: `X-Forwarded-*`, `Forwarded` (RFC 7239), or not at all.
   * @default 'x-forwarded'
   */
  readonly forwarded?: 'x-forwarded' | 'forwarded' | false
  /** Trusted peers, whose forwarding headers are kept; those of all others are dropped. @default false */
  readonly trustProxy?: TrustProxy
  /**
   * Headers to set on the request to the target, or a function that returns them; `undefined` removes one. @default {}
   */
  readonly headers?: ForwardedFields | ((ctx: AnyContext) => Awaitable<ForwardedFields>)
  /** Sends the request. @default fetch */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * Forward requests to another server and return its responses; both bodies are streamed.
 *
 * The target is fixed: nothing in a request can select another host, or leave the target's path. Hop-by-hop headers are
 * not forwarded (RFC 9110 §7.6.1). Redirects go back to the client. If the client disconnects, or `timeout` responds,
 * the request to the target is aborted. If the target cannot be reached, the response is a 502; if it does not respond
 * in time, a 504.
 *
 * @throws {TypeError} when created, for a target that is not an HTTP address, and for a bad option.
 * @example
 * createApp().all('/api/*', proxy('http://127.0.0.1:4000', { prefix: '/api' }))
 */
export const proxy = (target: string | URL, options: ProxyOptions = {}): ((ctx: AnyContext) => Awaitable<Response>) => {
  checkNames('proxy', options, 'prefix:string timeoutMs forwarded trustProxy headers fetch:function')
  const { timeoutMs = 30_000 } = options
  const { origin, forward } = forwarder<Context>('proxy', target, options)
  const send = options.fetch ?? platformSend

  return async function proxy(ctx) {
    const { request, method } = ctx
    const left = signalOf(ctx)
    const forwarded = await forward(ctx)
    // Behind `//admin`, a guard of `/admin` has not run
    const joined = joinsSlashes && forwarded?.url.pathname.startsWith('//')
    if (!forwarded || joined) return refuse(ctx, 400, 'Malformed path')
    if (/^(?:CONNECT|TRAC[EK])$/.test(method))
      return refuse(ctx, 405, 'Method Not Allowed', {}, ['allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'])
    const body = method === 'GET' || method === 'HEAD' ? null : await bodyStream(request)
    const controller = new AbortController()
    const leave = (): void => controller.abort(left.reason)
    let late = false
    const timer = setTimeout(() => {
      late = true
      controller.abort(new Error(`No answer within ${timeoutMs} ms`))
    }, timeoutMs)
    if (left.aborted) leave()
    else left.addEventListener('abort', leave)
    try {
      // Streams need `duplex` (Fetch §5.4); the types of the platform do not have it
      const init = {
        method,
        headers: forwarded.fields,
        body,
        redirect: 'manual',
        signal: controller.signal,
        duplex: 'half',
      }
      return toAnswer(await send(new Request(forwarded.url, init as RequestInit)), method, !!options.fetch)
    } catch (error) {
      // A response that cannot be passed on would keep its connection
      controller.abort()
      if (!left.aborted) report(new Error(`proxy: ${origin} gave no answer`, { cause: error }))
      return late ? refuse(ctx, 504, 'Gateway Timeout') : refuse(ctx, 502, 'Bad Gateway')
    } finally {
      clearTimeout(timer)
    }
  }
}

const toAnswer = (response: Response, method: string, custom: boolean): Response => {
  const { status, statusText, body } = response
  const coding = response.headers.get('content-encoding')
  const decoded = coding !== null && method !== 'HEAD' && decodes(coding, custom)
  const fields = endToEnd(response.headers).filter(([name]) => !decoded || !/^content-(?:encoding|length)$/.test(name))
  return createResponse(hasNoBody(status) ? null : body, undefined, { status, statusText, headers: fields })
}
