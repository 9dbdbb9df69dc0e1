import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { readAddress } from './peer.ts'

export interface Connections {
  /**
   * Cut the connections without a request or data to send, if nothing was sent or received since the last call. On any
   * other, a request may be on its way. The first call only notes the bytes.
   */
  cutQuiet(): void
  cutAll(): void
}

/**
 * Node's own list lacks tunnels (CONNECT), TLS connections before their handshake, and HTTP/2 sessions. A connection
 * without an address is cut: its client has already disconnected. So is one that reads nothing for `sendTimeoutMs`.
 */
export const trackConnections = (server: Server, onUnixSocket: boolean, sendTimeoutMs: number): Connections => {
  const sockets = new Set<Socket>()
  const secured = new Set<Socket>()
  /** The TLS socket over a connection, after its handshake. */
  const tlsByInner = new WeakMap<Socket, TLSSocket>()
  /** How much data the system has accepted of a connection, and when that last changed. */
  const progressBySocket = new WeakMap<Socket, { readonly sent: number; readonly since: number }>()
  /** Bytes sent and received until the last `cutQuiet`. */
  const counts = new WeakMap<Socket, number>()
  let hasCounts = false
  // One listener for all: a closure or the wrapper of `once` would cost memory for each connection
  const forget = function (this: Socket): void {
    sockets.delete(this)
    secured.delete(this)
  }
  const track = (tracked: Set<Socket>, socket: Socket): void => {
    // A connection begins again after an upgrade that was declined
    if (tracked.has(socket)) return
    if (readAddress(socket, onUnixSocket) === undefined) return void socket.destroy()
    tracked.add(socket)
    socket.on('close', forget)
  }
  server.on('connection', (socket: Socket) => track(sockets, socket))
  server.on('secureConnection', (socket: TLSSocketWithParent) => {
    track(secured, socket)
    if (socket._parent) tlsByInner.set(socket._parent, socket)
  })
  const cutStuck = (): void => {
    const now = performance.now()
    for (const socket of sockets) {
      // Only the internal handle shows the progress of one long write
      const { bytesWritten = 0, writeQueueSize = 0 } = (socket as SocketWithHandle)._handle ?? {}
      const sent = bytesWritten - writeQueueSize
      const tls = tlsByInner.get(socket)
      const progress = progressBySocket.get(socket)
      // TLS may have data for ever: Node never finishes a write during which the client ends TLS and resets
      if (writeQueueSize === 0 && !tls?.writableLength) progressBySocket.delete(socket)
      else if (sent !== progress?.sent) progressBySocket.set(socket, { sent, since: now })
      else if (now - progress.since >= sendTimeoutMs) {
        tls?.destroy()
        socket.destroy()
      }
    }
  }
  if (sendTimeoutMs > 0) {
    const sweep = setInterval(cutStuck, Math.min(30_000, sendTimeoutMs / 2))
    sweep.unref()
    server.once('close', () => clearInterval(sweep))
  }
  return {
    cutQuiet() {
      const active: Socket[] = []
      for (const socket of [...secured, ...sockets]) {
        // Of TLS, the connection below: it may have received a part of a request
        const count = ((socket as TLSSocketWithParent)._parent ?? socket).bytesRead + socket.bytesWritten
        // For Node, a response ends when it is written, even if the client has read nothing of it
        if (socket.writableLength || counts.get(socket) !== count) active.push(socket)
        // HTTP/2 bypasses the socket's read events, and ends its sessions itself
        else if (socket.bytesRead === 0 && (socket as TLSSocket).alpnProtocol !== 'h2') socket.destroy()
        counts.set(socket, count)
      }
      // Only Node knows on which connections a request has begun. It cuts all others, and ends HTTP/2 sessions
      for (const socket of active) socket.destroy = () => socket
      if (hasCounts) server.closeIdleConnections()
      for (const socket of active) delete (socket as Partial<Socket>).destroy
      hasCounts = true
    },
    cutAll() {
      // TLS before the connection below it
      for (const socket of [...secured, ...sockets]) socket.destroy()
    },
  }
}

type TLSSocketWithParent = TLSSocket & { readonly _parent?: Socket }

type SocketWithHandle = Socket & {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null
}

/** How long a connection must be quiet before it counts as idle during a close, in milliseconds. */
const QUIET_MS = 200

/** The `close` of `node:http` would cut idle connections at once. */
const stopAccepting = NetServer.prototype.close

/** Let running requests finish. A keep-alive connection stays for a moment, as a request may be in transit. */
export const drain = (server: Server, connections: Connections, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    connections.cutQuiet()
    // After a stall, timers run first. The immediate runs after what was received meanwhile has been read
    const idle = setInterval(() => setImmediate(connections.cutQuiet), QUIET_MS)
    const cut = setTimeout(connections.cutAll, graceMs)
    stopAccepting.call(server, () => {
      clearInterval(idle)
      clearTimeout(cut)
      server.close(() => {})
      resolve()
    })
  })
