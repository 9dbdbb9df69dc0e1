import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { write } from './write.ts'

/** Answers one request. @param reply what is done with the response, instead of writing it */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, reply?: typeof write) => void

/** A server, and what answers its requests. */
export interface Served {
  readonly server: Server
  readonly listener: Listener
}

/** Servers that are open, for handlers that are made later. */
const servers = new Set<Served>()

/** What `sluice/websocket` does with a server: without that import Node has no listener, and an upgrade is a request. */
let take: ((served: Served) => void) | undefined

/** Let a server take upgrades, once somebody wants them. */
export const offerUpgrades = (served: Served): void => {
  servers.add(served)
  served.server.once('close', () => servers.delete(served))
  take?.(served)
}

/** From now on, every server is given to a function, once. */
export const takeUpgrades = (by: (served: Served) => void): void => {
  if (take) return
  take = by
  for (const served of servers) by(served)
}
