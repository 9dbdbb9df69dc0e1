import { createRequire } from 'node:module'
import { type Histogram, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import * as client from 'prom-client'
import { describe, expect, test, vi } from 'vitest'
import { heapUsed } from '#runtime/core'
import { createApp } from '../src/app.ts'
import { HttpError } from '../src/errors.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank, use } from '../src/kernel/plan.ts'
import { prometheus } from '../src/metrics/prometheus.ts'
import { type MetricsOptions, metrics } from '../src/metrics.ts'
import { cors } from '../src/middleware/cors.ts'
import { pipe } from '../src/pipe.ts'
import { text } from '../src/respond/text.ts'
import { doors } from './harness.ts'

class Reader extends MetricReader {
  protected override async onShutdown() {}
  protected override async onForceFlush() {}
}

/** A point: its attributes with dots, and its value or the count and sum of a histogram. */
interface Point {
  readonly attributes: Record<string, unknown>
  readonly value: unknown
}

/** A sample of Prometheus' text. */
interface Sample {
  readonly name: string
  readonly labels: Record<string, string>
  readonly value: number
}

const parsed: (text: string) => {
  name: string
  metrics: { labels?: Record<string, string>; value?: string }[]
}[] = createRequire(import.meta.url)('parse-prometheus-text-format')

/** The text by a parser that is not prom-client's. Of a histogram it drops the labels, unless nobody says that it is one. */
const parse = (text: string): Sample[] =>
  parsed(text.replace(/^# TYPE \S+ histogram$/gm, '')).flatMap(({ name, metrics }) =>
    metrics.map(({ labels = {}, value }) => ({ name, labels, value: Number(value) })),
  )

/** The same questions to both libraries. */
const libraries: [string, () => { meter: MetricsOptions['meter']; points(name: string): Promise<Point[]> }][] = [
  [
    '@opentelemetry/sdk-metrics',
    () => {
      const reader = new Reader()
      const meter = new MeterProvider({ readers: [reader] }).getMeter('test')
      return {
        meter,
        async points(name) {
          const { resourceMetrics } = await reader.collect()
          const found = resourceMetrics.scopeMetrics[0]!.metrics.find(({ descriptor }) => descriptor.name === name)
          return (found?.dataPoints ?? []).map(({ attributes, value }) => ({
            attributes,
            value:
              typeof value === 'number' ? value : { count: (value as Histogram).count, sum: (value as Histogram).sum },
          }))
        },
      }
    },
  ],
  [
    'prom-client',
    () => {
      const registry = new client.Registry()
      const { meter } = prometheus({ ...client, register: registry })
      const units: Record<string, string> = { duration: '_seconds', max: '_seconds', used: '_bytes' }
      const names = ['http.request.method', 'url.scheme', 'http.route', 'http.response.status_code', 'error.type']
      return {
        meter,
        async points(name) {
          const spelt = name.replaceAll('.', '_') + (units[name.split('.').at(-1)!] ?? '')
          const samples = parse(await registry.metrics())
          const attributesOf = (labels: Sample['labels']) =>
            Object.fromEntries(
              names
                .map((name) => [name, labels[name.replaceAll('.', '_')]] as const)
                .filter(([, label]) => label !== undefined)
                .map(([name, label]) => [name, name.endsWith('code') ? Number(label) : label]),
            )
          const counts = samples.filter((sample) => sample.name === `${spelt}_count`)
          const sums = samples.filter((sample) => sample.name === `${spelt}_sum`)
          return counts.length
            ? counts.map(({ labels, value }, at) => ({
                attributes: attributesOf(labels),
                value: { count: value, sum: sums[at]!.value },
              }))
            : samples
                .filter((sample) => sample.name === spelt)
                .map(({ labels, value }) => ({ attributes: attributesOf(labels), value }))
        },
      }
    },
  ],
]

const DURATION = 'http.server.request.duration'
const get = { 'http.request.method': 'GET', 'url.scheme': 'http' }

describe.each(libraries)('OP2: metrics with %s', (_, library) => {
  describe.each(doors)('through %s', (_, door) => {
    const make = (options: Partial<MetricsOptions> = {}) => {
      const { meter, points } = library()
      let time = 0
      const now = () => {
        time += 250
        return time
      }
      const fetch = door({
        use: [metrics({ meter, now, ...options }), cors()],
        routes: [
          ['GET', '/users/:id', () => text('x')],
          ['POST', '/users', async () => text('x', 201)],
          ['GET', '/gone/:id', () => text('x', 404)],
          ['GET', '/fails', () => fail(new TypeError('x'))],
          ['GET', '/fails/late', () => Promise.reject(new RangeError('x'))],
          ['GET', '/fails/no-error', () => fail('x')],
          ['GET', '/refuses', () => fail(new HttpError(409, 'x'))],
          ['GET', '/unavailable', () => text('x', 503)],
          ['GET', '/sorry/:name', (ctx: any) => fail(Object.assign(new Error('x'), { name: ctx.params.name }))],
        ],
        onError: (error) => text('x', error instanceof HttpError ? error.status : 500),
      })
      return { fetch, points }
    }
    const fail = (error: unknown) => {
      throw error
    }

    test.each<[string, string, object]>([
      ['a route', 'GET /users/7', { 'http.route': '/users/:id', 'http.response.status_code': 200 }],
      [
        'HEAD',
        'HEAD /users/7',
        { 'http.request.method': 'HEAD', 'http.route': '/users/:id', 'http.response.status_code': 200 },
      ],
      [
        'another method',
        'POST /users',
        { 'http.request.method': 'POST', 'http.route': '/users', 'http.response.status_code': 201 },
      ],
      ['a 404 has no route', 'GET /users/7/none', { 'http.response.status_code': 404 }],
      [
        'a 404 of a handler has its route',
        'GET /gone/7',
        { 'http.route': '/gone/:id', 'http.response.status_code': 404 },
      ],
      ['an unknown method', 'BREW /pot', { 'http.request.method': '_OTHER', 'http.response.status_code': 404 }],
      ['a preflight', 'OPTIONS /users', { 'http.request.method': 'OPTIONS', 'http.response.status_code': 404 }],
      [
        'an error',
        'GET /fails',
        { 'http.route': '/fails', 'http.response.status_code': 500, 'error.type': 'TypeError' },
      ],
      [
        'a late error',
        'GET /fails/late',
        { 'http.route': '/fails/late', 'http.response.status_code': 500, 'error.type': 'RangeError' },
      ],
      [
        'a thrown value that is not an error',
        'GET /fails/no-error',
        { 'http.route': '/fails/no-error', 'http.response.status_code': 500, 'error.type': '500' },
      ],
      [
        'an error that the client caused',
        'GET /refuses',
        { 'http.route': '/refuses', 'http.response.status_code': 409 },
      ],
      [
        'a status alone',
        'GET /unavailable',
        { 'http.route': '/unavailable', 'http.response.status_code': 503, 'error.type': '503' },
      ],
      [
        'an invalid name',
        'GET /sorry/a%20b',
        { 'http.route': '/sorry/:name', 'http.response.status_code': 500, 'error.type': '500' },
      ],
    ])('OP2: %s', async (_, request, expected) => {
      const { fetch, points } = make()
      const [method, path] = request.split(' ') as [string, string]
      await fetch(new Request(`http://h${path}?q=1`, { method }))
      expect(await points(DURATION)).toEqual([{ attributes: { ...get, ...expected }, value: { count: 1, sum: 0.25 } }])
    })

    test('OP2: no client makes series: a thousand paths and methods are three', async () => {
      const { fetch, points } = make()
      for (let turn = 0; turn < 500; turn++) {
        await fetch(`/users/${turn}`)
        await fetch(new Request(`http://h/none/${turn}`, { method: `X${turn}` }))
        await fetch(`/none/${turn}`)
      }
      expect(await points(DURATION)).toHaveLength(3)
    })

    test('OP2: names of errors are bounded too', async () => {
      const { fetch, points } = make()
      for (let turn = 0; turn < 60; turn++) await fetch(`/sorry/E${turn}`)
      const types = (await points(DURATION)).map(({ attributes }) => attributes['error.type'])
      expect({
        count: types.length,
        e49: types.includes('E49'),
        e50: types.includes('E50'),
        other: types.includes('_OTHER'),
      }).toEqual({
        count: 51,
        e49: true,
        e50: false,
        other: true,
      })
    })

    test('OP2: active requests go up and down, by method and scheme alone', async () => {
      const { meter, points } = library()
      const gates: (() => void)[] = []
      const fetch = door({
        use: [metrics({ meter })],
        routes: [['GET', '/slow', () => new Promise((resolve) => void gates.push(() => resolve(text('x'))))]],
      })
      const running = [fetch('/slow'), fetch('/slow'), fetch(new Request('https://h/slow'))]
      await vi.waitFor(() => expect(gates).toHaveLength(3))
      const name = 'http.server.active_requests'
      expect(await points(name)).toEqual([
        { attributes: get, value: 2 },
        { attributes: { ...get, 'url.scheme': 'https' }, value: 1 },
      ])
      for (const go of gates) go()
      await Promise.all(running)
      expect((await points(name)).map(({ value }) => value)).toEqual([0, 0])
    })
  })

  test.skipIf(!heapUsed)('OP2: the heap, and the highest delay of the event loop since the last look', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { meter, points } = library()
    let time = 0
    const app = createApp().use(metrics({ meter, now: () => time }))
    await app.request('/')
    time = 400
    await app.request('/')
    time = 150
    await app.request('/')
    // Looked at every 100 ms, and 300 ms late
    expect(await points('nodejs.eventloop.delay.max')).toEqual([{ attributes: {}, value: 0.3 }])
    expect(await points('nodejs.eventloop.delay.max')).toEqual([{ attributes: {}, value: 0.05 }])
    time = 100
    expect(await points('nodejs.eventloop.delay.max')).toEqual([{ attributes: {}, value: 0 }])
    const [heap] = await points('sluice.heap.used')
    expect(heap!.value).toBeGreaterThan(1_000_000)
    vi.useRealTimers()
  })
})

describe('OP2: the text that Prometheus reads', () => {
  const setUp = () => {
    const registry = new client.Registry()
    const { meter, route } = prometheus({ ...client, register: registry })
    return { registry, meter, route }
  }

  test('a route of an application and of a plan, with everything of the registry', async () => {
    const { registry, meter, route } = setUp()
    new client.Counter({ name: 'orders_total', help: 'Orders', registers: [registry] }).inc(3)
    const app = route()(createApp().use(metrics({ meter })))
    const fetch = pipe(blank, use(cors()), route('/internal/metrics'), toFetch)
    await app.request('/none')
    for (const response of [await app.request('/metrics'), await fetch(new Request('http://h/internal/metrics'))]) {
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      const body = await response.text()
      expect(body.match(/^# TYPE .*/gm)).toEqual([
        '# TYPE orders_total counter',
        '# TYPE http_server_request_duration_seconds histogram',
        '# TYPE http_server_active_requests gauge',
        // The edge has neither
        ...(heapUsed ? ['# TYPE nodejs_eventloop_delay_max_seconds gauge', '# TYPE sluice_heap_used_bytes gauge'] : []),
      ])
      const samples = parse(body)
      expect(samples).toContainEqual({ name: 'orders_total', labels: {}, value: 3 })
      const buckets = samples.filter(({ name, labels }) => name.endsWith('_bucket') && labels.url_scheme === 'http')
      expect(buckets.map(({ labels }) => labels.le).join(' ')).toContain(
        '0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf',
      )
    }
  })

  test('whatever stands in a value cannot break the text', async () => {
    const { registry, meter } = setUp()
    const hostile = '/a"b\\c\nd 1\n{}'
    const about = { unit: 's', description: 'a\nb', attributes: ['http.route'] }
    meter.createHistogram('x', about).record(1, { 'http.route': hostile })
    const found = parse(await registry.metrics()).filter(({ name }) => name === 'x_seconds_count')
    expect(found).toEqual([{ name: 'x_seconds_count', labels: { http_route: hostile }, value: 1 }])
  })

  test('the shared registry of the package is the default, and a second application in it is refused', () => {
    const { meter } = prometheus(client)
    metrics({ meter })
    expect(client.register.getSingleMetric('http_server_request_duration_seconds')).toBeDefined()
    expect(() => metrics({ meter })).toThrow('has already been registered')
    client.register.clear()
  })

  test('a registry that fails is a 500', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { registry, route } = setUp()
    new client.Gauge({
      name: 'broken',
      help: 'x',
      registers: [registry],
      collect: () => Promise.reject(new Error('x')),
    })
    expect((await route()(createApp()).request('/metrics')).status).toBe(500)
    log.mockRestore()
  })
})

test.each<[string, () => unknown, RegExp]>([
  ['no meter', () => metrics({} as never), /^metrics: meter: expected a meter, got undefined$/],
  ['a value that is not a meter', () => metrics({ meter: {} as never }), /^metrics: meter: expected a meter/],
  ['an unknown option', () => metrics({ meters: {} } as never), /did you mean "meter"/],
  [
    'another package',
    () => prometheus({} as never),
    /^prometheus: client: expected the package prom-client, got "object"$/,
  ],
  [
    'a path',
    () => prometheus(client).route('metrics'),
    /^prometheus: path: expected a path such as "\/metrics", got "metrics"$/,
  ],
])('OP2: refuses %s', (_, make, message) => {
  expect(make).toThrow(message)
})
