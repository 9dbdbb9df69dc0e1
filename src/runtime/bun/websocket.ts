import { handshakeFault } from '../../internal/websocket/handshake.ts'
import type { WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { acceptLater, addedFields, beginUpgrade, notUpgraded } from '../platform/upgrading.ts'
import { type BunSocket, raiseLimits } from './upgrades.ts'

interface BunServer {
  upgrade(request: Request, options: { data: BunSocket['data']; headers: Headers }): boolean
}

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = raiseLimits

export const faultOf: WebSocketRuntime['faultOf'] = (request, execution) => {
  if (typeof (execution as BunServer | undefined)?.upgrade !== 'function')
    throw new Error('WebSockets on Bun need listen(), or the server as the third argument of fetch')
  beginUpgrade(request, execution)
  return handshakeFault((name) => request.headers.get(name))
}

export const upgrade: WebSocketRuntime['upgrade'] = (request, execution, { protocol }, events) => {
  const server = execution as BunServer
  const response = new Response(null, { status: 101 })
  const accept = (): Response => {
    const headers = new Headers(addedFields(response))
    // Without the field, Bun would accept the first subprotocol that the client offers
    headers.set('sec-websocket-protocol', protocol ?? '')
    if (!server.upgrade(request, { data: { events, protocol: protocol ?? '' }, headers })) throw notUpgraded()
    return response
  }
  return acceptLater(request, { response, accept, events })
}
