import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Readable } from 'node:stream'

/** How long a client may continue to send after its response was sent, in milliseconds. */
export const LINGER_MS = 2_000

/** Emitted by a request that was answered or passed on before its body had arrived. */
export const UNREAD = 'sluice.unread'

/** An HTTP/2 response is finished when its stream has closed, and the stream when the response was sent. */
type Outgoing = ServerResponse & { readonly stream?: ServerHttp2Stream }

/** Let a client that is still uploading finish and read the response, but not for ever. */
export const linger = (incoming: IncomingMessage, outgoing: Outgoing): void => {
  const { stream } = outgoing
  const target = stream ?? outgoing
  target.once('finish', () => {
    if (incoming.complete) return
    // Node itself resets an upload that is not being read, but not after a 204 or a 304
    if (stream?.readableFlowing === null) return stream.close()
    incoming.emit(UNREAD)
    if (incoming.httpVersionMajor < 2) endWithSocket(incoming)
    lingerOn(incoming, incoming.socket)
  })
}

/** After the response, Node does not tell the request that its connection has closed. */
const endWithSocket = (incoming: IncomingMessage): void => {
  const { socket } = incoming
  const onClose = (): void => {
    if (!incoming.complete) incoming.destroy()
  }
  socket.once('close', onClose)
  incoming.once('end', () => socket.off('close', onClose))
}

/** Read and drop the rest, and cut the connection after the time limit. To cut it at once could lose the response. */
export const lingerOn = (source: Readable, socket: { destroy(): unknown }): void => {
  const cut = setTimeout(() => socket.destroy(), LINGER_MS)
  cut.unref()
  source.once('close', () => clearTimeout(cut))
  source.once('end', () => clearTimeout(cut))
  source.resume()
}
