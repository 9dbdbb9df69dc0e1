import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { LINGER_MS } from './linger.ts'

/** The limits of HTTP/1.1 that HTTP/2 shares, in milliseconds; 0 for none. */
export interface Limits {
  readonly requestTimeout: number
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
  readonly sendTimeout: number
  readonly connectionsCheckingInterval: number
}

/** Watches sessions. */
export interface Sweep {
  watch(session: ServerHttp2Session, socket: TLSSocket): void
  /** Apply the limits to all sessions and streams. */
  check(): void
  /** Tell all sessions to end after their streams. */
  closeAll(): void
}

/** A session, and since when it has no open streams. */
interface WatchedSession {
  readonly session: ServerHttp2Session
  readonly socket: TLSSocket
  readonly streams: Map<ServerHttp2Stream, StreamTimes>
  idleSince: number
  /** Whether it has had a request: if so, the keep-alive timeout applies instead of the one for a first request. */
  served: boolean
  /** Whether the session was over at the last check. */
  over: boolean
}

interface StreamTimes {
  readonly opened: number
  /** The time at which the client last read a part of the response. */
  moved: number
}

/** Node's server has these limits for HTTP/1.1 only, so sessions and their streams are checked at intervals. */
export const createSweep = (limits: Limits): Sweep => {
  const sessions = new Set<WatchedSession>()
  return {
    watch(session, socket) {
      const watched: WatchedSession = {
        session,
        socket,
        streams: new Map(),
        idleSince: performance.now(),
        served: false,
        over: false,
      }
      const onStream = (stream: ServerHttp2Stream): void => openStream(watched, stream)
      sessions.add(watched)
      session.on('stream', onStream)
      // Node keeps a session whose settings were never acknowledged. Without the session's listener, session and socket
      // do not keep each other in memory.
      socket.once('close', () => {
        sessions.delete(watched)
        session.off('stream', onStream)
      })
    },
    check() {
      const now = performance.now()
      for (const watched of sessions) {
        if (watched.session.destroyed) endOver(watched)
        else if (watched.streams.size === 0) endIdle(watched, now, limits)
        for (const [stream, times] of watched.streams) limit(stream, times, now, limits)
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

/**
 * Cut the connection of a session that was already over at the last check. Node first waits for its last write, which
 * is forgotten if the client resets the connection in the meantime.
 */
const endOver = (watched: WatchedSession): void => {
  if (watched.over) watched.socket.destroy()
  watched.over = true
}

/**
 * End a session without streams: first with GOAWAY, then, if the client does not disconnect, by cutting its connection.
 */
const endIdle = ({ session, socket, served, idleSince }: WatchedSession, now: number, limits: Limits): void => {
  const limit = served ? limits.keepAliveTimeout : limits.headersTimeout
  if (limit === 0 || now - idleSince < limit) return
  if (!session.closed) session.close()
  else if (now - idleSince >= limit + LINGER_MS) socket.destroy()
}

const limit = (stream: ServerHttp2Stream, times: StreamTimes, now: number, limits: Limits): void => {
  if (stream.writableLength === 0) times.moved = now
  if (limits.requestTimeout > 0 && now - times.opened >= limits.requestTimeout && !stream.state.remoteClose) {
    refuseLate(stream)
  } else if (limits.sendTimeout > 0 && now - times.moved >= limits.sendTimeout) stream.close(constants.NGHTTP2_CANCEL)
}

/** The request did not arrive completely in time: 408 if there is no response yet (RFC 9110 §15.5.9). */
const refuseLate = (stream: ServerHttp2Stream): void => {
  if (!stream.headersSent && !stream.destroyed) stream.respond({ ':status': 408 }, { endStream: true })
  stream.close(constants.NGHTTP2_CANCEL)
}
