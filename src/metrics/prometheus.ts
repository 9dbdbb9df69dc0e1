import { createResponse } from '#runtime/core'
import type { PlanSource } from '../app/routes.ts'
import { addRoute } from '../internal/openapi/add-route.ts'
import { checkOption } from '../internal/options/check.ts'
import { checkFixedPath } from '../internal/route/fixed-path.ts'
import type { MetricsAttributes, MetricsInstrument, MetricsMeter } from './meter.ts'

/** The part of a `prom-client` registry that is used here. */
export interface PrometheusRegistry {
  readonly contentType: string
  metrics(): Promise<string>
}

/** The part of the package `prom-client` that is used here. */
export interface PrometheusClient {
  readonly register: PrometheusRegistry
  // any: the package's own types of names, labels and registries
  readonly Histogram: new (
    configuration: any,
  ) => { observe(labels: object, value: number): void }
  readonly Gauge: new (configuration: any) => { inc(labels: object, value: number): void; set(value: number): void }
}

/** The return value of {@link prometheus}. */
export interface Prometheus {
  /** For `metrics({ meter })`. */
  readonly meter: MetricsMeter
  /**
   * Returns a function that adds a route to an application or a plan, with all metrics of the registry.
   *
   * @param path a path without parameters @default '/metrics'
   */
  route(path?: string): <To extends PlanSource>(to: To) => To
}

/**
 * Keep metrics in the package `prom-client`, which you install and pass in. Names are those of OpenTelemetry in
 * Prometheus style: `http_server_request_duration_seconds` with the label `http_route`. They reveal internals: guard
 * the path, or serve it on a separate port.
 *
 * @param client the package, or a copy with another `register`
 * @throws {TypeError} when created, for anything but the package. @throws {Error} by `metrics`, if a name is in use.
 * @example
 * import * as client from 'prom-client'
 * const { meter, route } = prometheus(client)
 * app.use(metrics({ meter }))
 * route('/metrics')(app)
 */
export const prometheus = (client: PrometheusClient): Prometheus => {
  checkOption(typeof client?.Histogram === 'function', 'prometheus: client', 'the package prom-client', typeof client)
  const { register: registry } = client
  const describe = (name: string, { unit, description, attributes, advice }: MetricsInstrument) => ({
    name: toPrometheusName(name) + (SUFFIXES[unit] ?? ''),
    help: description,
    labelNames: attributes.map(toPrometheusName),
    registers: [registry],
    ...(advice && { buckets: advice.explicitBucketBoundaries }),
  })
  return {
    meter: {
      createHistogram(name, instrument) {
        const histogram = new client.Histogram(describe(name, instrument))
        return { record: (value, attributes) => histogram.observe(labelsOf(attributes), value) }
      },
      createUpDownCounter(name, instrument) {
        const gauge = new client.Gauge(describe(name, instrument))
        return { add: (value, attributes) => gauge.inc(labelsOf(attributes), value) }
      },
      createObservableGauge(name, instrument) {
        const callbacks: ((result: { observe(value: number): void }) => void)[] = []
        const gauge = new client.Gauge({
          ...describe(name, instrument),
          collect: () => {
            for (const callback of callbacks) callback({ observe: (value) => gauge.set(value) })
          },
        })
        return { addCallback: (callback) => void callbacks.push(callback) }
      },
    },
    route(path = '/metrics') {
      checkFixedPath(path, 'prometheus: path', '/metrics')
      const init = { headers: { 'cache-control': 'no-store' } }
      return addRoute(path, () => async () => createResponse(await registry.metrics(), registry.contentType, init))
    },
  }
}

/** Suffixes that units add to a name (OpenTelemetry, compatibility with Prometheus). */
const SUFFIXES: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

const toPrometheusName = (name: string): string => name.replaceAll('.', '_')

const labelsOf = (attributes: MetricsAttributes): object =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [toPrometheusName(name), value]))
