import { heapUsed } from '#runtime/core'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import { isPromise, whenResolved } from '../internal/promise/awaitable.ts'
import { eventLoopDelay } from '../internal/telemetry/event-loop.ts'
import type { Awaitable, CallbackContext, Middleware } from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link loadShedding}: one limit, or several. */
export interface LoadSheddingOptions<Extra = unknown> {
  /** Maximum number of requests that are handled at the same time. @default no limit */
  readonly maxConcurrent?: number
  /** Maximum delay of the event loop, in milliseconds. Node, Bun and Deno. @default no limit */
  readonly maxEventLoopDelay?: number
  /** Maximum size of the used heap, in bytes. Node, Bun and Deno. @default no limit */
  readonly maxHeap?: number
  /** Value of `Retry-After`, in seconds. @default 10 */
  readonly retryAfter?: number
  /** Requests that are accepted regardless of load, such as health checks. @default none */
  readonly skip?: (ctx: CallbackContext<Extra>) => Awaitable<boolean>
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
  /** Returns the used heap, in bytes. @default that of the runtime */
  readonly heap?: () => number
}

/**
 * Refuse requests early while the server is overloaded: 503 `{ error }` with `Retry-After`.
 *
 * Register it first. A request counts until the rest of the chain has responded, even if its client has disconnected.
 *
 * @throws {TypeError} when created, without a limit, for a bad one, or for one that the runtime cannot measure.
 * @example
 * createApp().use(loadShedding({ maxConcurrent: 500, maxEventLoopDelay: 200 }))
 */
export const loadShedding = <Extra = unknown>(options: LoadSheddingOptions<Extra>): Middleware<{}, {}, Extra> => {
  const names = 'maxConcurrent maxEventLoopDelay maxHeap retryAfter skip:function now:function heap:function'
  checkNames('loadShedding', options, names)
  const { maxConcurrent, maxEventLoopDelay, maxHeap, retryAfter = 10, skip } = options as LoadSheddingOptions
  const { now = () => performance.now(), heap = heapUsed } = options
  const hasLimit = [maxConcurrent, maxEventLoopDelay, maxHeap].some((limit) => limit !== undefined)
  checkOption(hasLimit, 'loadShedding: maxConcurrent', 'one limit or more', undefined)
  if (maxConcurrent !== undefined) checkWhole(maxConcurrent, 'loadShedding: maxConcurrent', 'requests', 1)
  if (maxEventLoopDelay !== undefined)
    checkWhole(maxEventLoopDelay, 'loadShedding: maxEventLoopDelay', 'milliseconds', 1)
  if (maxHeap !== undefined) checkWhole(maxHeap, 'loadShedding: maxHeap', 'bytes', 1)
  checkWhole(retryAfter, 'loadShedding: retryAfter', 'seconds')
  const isMeasurable = heap || (maxHeap ?? maxEventLoopDelay) === undefined
  checkOption(isMeasurable, 'loadShedding: maxHeap', 'only maxConcurrent on this runtime', maxHeap ?? maxEventLoopDelay)
  const fields = ['retry-after', `${retryAfter}`]
  const readDelay = eventLoopDelay(now)
  let active = 0
  let heapBytes = 0
  let measuredAt = Number.NEGATIVE_INFINITY

  const isOverloaded = (): boolean => {
    if (maxConcurrent !== undefined && active >= maxConcurrent) return true
    if (maxEventLoopDelay !== undefined && readDelay() > maxEventLoopDelay) return true
    if (maxHeap === undefined) return false
    // Measuring costs more than a request
    if (now() - measuredAt >= 100) {
      measuredAt = now()
      heapBytes = heap!()
    }
    // In this order, a size that is not a number refuses the request
    return !(heapBytes <= maxHeap)
  }

  const middleware: Middleware = function loadShedding(ctx, next) {
    return whenResolved(skip?.(ctx), (skipped) => {
      if (skipped) return next()
      if (isOverloaded()) return refuse(ctx, 503, 'Service Unavailable', undefined, fields)
      active++
      const done = (): void => {
        active--
      }
      try {
        const response = next()
        if (isPromise(response)) response.then(done, done)
        else done()
        return response
      } catch (error) {
        done()
        throw error
      }
    })
  }
  return Object.assign(middleware, { describes: { statuses: [503] } })
}
