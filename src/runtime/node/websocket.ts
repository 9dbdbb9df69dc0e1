import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import { isFieldValue } from '../../internal/header/field-name.ts'
import { asksForSocket, handshakeFault, OWN_FIELD } from '../../internal/websocket/handshake.ts'
import type { RawEvents, WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { afterEarlier } from './after-earlier.ts'
import { lingerOn } from './linger.ts'
import { NodeResponse } from './node-response.ts'
import { connect, type NodeSocket, socketClass } from './node-socket.ts'
import { fail } from './refuse.ts'
import { NodeRequest } from './request.ts'
import { takeUpgrades as takeServers, type UpgradeServer } from './upgrades.ts'
import { write } from './write.ts'

/** A request that may become a WebSocket. */
interface Pending {
  /** Performs the upgrade, once the response is known. */
  accept?: (fields: readonly string[]) => void
  events?: RawEvents
  protocol?: string | undefined
  fields?: readonly string[]
  readonly socket: Duplex
  readonly head: Buffer
}

/** Upgrade requests, while the application handles them. */
const pending = new WeakMap<IncomingMessage, Pending>()

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = () => takeServers(listen)

/** Outside `listen`: a closure there would keep the request and its response as long as the socket. */
const doNothing = (): void => {}

const listen = ({ server, listener }: UpgradeServer): void => {
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Once: a client may ask for other upgrades on one connection for ever
    if (!socket.listeners('error').includes(doNothing)) socket.on('error', doNothing)
    afterEarlier(socket, () => beginSocket(server, listener, incoming, socket, head))
  })
}

const beginSocket = (
  server: UpgradeServer['server'],
  listener: UpgradeServer['listener'],
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void => {
  // An upgrade of HTTP/1.0 must be ignored (RFC 9110 §7.8)
  if (incoming.httpVersion === '1.0' || !asksForSocket(incoming.method, incoming.headers.upgrade)) {
    asPlain(server, incoming, socket, head)
    return
  }
  pending.set(incoming, { socket, head })
  const { ServerResponse } = process.getBuiltinModule('node:http')
  const outgoing = new ServerResponse(incoming)
  outgoing.shouldKeepAlive = false
  const plain: never = socket as never // TLS sockets and sockets are streams with the members that it needs
  outgoing.assignSocket(plain)
  outgoing.once('finish', () => {
    outgoing.detachSocket(plain)
    socket.end()
    lingerOn(socket, socket)
  })
  listener(incoming, outgoing, reply)
}

const reply: typeof write = (incoming, outgoing, response, closing) => {
  const { accept, events, socket } = pending.get(incoming)!
  pending.delete(incoming)
  if (response.status !== 101 || !accept || socket.destroyed) {
    events?.closed(1006, '')
    return write(incoming, outgoing, response, closing)
  }
  const fields = NodeResponse.owns(response) ? response.fields() : [...response.headers].flat()
  // Lists of headers are written unread, and ws does not look at them as Node does
  const bad = fields.find((text) => !isFieldValue(text))
  if (bad !== undefined) {
    events?.closed(1006, '')
    return fail(
      outgoing,
      new TypeError(`${fields[fields.indexOf(bad) - 1]}: ${JSON.stringify(bad)} is not a field value`),
    )
  }
  outgoing.detachSocket(socket as never) // never: see listen
  accept(fields)
}

/**
 * An upgrade that is not ours, such as `h2c`, is an ordinary request (RFC 9110 §7.8). Node has already removed its
 * parser, so the connection starts again with the same bytes, without the header.
 */
const asPlain = (server: UpgradeServer['server'], incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
  let text = `${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}\r\n`
  const { rawHeaders } = incoming
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.toLowerCase() !== 'upgrade') text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}

/** Node's message behind a request whose upgrade is still to be answered. */
const pendingOf = (request: Request): IncomingMessage | undefined =>
  NodeRequest.owns(request) && pending.has(request.incoming) ? request.incoming : undefined

export const faultOf: WebSocketRuntime['faultOf'] = (request) => {
  const fields = pendingOf(request)?.headers
  // A request that came over no socket, or over HTTP/2, has no connection that could be upgraded
  return handshakeFault((name) => fields?.[name] as string | undefined) // string: only Set-Cookie is a list
}

export const upgrade: WebSocketRuntime['upgrade'] = async (request, _execution, options, events) => {
  const incoming = pendingOf(request)
  if (!incoming) throw new Error('The response was sent before the WebSocket was accepted')
  const handshake = pending.get(incoming)!
  const ws = await import('ws').catch((cause) => {
    throw new Error('WebSockets on Node need the package ws: npm install ws', { cause })
  })
  handshake.events = events
  handshake.protocol = options.protocol
  const server = servers.get(options.maxPayload) ?? createServer(ws, options.maxPayload)
  servers.set(options.maxPayload, server)
  handshake.accept = (fields) => acceptHandshake(server, incoming, { ...handshake, fields }, events)
  return new NodeResponse(null, 101, '', [])
}

/** Handshake servers by maximum message size, which ws needs in advance: a program has only a few such limits. */
const servers = new Map<number, WebSocketServer>()

/** Parts in which a short message may come. */
const MAX_PARTS = 1024

const createServer = (
  ws: Pick<typeof import('ws'), 'WebSocketServer' | 'WebSocket'>,
  maxPayload: number,
): WebSocketServer => {
  const server = new ws.WebSocketServer({
    noServer: true,
    WebSocket: socketClass(ws.WebSocket),
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // Each part of a message that has not come as a whole is an object of some hundred bytes, whatever it contains
    maxFragments: Math.max(MAX_PARTS, Math.ceil(maxPayload / 64)),
    maxBufferedChunks: Math.max(MAX_PARTS, Math.ceil(maxPayload / 256)),
    handleProtocols: (_, incoming) => pending.get(incoming)?.protocol ?? false,
  })
  server.on('headers', (lines, incoming) => {
    const { fields = [] } = pending.get(incoming) ?? {}
    for (let index = 0; index < fields.length; index += 2)
      if (!OWN_FIELD.test(fields[index]!)) lines.push(`${fields[index]}: ${fields[index + 1]}`)
  })
  server.on('wsClientError', (error, socket, incoming) => {
    socket.destroy()
    const { events } = pending.get(incoming) ?? {}
    events?.error(error)
    events?.closed(1006, '')
  })
  return server
}

/** The handshake is answered synchronously. */
const acceptHandshake = (
  server: WebSocketServer,
  incoming: IncomingMessage,
  request: Pending,
  events: RawEvents,
): void => {
  const { socket, head } = request
  pending.set(incoming, request)
  server.handleUpgrade(
    incoming,
    socket,
    head,
    (opened) => connect(opened as NodeSocket, socket, events), // NodeSocket: see createServer
  )
  pending.delete(incoming)
}
