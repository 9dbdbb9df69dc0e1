import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { RawEvents } from '../../internal/websocket/raw-socket.ts'

/** The key of a connection's handlers. With it, all connections share one listener, which saves memory. */
const EVENTS: unique symbol = /* @__PURE__ */ Symbol('sluice.events')

type EventSocket<S> = S & { [EVENTS]?: RawEvents }

export type NodeSocket = WebSocket & { events: RawEvents | undefined }

/** The class of `ws` without listeners: those of a socket would need more memory than all else that we keep of it. */
export const socketClass = (Base: typeof WebSocket): typeof WebSocket =>
  class extends Base {
    events: RawEvents | undefined = undefined

    override emit(name: string | symbol, ...args: any[]): boolean {
      // any: as in EventEmitter
      const { events } = this
      if (!events) return super.emit(name, ...args)
      if (name === 'message') events.message(args[1] ? bytesOf(args[0]) : args[0].toString())
      else if (name === 'pong' || name === 'ping') events.pong()
      else if (name === 'error') events.error(args[0])
      else if (name === 'close') events.closed(args[0], args[1].toString())
      return true
    }
  }

const bytesOf = (content: Buffer): Uint8Array => new Uint8Array(content.buffer, content.byteOffset, content.length)

function onDrain(this: EventSocket<Duplex>): void {
  this[EVENTS]?.drain()
}

export const connect = (opened: NodeSocket, socket: EventSocket<Duplex>, events: RawEvents): void => {
  opened.events = events
  socket[EVENTS] = events
  socket.on('drain', onDrain)
  events.open(opened)
}
