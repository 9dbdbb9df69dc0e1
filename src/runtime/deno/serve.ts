import { checkOption } from '../../internal/options/check.ts'
import { isPromise } from '../../internal/promise/awaitable.ts'
import { createBackground, settledWithin } from '../../internal/promise/background.ts'
import { beginClosing, type Closing, createClosing, endAtShutdown } from '../../internal/stream/closing.ts'
import { badRequest, endableResponse, notImplemented, respondToError, unavailable } from '../platform/ending.ts'
import { toHandle } from '../platform/handle.ts'
import { checkListen } from '../platform/listen-options.ts'
import { withoutBody } from '../platform/response.ts'
import { type Upgrading, upgraded } from '../platform/upgrading.ts'
import type { BodyWithLength } from '../platform/whole-body.ts'
import type { ServeRuntime } from '../serve-contract.ts'
import { hasValidUrl } from './path.ts'

declare const Deno: {
  readonly env: { toObject(): Record<string, string> }
  serve(options: object, handler: (request: Request, info: object) => unknown): DenoServer
}

interface DenoServer {
  readonly addr: { readonly port?: number }
  shutdown(): Promise<void>
  unref(): void
}

const WORKERS = 'nothing, since only Node has them. On Deno, `export default app` and `deno serve --parallel`'

/** @throws {TypeError} for a bad option, and the system's error if the address cannot be bound. */
export const serve: ServeRuntime['serve'] = async (fetch, options, app) => {
  checkListen(options)
  checkOption(options.workers === undefined, 'listen: workers', WORKERS, options.workers)
  await app?.ready()
  const { port = 3000, hostname, path, tls, env = Deno.env.toObject() } = options
  const closing = createClosing()
  // What does not end by itself when the time for a graceful shutdown is over
  const cut = createClosing()
  const background = createBackground()
  const { waitUntil } = background
  const send = (response: Response, request: Upgrading): Response =>
    endableResponse(upgraded(request, response), closing, cut)
  const server = Deno.serve(
    {
      ...(path ? { path } : { port, ...(hostname && { hostname }) }),
      ...tls,
      onListen: () => {},
      onError: respondToError,
    },
    (request: BodyWithLength, info) => {
      const { method } = request
      if (method === 'TRACE' || method === 'CONNECT') return notImplemented()
      if (!hasValidUrl(request)) return badRequest()
      if (method !== 'GET') request['~measured'] = true
      const result = fetch(request, env, Object.assign(info, { waitUntil, '~closing': closing }))
      return isPromise(result) ? untilCut(result, (response) => send(response, request), cut) : send(result, request)
    },
  )
  const stop = (graceMs: number): Promise<void> => {
    beginClosing(closing)
    return drain(server, graceMs, cut)
  }
  return toHandle({ port: server.addr.port, background, stop }, options)
}

/**
 * Let requests finish. Deno cannot cut connections once it shuts down (aborting its signal then throws out of the event
 * loop), so after the time limit every stream breaks off, and requests without a response get 503. A client that reads
 * nothing, or that does not finish its upload, is no longer waited for, but its connection keeps the process alive.
 */
const drain = async (server: DenoServer, graceMs: number, cut: Closing): Promise<void> => {
  const finished = server.shutdown()
  await settledWithin(finished, graceMs)
  beginClosing(cut)
  await settledWithin(finished, CUT_MS)
  server.unref()
}

/** How long the last bytes may take, in milliseconds. */
const CUT_MS = 200

/** The response, or 503 if the server must end before. */
const untilCut = (result: Promise<Response>, send: (response: Response) => Response, cut: Closing): Promise<Response> =>
  new Promise((resolve, reject) => {
    const waiting = { endForShutdown: () => resolve(send(unavailable())) }
    endAtShutdown(cut, waiting)
    const sendUnlessCut = (response: Response): void => {
      cut.openSources.delete(waiting)
      if (cut.begun) withoutBody(response)
      else resolve(send(response))
    }
    result.then(sendUnlessCut).catch((error: unknown) => {
      cut.openSources.delete(waiting)
      reject(error)
    })
  })
