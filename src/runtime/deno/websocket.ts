import { refusal } from '../../internal/error/answer.ts'
import { handshakeFault } from '../../internal/websocket/handshake.ts'
import type { WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { openOn, type PlatformSocket, tellEvents } from '../platform/web-socket.ts'

/** The part of Deno that is used here. */
declare const Deno: {
  upgradeWebSocket(
    request: Request,
    options: { protocol?: string; idleTimeout?: number },
  ): { readonly socket: PlatformSocket; readonly response: Response }
}

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = () => {}

export const faultOf: WebSocketRuntime['faultOf'] = ({ headers }) => handshakeFault((name) => headers.get(name))

export const upgrade: WebSocketRuntime['upgrade'] = (request, _execution, { protocol, idleTimeoutMs }, events) => {
  let upgraded: ReturnType<typeof Deno.upgradeWebSocket>
  try {
    upgraded = Deno.upgradeWebSocket(request, {
      // Deno sends a ping after half of this time, before it disconnects
      idleTimeout: Math.ceil(idleTimeoutMs / 1000),
      ...(protocol !== undefined && { protocol }),
    })
  } catch {
    throw refusal(426, 'Upgrade Required', undefined, undefined, { upgrade: 'websocket' })
  }
  const { socket, response } = upgraded
  socket.binaryType = 'arraybuffer'
  tellEvents(socket, events)
  socket.addEventListener('open', () => openOn(socket, protocol ?? '', events, true))
  return response
}
