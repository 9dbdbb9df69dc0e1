import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** A socket, with Node's property for the response that is being written to it. */
type ResponseSocket = Duplex & { readonly _httpMessage?: ServerResponse | null; setTimeout?(ms: number): void }

/**
 * Call `begin` when the socket has sent the responses to all earlier requests; never, if it is closed before.
 *
 * Node passes a socket on for `CONNECT` and `Upgrade` as soon as it has read the request, even while an earlier request
 * is still being handled (RFC 9112 §9.3.2). A second response on a socket throws outside of any handler, which ends the
 * process.
 */
export const afterEarlier = (socket: ResponseSocket, begin: () => void): void => {
  const earlier = socket._httpMessage
  const onClose = (): void => {
    // An earlier response with `Connection: close` was the last one
    if (socket.destroyed || !socket.writable) return
    // Node has just started the keep-alive timeout, and would stop it only for a request that it reads itself
    socket.setTimeout?.(0)
    afterEarlier(socket, begin)
  }
  if (earlier) earlier.once('close', onClose)
  else begin()
}
