import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isHost } from '../../internal/client/host.ts'
import { isPromise } from '../../internal/promise/awaitable.ts'
import { createBackground } from '../../internal/promise/background.ts'
import { beginClosing, type Closing, createClosing } from '../../internal/stream/closing.ts'
import type { Execution } from '../contract.ts'
import { toHandle } from '../platform/handle.ts'
import { checkListen } from '../platform/listen-options.ts'
import { parseTarget } from '../platform/target.ts'
import type { Fetch, ListenOptions, ServableApp, ServerHandle } from '../serve-contract.ts'
import { drain, trackConnections } from './connections.ts'
import { EarlyBodies } from './early-body.ts'
import { continueWhenRead } from './exchange.ts'
import type { Limits } from './http2-limits.ts'
import { hostOf } from './received-fields.ts'
import { fail, refuse, refuseTunnel } from './refuse.ts'
import { NodeRequest } from './request.ts'
import { type Listener, offerUpgrades } from './upgrades.ts'
import { write } from './write.ts'

/** @throws {TypeError} for a bad option, and the system's error if the address cannot be bound. */
export const serve = async (fetch: Fetch, options: ListenOptions, app?: ServableApp): Promise<ServerHandle> => {
  checkListen(options)
  const listen = async (): Promise<ServerHandle> => {
    await app?.ready()
    return bind(fetch, options)
  }
  if (options.workers === undefined) return listen()
  const { serveByWorkers } = await import('./cluster.ts')
  return serveByWorkers(options, listen, app)
}

const bind = async (fetch: Fetch, options: ListenOptions): Promise<ServerHandle> => {
  const { port = 3000, hostname, path } = options
  const closing = createClosing()
  const background = createBackground()
  const limits = limitsOf(options)
  const early = new EarlyBodies()
  const execution = { waitUntil: background.waitUntil, '~closing': closing }
  const listener = toListener(fetch, options, execution, early)
  const server = await createFor(options, limits, listener)
  early.watch(server, listener)
  // Node would silently drop the headers after the first 1,000. Their size is limited in any case (431)
  server.maxHeadersCount = 0
  server.on('connect', refuseTunnel)
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    continueWhenRead(incoming, outgoing)
    server.emit('request', incoming, outgoing)
  })
  offerUpgrades({ server, listener })
  const connections = trackConnections(server, path !== undefined, limits.sendTimeout)
  server.listen(path ? { path } : { port, host: hostname })
  await once(server, 'listening')
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : undefined
  const stop = (graceMs: number): Promise<void> => {
    beginClosing(closing)
    return drain(server, connections, graceMs)
  }
  return toHandle({ port: bound, background, stop }, options)
}

const limitsOf = ({
  requestTimeoutMs = 300_000,
  headersTimeoutMs = 60_000,
  keepAliveTimeoutMs = 5_000,
  sendTimeoutMs = 60_000,
}: ListenOptions): Limits => {
  const limits = [headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, sendTimeoutMs].filter((limit) => limit > 0)
  return {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs || headersTimeoutMs),
    keepAliveTimeout: keepAliveTimeoutMs,
    sendTimeout: sendTimeoutMs,
    connectionsCheckingInterval: Math.min(30_000, ...limits),
  }
}

const createFor = async ({ tls, http2, path }: ListenOptions, limits: Limits, listener: Listener): Promise<Server> => {
  if (!tls) return builtin('node:http').createServer(limits, listener)
  // The handshake is part of the time before the request. For Node, 0 means its own 120 seconds
  const secure = { handshakeTimeout: limits.headersTimeout, ...tls }
  if (!http2) return builtin('node:https').createServer({ ...limits, ...secure }, listener)
  const { createHttp2Server } = await import('./http2.ts')
  return createHttp2Server(secure, limits, path !== undefined, listener)
}

/** `import 'node:http'` loads undici from Node 22 on. */
const builtin = process.getBuiltinModule

type ServerExecution = Execution & { readonly '~closing': Closing }

/** Check the target and the host, then pass the request on. */
const toListener = (fetch: Fetch, options: ListenOptions, execution: ServerExecution, early: EarlyBodies): Listener => {
  const { '~closing': closing } = execution
  const scheme = options.tls ? 'https://' : 'http://'
  const env = options.env ?? process.env
  const fallback = `localhost${options.port ? `:${options.port}` : ''}`
  let lastHost: string | undefined
  let lastOrigin = ''
  const begin = (request: NodeRequest, outgoing: ServerResponse, reply = write): void => {
    // An application handles its own errors. Any other `fetch` may throw or reject
    try {
      const result = fetch(request, env, execution)
      if (!isPromise(result)) reply(outgoing, result, closing)
      else result.then((response) => reply(outgoing, response, closing)).catch((error) => fail(outgoing, error))
    } catch (error) {
      fail(outgoing, error)
    }
  }
  return (incoming, outgoing, reply = write) => {
    if (closing.begun) outgoing.shouldKeepAlive = false
    const host = hostOf(incoming.rawHeaders) ?? fallback
    if (host !== lastHost) {
      if (!isHost(host)) return refuse(outgoing, 400, 'Bad Request')
      lastHost = host
      lastOrigin = new URL(scheme + host).origin
    }
    if (incoming.method === 'TRACE' || incoming.method === 'CONNECT') return refuse(outgoing, 501, 'Not Implemented')
    const target = parseTarget(incoming.url!)
    if (!target) return refuse(outgoing, 400, 'Bad Request')
    const request = new NodeRequest(incoming, outgoing, target.path, target.origin ?? lastOrigin, target.rest)
    if (reply !== write || !early.mayCome(incoming)) return begin(request, outgoing, reply)
    early.wait(request, outgoing, begin)
  }
}
