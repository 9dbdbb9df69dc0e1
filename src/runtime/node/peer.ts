import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Addresses by socket, because a closed one has none, and by session and request of HTTP/2, which know no socket. */
const remembered = new WeakMap<object, string>()

/** @returns `''` on a Unix socket, and `undefined` if the client has already disconnected */
export const readAddress = (socket: Socket, onUnixSocket: boolean): string | undefined => {
  // If a client disconnects during the handshake, only the connection below TLS has the address
  const inner = (socket as Socket & { readonly _parent?: Socket | null })._parent
  const address = onUnixSocket ? '' : (socket.remoteAddress ?? inner?.remoteAddress)
  if (address !== undefined && address !== socket.remoteAddress) remembered.set(socket, address)
  return address
}

/** @param of a socket, or an HTTP/2 session or request */
export const rememberAddress = (of: object, address: string | undefined): void => {
  if (address !== undefined) remembered.set(of, address)
}

export const rememberedAddress = (of: object | undefined): string | undefined => of && remembered.get(of)

/** The address of a request's connection, also after that has closed; `''` on a unix socket. */
export const peerOf = (incoming: IncomingMessage): string | undefined =>
  incoming.httpVersionMajor > 1
    ? remembered.get(incoming)
    : (incoming.socket.remoteAddress ?? remembered.get(incoming.socket))
