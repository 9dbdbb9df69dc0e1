import { handshakeFault } from '../../internal/websocket/handshake.ts'
import type { RawEvents, UpgradeOptions, WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { acceptLater, addedFields, beginUpgrade, notUpgraded, type Upgrading } from '../platform/upgrading.ts'
import { openOn, type PlatformSocket, tellEvents } from '../platform/web-socket.ts'

declare const Deno: {
  upgradeWebSocket(
    request: Request,
    options: { idleTimeout?: number },
  ): { readonly socket: PlatformSocket; readonly response: Response }
}

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = () => {}

export const faultOf: WebSocketRuntime['faultOf'] = (request, execution) => {
  beginUpgrade(request, execution)
  return handshakeFault((name) => request.headers.get(name))
}

export const upgrade: WebSocketRuntime['upgrade'] = (request, _execution, options, events) => {
  // No program may create a response with this status
  const placeholder = Object.defineProperty(new Response(null), 'status', { value: 101 })
  const accept = (): Response => {
    const response = accepted(request, options, events)
    for (const [name, value] of addedFields(placeholder)) response.headers.append(name, value)
    return response
  }
  return acceptLater(request, { response: placeholder, accept, events })
}

/**
 * Whether an accepted request is a copy, which Deno accepts any number of times. It then sends a 101 and continues to
 * read HTTP, while a proxy in front passes everything on. `listen` of this package knows its requests.
 */
const isCopy = (request: Request): boolean => {
  try {
    Deno.upgradeWebSocket(request, {})
    return true
  } catch {
    return false
  }
}

const accepted = (request: Upgrading, { protocol, idleTimeoutMs }: UpgradeOptions, events: RawEvents): Response => {
  let upgraded: ReturnType<typeof Deno.upgradeWebSocket>
  try {
    upgraded = Deno.upgradeWebSocket(request, {
      // Deno sends a ping after half of this time, before it disconnects
      idleTimeout: Math.ceil(idleTimeoutMs / 1000),
    })
  } catch {
    throw notUpgraded()
  }
  if (!request['~upgrade'] && isCopy(request)) throw notUpgraded()
  const { socket, response } = upgraded
  // Deno's own option refuses a protocol if the client has put no space after the commas of its list
  if (protocol) response.headers.set('sec-websocket-protocol', protocol)
  socket.binaryType = 'arraybuffer'
  tellEvents(socket, events)
  socket.addEventListener('open', () => openOn(socket, protocol ?? '', events, true))
  return response
}
