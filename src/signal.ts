import type { AnyContext } from './internal/types/context.ts'
import { slotsOf } from './kernel/context.ts'

export { drainSignal } from './signal/drain-signal.ts'

/**
 * The signal to stop work for a request: it aborts when the client disconnects, and when a `timeout` of
 * `sluice/middleware/timeout` responds instead of the handler. `createApp` has it as `ctx.signal`. On Deno it also
 * aborts once the response was sent.
 *
 * @example
 * const user = await fetch(`https://users.example/${id}`, { signal: signalOf(ctx) })
 */
export const signalOf = (ctx: Pick<AnyContext, 'request'>): AbortSignal => {
  const { request } = ctx
  return slotsOf(ctx as AnyContext).deadline?.join(request) ?? request.signal
}
