import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { readAddress } from './peer.ts'

/** All connections of a server, including those that Node's HTTP has handed over or not yet accepted. */
export interface Connections {
  /**
   * Cut those that have no request and nothing to send, and on which nothing has been sent or received since the last
   * call. On any other, a request may be on its way. The first call only notes the bytes.
   */
  cutQuiet(): void
  cutAll(): void
}

/** The progress of a connection whose data waits: how much the system has accepted, and when that last changed. */
interface Progress {
  readonly sent: number
  readonly since: number
}

/**
 * Track every connection until it closes. Node's own list does not contain tunnels (CONNECT), TLS connections before
 * their handshake, or HTTP/2 sessions.
 *
 * A connection whose client has already disconnected has no address, and nobody waits for a response: it is cut, so
 * that no request has an unknown address.
 *
 * @param sendTimeoutMs time after which a connection is cut if its client reads nothing; 0 for never
 */
export const trackConnections = (server: Server, onUnixSocket: boolean, sendTimeoutMs: number): Connections => {
  const sockets = new Set<Socket>()
  const progressBySocket = new Map<Socket, Progress>()
  const secured = new Set<TLSSocket>()
  /** The TLS socket over a connection, after its handshake. */
  const tlsByInner = new WeakMap<Socket, TLSSocket>()
  /** Bytes sent and received until the last `cutQuiet`. */
  const counts = new WeakMap<Socket, number>()
  let hasLooked = false
  // One function for all, so that a connection keeps neither a closure nor the wrapper of `once`
  const forget = function (this: Socket): void {
    sockets.delete(this)
    progressBySocket.delete(this)
  }
  server.on('connection', (socket: Socket) => {
    // One that begins anew after an upgrade that was declined
    if (sockets.has(socket)) return
    if (readAddress(socket, onUnixSocket) === undefined) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', forget)
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    if (secured.has(socket)) return
    if (readAddress(socket, onUnixSocket) === undefined) return void socket.destroy()
    secured.add(socket)
    const { _parent: below } = socket as TLSSocketWithParent
    if (below) tlsByInner.set(below, socket)
    socket.once('close', () => secured.delete(socket))
  })
  if (sendTimeoutMs > 0) {
    const sweep = setInterval(
      () => cutStuck(sockets, tlsByInner, progressBySocket, sendTimeoutMs),
      Math.min(30_000, sendTimeoutMs / 2),
    )
    sweep.unref()
    server.once('close', () => clearInterval(sweep))
  }
  return {
    cutQuiet() {
      const active: Socket[] = []
      for (const socket of [...secured, ...sockets]) {
        // For TLS, the connection below it: a request may have arrived in part, which TLS cannot read yet
        const count = ((socket as TLSSocketWithParent)._parent ?? socket).bytesRead + socket.bytesWritten
        // For Node, a response has ended when it is written, however much of it waits for the client
        if (socket.writableLength || counts.get(socket) !== count) active.push(socket)
        // HTTP/2 bypasses the socket's read events, and ends its sessions itself
        else if (socket.bytesRead === 0 && (socket as TLSSocket).alpnProtocol !== 'h2') socket.destroy()
        counts.set(socket, count)
      }
      // Only Node knows on which connections a request has begun, and it cuts all others; HTTP/2 ends all its sessions
      for (const socket of active) socket.destroy = () => socket
      if (hasLooked) server.closeIdleConnections()
      for (const socket of active) delete (socket as Partial<Socket>).destroy
      hasLooked = true
    },
    cutAll() {
      // TLS before the connection below it
      for (const socket of [...secured, ...sockets]) socket.destroy()
    },
  }
}

/**
 * Cut the connections that have something to send, but whose client has read nothing within the limit.
 *
 * TLS may keep data: Node forgets a write for ever when the client ends TLS and resets the connection while the
 * response is being written. The connection below then has nothing to send, no client, and never ends.
 */
const cutStuck = (
  sockets: ReadonlySet<Socket>,
  tlsByInner: WeakMap<Socket, TLSSocket>,
  progressBySocket: Map<Socket, Progress>,
  limit: number,
): void => {
  const now = performance.now()
  for (const socket of sockets) {
    // Only Node's internal handle shows what the system has not accepted yet, and the progress of one long write.
    const { bytesWritten = 0, writeQueueSize = 0 } = (socket as Socket & SocketWithHandle)._handle ?? {}
    const sentBytes = bytesWritten - writeQueueSize
    const secured = tlsByInner.get(socket)
    const progress = progressBySocket.get(socket)
    if (writeQueueSize === 0 && !secured?.writableLength) progressBySocket.delete(socket)
    else if (sentBytes !== progress?.sent) progressBySocket.set(socket, { sent: sentBytes, since: now })
    else if (now - progress.since >= limit) {
      secured?.destroy()
      socket.destroy()
    }
  }
}

/** Node's property for the connection below TLS. */
interface TLSSocketWithParent extends TLSSocket {
  readonly _parent?: Socket
}

/** Node's property for the counts of libuv's stream. */
interface SocketWithHandle {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null
}
