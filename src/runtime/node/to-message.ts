import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Replacing } from '../contract.ts'
import { bytesOf } from './request.ts'

/** Node's message for a request that did not come through a Node server. The body is read on demand. */
export const toMessage = (request: Request, socket: Socket = socketOf(request)): IncomingMessage => {
  const { host, pathname, search, protocol } = new URL(request.url)
  if (protocol === 'https:' && !('encrypted' in socket)) Object.assign(socket, { encrypted: true })
  const incoming = new IncomingMessage(socket)
  const headers: Record<string, string> = { host, ...Object.fromEntries(request.headers) }
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.body !== null
  // Parsers check one of these to see whether there is a body (RFC 9112 §6.3)
  if (hasBody && !('content-length' in headers)) headers['transfer-encoding'] ??= 'chunked'
  Object.assign(incoming, {
    method: request.method,
    url: pathname + search,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  })
  // An error without a listener would end the process.
  incoming.on('error', () => {})
  // Node's own implementation would cut the connection, which is still needed for the response.
  incoming._destroy = (error, done) => done(error)
  let started = false
  incoming._read = () => {
    if (started) return
    started = true
    // The bytes are kept, because the application may read them too
    const body = hasBody ? bytesOf(request) : Promise.resolve(new Uint8Array())
    body.then(
      (bytes) => {
        incoming.complete = true
        if (bytes.byteLength) incoming.push(bytes)
        incoming.push(null)
      },
      (error) => {
        // Parsers wait for the end of a message that is not complete.
        incoming.complete = true
        incoming.destroy(error)
      },
    )
  }
  return incoming
}

/** A socket without a connection, with the address of a request that replaces the one of a server. */
const socketOf = ({ '~peer': peer }: Request & Replacing): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: peer, configurable: true })
