import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { isPromise, whenResolved } from '../internal/promise/awaitable.ts'
import type { Awaitable, CallbackContext, Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { onResponse } from '../kernel/edits.ts'

/** Options of {@link serverTiming}. */
export interface ServerTimingOptions<Extra = unknown> {
  /** Add `total`: the time from the middleware until the response headers are ready. @default true */
  readonly total?: boolean
  /** Whether a request may see timings, which reveal internals: restrict this in production. @default everybody */
  readonly enabled?: (ctx: CallbackContext<Extra>) => Awaitable<boolean>
  /** Origins whose scripts may read them, as `Timing-Allow-Origin`: `*` or a list of origins. @default none */
  readonly crossOrigin?: string
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** Maximum number of metrics before the total, because proxies limit the size of headers. */
const MAX_METRICS = 50

/**
 * Tell browsers how long the parts of a response took, in the header `Server-Timing` (W3C Server Timing §3):
 * {@link measure} and {@link addTiming} write the metrics.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.use(serverTiming()).get('/', async (ctx) => ctx.json(await measure(ctx, 'db', () => query('…'))))
 */
export const serverTiming = <Extra = unknown>(options: ServerTimingOptions<Extra> = {}): Middleware<{}, {}, Extra> => {
  checkNames('serverTiming', options, 'total:boolean enabled:function crossOrigin:string now:function')
  const { total = true, crossOrigin = '', now = () => performance.now() } = options
  const { enabled = () => true } = options as ServerTimingOptions
  const isValid = /^(\*|[\w:/.,[\] -]*)$/.test(crossOrigin)
  checkOption(isValid, 'serverTiming: crossOrigin', '"*" or origins with commas between them', crossOrigin)
  return function serverTiming(ctx, next) {
    return whenResolved(enabled(ctx), (on) => {
      if (!on) return next()
      const metrics: string[] = []
      const start = now()
      internalsOf(ctx).timings = { metrics, now }
      onResponse(ctx, (response) => {
        if (total) metrics.push(lineOf('total', now() - start))
        if (!metrics.length) return
        response.headers.append('server-timing', metrics.join(', '))
        if (crossOrigin) response.headers.set('timing-allow-origin', crossOrigin)
      })
      return next()
    })
  }
}

/**
 * Call a function, return its result, and add the time that it, or its promise, took. Without the middleware it only
 * calls the function.
 *
 * @param name of the metric: a token such as `db`
 * @throws {TypeError} for a name that is not a token. Errors of the function are thrown too.
 * @example
 * const rows = await measure(ctx, 'db', () => sql`select 1`, 'the first query')
 */
export const measure = <T>(ctx: object, name: string, work: () => T, description?: string): T => {
  checkOption(isToken(name), 'serverTiming: name', 'a token such as "db"', name)
  const now = internalsOf(ctx).timings?.now
  if (!now) return work()
  const start = now()
  const stop = (): void => addTiming(ctx, name, now() - start, description)
  let result: Awaitable<unknown>
  try {
    result = work()
  } catch (error) {
    stop()
    throw error
  }
  if (!isPromise(result)) stop()
  else result.then(stop, stop)
  return result as T
}

/**
 * Add a metric to the header.
 *
 * @param durationMs in milliseconds; leave it out for a metric that is only a name, such as `miss`
 * @throws {TypeError} for a name that is not a token.
 * @example
 * addTiming(ctx, 'cache', undefined, 'miss')
 */
export const addTiming = (ctx: object, name: string, durationMs?: number, description?: string): void => {
  checkOption(isToken(name), 'serverTiming: name', 'a token such as "db"', name)
  const metrics = internalsOf(ctx).timings?.metrics
  if (metrics && metrics.length < MAX_METRICS) metrics.push(lineOf(name, durationMs, description))
}

/** A description is a quoted string (RFC 9110 §5.6.4), without characters that are not ASCII. */
const lineOf = (name: string, duration?: number, description?: string): string =>
  name +
  (description === undefined ? '' : `;desc="${description.replace(/[^ -~]/g, '').replace(/["\\]/g, '\\$&')}"`) +
  (duration === undefined ? '' : `;dur=${Math.round(duration * 1000) / 1000}`)
