import type { RawEvents } from '../../internal/websocket/raw-socket.ts'

/** The part of Bun's socket that is used here. */
export interface BunSocket {
  readonly data: { readonly events: RawEvents; readonly protocol: string }
  getBufferedAmount(): number
  send(message: string | Uint8Array): number
  close(code?: number, reason?: string): void
  terminate(): void
  ping(): void
}

/** The callbacks that Bun calls for every socket of a server. */
interface SocketEvents {
  maxPayloadLength?: number
  open?(socket: BunSocket): void
  message(socket: BunSocket, message: string | Uint8Array): void
  pong?(socket: BunSocket): void
  ping?(socket: BunSocket): void
  drain?(socket: BunSocket): void
  close?(socket: BunSocket, code: number, reason: string): void
}

/** Bun reads these when it starts to listen; `sluice/websocket` fills them in. */
export const socketEvents: SocketEvents & { idleTimeout: number; sendPings: boolean } = {
  // The limits of the handler apply
  idleTimeout: 0,
  sendPings: false,
  message() {},
}
