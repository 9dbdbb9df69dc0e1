import type { Context } from './context.ts'
import type { Timed } from './internal/context/timed.ts'

/**
 * The signal that tells work for a request to stop: it aborts when the client has gone, and when a `timeout` of
 * `sluice/middleware/timeout` has answered in place of the handler. `createApp` has it as `ctx.signal`.
 *
 * @example
 * const user = await fetch(`https://users.example/${id}`, { signal: signalOf(ctx) })
 */
export const signalOf = (ctx: Pick<Context<any, any, any>, 'request'>): AbortSignal => {
  // any: whatever context it is
  const { request } = ctx
  const { abort } = ctx as Partial<Timed>
  return abort ? AbortSignal.any([request.signal, abort.signal]) : request.signal
}
