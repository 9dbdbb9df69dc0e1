import { report } from '#runtime/core'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { AnyContext, Awaitable, Context, Handler } from '../internal/types/context.ts'
import { offeredIn } from '../internal/websocket/handshake.ts'
import { createLink } from '../internal/websocket/target-link.ts'
import type { TargetSocket } from '../internal/websocket/target-socket.ts'
import { refuse } from '../pipe/refuse.ts'
import { type WebSocketOptions, webSocket } from '../websocket.ts'
import { type ForwardOptions, forwarder } from './forward.ts'

/** Options of {@link proxyWebSocket}: those of `webSocket` without `messages` and `sends`, and those of `proxy`. */
export interface ProxyWebSocketOptions
  extends Omit<WebSocketOptions, 'messages' | 'sends'>,
    ForwardOptions<AnyContext> {
  /** Longest time until the target has accepted the connection, in milliseconds; then 504. @default 10000 */
  readonly timeoutMs?: number
  /** Opens the connection to the target. @default `new WebSocket(url, init)` of Node from 22 on, Bun, Deno */
  readonly connect?: (
    url: string,
    init: { readonly protocols: string[]; readonly headers: Record<string, string> },
  ) => Awaitable<TargetSocket>
}

const NAMES =
  'prefix:string timeoutMs forwarded trustProxy headers connect:function origin maxPayload:number idleTimeoutMs:number backpressureLimit:number protocols'

/** Headers of the handshake with the client; the handshake with the target has its own (RFC 6455 §4.1). */
const HANDSHAKE = /^(?:sec-websocket-.*|accept-encoding)$/

/**
 * Forward a WebSocket to another server: messages in order, and the close of either side. Middleware in front of this
 * handler guards it. The client gets its response after the target has accepted the connection: a 502 if it cannot be
 * reached, a 504 if it does not respond in time.
 *
 * @param target an address such as `http://127.0.0.1:4000`; its sockets are at `ws:`
 * @throws {TypeError} when created, for a bad option, and if the runtime has no `WebSocket` and there is no `connect`.
 * @example
 * app.get('/live/*', proxyWebSocket('http://127.0.0.1:4000'))
 */
export const proxyWebSocket = (target: string | URL, options: ProxyWebSocketOptions = {}): Handler<any, any> => {
  // any: the state that the chain of the route has declared
  checkNames('proxyWebSocket', options, NAMES)
  const { timeoutMs = 10_000, connect = openTarget, prefix, forwarded, trustProxy, headers, ...limits } = options
  const { origin, forward } = forwarder<Context>('proxyWebSocket', target, options)
  const canConnect = options.connect || typeof globalThis.WebSocket === 'function'
  checkOption(canConnect, 'proxyWebSocket: connect', 'a function, since this runtime has no WebSocket', options.connect)
  const { protocols = [] } = limits

  return webSocket(async (ctx: Context) => {
    const to = await forward(ctx)
    if (!to) return refuse(ctx, 400, 'Malformed path')
    const { url, fields } = to
    url.protocol = url.protocol.replace('http', 'ws')
    // The target chooses from the protocols that the client and this side name
    const offered = offeredIn(ctx.header('sec-websocket-protocol'))
    const agreed = protocols.filter((protocol) => offered.includes(protocol))
    const sentHeaders = Object.fromEntries([...fields].filter(([name]) => !HANDSHAKE.test(name)))
    try {
      const link = createLink(await connect(url.href, { protocols: agreed, headers: sentHeaders }), timeoutMs)
      if (await link.opened) return link.handlers
    } catch (error) {
      report(new Error(`proxyWebSocket: ${origin} did not accept the connection`, { cause: error }))
      return refuse(ctx, 502, 'Bad Gateway')
    }
    return refuse(ctx, 504, 'Gateway Timeout')
  }, limits)
}

// The types of the platform only have a list of protocols
const openTarget: NonNullable<ProxyWebSocketOptions['connect']> = (url, init) =>
  new WebSocket(url, init as unknown as string[]) as TargetSocket
