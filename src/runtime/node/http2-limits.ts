import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { LINGER_MS } from './exchange.ts'

/** The limits of HTTP/1.1 that HTTP/2 shares, in milliseconds; 0 for none. */
export interface Limits {
  readonly requestTimeout: number
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
  readonly sendTimeout: number
  readonly connectionsCheckingInterval: number
}

export interface Sweep {
  watch(session: ServerHttp2Session, socket: TLSSocket): void
  check(): void
  closeAll(): void
}

interface WatchedSession {
  readonly session: ServerHttp2Session
  readonly socket: TLSSocket
  readonly streams: Map<ServerHttp2Stream, StreamTimes>
  idleSince: number
  served: boolean
  /** Whether the session was over at the last check. */
  over: boolean
}

interface StreamTimes {
  readonly opened: number
  /** The time at which the client last read a part of the response. */
  moved: number
}

/** Node's server has these limits for HTTP/1.1 only. Here, sessions and their streams are checked at intervals. */
export const createSweep = (limits: Limits): Sweep => {
  const sessions = new Set<WatchedSession>()
  return {
    watch(session, socket) {
      const idleSince = performance.now()
      const watched: WatchedSession = { session, socket, streams: new Map(), idleSince, served: false, over: false }
      const onStream = (stream: ServerHttp2Stream): void => openStream(watched, stream)
      sessions.add(watched)
      session.on('stream', onStream)
      // Node keeps a session whose settings were never acknowledged. It must not keep the socket in memory
      socket.once('close', () => {
        sessions.delete(watched)
        session.off('stream', onStream)
      })
    },
    check() {
      const now = performance.now()
      for (const watched of sessions) {
        if (watched.session.destroyed) {
          // At the second check: Node first waits for its last write, but forgets it if the client resets
          if (watched.over) watched.socket.destroy()
          watched.over = true
        } else if (watched.streams.size === 0) endIdle(watched, now, limits)
        for (const [stream, times] of watched.streams) endLate(stream, times, now, limits)
      }
    },
    closeAll() {
      for (const { session } of sessions) if (!session.closed) session.close()
    },
  }
}

const openStream = (watched: WatchedSession, stream: ServerHttp2Stream): void => {
  const now = performance.now()
  const times = { opened: now, moved: now }
  watched.served = true
  watched.streams.set(stream, times)
  stream.on('drain', () => {
    times.moved = performance.now()
  })
  stream.once('close', () => {
    watched.streams.delete(stream)
    watched.idleSince = performance.now()
  })
}

/** End a session with GOAWAY, and cut its connection if the client does not disconnect. */
const endIdle = ({ session, socket, served, idleSince }: WatchedSession, now: number, limits: Limits): void => {
  const limit = served ? limits.keepAliveTimeout : limits.headersTimeout
  if (limit === 0 || now - idleSince < limit) return
  if (!session.closed) session.close()
  else if (now - idleSince >= limit + LINGER_MS) socket.destroy()
}

const endLate = (stream: ServerHttp2Stream, times: StreamTimes, now: number, limits: Limits): void => {
  if (stream.writableLength === 0) times.moved = now
  const { requestTimeout, sendTimeout } = limits
  const isLate = requestTimeout > 0 && now - times.opened >= requestTimeout && !stream.state.remoteClose
  const isSlow = sendTimeout > 0 && now - times.moved >= sendTimeout
  // The request did not arrive in time (RFC 9110 §15.5.9)
  if (isLate && !stream.headersSent && !stream.destroyed) stream.respond({ ':status': 408 }, { endStream: true })
  if (isLate || isSlow) stream.close(constants.NGHTTP2_CANCEL)
}
