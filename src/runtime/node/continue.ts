import type { IncomingMessage, ServerResponse } from 'node:http'

/** Emitted by a request when its body is read for the first time. */
export const READ = 'sluice.read'

/**
 * Ask the client for the body that it holds back (RFC 9110 §10.1.1) only when a handler reads it: a response that the
 * head decides, such as 401, 404 or 413, is sent alone. Its client may have begun to send the body, or never does, so
 * the connection ends with it.
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
