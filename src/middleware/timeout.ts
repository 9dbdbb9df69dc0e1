import { withoutBody } from '#runtime/response'
import type { Middleware } from '../context.ts'
import { isPromise } from '../internal/awaitable.ts'
import type { Timed } from '../internal/context/timed.ts'
import { LONGEST_DELAY } from '../internal/longest-delay.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'
import { refuse } from '../refuse.ts'

/** Options of {@link timeout}. */
export interface TimeoutOptions {
  /** Status of the answer that is late: 503, or 504 in front of another service. @default 503 */
  readonly status?: number
  /** What the client is told. @default 'Request timed out' */
  readonly message?: string
}

/**
 * Answer 503 `{ error }` if the rest of the chain has not answered in time. A further `timeout` inside, for a route,
 * replaces the outer one; `timeout(0)` takes it away.
 *
 * The signal of the request aborts: `ctx.signal` of `createApp`, `signalOf(ctx)` of `sluice/signal`. An answer that
 * comes later is dropped, and its stream is cancelled. The time ends with the answer's header: a stream may take longer.
 *
 * @param ms the longest time to the answer, in milliseconds; 0 for no limit
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(timeout(10_000)).get('/report', timeout(60_000), report)
 */
export const timeout = (ms: number, options: TimeoutOptions = {}): Middleware => {
  checkWhole(ms, 'timeout: ms', 'milliseconds')
  checkOption(ms <= LONGEST_DELAY, 'timeout: ms', `at most ${LONGEST_DELAY}`, ms)
  checkNames('timeout', options, 'status message:string')
  const { status = 503, message = 'Request timed out' } = options
  const fine = Number.isInteger(status) && status >= 400 && status < 600
  checkOption(fine, 'timeout: status', 'a status of an error', status)

  return function timeout(ctx, next) {
    const slots = ctx as unknown as Timed
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
    // What has answered needs no timer, and an inner timeout has its own
    if (!isPromise(answer) || !runs) return answer
    return new Promise<Response>((resolve, reject) => {
      timer = setTimeout(() => {
        resolve(Promise.resolve().then(() => refuse(ctx, status, message)))
        abort.abort(new DOMException(message, 'TimeoutError'))
      }, ms)
      answer.then(
        (response) => {
          clearTimeout(timer)
          // Nobody will read what comes after the answer
          if (abort.signal.aborted) withoutBody(response)
          resolve(response)
        },
        (error) => {
          clearTimeout(timer)
          reject(error)
        },
      )
    })
  }
}
