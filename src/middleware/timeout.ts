import { DEV } from '#mode'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { isPromise } from '../internal/promise/awaitable.ts'
import { checkDelay } from '../internal/time/delay.ts'
import type { Middleware } from '../internal/types/context.ts'
import { type Deadline, internalsOf } from '../kernel/context.ts'
import { race } from '../kernel/race.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link timeout}. */
export interface TimeoutOptions {
  /** Status of the response: 503, or 504 in front of another service. @default 503 */
  readonly status?: number
  /** `error` of the response. @default 'Request timed out' */
  readonly message?: string
}

/**
 * Respond with 503 `{ error }` if the rest of the chain does not respond in time. The signal of the request aborts
 * (`ctx.signal`, `signalOf(ctx)`), and a late response is dropped. A stream whose headers were in time may take longer.
 * An inner `timeout`, for example of a route, replaces the outer one; `timeout(0)` removes it.
 *
 * @param ms time limit for the response, in milliseconds; 0 for no limit
 * @throws {TypeError} when created, for a bad option; and at a request, if another middleware calls it by hand.
 * @example
 * createApp().use(timeout(10_000)).get('/report', timeout(60_000), report)
 */
export const timeout = (ms: number, options: TimeoutOptions = {}): Middleware => {
  checkDelay(ms, 'timeout: ms')
  checkNames('timeout', options, 'status message:string')
  const { status = 503, message = 'Request timed out' } = options
  const isError = Number.isInteger(status) && status >= 400 && status < 600
  checkOption(isError, 'timeout: status', 'a status of an error', status)

  const middleware: Middleware = function timeout(ctx, next) {
    const internals = internalsOf(ctx)
    if (DEV) {
      // Otherwise nobody waits for the deadline
      const isRaced = !internals.target || internals.respondInstead
      checkOption(isRaced, 'timeout', 'a place in use() or in a route', 'a call by another middleware')
    }
    const outer = internals.deadline
    outer?.stop()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isActive = ms > 0
    const abort = outer?.abort ?? new AbortController()
    const stop = (): void => {
      isActive = false
      clearTimeout(timer)
    }
    internals.deadline = { abort, join, stop }
    const response = next()
    // After a response no timer is needed, and an inner timeout has its own
    if (!isPromise(response) || !isActive) return response
    timer = setTimeout(() => {
      internals.respondInstead?.(() => refuse(ctx, status, message))
      abort.abort(new DOMException(message, 'TimeoutError'))
    }, ms)
    // After an error the time of `onError` counts as well
    response.then(stop, () => {})
    return response
  }
  return Object.assign(middleware, { describes: { statuses: [status] }, '~race': race })
}

function join(this: Deadline, request: Request): AbortSignal {
  return AbortSignal.any([request.signal, this.abort.signal])
}
