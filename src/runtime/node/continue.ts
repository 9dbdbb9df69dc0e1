import type { IncomingMessage, ServerResponse } from 'node:http'

/** Emitted by a request when its body is read for the first time. */
export const READ = 'sluice.read'

/**
 * Ask the client for the body that it holds back (RFC 9110 §10.1.1) only when a handler reads it. A response that needs
 * no body, such as 401 or 413, ends the connection, because the client may or may not have begun to send the body.
 */
export const continueWhenRead = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const { shouldKeepAlive } = outgoing
  outgoing.shouldKeepAlive = false
  incoming.once(READ, () => {
    if (outgoing.headersSent) return
    outgoing.shouldKeepAlive = shouldKeepAlive
    outgoing.writeContinue()
  })
}
