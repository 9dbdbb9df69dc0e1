import { handshakeFault } from '../../internal/websocket/handshake.ts'
import type { WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { acceptLater, addedFields, beginUpgrade, notUpgraded } from '../platform/upgrading.ts'
import { type BunSocket, fits, raiseLimits, type WithLimits } from './upgrades.ts'

interface BunServer extends WithLimits {
  upgrade(request: Request, options: { data: BunSocket['data']; headers: Headers }): boolean
}

/** Bun takes limits for a server, and only when it starts. */
const TOO_LATE = 'webSocket: on Bun, create a handler with a limit above 16 MiB before the server starts to listen'

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = raiseLimits

export const faultOf: WebSocketRuntime['faultOf'] = (request, execution) => {
  if (typeof (execution as BunServer | undefined)?.upgrade !== 'function')
    throw new Error('WebSockets on Bun need listen(), or the server as the third argument of fetch')
  beginUpgrade(request, execution)
  return handshakeFault((name) => request.headers.get(name))
}

export const upgrade: WebSocketRuntime['upgrade'] = (request, execution, { protocol, ...limits }, events) => {
  const server = execution as BunServer
  if (!fits(limits, server)) throw new Error(TOO_LATE)
  const answer = new Response(null, { status: 101 })
  const accept = (): Response => {
    const headers = new Headers(addedFields(answer))
    // Without the field, Bun would accept the first subprotocol that the client offers
    headers.set('sec-websocket-protocol', protocol ?? '')
    const done = server.upgrade(request, {
      data: { events, protocol: protocol ?? '' },
      headers,
    })
    if (!done) throw notUpgraded()
    return answer
  }
  return acceptLater(request, { answer, accept, events })
}
