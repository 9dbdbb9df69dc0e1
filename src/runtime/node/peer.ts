import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Addresses by socket, where that does not tell its own, and by request and session of HTTP/2, whose streams forget
 * their connection.
 */
const remembered = new WeakMap<object, string>()

/**
 * Read the address of a connection that has opened. Node keeps what it has read once, so it is known after the
 * connection has closed, too.
 *
 * @returns `''` on a unix socket, and nothing when the client has gone already.
 */
export const readAddress = (socket: Socket, onUnixSocket: boolean): string | undefined => {
  // A client that goes during the handshake leaves its address on the connection below TLS alone. Nothing public leads
  // there.
  const below = (socket as Socket & { readonly _parent?: Socket | null })._parent
  const address = onUnixSocket ? '' : (socket.remoteAddress ?? below?.remoteAddress)
  if (address !== undefined && address !== socket.remoteAddress) remembered.set(socket, address)
  return address
}

/** Let a session, or a request of one, have the address. */
export const rememberAddress = (of: object, address: string | undefined): void => {
  if (address !== undefined) remembered.set(of, address)
}

export const rememberedAddress = (of: object | undefined): string | undefined => of && remembered.get(of)

/** The address of a request's connection, also after that has closed; `''` on a unix socket. */
export const peerOf = (incoming: IncomingMessage): string | undefined =>
  incoming.httpVersionMajor > 1
    ? remembered.get(incoming)
    : (incoming.socket.remoteAddress ?? remembered.get(incoming.socket))
