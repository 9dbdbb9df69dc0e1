import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { write } from './write.ts'

/** Handles one request. @param reply called with the response, instead of writing it */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, reply?: typeof write) => void

/** A server, and the function that handles its requests. */
export interface UpgradeServer {
  readonly server: Server
  readonly listener: Listener
}

/** Open servers, for handlers that are created later. */
const servers = new Set<UpgradeServer>()

/**
 * How `sluice/websocket` handles a server: without that import Node has no listener, and an upgrade is an ordinary
 * request.
 */
let take: ((served: UpgradeServer) => void) | undefined

/** Let a server accept upgrades, once a handler needs them. */
export const offerUpgrades = (served: UpgradeServer): void => {
  servers.add(served)
  served.server.once('close', () => servers.delete(served))
  take?.(served)
}

/** Pass every server to a function once, open ones and later ones. */
export const takeUpgrades = (by: (served: UpgradeServer) => void): void => {
  if (take) return
  take = by
  for (const served of servers) by(served)
}
