import { isPromise } from '../../internal/awaitable.ts'
import { createBackground, within } from '../../internal/background.ts'
import { checkOption } from '../../internal/options.ts'
import { beginClosing, createClosing } from '../platform/closing.ts'
import { answerError, ready } from '../platform/ending.ts'
import { toHandle } from '../platform/handle.ts'
import { checkListen } from '../platform/listen-options.ts'
import type { Measured } from '../platform/whole-body.ts'
import type { ServeRuntime } from '../serve-contract.ts'

/** The part of Deno that is used here. */
declare const Deno: {
  readonly env: { toObject(): Record<string, string> }
  serve(options: object, handler: (request: Request, info: object) => unknown): DenoServer
}

interface DenoServer {
  readonly addr: { readonly port?: number }
  shutdown(): Promise<void>
  unref(): void
}

/** What to do instead of `workers`. */
const WORKERS = 'nothing, since only Node has them. On Deno, `export default app` and `deno serve --parallel`'

/**
 * Listen with `Deno.serve`.
 *
 * @throws {TypeError} for a bad option, and the system's error if the address cannot be bound.
 */
export const serve: ServeRuntime['serve'] = async (fetch, options, app) => {
  checkListen(options)
  checkOption(options.workers === undefined, 'listen: workers', WORKERS, options.workers)
  await app?.ready()
  const { port = 3000, hostname, path, tls, env = Deno.env.toObject() } = options
  const closing = createClosing()
  const background = createBackground()
  const { waitUntil } = background
  const send = (response: Response): Response => ready(response, closing)
  const server = Deno.serve(
    {
      ...(path ? { path } : { port, ...(hostname && { hostname }) }),
      ...tls,
      onListen: () => {},
      onError: answerError,
    },
    (request: Measured, info) => {
      if (request.method !== 'GET') request['~measured'] = true
      const answer = fetch(request, env, Object.assign(info, { waitUntil, '~closing': closing }))
      return isPromise(answer) ? answer.then(send) : send(answer)
    },
  )
  const stop = (graceMs: number): Promise<void> => {
    beginClosing(closing)
    return drain(server, graceMs)
  }
  return toHandle({ port: server.addr.port, background, stop }, options)
}

/**
 * Let requests finish. Deno cannot cut connections once it shuts down (aborting its signal then throws out of the event
 * loop), so after the time limit, remaining requests are no longer waited for, and no longer keep the process alive.
 */
const drain = async (server: DenoServer, graceMs: number): Promise<void> => {
  await within(server.shutdown(), graceMs)
  server.unref()
}
