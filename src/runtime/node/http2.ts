import type { Server } from 'node:http'
import { createSecureServer, type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'

/** How Node calls a server that speaks HTTP/1.1 and HTTP/2; what differs is kept in this module. */
export type Http2Options = Parameters<typeof createSecureServer>[0]

/**
 * A server for HTTP/2, and HTTP/1.1 for clients that do not speak it. Node's own knows how to end neither its sessions nor its connections, so both are counted
 * here: an idle session is told to go (GOAWAY, RFC 9113 §6.8) and ends when its streams have, and what is left is cut.
 */
export const createHttp2Server = (options: Http2Options, listener: unknown): Server => {
  const server = createSecureServer({ ...options, allowHTTP1: true }, listener as never)
  const sessions = new Set<ServerHttp2Session>()
  const sockets = new Set<Socket>()
  server.on('session', (session) => keep(sessions, session))
  server.on('secureConnection', (socket) => keep(sockets, socket))
  const { closeIdleConnections } = server as unknown as Server
  return Object.assign(server as unknown as Server, {
    closeIdleConnections(): void {
      for (const session of sessions) if (!session.closed) session.close()
      closeIdleConnections.call(server)
    },
    closeAllConnections(): void {
      for (const socket of sockets) socket.destroy()
    },
  })
}

/** Keep something until it closes. */
const keep = <Thing extends { once(event: 'close', listener: () => void): unknown }>(
  things: Set<Thing>,
  thing: Thing,
): void => {
  things.add(thing)
  thing.once('close', () => things.delete(thing))
}
