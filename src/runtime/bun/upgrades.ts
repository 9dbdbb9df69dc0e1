import type { RawEvents, SizeLimits } from '../../internal/websocket/raw-socket.ts'

export interface BunSocket {
  readonly data: { readonly events: RawEvents; readonly protocol: string }
  getBufferedAmount(): number
  send(message: string | Uint8Array): number
  close(code?: number, reason?: string): void
  terminate(): void
  ping(): void
}

/** Bun's own limits, in bytes. */
const BUN_DEFAULT = 16_777_216

/**
 * Bun's option `websocket`: limits and callbacks for every socket of a server. Bun reads it when it starts to listen,
 * so it is complete from the start: a handler may be made later.
 */
export const socketOptions = {
  // The limits of the handler apply: Bun's are for a server, so they are at least as large
  maxPayloadLength: BUN_DEFAULT as number,
  /** With more bytes that wait, Bun drops messages without a word. */
  backpressureLimit: BUN_DEFAULT as number,
  idleTimeout: 0,
  sendPings: false,
  open: (socket: BunSocket): void =>
    socket.data.events.open({
      protocol: socket.data.protocol,
      get bufferedAmount() {
        return socket.getBufferedAmount()
      },
      send: (message) => void socket.send(message),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
      ping: () => socket.ping(),
    }),
  message: ({ data }: BunSocket, message: string | Uint8Array): void => data.events.message(message),
  pong: ({ data }: BunSocket): void => data.events.pong(),
  ping: ({ data }: BunSocket): void => data.events.pong(),
  drain: ({ data }: BunSocket): void => data.events.drain(),
  close: ({ data }: BunSocket, code: number, reason: string): void => data.events.closed(code, reason),
}

/** The largest limit that Bun takes. */
const MAX_UINT32 = 4_294_967_295

/** Raise the limits of servers that start from now on to those of a handler. */
export const raiseLimits = ({ maxPayload, backpressureLimit }: SizeLimits): void => {
  socketOptions.maxPayloadLength = Math.min(MAX_UINT32, Math.max(socketOptions.maxPayloadLength, maxPayload))
  socketOptions.backpressureLimit = Math.min(MAX_UINT32, Math.max(socketOptions.backpressureLimit, backpressureLimit))
}
