import type { Context } from './context.ts'
import { endWithServer } from './internal/websocket/end-with-server.ts'

/** Where a server keeps the signal, once it was requested. */
interface WithDrain {
  readonly '~closing'?: { drain?: AbortSignal }
}

/**
 * A signal that aborts as soon as the `close()` of the server is called, while requests in flight continue. All
 * requests of a server share it, so remove the listeners that you add.
 *
 * It works on Node, Bun and Deno, with `listen` and `serve`. On the edge, and with your own server, it never aborts.
 *
 * @example
 * for (const job of jobs) {
 *   if (drainSignal(ctx).aborted) break
 *   await run(job)
 * }
 */
export const drainSignal = ({ execution }: Pick<Context<any, any, any>, 'execution'>): AbortSignal => {
  // any: accepts every context
  const closing = (execution as WithDrain | undefined)?.['~closing']
  if (closing?.drain) return closing.drain
  const drain = new AbortController()
  if (closing) {
    closing.drain = drain.signal
    endWithServer(execution, () => drain.abort())
  }
  return drain.signal
}
