import type { IncomingMessage, Server } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { createSweep, type Limits } from './http2-limits.ts'
import { readAddress, rememberAddress, rememberedAddress } from './peer.ts'
import { refuse } from './refuse.ts'
import type { Listener } from './upgrades.ts'

/** More fields reset the stream. Node's default of 128 is low: clients send each cookie as a separate field. */
const MAX_FIELDS = 1_000

/**
 * A server for HTTP/2, and HTTP/1.1 for clients that do not speak it. It adds what Node's own lacks for HTTP/2: time
 * limits, and `closeIdleConnections`, after which each session ends with its streams (GOAWAY, RFC 9113 §6.8).
 */
export const createHttp2Server = (
  options: Parameters<typeof createSecureServer>[0],
  limits: Limits,
  onUnixSocket: boolean,
  listener: Listener,
): Server => {
  const settings = { ...options, ...limits, maxHeaderListPairs: MAX_FIELDS, allowHTTP1: true }
  const server = createSecureServer(settings, withPeer(listener) as never) // never: one listener for both versions
  const sweep = createSweep(limits)
  let newest: TLSSocket | undefined
  // A session does not expose its socket, and Node creates the session in the next listener
  server.prependListener('secureConnection', (socket) => {
    newest = socket
  })
  server.on('session', (session: ServerHttp2Session) => {
    if (!newest) return
    rememberAddress(session, readAddress(newest, onUnixSocket))
    sweep.watch(session, newest)
  })
  const timer = setInterval(sweep.check, limits.connectionsCheckingInterval)
  timer.unref()
  server.once('close', () => clearInterval(timer))
  const asServer = server as unknown as Server // its callers use only members that both have
  const { closeIdleConnections } = asServer
  return Object.assign(asServer, limits, {
    closeIdleConnections(): void {
      sweep.closeAll()
      closeIdleConnections.call(asServer)
    },
  })
}

/** Remember the address beyond the end of the stream. Limit the fields also of clients that ignore Node's limit. */
const withPeer = (listener: Listener): Listener => {
  const { maxHeaderSize } = process.getBuiltinModule('node:http')
  return (incoming, outgoing) => {
    const { stream } = incoming as IncomingMessage & Partial<Http2ServerRequest>
    if (stream) {
      rememberAddress(incoming, rememberedAddress(stream.session))
      let size = 0
      for (const text of incoming.rawHeaders) size += text.length
      if (size > maxHeaderSize) return refuse(outgoing, 431, 'Request Header Fields Too Large')
    }
    listener(incoming, outgoing)
  }
}
