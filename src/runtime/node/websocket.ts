import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocketServer } from 'ws'
import { isFieldValue } from '../../internal/header/field-name.ts'
import { asksForSocket, handshakeFault, OWN_FIELD } from '../../internal/websocket/handshake.ts'
import type { RawEvents, WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { afterEarlier, lingerOn } from './exchange.ts'
import { NodeResponse } from './node-response.ts'
import { connect, type NodeSocket, socketClass } from './node-socket.ts'
import { fail } from './refuse.ts'
import { NodeRequest } from './request.ts'
import { type Listener, takeUpgrades as takeServers, type UpgradeServer } from './upgrades.ts'
import { write } from './write.ts'

/** A request that may become a WebSocket, and what `upgrade` has decided. */
interface Handshake {
  readonly socket: Socket
  readonly head: Buffer
  accepted?: { readonly server: WebSocketServer; readonly events: RawEvents; readonly protocol: string | undefined }
  fields?: readonly string[]
}

/** Upgrade requests, while the application handles them. */
const pending = new WeakMap<IncomingMessage, Handshake>()

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = () => takeServers(listen)

/** Outside `listen`: a closure would keep the request and its response as long as the socket. */
const doNothing = (): void => {}

const listen = ({ server, listener }: UpgradeServer): void => {
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    // Once, because a client may ask for other upgrades on one connection for ever
    if (!socket.listeners('error').includes(doNothing)) socket.on('error', doNothing)
    afterEarlier(socket, () => {
      // An upgrade of HTTP/1.0 must be ignored (RFC 9110 §7.8)
      if (incoming.httpVersion === '1.0' || !asksForSocket(incoming.method, incoming.headers.upgrade))
        restartAsPlain(server, incoming, socket, head)
      else beginSocket(listener, incoming, socket, head)
    })
  })
}

const beginSocket = (listener: Listener, incoming: IncomingMessage, socket: Socket, head: Buffer): void => {
  pending.set(incoming, { socket, head })
  const { ServerResponse } = process.getBuiltinModule('node:http')
  const outgoing = new ServerResponse(incoming)
  outgoing.shouldKeepAlive = false
  outgoing.assignSocket(socket)
  outgoing.once('finish', () => {
    outgoing.detachSocket(socket)
    socket.end()
    lingerOn(socket, socket)
  })
  listener(incoming, outgoing, reply)
}

const reply: typeof write = (outgoing, response, closing) => {
  const { req: incoming } = outgoing
  const handshake = pending.get(incoming)!
  const { accepted, socket, head } = handshake
  if (!accepted || response.status !== 101 || socket.destroyed) {
    pending.delete(incoming)
    accepted?.events.closed(1006, '')
    return write(outgoing, response, closing)
  }
  const { server, events } = accepted
  const fields = NodeResponse.owns(response) ? response.fields() : [...response.headers].flat()
  // Unlike Node, ws does not check header values
  const bad = fields.findIndex((text) => !isFieldValue(text))
  if (bad >= 0) {
    pending.delete(incoming)
    events.closed(1006, '')
    return fail(outgoing, new TypeError(`${fields[bad - 1]}: ${JSON.stringify(fields[bad])} is not a field value`))
  }
  outgoing.detachSocket(socket)
  handshake.fields = fields
  // It calls back, or emits `wsClientError`, before it returns
  server.handleUpgrade(incoming, socket, head, (opened) => connect(opened as NodeSocket, socket, events))
  pending.delete(incoming)
}

/**
 * Any other upgrade, such as `h2c`, is an ordinary request (RFC 9110 §7.8). Node has already removed its parser, so the
 * connection starts again with the same bytes, without the header.
 */
const restartAsPlain = (server: Server, incoming: IncomingMessage, socket: Socket, head: Buffer): void => {
  let text = `${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}\r\n`
  const { rawHeaders } = incoming
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.toLowerCase() !== 'upgrade') text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}

/** The message of a request whose upgrade has no response yet. */
const pendingOf = (request: Request): IncomingMessage | undefined =>
  NodeRequest.owns(request) && pending.has(request.incoming) ? request.incoming : undefined

export const faultOf: WebSocketRuntime['faultOf'] = (request) => {
  const fields = pendingOf(request)?.headers
  // A request that came over no socket, or over HTTP/2, has no connection that could be upgraded
  return handshakeFault((name) => fields?.[name] as string | undefined) // string: only Set-Cookie is a list
}

export const upgrade: WebSocketRuntime['upgrade'] = async (request, _execution, { maxPayload, protocol }, events) => {
  const incoming = pendingOf(request)
  if (!incoming) throw new Error('The response was sent before the WebSocket was accepted')
  const handshake = pending.get(incoming)!
  const server = servers.get(maxPayload) ?? (await createServer(maxPayload))
  servers.set(maxPayload, server)
  handshake.accepted = { server, events, protocol }
  return new NodeResponse(null, 101, '', [])
}

/** Handshake servers by maximum message size: a program has only a few such limits. */
const servers = new Map<number, WebSocketServer>()

const MAX_PARTS = 1024

const createServer = async (maxPayload: number): Promise<WebSocketServer> => {
  const ws = await import('ws').catch((cause) => {
    throw new Error('WebSockets on Node need the package ws: npm install ws', { cause })
  })
  const server = new ws.WebSocketServer({
    noServer: true,
    WebSocket: socketClass(ws.WebSocket),
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // Until its message is complete, each part is an object of some hundred bytes, however short it is
    maxFragments: Math.max(MAX_PARTS, Math.ceil(maxPayload / 64)),
    maxBufferedChunks: Math.max(MAX_PARTS, Math.ceil(maxPayload / 256)),
    handleProtocols: (_, incoming) => pending.get(incoming)?.accepted?.protocol ?? false,
  })
  server.on('headers', (lines, incoming) => {
    const { fields = [] } = pending.get(incoming) ?? {}
    for (let index = 0; index < fields.length; index += 2)
      if (!OWN_FIELD.test(fields[index]!)) lines.push(`${fields[index]}: ${fields[index + 1]}`)
  })
  server.on('wsClientError', (error, socket, incoming) => {
    socket.destroy()
    const events = pending.get(incoming)?.accepted?.events
    events?.error(error)
    events?.closed(1006, '')
  })
  return server
}
