import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { createSweep, type Limits } from './http2-limits.ts'
import { readAddress, rememberAddress, rememberedAddress } from './peer.ts'

/** How Node calls a server that speaks HTTP/1.1 and HTTP/2; what differs is kept in this module. */
export type Http2Options = Parameters<typeof createSecureServer>[0]

/**
 * How many fields a request may have; beyond this number the stream is reset. Node's 128 are few, since clients send
 * each cookie as a field of its own. Without a limit a field that compression has shortened to one byte could be
 * repeated for ever.
 */
const MOST_FIELDS = 1_000

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * A server for HTTP/2, and HTTP/1.1 for clients that do not speak it. Node's own has no time limit for HTTP/2, and does
 * not know how to end a session: both is done here. An idle session is told to go (GOAWAY, RFC 9113 §6.8) and ends when
 * its streams have.
 */
export const createHttp2Server = (
  options: Http2Options,
  limits: Limits,
  onUnixSocket: boolean,
  listener: Listener,
): Server => {
  const given = { ...options, ...limits, maxHeaderListPairs: MOST_FIELDS, allowHTTP1: true }
  const server = createSecureServer(given, withPeer(listener) as never) // never: one listener serves both versions
  const sweep = createSweep(limits)
  let newest: TLSSocket | undefined
  // Node makes the session in the listener that follows. A session does not show its socket otherwise.
  server.prependListener('secureConnection', (socket) => {
    newest = socket
  })
  server.on('session', (session: ServerHttp2Session) => {
    if (!newest) return
    rememberAddress(session, readAddress(newest, onUnixSocket))
    sweep.watch(session, newest)
  })
  const timer = setInterval(sweep.look, limits.connectionsCheckingInterval)
  timer.unref()
  server.once('close', () => clearInterval(timer))
  const asServer = server as unknown as Server // what listen and close need of both is the same
  const { closeIdleConnections } = asServer
  return Object.assign(asServer, limits, {
    closeIdleConnections(): void {
      sweep.closeAll()
      closeIdleConnections.call(asServer)
    },
  })
}

/** A stream of HTTP/2 forgets its connection when it closes, and a handler may ask for the address later. */
const withPeer =
  (listener: Listener): Listener =>
  (incoming, outgoing) => {
    const { stream } = incoming as IncomingMessage & Partial<Http2ServerRequest>
    if (stream) rememberAddress(incoming, rememberedAddress(stream.session))
    listener(incoming, outgoing)
  }
