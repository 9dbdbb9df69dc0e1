import type { RawEvents } from '../../internal/websocket/raw-socket.ts'

export interface PlatformSocket {
  binaryType?: string
  readonly protocol?: string
  readonly bufferedAmount?: number
  /** 1 while the connection is open. */
  readonly readyState?: number
  send(message: string | Uint8Array): void
  close(code?: number, reason?: string): void
  addEventListener(type: string, listener: (event: any) => void): void // any: events of several classes
}

export const tellEvents = (socket: PlatformSocket, events: RawEvents): void => {
  socket.addEventListener('message', ({ data }: { data: string | ArrayBuffer }) =>
    events.message(typeof data === 'string' ? data : new Uint8Array(data)),
  )
  socket.addEventListener('error', ({ error, message }) => {
    // A connection breaks because of the client, so without an `error` handler nothing is logged
    const failure = new Error(message || 'The connection was lost', { cause: error })
    events.error(Object.assign(failure, { code: 'ECONNRESET' }))
  })
  socket.addEventListener('close', ({ code, reason }) => {
    // Workers wait for our close frame, which repeats the code (RFC 6455 §5.5.1)
    closeWith(socket, code, reason)
    // Deno says 0 of a connection that was cut
    events.closed(code || 1006, reason)
  })
}

/** Start: the connection is open. @param watches whether the platform pings and cuts silent clients */
export const openOn = (socket: PlatformSocket, protocol: string, events: RawEvents, watches = false): void => {
  let watched = false
  // No event reports that sent data has been flushed
  const watch = (): void => {
    watched = socket.readyState === 1 && (socket.bufferedAmount ?? 0) > 0
    if (watched) setTimeout(watch, WATCH_MS)
    events.drain()
  }
  events.open({
    protocol,
    ...(watches && { watches }),
    get bufferedAmount() {
      return socket.bufferedAmount ?? 0
    },
    send(message) {
      socket.send(message)
      if (watched || !socket.bufferedAmount) return
      watched = true
      setTimeout(watch, WATCH_MS)
    },
    close: (code, reason) => closeWith(socket, code, reason),
    terminate() {
      closeWith(socket, 1000, '')
      // No platform can cut a connection, and a client that reads nothing never answers the close frame
      queueMicrotask(() => events.closed(1006, ''))
    },
  })
}

/** How often a slow client is checked, in milliseconds. */
const WATCH_MS = 10

/** Platforms allow a program to send only some codes. */
const closeWith = (socket: PlatformSocket, code: number, reason: string): void => {
  try {
    socket.close(code, reason)
  } catch {
    try {
      socket.close()
    } catch {}
  }
}
