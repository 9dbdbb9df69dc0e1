import type { ServerResponse } from 'node:http'

/** An HTTP/2 response has some properties only on its stream. */
type Outgoing = ServerResponse & { readonly stream?: { readonly destroyed: boolean } | null }

/** Whether the connection, or the stream of HTTP/2, is closed, so that nothing more can be sent. */
export const isClosed = (outgoing: Outgoing): boolean =>
  outgoing.destroyed || outgoing.closed || outgoing.stream?.destroyed === true

/** A signal that aborts when the response is cut off: the client has disconnected, or the server was closed. */
export const signalOf = (outgoing: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  const onClose = (): void => {
    if (isCutOff(outgoing)) controller.abort()
  }
  if (isClosed(outgoing)) onClose()
  else outgoing.once('close', onClose)
  return controller.signal
}

/** Whether a closed response was cut off. HTTP/2 calls each closed response finished, even one that has not ended. */
export const isCutOff = (outgoing: Outgoing): boolean => !(outgoing.writableFinished && outgoing.writableEnded)
