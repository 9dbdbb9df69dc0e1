import { type Closing, closingOf, createClosing, endAtShutdown } from './internal/stream/closing.ts'
import type { AnyContext } from './internal/types/context.ts'
import { internalsOf } from './kernel/context.ts'

/**
 * The signal to stop work for a request: it aborts when the client disconnects, when `sluice/middleware/timeout`
 * responds instead of the handler, and on Deno once the response was sent. `createApp` has it as `ctx.signal`.
 *
 * @example
 * const user = await fetch(`https://users.example/${id}`, { signal: signalOf(ctx) })
 */
export const signalOf = (ctx: Pick<AnyContext, 'request'>): AbortSignal => {
  const { request } = ctx
  return internalsOf(ctx as AnyContext).deadline?.join(request) ?? request.signal
}

/** The key of the signal of a server, after it was requested. */
type WithDrain = Closing & { drain?: AbortSignal }

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
export const drainSignal = ({ execution }: Pick<AnyContext, 'execution'>): AbortSignal => {
  // Without a server, nothing closes
  const closing: WithDrain = closingOf(execution) ?? createClosing()
  if (!closing.drain) {
    const drain = new AbortController()
    closing.drain = drain.signal
    endAtShutdown(closing, { endForShutdown: () => drain.abort() })
  }
  return closing.drain
}
