import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { metrics } from '../../src/metrics.ts'
import { tracing } from '../../src/tracing.ts'
import { metricsOf, type Received, spansOf, startCollector, type WireMetric, type WireSpan } from './collector.ts'

const manifest = fileURLToPath(new URL('tools/package.json', import.meta.url))
const tools = createRequire(manifest)
const installed = existsSync(new URL('tools/node_modules/@opentelemetry', import.meta.url))
if (!installed && process.env.SLUICE_REQUIRE_SERVICES === '1') throw new Error(`not installed: ${manifest}`)

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const SERVER = 2
const ERROR = 2

describe.skipIf(!installed).each([
  ['http', 'application/json'],
  ['proto', 'application/x-protobuf'],
])("OP2 OP3: what OpenTelemetry's exporter sends, otlp-%s", (format, type) => {
  let collected: Received[] = []
  let spans: WireSpan[] = []
  let measured: WireMetric[] = []

  beforeAll(async () => {
    const collector = await startCollector()
    const { OTLPTraceExporter } = tools(`@opentelemetry/exporter-trace-otlp-${format}`)
    const { OTLPMetricExporter } = tools(`@opentelemetry/exporter-metrics-otlp-${format}`)
    const { resourceFromAttributes } = tools('@opentelemetry/resources')
    const resource = resourceFromAttributes({ 'service.name': 'shop' })
    const tracers = new BasicTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${collector.url}/v1/traces` }))],
    })
    const exporter = new OTLPMetricExporter({ url: `${collector.url}/v1/metrics` })
    const meters = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter })] })
    for (const api of [context, propagation, trace]) api.disable()
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    trace.setGlobalTracerProvider(tracers)

    const app = createApp({ onError: (_, ctx) => ctx.json({ error: 'Sorry' }, 500) })
      .use(metrics({ meter: meters.getMeter('shop') }), tracing())
      .get('/users/:id', (ctx) => {
        trace.getTracer('shop').startSpan('look up').end()
        return ctx.json({ id: ctx.params.id })
      })
      .get('/fails', () => {
        throw new TypeError('broken')
      })
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    const ask = async (path: string, init?: RequestInit) =>
      (await fetch(`http://127.0.0.1:${server.port}${path}`, init)).text()
    await ask('/users/7?token=1', {
      headers: { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1', 'user-agent': 'test' },
    })
    await ask('/fails')
    await ask('/none', { method: 'PROPFIND' })
    await app.close()
    // Ends what is open, and sends what has not been sent
    await tracers.shutdown()
    await meters.shutdown()
    for (const api of [context, propagation, trace]) api.disable()
    collector.close()
    collected = collector.received
    spans = collected.filter(({ path }) => path === '/v1/traces').flatMap(spansOf)
    measured = collected.filter(({ path }) => path === '/v1/metrics').flatMap(metricsOf)
  })
  test('OP3: both signals arrive in the format of the exporter', () => {
    expect(new Set(collected.map(({ path, type: sent }) => `${path} ${sent}`))).toEqual(
      new Set([`/v1/traces ${type}`, `/v1/metrics ${type}`]),
    )
  })

  test('OP3: the span of a route, with its resource, its scope and the parent that was sent', () => {
    const span = spans.find(({ name }) => name === 'GET /users/:id')!
    expect(span).toMatchObject({ kind: SERVER, traceId: TRACE, parentSpanId: PARENT, status: 0, scope: 'sluice' })
    expect(span.resource).toEqual({ 'service.name': 'shop' })
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/users/:id',
      'http.response.status_code': 200,
      'url.path': '/users/7',
      'url.scheme': 'http',
      'user_agent.original': 'test',
    })
  })

  test('OP3: a span of the handler is its child', () => {
    const parent = spans.find(({ name }) => name === 'GET /users/:id')!
    const child = spans.find(({ name }) => name === 'look up')!
    expect({ traceId: child.traceId, parentSpanId: child.parentSpanId, scope: child.scope }).toEqual({
      traceId: TRACE,
      parentSpanId: parent.spanId,
      scope: 'shop',
    })
  })

  test('OP3: an error has its type, its status and its event', () => {
    const span = spans.find(({ name }) => name === 'GET /fails')!
    expect({ status: span.status, parentSpanId: span.parentSpanId }).toEqual({ status: ERROR, parentSpanId: '' })
    expect(span.attributes).toMatchObject({ 'error.type': 'TypeError', 'http.response.status_code': 500 })
    expect(span.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'TypeError', 'exception.message': 'broken' } },
    ])
  })

  test('OP3: an unknown method without a route', () => {
    const span = spans.find(({ name }) => name === 'HTTP')!
    expect(span.attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PROPFIND',
      'http.response.status_code': 404,
    })
    expect(Object.keys(span.attributes)).not.toContain('http.route')
  })

  test('OP2: the duration has the unit, the buckets and the attributes of the convention', () => {
    const duration = measured.find(({ name }) => name === 'http.server.request.duration')!
    expect(duration.unit).toBe('s')
    for (const { count, bounds } of duration.points)
      expect({ count, bounds }).toEqual({
        count: 1,
        bounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      })
    const about = { 'url.scheme': 'http' }
    expect(duration.points.map(({ attributes }) => attributes)).toEqual([
      { ...about, 'http.request.method': 'GET', 'http.route': '/users/:id', 'http.response.status_code': 200 },
      {
        ...about,
        'http.request.method': 'GET',
        'http.route': '/fails',
        'http.response.status_code': 500,
        'error.type': 'TypeError',
      },
      { ...about, 'http.request.method': '_OTHER', 'http.response.status_code': 404 },
    ])
  })

  test('OP2: names and units of the others', () => {
    const units = Object.fromEntries(measured.map(({ name, unit }) => [name, unit]))
    expect(units).toEqual({
      'http.server.request.duration': 's',
      'http.server.active_requests': '{request}',
      'nodejs.eventloop.delay.max': 's',
      'sluice.heap.used': 'By',
    })
    const active = measured.find(({ name }) => name === 'http.server.active_requests')!
    for (const { attributes } of active.points)
      expect(Object.keys(attributes).sort()).toEqual(['http.request.method', 'url.scheme'])
  })
})
