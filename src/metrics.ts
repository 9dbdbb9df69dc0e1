import { heapUsed } from '#runtime/core'
import { checkNames, checkOption } from './internal/options/check.ts'
import { noteError } from './internal/promise/awaitable.ts'
import { errorTypeOf, methodOf, OTHER, schemeOf } from './internal/telemetry/attributes.ts'
import { eventLoopDelay } from './internal/telemetry/event-loop.ts'
import type { Middleware } from './internal/types/context.ts'
import { onResponse } from './kernel/edits.ts'
import type { MetricsMeter } from './metrics/meter.ts'
import { routePattern } from './pipe/route-pattern.ts'

export type { MetricsAttributes, MetricsInstrument, MetricsMeter } from './metrics/meter.ts'
export * from './metrics/prometheus.ts'

/** Options of {@link metrics}. */
export interface MetricsOptions {
  /** Creates the instruments. */
  readonly meter: MetricsMeter
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const ABOUT = ['http.request.method', 'url.scheme']
const OUTCOME = [...ABOUT, 'http.route', 'http.response.status_code', 'error.type']

/** Maximum number of error names, because there may be any number of them. */
const ERROR_TYPES = 50

/**
 * Measure requests according to the OpenTelemetry conventions (HTTP metrics, semantic conventions 1.23 and later).
 *
 * `http.server.request.duration` until the response headers are ready, in seconds, with `http.request.method`,
 * `url.scheme`, `http.route`, `http.response.status_code` and `error.type`; `http.server.active_requests`. On Node, Bun
 * and Deno also `nodejs.eventloop.delay.max`, the highest since the last scrape, and `sluice.heap.used`.
 *
 * Clients cannot create series: the route is its pattern, if one matched, an unknown method is `_OTHER`. Register it
 * first, so that it also measures refusals; `except` of `sluice/middleware/combine` leaves requests out.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.use(metrics({ meter: opentelemetry.metrics.getMeter('shop') }))
 */
export const metrics = (options: MetricsOptions): Middleware => {
  checkNames('metrics', options, 'meter:object now:function')
  const { meter, now = () => performance.now() } = options
  checkOption(typeof meter?.createHistogram === 'function', 'metrics: meter', 'a meter', typeof meter)
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests.',
    attributes: OUTCOME,
    advice: { explicitBucketBoundaries: BUCKETS },
  })
  const active = meter.createUpDownCounter('http.server.active_requests', {
    unit: '{request}',
    description: 'Number of active HTTP server requests.',
    attributes: ABOUT,
  })
  const measureDelay = heapUsed && observeLoad(meter, heapUsed, now)
  const errorTypes = new Set<string>()
  const bounded = (type: string): string => {
    if (errorTypes.size < ERROR_TYPES) errorTypes.add(type)
    return errorTypes.has(type) ? type : OTHER
  }

  return function metrics(ctx, next) {
    measureDelay?.()
    const start = now()
    const about = { 'http.request.method': methodOf(ctx.method), 'url.scheme': schemeOf(ctx.request) }
    let error: unknown
    active.add(1, about)
    onResponse(ctx, ({ status }) => {
      active.add(-1, about)
      const route = routePattern(ctx)
      const type = errorTypeOf(error, status)
      duration.record((now() - start) / 1000, {
        ...about,
        'http.response.status_code': status,
        ...(route !== undefined && { 'http.route': route }),
        ...(type !== undefined && { 'error.type': bounded(type) }),
      })
    })
    return noteError(next, (thrown) => {
      error = thrown
    })
  }
}

/** Gauges of the process. @returns a function that measures the event loop, for each request */
const observeLoad = (meter: MetricsMeter, heap: () => number, now: () => number): (() => void) => {
  const readDelay = eventLoopDelay(now)
  let highest = 0
  const measureDelay = (): void => {
    highest = Math.max(highest, readDelay())
  }
  const lag = { unit: 's', description: 'Highest delay of the event loop since the last collection.', attributes: [] }
  meter.createObservableGauge('nodejs.eventloop.delay.max', lag).addCallback((result) => {
    measureDelay()
    result.observe(highest / 1000)
    highest = 0
  })
  const used = { unit: 'By', description: 'Bytes of the heap in use.', attributes: [] }
  meter.createObservableGauge('sluice.heap.used', used).addCallback((result) => result.observe(heap()))
  return measureDelay
}
