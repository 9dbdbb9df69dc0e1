import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Server as NetServer, type Socket } from 'node:net'
import { isPromise } from '../../internal/awaitable.ts'
import type { Fetch, ListenOptions, ServerHandle } from '../contract.ts'
import { toHandle } from '../platform/handle.ts'
import { drain } from './drain.ts'
import { NodeRequest } from './request.ts'
import { cutQuery, isHost, isPlainPath, parseTarget } from './target.ts'
import { write } from './write.ts'

/**
 * Listen on a port, or a unix socket, and answer with `fetch`.
 *
 * @throws what the system says when the address cannot be bound (`EADDRINUSE`, `EACCES`).
 */
export const serve = async (fetch: Fetch, options: ListenOptions): Promise<ServerHandle> => {
  const { port = 3000, hostname, path, graceMs = 10_000 } = options
  const state = { closing: false }
  const server = await createFor(options, toListener(fetch, options, state))
  server.on('connect', refuseTunnel)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path ? { path } : { port, host: hostname }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : undefined
  return toHandle(bound, options, () => {
    state.closing = true
    return drain(server, NetServer.prototype.close as Server['close'], graceMs)
  })
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const createFor = async (options: ListenOptions, listener: Listener): Promise<Server> => {
  const { tls, http2, requestTimeoutMs = 300_000, headersTimeoutMs = 60_000, keepAliveTimeoutMs = 5_000 } = options
  if (http2 && !tls) throw new TypeError('http2: true needs tls, since browsers speak HTTP/2 over TLS only')
  const limits = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs || headersTimeoutMs),
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: checkingInterval(headersTimeoutMs, requestTimeoutMs),
  }
  if (!tls) return builtin('node:http').createServer(limits, listener)
  if (!http2) return createSecureServer({ ...limits, ...tls }, listener)
  const { createHttp2Server } = await import('./http2.ts')
  return Object.assign(createHttp2Server(tls, listener), limits)
}

/**
 * Node's module, without the statement: from Node 22 on `import 'node:http'` reads every export, `WebSocket` included, and that loads undici.
 */
const builtin = process.getBuiltinModule

/** How often Node looks for slow clients: often enough for the limits to mean what they say. */
const checkingInterval = (...limits: number[]): number => Math.min(30_000, ...limits.filter((limit) => limit > 0))

/** Check what URL and host would be built from, then hand the request over. */
const toListener = (fetch: Fetch, options: ListenOptions, state: { readonly closing: boolean }): Listener => {
  const scheme = options.tls ? 'https://' : 'http://'
  const env = options.env ?? process.env
  const fallback = `localhost${options.port ? `:${options.port}` : ''}`
  let lastHost: string | undefined
  let lastOrigin = ''
  return (incoming, outgoing) => {
    if (state.closing) outgoing.shouldKeepAlive = false
    const host = hostOf(incoming.rawHeaders) ?? fallback
    if (host !== lastHost) {
      if (!isHost(host)) return refuse(outgoing, 400, 'Bad Request')
      lastHost = host
      lastOrigin = new URL(scheme + host).origin
    }
    if (incoming.method === 'TRACE' || incoming.method === 'CONNECT') return refuse(outgoing, 501, 'Not Implemented')
    let origin = lastOrigin
    let rest = incoming.url!
    let path: string
    if (isPlainPath(rest)) path = cutQuery(rest)
    else {
      const target = parseTarget(rest)
      if (!target) return refuse(outgoing, 400, 'Bad Request')
      path = target.path
      rest = target.rest
      origin = target.origin ?? origin
    }
    const answer = fetch(new NodeRequest(incoming, outgoing, path, origin, rest), env)
    if (isPromise(answer)) answer.then((response) => write(incoming, outgoing, response))
    else write(incoming, outgoing, answer)
  }
}

/** The Host field, or HTTP/2's `:authority`; a request that brings several names no host at all. */
const hostOf = (raw: readonly string[]): string | undefined => {
  let host: string | undefined
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!
    if (name !== ':authority' && (name.length !== 4 || name.toLowerCase() !== 'host')) continue
    if (host !== undefined && host !== raw[index + 1]) return ''
    host = raw[index + 1]!
  }
  return host
}

const refuse = (outgoing: ServerResponse, status: number, error: string): void => {
  const connection = outgoing.req.httpVersionMajor < 2 && { connection: 'close' }
  outgoing.writeHead(status, { 'content-type': 'application/json', ...connection })
  outgoing.end(JSON.stringify({ error }))
}

/** CONNECT: HTTP/1.1 hands over the socket, HTTP/2 a response. */
const refuseTunnel = (_incoming: IncomingMessage, socket: Socket | ServerResponse): void => {
  if ('writeHead' in socket) refuse(socket, 501, 'Not Implemented')
  else {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  }
}
