import { refusal } from '../../internal/error/answer.ts'
import { handshakeFault } from '../../internal/websocket/handshake.ts'
import type { WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { type BunSocket, fits, raiseLimits, socketEvents, type WithLimits } from './upgrades.ts'

interface BunServer extends WithLimits {
  upgrade(request: Request, options: { data: BunSocket['data']; headers?: HeadersInit }): boolean
}

/** Bun takes limits for a server, and only when it starts. */
const TOO_LATE = 'webSocket: on Bun, create a handler with a limit above 16 MiB before the server starts to listen'

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = (limits) => {
  raiseLimits(limits)
  Object.assign(socketEvents, {
    open: (socket: BunSocket) =>
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
    message: ({ data }: BunSocket, message: string | Uint8Array) => data.events.message(message),
    pong: ({ data }: BunSocket) => data.events.pong(),
    ping: ({ data }: BunSocket) => data.events.pong(),
    drain: ({ data }: BunSocket) => data.events.drain(),
    close: ({ data }: BunSocket, code: number, reason: string) => data.events.closed(code, reason),
  })
}

export const faultOf: WebSocketRuntime['faultOf'] = ({ headers }, execution) => {
  if (typeof (execution as BunServer | undefined)?.upgrade !== 'function')
    throw new Error('WebSockets on Bun need listen(), or the server as the third argument of fetch')
  return handshakeFault((name) => headers.get(name))
}

/** Bun answers the handshake itself, at once: fields that are put on the response later do not reach the client. */
export const upgrade: WebSocketRuntime['upgrade'] = (request, execution, { protocol, ...limits }, events) => {
  const server = execution as BunServer
  if (!fits(limits, server)) throw new Error(TOO_LATE)
  const done = server.upgrade(request, {
    data: { events, protocol: protocol ?? '' },
    ...(protocol !== undefined && { headers: { 'sec-websocket-protocol': protocol } }),
  })
  if (!done) throw refusal(426, 'Upgrade Required', undefined, undefined, { upgrade: 'websocket' })
  return new Response(null, { status: 101 })
}
