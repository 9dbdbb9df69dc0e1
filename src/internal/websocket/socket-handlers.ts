import type { Awaitable } from '../promise/awaitable.ts'
import type { Watch } from './watch.ts'

/** One WebSocket, as its handlers see it. */
export interface ServerSocket {
  /** The subprotocol that was chosen, `''` for none. */
  readonly protocol: string
  /** Bytes that wait to be sent; 0 where the runtime does not say, such as older versions of Workers. */
  readonly bufferedAmount: number
  /** Aborts when the connection has closed. */
  readonly signal: AbortSignal
  /**
   * Send a message: a string, or bytes.
   *
   * @returns false once the socket is closing; else true, or a promise if the client takes its messages slowly, which
   * resolves when it has taken them
   */
  send(message: string | Uint8Array): Awaitable<boolean>
  /**
   * Close the connection with a code and a reason (RFC 6455 §7.4).
   *
   * @param code 1000, a registered code such as 1013, or 3000 to 4999 for your own. @default 1000
   * @param reason at most 123 bytes of UTF-8. @default ''
   * @throws {TypeError} for a code that must not be sent, such as 1006, and for a longer reason: the socket stays open
   */
  close(code?: number, reason?: string): void
  /** Cut the connection without a close frame. */
  terminate(): void
}

/** The events of a socket. */
export interface SocketHandlers<Message> {
  /** The connection is open. */
  readonly open?: (socket: ServerSocket) => Awaitable<unknown>
  /** A message has arrived. The next one waits until the promise that this returns has settled. */
  readonly message?: (socket: ServerSocket, message: Message) => Awaitable<unknown>
  /** The connection has ended. 1006 means that it was cut. */
  readonly close?: (socket: ServerSocket, code: number, reason: string) => Awaitable<unknown>
  /** A bad message, a broken frame, a client that is too slow. Without it, a bad message closes with 1007. */
  readonly error?: (socket: ServerSocket, error: unknown) => Awaitable<unknown>
  /** A slow client has read the sent data. */
  readonly drain?: (socket: ServerSocket) => Awaitable<unknown>
}

/** Handlers whose messages are the results of their `read`. */
export type AnyHandlers = SocketHandlers<any> // any: only the route knows its schema

/** The settings that all sockets of a handler share. */
export interface SocketLimits {
  readonly watch: Watch
  readonly maxPayload: number
  readonly backpressureLimit: number
  /** Converts a message for the message handler. @throws for a bad message */
  readonly read: (message: string | Uint8Array) => Awaitable<unknown>
}

/** A message that a schema refuses, or that is not JSON. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage'
}
