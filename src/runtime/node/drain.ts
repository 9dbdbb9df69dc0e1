import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Connections } from './connections.ts'

/** How long a connection must be quiet before it counts as idle during a close, in milliseconds. */
const QUIET_MS = 200

/** The plain `close` of `node:net`: the one of `node:http` cuts idle connections at once. */
const stopAccepting = NetServer.prototype.close

/**
 * Stop accepting connections, and let running requests finish. A keep-alive connection is not cut at once, because a
 * request may be in transit; its response has `Connection: close`. Connections that are still open after the grace are
 * cut.
 */
export const drain = (server: Server, connections: Connections, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    connections.cutQuiet()
    // Timers come first after a stall: what has been received meanwhile is read before the immediate
    const idle = setInterval(() => setImmediate(connections.cutQuiet), QUIET_MS)
    const cut = setTimeout(() => connections.cutAll(), graceMs)
    stopAccepting.call(server, () => {
      clearInterval(idle)
      clearTimeout(cut)
      server.close(() => {})
      resolve()
    })
  })
