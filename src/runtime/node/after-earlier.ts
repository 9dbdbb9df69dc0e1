import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Node's property for the response that is being written to a socket. */
interface SocketWithResponse {
  readonly _httpMessage?: ServerResponse | null
}

/**
 * Call `begin` when the socket has sent the responses to all earlier requests; never, if it is closed before.
 *
 * Node passes a socket on for `CONNECT` and `Upgrade` as soon as it has read the request, even if the client sent that
 * request while an earlier one was still being handled (RFC 9112 §9.3.2). A socket takes one response at a time: a
 * second one throws, outside of any handler, and ends the process.
 */
export const afterEarlier = (socket: Duplex & SocketWithResponse, begin: () => void): void => {
  const earlier = socket._httpMessage
  if (earlier) earlier.once('close', () => isOpen(socket) && next(socket, begin))
  else begin()
}

const next = (socket: Duplex & { setTimeout?(ms: number): void }, begin: () => void): void => {
  // Node has just started the keep-alive timeout, and would stop it at the next request that it reads itself
  socket.setTimeout?.(0)
  afterEarlier(socket, begin)
}

/** An earlier response with `Connection: close` was the last one. */
const isOpen = ({ destroyed, writable }: Duplex): boolean => !destroyed && writable
