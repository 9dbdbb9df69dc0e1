import type { Awaitable } from '../promise/awaitable.ts'
import type { HandshakeFault } from './handshake.ts'

/** A connection of the runtime. */
export interface RawSocket {
  /** The subprotocol that was chosen, `''` for none. */
  readonly protocol: string
  /** Bytes that the system has not taken yet; 0 where the runtime does not report them. */
  readonly bufferedAmount: number
  send(data: string | Uint8Array): void
  close(code: number, reason: string): void
  terminate(): void
  /** Whether the runtime pings and cuts silent clients itself, and reports no pongs. */
  readonly watches?: boolean
  /** Absent where the runtime pings. */
  readonly ping?: () => void
  /** Stop reading. Absent where the runtime cannot. */
  readonly pause?: () => void
  readonly resume?: () => void
}

/** The events that a runtime reports. */
export interface RawEvents {
  open(raw: RawSocket): void
  message(message: string | Uint8Array): void
  pong(): void
  /** The sent data was passed to the system. */
  drain(): void
  closed(code: number, reason: string): void
  error(error: unknown): void
}

/** Limits of a handler, in bytes. */
export interface SizeLimits {
  readonly maxPayload: number
  readonly backpressureLimit: number
}

export interface UpgradeOptions extends SizeLimits {
  readonly protocol: string | undefined
  readonly idleTimeoutMs: number
}

/** `#runtime/websocket`: accepts handshakes of WebSockets. */
export interface WebSocketRuntime {
  /** Let servers accept upgrades, with at least these limits. Called when a handler is created. */
  takeUpgrades(limits: SizeLimits): void
  /**
   * The mistake of a handshake. Workers cannot check it, because a request within the platform has no key.
   * @throws {Error} where the server cannot upgrade any request
   */
  faultOf(request: Request, execution: unknown): HandshakeFault | undefined
  /** Respond with 101, and then report events. @throws {Error} with its own response, if there can be no upgrade */
  upgrade(request: Request, execution: unknown, options: UpgradeOptions, events: RawEvents): Awaitable<Response>
}
