import type { Context } from './context.ts'
import { endWithServer } from './internal/websocket/end-with-server.ts'

/** Where a server keeps the signal, once somebody has asked for it. */
interface WithDrain {
  readonly '~closing'?: { drain?: AbortSignal }
}

/**
 * The signal that the server is closing: it aborts as soon as `close()` is called, while requests in flight go on. One
 * signal for all requests of a server, so remove the listeners that you add.
 *
 * Node, Bun and Deno have it, with `listen` and `serve`. On the edge, and behind a server of your own, it never aborts.
 *
 * @example
 * for (const job of jobs) {
 *   if (drainSignal(ctx).aborted) break
 *   await run(job)
 * }
 */
export const drainSignal = ({ execution }: Pick<Context<any, any, any>, 'execution'>): AbortSignal => {
  // any: whatever context it is
  const closing = (execution as WithDrain | undefined)?.['~closing']
  if (closing?.drain) return closing.drain
  const drain = new AbortController()
  if (closing) {
    closing.drain = drain.signal
    endWithServer(execution, () => drain.abort())
  }
  return drain.signal
}
