import type { AnyContext, Middleware } from '../context.ts'
import { isPromise } from '../internal/awaitable.ts'
import type { Timed } from '../internal/context/timed.ts'
import { checkDelay } from '../internal/delay.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { refuse } from '../refuse.ts'

/** Options of {@link timeout}. */
export interface TimeoutOptions {
  /** Status of the response: 503, or 504 in front of another service. @default 503 */
  readonly status?: number
  /** `error` of the response. @default 'Request timed out' */
  readonly message?: string
}

/**
 * Respond with 503 `{ error }` if the rest of the chain does not respond in time. An inner `timeout`, for example of a
 * route, replaces the outer one; `timeout(0)` removes it.
 *
 * The signal of the request aborts: `ctx.signal` of `createApp`, `signalOf(ctx)` of `sluice/signal`. A late response is
 * dropped, and its stream is cancelled. The time limit ends when the response headers are ready: a stream may take
 * longer.
 *
 * @param ms time limit for the response, in milliseconds; 0 for no limit
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(timeout(10_000)).get('/report', timeout(60_000), report)
 */
export const timeout = (ms: number, options: TimeoutOptions = {}): Middleware => {
  checkDelay(ms, 'timeout: ms')
  checkNames('timeout', options, 'status message:string')
  const { status = 503, message = 'Request timed out' } = options
  const fine = Number.isInteger(status) && status >= 400 && status < 600
  checkOption(fine, 'timeout: status', 'a status of an error', status)

  const middleware: Middleware = function timeout(ctx, next) {
    const slots = ctx as AnyContext & Timed
    slots.stopDeadline?.()
    let timer: ReturnType<typeof setTimeout> | undefined
    let runs = ms > 0
    slots.stopDeadline = () => {
      runs = false
      clearTimeout(timer)
    }
    const abort = slots.abort ?? new AbortController()
    slots.abort = abort
    const answer = next()
    // After a response no timer is needed, and an inner timeout has its own
    if (!isPromise(answer) || !runs) return answer
    return new Promise<Response>((resolve, reject) => {
      timer = setTimeout(() => {
        resolve(Promise.resolve().then(() => refuse(ctx, status, message)))
        abort.abort(new DOMException(message, 'TimeoutError'))
      }, ms)
      answer.then(
        (response) => {
          clearTimeout(timer)
          resolve(response)
        },
        (error) => {
          clearTimeout(timer)
          reject(error)
        },
      )
    })
  }
  return Object.assign(middleware, { describes: { answers: [status] } })
}
