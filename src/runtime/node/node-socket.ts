import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { RawEvents, RawSocket } from '../../internal/websocket/raw-socket.ts'

/** Where a socket keeps its handlers: thousands of sockets share their listeners. */
const EVENTS: unique symbol = /* @__PURE__ */ Symbol('sluice.events')

type Told<S> = S & { [EVENTS]?: RawEvents }

const LISTENERS = {
  message(this: Told<WebSocket>, content: Buffer, isBinary: boolean): void {
    this[EVENTS]?.message(
      isBinary ? new Uint8Array(content.buffer, content.byteOffset, content.length) : content.toString(),
    )
  },
  pong(this: Told<WebSocket>): void {
    this[EVENTS]?.pong()
  },
  ping(this: Told<WebSocket>): void {
    this[EVENTS]?.pong()
  },
  error(this: Told<WebSocket>, error: Error): void {
    this[EVENTS]?.error(error)
  },
  close(this: Told<WebSocket>, code: number, reason: Buffer): void {
    this[EVENTS]?.closed(code, reason.toString())
  },
}

function drained(this: Told<Duplex>): void {
  this[EVENTS]?.drain()
}

/** Start: the handshake has been answered. */
export const connect = (opened: Told<WebSocket>, socket: Told<Duplex>, events: RawEvents): void => {
  opened[EVENTS] = events
  socket[EVENTS] = events
  socket.on('drain', drained)
  opened.on('message', LISTENERS.message)
  opened.on('pong', LISTENERS.pong)
  opened.on('ping', LISTENERS.ping)
  opened.on('error', LISTENERS.error)
  opened.on('close', LISTENERS.close)
  events.open(new NodeSocket(opened))
}

/** A class, because there are thousands of sockets: an object literal would have its own copy of each function. */
class NodeSocket implements RawSocket {
  readonly #opened: WebSocket

  constructor(opened: WebSocket) {
    this.#opened = opened
  }

  get protocol(): string {
    return this.#opened.protocol
  }

  get bufferedAmount(): number {
    return this.#opened.bufferedAmount
  }

  send(message: string | Uint8Array): void {
    this.#opened.send(message)
  }

  close(code: number, reason: string): void {
    this.#opened.close(code, reason)
  }

  terminate(): void {
    this.#opened.terminate()
  }

  ping(): void {
    this.#opened.ping()
  }

  pause(): void {
    this.#opened.pause()
  }

  resume(): void {
    this.#opened.resume()
  }
}
