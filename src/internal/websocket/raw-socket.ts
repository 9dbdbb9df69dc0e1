import type { Awaitable } from '../promise/awaitable.ts'
import type { HandshakeFault } from './handshake.ts'

/** A runtime's own connection. */
export interface RawSocket {
  /** The subprotocol that was chosen, `''` for none. */
  readonly protocol: string
  /** Bytes that the system has not taken yet; 0 where the runtime does not say. */
  readonly bufferedAmount: number
  send(data: string | Uint8Array): void
  close(code: number, reason: string): void
  /** Cut the connection. */
  terminate(): void
  /** Set if the runtime pings and cuts silent clients itself, and reports no pongs. */
  readonly watches?: boolean
  /** Sends a ping, on runtimes that leave this to us. */
  readonly ping?: () => void
  /** Halts reading, on runtimes that can. */
  readonly pause?: () => void
  readonly resume?: () => void
}

/** The events of a connection that a runtime reports. */
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

/** How a runtime upgrades a request. */
export interface UpgradeOptions extends SizeLimits {
  readonly protocol: string | undefined
  readonly idleTimeoutMs: number
}

/** `#runtime/websocket`: accepts handshakes of WebSockets. */
export interface WebSocketRuntime {
  /** Called when a handler is created: from then on servers accept upgrades, with at least these limits. */
  takeUpgrades(limits: SizeLimits): void
  /**
   * The mistake of a handshake, checked before handlers are created. Workers cannot check it: a request within the
   * platform has no key.
   *
   * @throws {Error} where the server cannot upgrade any request
   */
  faultOf(request: Request, execution: unknown): HandshakeFault | undefined
  /**
   * Respond with status 101. Events are reported once that response was sent.
   *
   * @throws {Error} with its own response, for a request that cannot be upgraded
   */
  upgrade(request: Request, execution: unknown, options: UpgradeOptions, events: RawEvents): Awaitable<Response>
}
