import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { createSweep, type Limits } from './http2-limits.ts'
import { readAddress, rememberAddress, rememberedAddress } from './peer.ts'
import { refuse } from './refuse.ts'

/** How Node calls a server for HTTP/1.1 and HTTP/2; the differences are handled in this module. */
export type Http2Options = Parameters<typeof createSecureServer>[0]

/**
 * How many fields a request may have; beyond this number the stream is reset. Node's default of 128 is low, because
 * clients send each cookie as a separate field. Without a limit a field that compression has shortened to one byte
 * could be repeated for ever.
 */
const MAX_FIELDS = 1_000

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * A server for HTTP/2, and HTTP/1.1 for clients that do not speak it. Node's own has no time limits for HTTP/2, and
 * does not end sessions: both are done here. An idle session is told to close (GOAWAY, RFC 9113 §6.8) and ends after
 * its streams.
 */
export const createHttp2Server = (
  options: Http2Options,
  limits: Limits,
  onUnixSocket: boolean,
  listener: Listener,
): Server => {
  const settings = { ...options, ...limits, maxHeaderListPairs: MAX_FIELDS, allowHTTP1: true }
  const server = createSecureServer(settings, withPeer(listener) as never) // never: one listener serves both versions
  const sweep = createSweep(limits)
  let newest: TLSSocket | undefined
  // Node creates the session in the next listener. Otherwise a session does not expose its socket.
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
  const asServer = server as unknown as Server // listen and close need the same members of both
  const { closeIdleConnections } = asServer
  return Object.assign(asServer, limits, {
    closeIdleConnections(): void {
      sweep.closeAll()
      closeIdleConnections.call(asServer)
    },
  })
}

/**
 * A stream of HTTP/2 forgets its connection when it closes, and a handler may ask for the address later. Fields are
 * limited as those of HTTP/1.1: to send many of them costs a client next to nothing, because they are compressed.
 * Node's own limit is larger, and applies only to clients that confirm it.
 */
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
