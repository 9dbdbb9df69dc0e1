import { loadServe } from '#runtime/load-serve'
import type { Execution } from './context.ts'
import type { ListenOptions, Served, ServerHandle } from './runtime/contract.ts'

export type { ListenOptions, Served, ServerHandle } from './runtime/contract.ts'

/**
 * Listen with any `fetch` on Node, Bun or Deno: what `app.listen` is for `createApp`, for the `pipe` door.
 *
 * @param app what is made ready before the port is bound, and closed where a process has to end. The process that only
 * starts `workers` does not make it ready.
 * @throws what the system says when the address cannot be bound; on the edge, which has no sockets, an error that says
 * so.
 * @example
 * const server = await serve(pipe(blank, route('GET', '/', () => text('hello')), toFetch), { port: 3000 })
 */
export const serve = async (
  fetch: (request: Request, env?: any, execution?: Execution) => Response | Promise<Response>,
  options: ListenOptions = {},
  app?: Served,
): Promise<ServerHandle> => {
  const runtime = await loadServe()
  return runtime.serve(fetch, options, app)
}
