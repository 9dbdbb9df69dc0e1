import { loadServe } from '#runtime/core'
import type { AnyFetch } from './internal/adapter/fetch-of.ts'
import { checkOption } from './internal/options/check.ts'
import type { ListenOptions, ServableApp, ServerHandle } from './runtime/serve-contract.ts'

export type { ListenOptions, ServableApp, ServerHandle } from './runtime/serve-contract.ts'

/**
 * Start a server for any `fetch` on Node, Bun or Deno, as `app.listen` of `createApp` does.
 *
 * @param app made ready before the port is bound, unless this process only starts `workers`; closed at the end
 * @throws {TypeError} for an application or a worker in place of its `fetch`.
 * @throws the system's error if the address cannot be bound; always on the edge, which has no sockets.
 * @example
 * const server = await serve(pipe(blank, route('GET', '/', () => text('hello')), toFetch), { port: 3000 })
 */
export const serve = async (fetch: AnyFetch, options: ListenOptions = {}, app?: ServableApp): Promise<ServerHandle> => {
  checkOption(typeof fetch === 'function', 'serve: fetch', 'a function, such as app.fetch', fetch)
  const runtime = await loadServe()
  return runtime.serve(fetch, options, app)
}
