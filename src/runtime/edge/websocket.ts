import type { WebSocketRuntime } from '../../internal/websocket/raw-socket.ts'
import { openOn, type PlatformSocket, tellEvents } from '../platform/web-socket.ts'

declare const WebSocketPair: { new (): Record<0 | 1, PlatformSocket & { accept(): void }> } | undefined

export const takeUpgrades: WebSocketRuntime['takeUpgrades'] = () => {}

export const faultOf: WebSocketRuntime['faultOf'] = () => undefined

export const upgrade: WebSocketRuntime['upgrade'] = (_request, _execution, { protocol }, events) => {
  if (typeof WebSocketPair === 'undefined') throw new Error('This runtime has no WebSockets')
  const { 0: client, 1: server } = new WebSocketPair()
  server.binaryType = 'arraybuffer'
  server.accept()
  tellEvents(server, events)
  openOn(server, protocol ?? '', events)
  const headers = protocol === undefined ? {} : { 'sec-websocket-protocol': protocol }
  return new Response(null, { status: 101, headers, webSocket: client } as ResponseInit)
}
