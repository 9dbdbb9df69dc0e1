import type { AnyContext } from './internal/types/context.ts'
import { internalsOf } from './kernel/context.ts'

export { drainSignal } from './signal/drain-signal.ts'

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
