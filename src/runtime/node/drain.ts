import type { Server } from 'node:http'

/** How long a kept connection may stay silent before it counts as idle during a close, in milliseconds. */
const QUIET_MS = 200

/**
 * Stop accepting, and let what is under way finish. A connection that was kept alive is not cut at once: a request may be on the wire; it is answered with
 * `Connection: close`. What is still open after the grace is cut.
 *
 * @param stopAccepting the plain `close` of `node:net`, since the one of `node:http` cuts idle connections at once
 */
export const drain = (server: Server, stopAccepting: Server['close'], graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections?.(), QUIET_MS)
    const cut = setTimeout(() => server.closeAllConnections?.(), graceMs)
    stopAccepting.call(server, () => {
      clearInterval(idle)
      clearTimeout(cut)
      server.close(() => {})
      resolve()
    })
  })
