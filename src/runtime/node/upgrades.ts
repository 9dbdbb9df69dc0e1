import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { write } from './write.ts'

/** Handles one request. @param reply called with the response, instead of writing it */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, reply?: typeof write) => void

export interface UpgradeServer {
  readonly server: Server
  readonly listener: Listener
}

/** Open servers, for handlers that are created later. */
const servers = new Set<UpgradeServer>()

/** Set by `sluice/websocket`. Without that import, an upgrade is an ordinary request. */
let acceptUpgrades: ((served: UpgradeServer) => void) | undefined

/** Let a server accept upgrades, once a handler needs them. */
export const offerUpgrades = (served: UpgradeServer): void => {
  servers.add(served)
  served.server.once('close', () => servers.delete(served))
  acceptUpgrades?.(served)
}

/** Pass each open server to a function once, and later each new one. */
export const takeUpgrades = (accept: (served: UpgradeServer) => void): void => {
  if (acceptUpgrades) return
  acceptUpgrades = accept
  for (const served of servers) accept(served)
}
