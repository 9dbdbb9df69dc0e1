import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import { refusal } from '../../internal/error/answer.ts'
import type { RawEvents, WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { lingerOn } from './linger.ts'
import { NodeResponse } from './node-response.ts'
import { connect } from './node-socket.ts'
import { NodeRequest } from './request.ts'
import { type Served, takeUpgrades as takeServers } from './upgrades.ts'
import { write } from './write.ts'

/** A request that may become a WebSocket. */
interface Pending {
  /** Makes it one, once its answer has been decided. */
  accept?: (fields: readonly string[]) => void
  events?: RawEvents
  protocol?: string | undefined
  fields?: readonly string[]
  readonly socket: Duplex
  readonly head: Buffer
}

/** Requests for an upgrade, while the application looks at them. */
const pending = new WeakMap<IncomingMessage, Pending>()

/** The key of a handshake: 16 bytes in base64 (RFC 6455 §4.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = () => takeServers(listen)

/** Outside of `listen`: a closure of it would keep the request and its answer as long as the socket. */
const ignore = (): void => {}

const listen = ({ server, listener }: Served): void => {
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Once: a client may ask for other upgrades on one connection for ever
    if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
    if (incoming.method !== 'GET' || !/^websocket$/i.test(incoming.headers.upgrade ?? ''))
      return asPlain(server, incoming, socket, head)
    pending.set(incoming, { socket, head })
    const { ServerResponse } = process.getBuiltinModule('node:http')
    const outgoing = new ServerResponse(incoming)
    outgoing.shouldKeepAlive = false
    outgoing.assignSocket(socket as never) // never: TLS sockets and sockets are streams with what it asks for
    outgoing.once('finish', () => {
      outgoing.detachSocket(socket as never)
      socket.end()
      lingerOn(socket, socket)
    })
    listener(incoming, outgoing, reply)
  })
}

const reply: typeof write = (incoming, outgoing, response, closing) => {
  const { accept, events, socket } = pending.get(incoming)!
  pending.delete(incoming)
  if (response.status !== 101 || !accept || socket.destroyed) {
    events?.closed(1006, '')
    return write(incoming, outgoing, response, closing)
  }
  outgoing.detachSocket(socket as never) // never: see listen
  accept(NodeResponse.owns(response) ? response.fields() : [...response.headers].flat())
}

/**
 * An upgrade to something else, such as `h2c`, is a plain request (RFC 9110 §7.8). Node has taken its parser off already:
 * the connection begins anew with the same bytes, without the field.
 */
const asPlain = (server: Served['server'], incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
  let text = `${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}\r\n`
  const { rawHeaders } = incoming
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.toLowerCase() !== 'upgrade') text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}

/** Fields of the handshake, which are not the application's to set. */
const OWN_FIELD = /^(connection|upgrade|content-.*|transfer-encoding|keep-alive|sec-websocket-.*)$/

export const upgrade: WebSocketRuntime['upgrade'] = async (request, _execution, options, events) => {
  const incoming = NodeRequest.owns(request) ? request.incoming : undefined
  const asked = incoming && pending.get(incoming)
  if (!asked) throw refusal(426, 'Upgrade Required', undefined, undefined, { upgrade: 'websocket' })
  const { headers } = incoming
  if (headers['sec-websocket-version'] !== '13')
    throw refusal(426, 'Upgrade Required', undefined, undefined, {
      upgrade: 'websocket',
      'sec-websocket-version': '13',
    })
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) throw refusal(400, 'Bad Sec-WebSocket-Key')
  const { WebSocketServer } = await import('ws').catch((cause) => {
    throw new Error('WebSockets on Node need the package ws: npm install ws', { cause })
  })
  asked.events = events
  asked.protocol = options.protocol
  const server = servers.get(options.maxPayload) ?? createServer(WebSocketServer, options.maxPayload)
  servers.set(options.maxPayload, server)
  asked.accept = (fields) => accept(server, incoming, { ...asked, fields }, events)
  return new NodeResponse(null, 101, '', [])
}

/** Handshakes by the longest message, which ws is told beforehand: a program has few such numbers. */
const servers = new Map<number, WebSocketServer>()

const createServer = (Server: typeof WebSocketServer, maxPayload: number): WebSocketServer => {
  const server = new Server({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
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

/** The handshake is answered within the call. */
const accept = (server: WebSocketServer, incoming: IncomingMessage, asked: Pending, events: RawEvents): void => {
  const { socket, head } = asked
  pending.set(incoming, asked)
  server.handleUpgrade(incoming, socket, head, (opened) => connect(opened, socket, events))
  pending.delete(incoming)
}
