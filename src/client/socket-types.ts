import type { Awaitable } from '../internal/types/context.ts'
import type { TargetSocket } from '../internal/websocket/target-socket.ts'
import type { CallArguments } from './types.ts'

/** A message that a server has sent. */
export interface ReceivedMessage<out Output = unknown> {
  /** The message: a string, or bytes. */
  readonly data: string | Uint8Array
  /** The text parsed as JSON. @throws {SyntaxError} if it is not JSON. @throws {TypeError} if it is bytes. */
  json(): Output
}

/**
 * A WebSocket that connects again, and the messages that come over it. Leaving the loop closes it.
 *
 * @typeParam Input the messages that the route takes as JSON
 * @typeParam Output the messages that the route sends as JSON
 */
export interface ClientSocket<in Input, out Output> extends AsyncIterableIterator<ReceivedMessage<Output>> {
  /** Whether a connection is open. */
  readonly connected: boolean
  /**
   * Send a string or bytes, or keep it for the next connection. A message that was sent just before a connection is
   * lost may be lost too.
   * @returns false if it is not sent: the socket is closed, or too many bytes wait
   */
  send(message: string | Uint8Array): boolean
  /** Send a message as JSON, in the same way. */
  sendJson(message: Input): boolean
  /** Close it and do not reconnect. @param code 1000, or 3000 to 4999 for your own. @default 1000 */
  close(code?: number, reason?: string): void
}

/** Options of `socket`, in addition to `params` and `query` of the route. */
export interface SocketOptions {
  /** Closes it, without an error. */
  readonly signal?: AbortSignal | undefined
  /** Subprotocols to offer, the best first. @default none */
  readonly protocols?: readonly string[]
  /** Called each time that a connection is open, before waiting messages are sent: to authenticate. @default none */
  readonly onOpen?: () => void
  /** Wait before a new connection in milliseconds; it doubles with each failure in a row. @default 1000 */
  readonly retryMs?: number
  /** Longest wait, however many attempts fail, in milliseconds. @default 30000 */
  readonly maxRetryMs?: number
  /** How long a connection may take to open, in milliseconds. @default 10000 */
  readonly timeoutMs?: number
  /** Bytes that may wait to be sent; of a text, its characters count. @default 1048576 */
  readonly sendLimit?: number
  /** Messages that may wait for the loop. @default 1024 */
  readonly receiveLimit?: number
  /** Opens a connection. @default `new WebSocket(url, protocols)`, which Node has from 22 on */
  readonly connect?: (url: string, protocols: string[]) => Awaitable<TargetSocket>
  /** Waits; it may end early when the signal aborts. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** A number from 0 to 1, which shortens each wait to between half and all of it. @default Math.random */
  readonly random?: () => number
}

/** The message types that `webSocket` declares for a client; `never` means strings and bytes. */
type ReplyMessages<X> = X extends { readonly reply: infer Replies }
  ? Replies extends { readonly status: 101; json(): Promise<infer Messages> }
    ? Messages
    : never
  : never

type OrUnknown<T> = [T] extends [never] ? unknown : T

export type TakenMessages<X> = OrUnknown<ReplyMessages<X> extends { readonly takes: infer Input } ? Input : never>

export type SentMessages<X> = OrUnknown<ReplyMessages<X> extends { readonly sends: infer Output } ? Output : never>

/** The input of a handshake, which has neither a body nor, in a browser, headers. */
type Address<Init> = Pick<Init, Extract<keyof Init, 'params' | 'query'>>

export type SocketArguments<X> =
  CallArguments<X> extends [infer Init]
    ? [init: Address<Init> & SocketOptions]
    : [init?: (X extends { readonly init: infer Init } ? Address<Init> : object) & SocketOptions]
