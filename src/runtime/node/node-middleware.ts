import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { tryCall } from '../../internal/promise/awaitable.ts'
import type { Replacing } from '../contract.ts'
import type { RunNodeMiddleware } from '../node-contract.ts'
import { isTaken } from './body.ts'
import { CapturedResponse } from './captured-response.ts'
import { parsedBody, setFields } from './earlier-middleware.ts'
import { READ } from './exchange.ts'
import { NodeRequest } from './node-request.ts'
import { bytesOf } from './request.ts'

/** Node's request and response, with what earlier middleware of the same request has added. */
const exchanges = new WeakMap<object, ReturnType<typeof createExchange>>()

export const runNodeMiddleware: NonNullable<RunNodeMiddleware> = async (middleware, owner, request) => {
  const earlier = exchanges.get(owner)
  const exchange = earlier ?? createExchange(request)
  exchanges.set(owner, exchange)
  const { incoming, outgoing } = exchange
  const response = await new Promise<Response | undefined>((resolve, reject) => {
    outgoing.onResponse = (result) => (result instanceof Error ? reject(result) : resolve(result))
    const next = (error?: unknown): void => (error ? reject(error) : resolve(undefined))
    tryCall(() => middleware(incoming, outgoing, next), undefined, reject)
  })
  const body = NodeRequest.incomingOf(request) === incoming && !response ? parsedBody(incoming) : undefined
  if (body) (request as NodeRequest).setBytes(body)
  return { response, incoming, finish: earlier ? undefined : (result) => writeResponse(outgoing, result) }
}

const createExchange = (request: Request) => {
  const real = NodeRequest.incomingOf(request)
  // A body that was read is replayed from its bytes. The message of a disconnected client emits nothing more
  const incoming = real && !isTaken(real) && !real.aborted ? real : toMessage(request, real?.socket)
  real?.emit(READ)
  const outgoing = new CapturedResponse(incoming)
  const disconnect = (): void => outgoing.disconnect()
  // The middleware listens first
  if (request.signal.aborted) process.nextTick(disconnect)
  else request.signal.addEventListener('abort', disconnect)
  return { incoming, outgoing }
}

/** Fields of a body, which does not go through the middleware. */
const BODY_FIELD = /^(?:content-(?:length|encoding)|transfer-encoding)$/

/** Run middleware that waits for the headers or the end of the response, and copy the headers that it has set. */
const writeResponse = async (outgoing: CapturedResponse, response: Response): Promise<void> => {
  // A middleware has responded after it had called `next`
  if (outgoing.headersSent) return
  outgoing.statusCode = response.status
  if (response.statusText) outgoing.statusMessage = response.statusText
  const { headers } = response
  setFields(outgoing, [...headers].flat())
  const ended = new Promise((resolve) => {
    outgoing.onResponse = resolve
  })
  outgoing.writeHead(outgoing.statusCode)
  for (const [name, value] of Object.entries(outgoing.getHeaders())) {
    if (BODY_FIELD.test(name)) continue
    headers.delete(name)
    for (const item of [value].flat()) headers.append(name, `${item}`)
  }
  outgoing.end()
  // Middleware may delay the end: express-session stores the session first
  await ended
}

/** Node's message for a request that has none, or whose body was read. The body is read on demand. */
const toMessage = (request: Request, socket: Socket = socketOf(request)): IncomingMessage => {
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
  // An error without a listener would end the process
  incoming.on('error', () => {})
  // Node's own implementation would cut the connection, which the response still needs
  incoming._destroy = (error, done) => done(error)
  incoming._read = async () => {
    incoming._read = () => {}
    try {
      // The bytes are kept, because the application may read them too
      const bytes = hasBody ? await bytesOf(request) : new Uint8Array()
      incoming.complete = true
      if (bytes.byteLength) incoming.push(bytes)
      incoming.push(null)
    } catch (error) {
      // Parsers wait for the end of an incomplete message
      incoming.complete = true
      incoming.destroy(error instanceof Error ? error : new Error('The body cannot be read', { cause: error }))
    }
  }
  return incoming
}

/** A socket without a connection. It has the address of the request that this one replaces. */
const socketOf = ({ '~peer': peer }: Request & Replacing): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: peer, configurable: true })
