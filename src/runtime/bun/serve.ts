import { checkOption } from '../../internal/options/check.ts'
import { isPromise } from '../../internal/promise/awaitable.ts'
import { createBackground } from '../../internal/promise/background.ts'
import { beginClosing, createClosing } from '../../internal/stream/closing.ts'
import { badRequest, endableResponse, notImplemented, respondToError } from '../platform/ending.ts'
import { toHandle } from '../platform/handle.ts'
import { checkListen } from '../platform/listen-options.ts'
import { type Upgrading, upgraded } from '../platform/upgrading.ts'
import type { BodyWithLength } from '../platform/whole-body.ts'
import type { ServeRuntime } from '../serve-contract.ts'
import { hasValidUrl } from './path.ts'
import { socketOptions } from './upgrades.ts'

declare const Bun: {
  readonly env: unknown
  serve(options: object): BunServer
}

interface BunServer {
  readonly port: number | undefined
  readonly hostname: string | undefined
  stop(closeActive?: boolean): Promise<void>
}

const WORKERS = 'nothing, since only Node has them. On Bun, start several processes behind a proxy'
const HTTP2 = 'nothing, since Bun serves HTTP/1.1 only. Let a proxy speak HTTP/2'

/** @throws {TypeError} for a bad option, and the system's error if the address cannot be bound. */
export const serve: ServeRuntime['serve'] = async (fetch, options, app) => {
  checkListen(options)
  checkOption(options.workers === undefined, 'listen: workers', WORKERS, options.workers)
  checkOption(!options.http2, 'listen: http2', HTTP2, options.http2)
  await app?.ready()
  const { port = 3000, hostname, path, tls, env = Bun.env } = options
  const closing = createClosing()
  const background = createBackground()
  const send = (response: Response, request: Upgrading): Response =>
    endableResponse(upgraded(request, response), closing)
  const scheme = tls ? 'https' : 'http'
  const respond = (request: BodyWithLength, server: BunServer): Response | Promise<Response> => {
    const { method } = request
    if (method === 'TRACE' || method === 'CONNECT') return notImplemented()
    if (!hasValidUrl(request, scheme, bound)) return badRequest()
    if (method !== 'GET') request['~measured'] = true
    const result = fetch(request, env, server as object)
    return isPromise(result) ? result.then((response) => send(response, request)) : send(result, request)
  }
  const server = Bun.serve({
    ...(path ? { unix: path } : { port, ...(hostname && { hostname }) }),
    ...(tls && { tls }),
    idleTimeout: 255,
    // `development`: Bun's error page would show source code. `reusePort`: otherwise Bun would share a port that is in
    // use
    development: false,
    reusePort: false,
    error: respondToError,
    websocket: socketOptions,
    fetch: respond,
  })
  // Asking the server for its port takes a twelfth of a request
  const { port: bound } = server
  Object.assign(server, { waitUntil: background.waitUntil, '~closing': closing })
  const stop = (graceMs: number): Promise<void> => {
    beginClosing(closing)
    return drain(server, graceMs)
  }
  return toHandle({ port: bound, background, stop }, options)
}

/** Let requests finish, then cut the remaining connections. */
const drain = async (server: BunServer, graceMs: number): Promise<void> => {
  const cut = setTimeout(() => void server.stop(true), graceMs)
  await server.stop()
  clearTimeout(cut)
}
