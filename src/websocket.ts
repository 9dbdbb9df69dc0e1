import { hasOwnTimers, isResponse } from '#runtime/core'
import { faultOf, takeUpgrades, upgrade } from '#runtime/websocket'
import { isToken } from './internal/header/field-name.ts'
import { isOrigin } from './internal/header/origin.ts'
import { checkNames, checkOption, checkWhole } from './internal/options/check.ts'
import { checkValue, isSchema } from './internal/schema/check-value.ts'
import { closingOf } from './internal/stream/closing.ts'
import { checkDelay } from './internal/time/delay.ts'
import type { AnySchema, InputOf, OutputOf } from './internal/types/any-schema.ts'
import type { Awaitable, Context, Handler, TypedResponse } from './internal/types/context.ts'
import { asksForSocket, NOT_ASKED, offeredIn, WANTED_FIELDS } from './internal/websocket/handshake.ts'
import { Connection } from './internal/websocket/server-socket.ts'
import type { SocketHandlers } from './internal/websocket/socket-handlers.ts'
import type { LinkedHandlers } from './internal/websocket/target-link.ts'
import { createWatch } from './internal/websocket/watch.ts'
import { refuse } from './pipe/refuse.ts'

export { BadMessage, type ServerSocket, type SocketHandlers } from './internal/websocket/socket-handlers.ts'

/** Pages that may connect. */
export type OriginRule = 'same' | '*' | readonly string[] | ((origin: string) => Awaitable<boolean>)

/** Options of {@link webSocket}. */
export interface WebSocketOptions<
  S extends AnySchema | undefined = undefined,
  R extends AnySchema | undefined = undefined,
> {
  /**
   * Pages that may connect, because a browser sends cookies for any page: `'same'` for pages of this host, a list of
   * origins, a function, or `'*'` for all. A request without an origin is not from a page, and is accepted.
   * @default 'same'
   */
  readonly origin?: OriginRule
  /** Maximum size of a message, in bytes; a larger one closes the socket with 1009. @default 1048576 */
  readonly maxPayload?: number
  /** How long a client may send nothing, in milliseconds; it gets a ping after half of it. @default 60000 */
  readonly idleTimeoutMs?: number
  /** Bytes that may wait for a slow client, besides the newest message, until it is disconnected. @default 1048576 */
  readonly backpressureLimit?: number
  /** Subprotocols, the preferred first: the first one that the client offers is chosen. @default none */
  readonly protocols?: readonly string[]
  /** Messages are JSON that must match this schema. An invalid one goes to `error`, or closes the socket with 1007. */
  readonly messages?: S
  /** Schema of the JSON messages that the handlers send, for the types of `sluice/client`. Nothing is checked. */
  readonly sends?: R
}

/** Types only: what `sluice/client` reads of a route; `never` means strings and bytes. */
export interface SocketMessages<out Takes, out Sends> {
  readonly takes: Takes
  readonly sends: Sends
}

type MessageOf<S> = S extends AnySchema ? OutputOf<S> : string | Uint8Array

type SchemaMessages<S, R> = SocketMessages<
  S extends AnySchema ? InputOf<S> : never,
  R extends AnySchema ? OutputOf<R> : never
>

/**
 * Respond to a request with a WebSocket (RFC 6455). It is a handler like any other: middleware guards it, and a refusal
 * is an ordinary response. On Node it needs the package `ws`.
 *
 * @param open returns the handlers of a socket, or a response that refuses it
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.get('/echo', webSocket(() => ({ message: (socket, message) => socket.send(message) })))
 */
export const webSocket = <
  Known = any, // any: what the chain of the route has declared
  Params = any, // any: see Known
  const S extends AnySchema | undefined = undefined,
  const R extends AnySchema | undefined = undefined,
>(
  open: (ctx: Context<Known, Params>) => Awaitable<SocketHandlers<MessageOf<S>> | Response>,
  options: WebSocketOptions<S, R> = {},
): Handler<Known, Params, any, unknown, TypedResponse<SchemaMessages<S, R>, 101>> => {
  // any: as a handler's environment is
  checkOption(typeof open === 'function', 'webSocket: open', 'a function of the context', typeof open)
  checkNames('webSocket', options, 'origin maxPayload idleTimeoutMs backpressureLimit protocols messages sends')
  const { origin = 'same', maxPayload = 1_048_576, idleTimeoutMs = 60_000 } = options
  const { backpressureLimit = 1_048_576, protocols = [], messages, sends } = options
  checkWhole(maxPayload, 'webSocket: maxPayload', 'bytes', 1)
  checkDelay(idleTimeoutMs, 'webSocket: idleTimeoutMs', 1)
  checkWhole(backpressureLimit, 'webSocket: backpressureLimit', 'bytes', 1)
  const areTokens = Array.isArray(protocols) && protocols.every(isToken)
  checkOption(areTokens, 'webSocket: protocols', 'a list of tokens such as "chat.v1"', protocols)
  for (const [name, schema] of Object.entries({ messages, sends }))
    checkOption(schema === undefined || isSchema(schema), `webSocket: ${name}`, 'a schema', schema)
  const isSingle = origin === 'same' || origin === '*' || typeof origin === 'function'
  const isRule = isSingle || (Array.isArray(origin) && origin.every(isOrigin))
  checkOption(isRule, 'webSocket: origin', '"same", "*", a function or a list such as ["https://a.example"]', origin)
  const watch = createWatch(idleTimeoutMs)
  const limits = { watch, maxPayload, backpressureLimit, read: readerOf(messages) }
  takeUpgrades(limits)

  return async function webSocket(ctx) {
    const fault = asksForSocket(ctx.method, ctx.header('upgrade')) ? faultOf(ctx.request, ctx.execution) : NOT_ASKED
    if (fault) return refuse(ctx, fault.status, fault.error, { code: fault.code }, WANTED_FIELDS)
    if (!(await mayConnect(origin, ctx))) return refuse(ctx, 403, 'Origin not allowed', { code: 'origin_not_allowed' })
    const handlers = await open(ctx)
    if (isResponse(handlers)) return handlers
    const offered = offeredIn(ctx.header('sec-websocket-protocol'))
    // RFC 6455 §4.2.2: one that the client offers, or none
    const linkedProtocol = (handlers as LinkedHandlers)['~protocol']
    const supported = linkedProtocol === undefined ? protocols : [linkedProtocol]
    const protocol = supported.find((name) => offered.includes(name))
    const settings = hasOwnTimers ? { ...limits, watch: createWatch(idleTimeoutMs) } : limits
    const connection = new Connection(handlers, settings, closingOf(ctx.execution))
    try {
      return await upgrade(ctx.request, ctx.execution, { ...limits, protocol, idleTimeoutMs }, connection)
    } catch (error) {
      connection.forget()
      throw error
    }
  }
}

/** A cross-origin page can open a WebSocket, cookies included, without a preflight (RFC 6455 §10.2). */
const mayConnect = (rule: OriginRule, ctx: Pick<Context, 'header' | 'url'>): Awaitable<boolean> => {
  const origin = ctx.header('origin')
  if (origin === null || rule === '*') return true
  if (typeof rule === 'function') return rule(origin)
  if (rule !== 'same') return rule.includes(origin)
  // Behind a proxy that ends TLS, the scheme may differ, but not the host with its port
  return /^https?:\/\/(.+)$/.exec(origin)?.[1] === ctx.url.host
}

const readerOf = (schema: AnySchema | undefined) => (message: string | Uint8Array) => {
  if (!schema) return message
  if (typeof message !== 'string') throw new TypeError('expected a JSON message, got bytes')
  return checkValue(schema, JSON.parse(message))
}
