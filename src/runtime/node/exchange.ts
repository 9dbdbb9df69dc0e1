import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { hasNoBody } from '../../internal/header/fields.ts'

type ResponseSocket = Duplex & { readonly _httpMessage?: ServerResponse | null; setTimeout?(ms: number): void }

/**
 * Call `begin` when the socket has sent the responses to all earlier requests; never, if it is closed before.
 *
 * Node passes on the socket of a `CONNECT` or `Upgrade` at once, even while an earlier request is being handled (RFC
 * 9112 §9.3.2). A second response on the socket would throw outside of any handler, and end the process.
 */
export const afterEarlier = (socket: ResponseSocket, begin: () => void): void => {
  // The response that is being written
  const earlier = socket._httpMessage
  const onClose = (): void => {
    // An earlier response with `Connection: close` was the last one
    if (socket.destroyed || !socket.writable) return
    // Node would stop the keep-alive timeout, which it has just started, only for a request that it reads itself
    socket.setTimeout?.(0)
    afterEarlier(socket, begin)
  }
  if (earlier) earlier.once('close', onClose)
  else begin()
}

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

/** How long a client may continue to send after its response was sent, in milliseconds. */
export const LINGER_MS = 2_000

/** Emitted by a request that was responded to or passed on before its body had arrived. */
export const UNREAD = 'sluice.unread'

/** Let a client finish its upload and read the response, but not for ever. A simulated server has its own `req`. */
export const linger = (
  outgoing: ServerResponse & { readonly stream?: ServerHttp2Stream },
  incoming: IncomingMessage = outgoing.req,
): void => {
  const { stream } = outgoing
  // An HTTP/2 response finishes only when its stream has closed
  const target = stream ?? outgoing
  target.once('finish', () => {
    if (incoming.complete) return
    // Node itself resets an upload that is not being read, but not after a 204 or a 304. An earlier reset, which comes
    // with the end of the body, would leave the stream open in a client on Node
    if (stream?.readableFlowing === null) {
      if (hasNoBody(outgoing.statusCode)) stream.close()
      // A reader that begins before the reset would take what has come for the whole
      return void incoming.destroy()
    }
    incoming.emit(UNREAD)
    if (incoming.httpVersionMajor < 2) endWithSocket(incoming)
    lingerOn(incoming, incoming.socket)
  })
}

type Connection = Socket & { '~unread'?: IncomingMessage }

/**
 * After the response, Node does not tell the request that its connection has closed. Only the newest request of a
 * connection can be incomplete, so one listener is enough.
 */
const endWithSocket = (incoming: IncomingMessage): void => {
  const socket: Connection = incoming.socket
  if (!socket['~unread']) socket.once('close', endUnread)
  socket['~unread'] = incoming
}

function endUnread(this: Connection): void {
  const unread = this['~unread']
  if (!unread?.complete) unread?.destroy()
}

type LingeringSource = Readable & { readonly complete?: boolean; readonly httpVersionMajor?: number }

/**
 * Read and drop the rest, and cut the connection after the time limit, unless the message has arrived by then and
 * waits for a reader. To cut it at once could lose the response.
 */
export const lingerOn = (source: LingeringSource, socket: { destroy(): unknown }): void => {
  const cut = setTimeout(() => {
    if (!source.complete || source.httpVersionMajor !== 1) socket.destroy()
  }, LINGER_MS)
  cut.unref()
  source.once('close', () => clearTimeout(cut))
  source.once('end', () => clearTimeout(cut))
  source.resume()
}
