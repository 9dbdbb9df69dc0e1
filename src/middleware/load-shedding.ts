import { heapUsed } from '#runtime/load'
import type { Middleware } from '../context.ts'
import { isPromise } from '../internal/awaitable.ts'
import { eventLoopDelay } from '../internal/load/event-loop.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'
import { refuse } from '../refuse.ts'

/** Options of {@link loadShedding}: one limit, or several. */
export interface LoadSheddingOptions {
  /** Most requests that are worked on at once. @default no limit */
  readonly maxConcurrent?: number
  /** How late timers may be, in milliseconds: a busy event loop runs everything late. Node, Bun and Deno. @default no limit */
  readonly maxEventLoopDelay?: number
  /** Most bytes of the heap in use. Node, Bun and Deno. @default no limit */
  readonly maxHeap?: number
  /** When a client shall come again, in seconds. @default 10 */
  readonly retryAfter?: number
  /** Requests that pass whatever the load is: a health check. @default none */
  readonly skip?: (ctx: { readonly path: string; readonly method: string }) => boolean
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
  /** Bytes of the heap in use. @default what the runtime says */
  readonly heap?: () => number
}

/** How long a look at the heap is good, in milliseconds: it costs more than a request. */
const HEAP_MS = 100

/**
 * Refuse requests before any work is done for them, while there is too much: 503 `{ error }` with `Retry-After`.
 *
 * Register it first. A request counts until the rest of the chain has answered, also if its client has gone.
 *
 * @throws {TypeError} when created, without a limit, for a bad one, or for a limit that the runtime cannot tell.
 * @example
 * createApp().use(loadShedding({ maxConcurrent: 500, maxEventLoopDelay: 200 }))
 */
export const loadShedding = (options: LoadSheddingOptions): Middleware => {
  const names = 'maxConcurrent maxEventLoopDelay maxHeap retryAfter skip:function now:function heap:function'
  checkNames('loadShedding', options, names)
  const { maxConcurrent, maxEventLoopDelay, maxHeap, retryAfter = 10, skip } = options
  const { now = () => performance.now(), heap = heapUsed } = options
  const limits = { maxConcurrent, maxEventLoopDelay, maxHeap }
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined)
  checkOption(given.length, 'loadShedding: maxConcurrent', 'one limit or more', undefined)
  const units: Readonly<Record<string, string>> = { maxConcurrent: 'requests', maxHeap: 'bytes' }
  for (const [name, limit] of given) checkWhole(limit, `loadShedding: ${name}`, units[name] ?? 'milliseconds', 1)
  checkWhole(retryAfter, 'loadShedding: retryAfter', 'seconds')
  const tells = heap || (maxHeap ?? maxEventLoopDelay) === undefined
  checkOption(tells, 'loadShedding: maxHeap', 'maxConcurrent alone on this runtime', maxHeap ?? maxEventLoopDelay)
  const fields = ['retry-after', `${retryAfter}`]
  const delay = eventLoopDelay(now)
  let active = 0
  let used = 0
  let looked = Number.NEGATIVE_INFINITY

  const isTooMuch = (): boolean => {
    if (maxConcurrent !== undefined && active >= maxConcurrent) return true
    if (maxEventLoopDelay !== undefined && delay.read() > maxEventLoopDelay) return true
    if (maxHeap === undefined) return false
    if (now() - looked >= HEAP_MS) {
      looked = now()
      used = heap!()
    }
    return used > maxHeap
  }

  return function loadShedding(ctx, next) {
    if (skip?.(ctx)) return next()
    if (isTooMuch()) return refuse(ctx, 503, 'Service Unavailable', undefined, fields)
    active++
    const done = (): void => {
      active--
    }
    try {
      const answer = next()
      if (isPromise(answer)) answer.then(done, done)
      else done()
      return answer
    } catch (error) {
      done()
      throw error
    }
  }
}
