import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { RawEvents } from '../../internal/websocket/raw-socket.ts'

/** The key of a connection's handlers: thousands of connections share their listener. */
const EVENTS: unique symbol = /* @__PURE__ */ Symbol('sluice.events')

type EventSocket<S> = S & { [EVENTS]?: RawEvents }

/** A socket of the package `ws` that calls its handlers directly. */
export type NodeSocket = WebSocket & { told: RawEvents | undefined }

/**
 * The class of `ws` without listeners: the list of listeners of one socket would be larger than everything else that we
 * keep of it.
 */
export const socketClass = (Base: typeof WebSocket): typeof WebSocket =>
  class extends Base {
    told: RawEvents | undefined = undefined

    /** `ws` reports every event through `emit`. */
    override emit(name: string | symbol, ...given: any[]): boolean {
      // any: as in EventEmitter
      const { told } = this
      if (!told) return super.emit(name, ...given)
      if (name === 'message') told.message(given[1] ? bytesOf(given[0]) : given[0].toString())
      else if (name === 'pong' || name === 'ping') told.pong()
      else if (name === 'error') told.error(given[0])
      else if (name === 'close') told.closed(given[0], given[1].toString())
      return true
    }
  }

const bytesOf = (content: Buffer): Uint8Array => new Uint8Array(content.buffer, content.byteOffset, content.length)

function onDrain(this: EventSocket<Duplex>): void {
  this[EVENTS]?.drain()
}

/** Start: the handshake has been answered. */
export const connect = (opened: NodeSocket, socket: EventSocket<Duplex>, events: RawEvents): void => {
  opened.told = events
  socket[EVENTS] = events
  socket.on('drain', onDrain)
  events.open(opened)
}
