import { createResponse, report } from '#runtime/core'
import { decodes, joinsSlashes, send } from '#runtime/outgoing'
import type { LimitedRequest } from './internal/body/limit-body-stream.ts'
import { bodyStream } from './internal/body/read-body.ts'
import { hasNoBody } from './internal/header/fields.ts'
import { endToEnd } from './internal/header/hop-by-hop.ts'
import { checkNames } from './internal/options/check.ts'
import type { AnyContext, Awaitable } from './internal/types/context.ts'
import { refuse } from './pipe/refuse.ts'
import { type ForwardOptions, forwarder } from './proxy/forward.ts'
import { signalOf } from './signal.ts'

export { type ProxyWebSocketOptions, proxyWebSocket } from './proxy/web-socket.ts'

/** Options of {@link proxy}. */
export interface ProxyOptions<Ctx = AnyContext> extends ForwardOptions<Ctx> {
  /** Longest time until the response headers arrive, in milliseconds; then 504. @default 30000 */
  readonly timeoutMs?: number
  /** Sends the request. @default fetch */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * Forward requests to another server and return its responses; both bodies are streamed.
 *
 * No request can select another host, or leave the target's path. Hop-by-hop headers are not forwarded (RFC 9110
 * §7.6.1). Redirects go back to the client. If the client disconnects, or `timeout` responds, the request to the target
 * is aborted. The response is a 502 if the target cannot be reached, and a 504 if it does not respond in time.
 *
 * @throws {TypeError} when created, for a target that is not an HTTP address, and for a bad option.
 * @example
 * createApp().all('/api/*', proxy('http://127.0.0.1:4000', { prefix: '/api' }))
 */
export const proxy = <Ctx extends AnyContext = AnyContext>(
  target: string | URL,
  options: ProxyOptions<Ctx> = {},
): ((ctx: Ctx) => Awaitable<Response>) => {
  checkNames('proxy', options, 'prefix:string timeoutMs forwarded trustProxy headers fetch:function')
  const { timeoutMs = 30_000 } = options
  const { origin, forward } = forwarder<Ctx>('proxy', target, options)
  const customFetch = options.fetch

  return async function proxy(ctx) {
    const { request, method } = ctx
    const disconnected = signalOf(ctx)
    const forwarded = await forward(ctx)
    // A guard of `/admin` does not run for `//admin`
    const joined = joinsSlashes && forwarded?.url.pathname.startsWith('//')
    if (!forwarded || joined) return refuse(ctx, 400, 'Malformed path')
    if (/^(?:CONNECT|TRAC[EK])$/.test(method))
      return refuse(ctx, 405, 'Method Not Allowed', {}, ['allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'])
    const body = method === 'GET' || method === 'HEAD' ? null : await bodyStream(request)
    const controller = new AbortController()
    const abortRequest = (): void => controller.abort(disconnected.reason)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      controller.abort(new Error(`No response within ${timeoutMs} ms`))
    }, timeoutMs)
    if (disconnected.aborted) abortRequest()
    else disconnected.addEventListener('abort', abortRequest)
    try {
      const { url, fields } = forwarded
      const { signal } = controller
      // Streams need `duplex` (Fetch §5.4), which the types of the platform do not have
      const init = { method, headers: fields, body, redirect: 'manual', signal, duplex: 'half' }
      const ask = (): Promise<Response> => {
        const outgoing = new Request(url, init as RequestInit)
        return customFetch ? customFetch(outgoing) : send(outgoing, { signal })
      }
      let response = await ask()
      // `fetch` cannot decode a range of coded bytes: ask for the whole instead
      if (response.status === 206 && method === 'GET' && isDecoded(response, !!customFetch)) {
        void response.body?.cancel().catch(() => {})
        for (const name of ['range', 'if-range']) fields.delete(name)
        response = await ask()
      }
      return forwardResponse(response, !!customFetch)
    } catch (error) {
      // A response that cannot be passed on would keep its connection
      controller.abort()
      const { '~tooLarge': tooLarge } = request as LimitedRequest
      if (tooLarge) throw tooLarge
      if (!disconnected.aborted) report(new Error(`proxy: no response from ${origin}`, { cause: error }))
      return isLate ? refuse(ctx, 504, 'Gateway Timeout') : refuse(ctx, 502, 'Bad Gateway')
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Whether `fetch` has decoded the body, so that it has other bytes than its headers say. */
const isDecoded = ({ headers }: Response, custom: boolean): boolean => {
  const coding = headers.get('content-encoding')
  return coding !== null && decodes(coding, custom)
}

const OF_CODED = /^(?:content-(?:encoding|length|md5|digest)|(?:repr-)?digest|accept-ranges)$/

const forwardResponse = (response: Response, custom: boolean): Response => {
  const { status, statusText, body } = response
  const fields = endToEnd(response.headers)
  // RFC 9110 §8.8.3.3: a strong tag does not name decoded bytes
  const weaken = ([name, value]: [string, string]): [string, string] =>
    name === 'etag' ? [name, value.replace(/^(?!W\/)/, 'W/')] : [name, value]
  const headers = isDecoded(response, custom) ? fields.filter(([name]) => !OF_CODED.test(name)).map(weaken) : fields
  return createResponse(hasNoBody(status) ? null : body, undefined, { status, statusText, headers })
}
