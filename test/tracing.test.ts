import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HttpError } from '../src/errors.ts'
import { cors } from '../src/middleware/cors.ts'
import { text } from '../src/respond/text.ts'
import { type TracingOptions, traceHeaders, tracing } from '../src/tracing.ts'
import { runs } from './fuzz.ts'
import { doors } from './harness.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const spans = () => exporter.getFinishedSpans()

const register = () => {
  // The registry is of the process, which runs other files too: a registration that another one left keeps ours out
  unregister()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
}
const unregister = () => {
  exporter.reset()
  for (const api of [context, propagation, trace]) api.disable()
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SENT = `00-${TRACE}-b7ad6b7169203331-01`

const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
const fail = (error: unknown) => {
  throw error
}

/** An error whose name cannot be read. */
const nameless = () => Object.defineProperty(new Error('broken'), 'name', { get: () => fail(new Error('no name')) })

/** An application of every kind of route, on this door. */
const make = (door: (typeof doors)[number][1], options: TracingOptions = {}, more: any[] = []) =>
  door({
    use: [tracing(options), ...more],
    routes: [
      ['GET', '/users/:id', () => text('x')],
      ['POST', '/users', async () => text('x', 201)],
      [
        'GET',
        '/child',
        async () => {
          await pause()
          const child = trace.getTracer('test').startSpan('child')
          child.end()
          return text('x')
        },
      ],
      [
        'GET',
        '/out',
        async (ctx: any) => {
          await pause()
          return text(JSON.stringify([traceHeaders(), traceHeaders(ctx)]))
        },
      ],
      ['GET', '/fails', () => fail(new TypeError('broken'))],
      ['GET', '/fails/late', () => Promise.reject(new RangeError('broken'))],
      ['GET', '/fails/no-error', () => fail('broken')],
      ['GET', '/fails/nameless', () => fail(nameless())],
      ['GET', '/refuses', () => fail(new HttpError(409, 'taken'))],
      ['GET', '/throws/response', () => fail(text('busy', 503))],
      ['GET', '/unavailable', () => text('x', 503)],
    ],
    onError: (error) => text('x', error instanceof HttpError ? error.status : 500),
  })

describe.each(doors)('OP3: tracing through %s', (_, door) => {
  beforeEach(register)
  afterEach(unregister)

  const spanOf = async (request: Request | string, options?: TracingOptions, more?: any[]) => {
    await make(door, options, more)(request)
    expect(spans()).toHaveLength(1)
    return spans()[0]!
  }

  test.each<[string, string, string, object]>([
    [
      'a route',
      'GET /users/7?q=1',
      'GET /users/:id',
      {
        'http.request.method': 'GET',
        'http.route': '/users/:id',
        'url.path': '/users/7',
        'http.response.status_code': 200,
      },
    ],
    [
      'another method',
      'POST /users',
      'POST /users',
      { 'http.request.method': 'POST', 'http.route': '/users', 'url.path': '/users', 'http.response.status_code': 201 },
    ],
    [
      'HEAD',
      'HEAD /users/7',
      'HEAD /users/:id',
      {
        'http.request.method': 'HEAD',
        'http.route': '/users/:id',
        'url.path': '/users/7',
        'http.response.status_code': 200,
      },
    ],
    [
      'a request that no route matches',
      'GET /none',
      'GET',
      { 'http.request.method': 'GET', 'url.path': '/none', 'http.response.status_code': 404 },
    ],
    [
      'an unknown method',
      'BREW /none',
      'HTTP',
      {
        'http.request.method': '_OTHER',
        'http.request.method_original': 'BREW',
        'url.path': '/none',
        'http.response.status_code': 404,
      },
    ],
  ])('OP3: %s', async (_, request, name, attributes) => {
    const [method, path] = request.split(' ') as [string, string]
    const span = await spanOf(new Request(`http://h${path}`, { method, headers: { 'user-agent': 'test' } }))
    expect({ name: span.name, kind: span.kind, code: span.status.code }).toEqual({
      name,
      kind: SpanKind.SERVER,
      code: SpanStatusCode.UNSET,
    })
    expect(span.attributes).toEqual({ 'url.scheme': 'http', 'user_agent.original': 'test', ...attributes })
    expect({ events: span.events, parentSpanContext: span.parentSpanContext }).toEqual({
      events: [],
      parentSpanContext: undefined,
    })
  })

  test.each<[string, string, string | undefined, string[]]>([
    ['an error', '/fails', 'TypeError', ['TypeError: broken']],
    ['a late error', '/fails/late', 'RangeError', ['RangeError: broken']],
    ['a thrown value that is not an error', '/fails/no-error', '500', ['Error: Thrown: broken']],
    ['a status alone', '/unavailable', '503', []],
    ['a response that is thrown', '/throws/response', '503', []],
    [
      'an error that the client caused is recorded, and the span is not an error',
      '/refuses',
      undefined,
      ['HttpError: taken'],
    ],
    ['a request that no route matches', '/none', undefined, []],
  ])('OP3: %s', async (_, path, type, recorded) => {
    const span = await spanOf(path)
    expect(span.status).toEqual({ code: type ? SpanStatusCode.ERROR : SpanStatusCode.UNSET })
    expect(span.attributes['error.type']).toBe(type)
    const events = span.events.map(
      ({ attributes = {} }) => `${attributes['exception.type']}: ${attributes['exception.message']}`,
    )
    expect(events).toEqual(recorded)
  })

  test('OP3: a span made in a handler, after waiting, is a child of the one of its request', async () => {
    const fetch = make(door)
    await Promise.all([fetch('/child'), fetch('/child'), fetch('/users/7')])
    const servers = spans().filter(({ name }) => name === 'GET /child')
    const children = spans().filter(({ name }) => name === 'child')
    expect(new Set(servers.map((span) => span.spanContext().traceId)).size).toBe(2)
    expect(children.map(({ parentSpanContext }) => parentSpanContext!.spanId).sort()).toEqual(
      servers.map((span) => span.spanContext().spanId).sort(),
    )
    for (const child of children)
      expect(servers.map((span) => span.spanContext().traceId)).toContain(child.spanContext().traceId)
    expect(trace.getActiveSpan()).toBeUndefined()
  })

  const asked = (traceparent: string, path = '/users/7', more: Record<string, string> = {}) =>
    new Request(`http://h${path}`, { headers: { traceparent, ...more } })

  test('OP3: traceparent in: the trace of its sender continues, with its state', async () => {
    const span = await spanOf(asked(SENT, '/users/7', { tracestate: 'vendor=1' }))
    expect(span.spanContext()).toMatchObject({ traceId: TRACE, traceFlags: 1 })
    expect(span.spanContext().traceState!.serialize()).toBe('vendor=1')
    expect(span.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true })
  })

  test.each([
    ['nothing', ''],
    ['a text', 'x'],
    ['a trace of zeros', '00-00000000000000000000000000000000-b7ad6b7169203331-01'],
    ['a parent of zeros', `00-${TRACE}-0000000000000000-01`],
    ['the version that is forbidden', `ff-${TRACE}-b7ad6b7169203331-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`],
    ['too short', `00-${TRACE.slice(1)}-b7ad6b7169203331-01`],
    ['more than version 00 has', `${SENT}-more`],
    ['two', `${SENT}, ${SENT}`],
  ])('OP3: a malformed traceparent is ignored: %s', async (_, traceparent) => {
    const span = await spanOf(asked(traceparent))
    expect({ parent: span.parentSpanContext, sameTrace: span.spanContext().traceId === TRACE }).toEqual({
      parent: undefined,
      sameTrace: false,
    })
  })

  test.each<[string, TracingOptions['trust'], boolean]>([
    ['is believed by default', undefined, true],
    ['is not believed', false, false],
    ['is believed from whom the application says', (ctx) => ctx.path === '/users/7', true],
    ['is not from others', (ctx) => ctx.path === '/', false],
    ['is not believed where the answer is a promise', (async () => true) as never, false],
  ])('OP3: traceparent %s', async (_, trust, continues) => {
    const span = await spanOf(asked(SENT), trust === undefined ? {} : { trust })
    expect(span.spanContext().traceId === TRACE).toBe(continues)
  })

  test('OP3: traceparent out: what the handler asks goes on with the same trace', async () => {
    const [active, kept] = JSON.parse(await (await make(door)(asked(SENT, '/out'))).text())
    const own = `00-${TRACE}-${spans()[0]!.spanContext().spanId}-01`
    expect({ active, kept }).toEqual({ active: { traceparent: own }, kept: { traceparent: own } })
  })

  test.each([
    ['is passed on by default', true, 'user=7'],
    ['is not used if no sender is trusted', false, undefined],
  ])('OP3: the baggage of a request %s', async (_, trust, expected) => {
    propagation.disable()
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
    const response = await make(door, { trust })(asked(SENT, '/out', { baggage: 'user=7' }))
    for (const { baggage } of JSON.parse(await response.text())) expect(baggage).toBe(expected)
  })

  test('OP3: an error whose name cannot be read ends its span, and costs no answer', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await make(door)('/fails/nameless')
    expect({ status: response.status, body: await response.text(), spans: spans().length }).toEqual({
      status: 500,
      body: 'x',
      spans: 1,
    })
    expect(spans()[0]!.attributes['error.type']).toBe('500')
    expect(log.mock.calls).toEqual([[new Error('no name')]])
    log.mockRestore()
  })

  test('OP3: without a context manager the context keeps the trace', async () => {
    context.disable()
    const [active, kept] = JSON.parse(await (await make(door)(asked(SENT, '/out'))).text())
    expect(active).toEqual({})
    expect(kept).toEqual({ traceparent: `00-${TRACE}-${spans()[0]!.spanContext().spanId}-01` })
  })

  test('OP3: a span that is active already is the parent, and not the one that was sent', async () => {
    const outer = provider.getTracer('test').startSpan('outer')
    await context.with(trace.setSpan(context.active(), outer), () => make(door)(asked(SENT)))
    expect(spans()[0]!.parentSpanContext!.spanId).toBe(outer.spanContext().spanId)
  })

  test('OP3: a rewritten path names the span by the route that answers', async () => {
    const cut = Object.assign((_: any, next: any) => next(), {
      prepare(ctx: any) {
        ctx.path = ctx.path.replace('/v1', '')
      },
    })
    const span = await spanOf('/v1/users/7', {}, [cut])
    expect({
      name: span.name,
      'http.route': span.attributes['http.route'],
      'url.path': span.attributes['url.path'],
    }).toEqual({ name: 'GET /users/:id', 'http.route': '/users/:id', 'url.path': '/v1/users/7' })
  })

  test('OP3: refusals of later middleware', async () => {
    const more = [cors(), () => text('slow down', 429)]
    const fetch = make(door, {}, more)
    const answer = await fetch('/users/7')
    expect({ status: answer.status, spans: spans().length }).toEqual({ status: 429, spans: 1 })
    expect(spans()[0]!.attributes).toMatchObject({ 'http.response.status_code': 429 })
  })

  test('OP3: a span that is not sampled has no edit of the answer, and its trace still goes on', async () => {
    trace.disable()
    trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler: new AlwaysOffSampler() }))
    const [active] = JSON.parse(await (await make(door)(asked(SENT, '/out'))).text())
    expect(active.traceparent).toMatch(new RegExp(`^00-${TRACE}-\\w{16}-00$`))
  })

  test('OP3: whatever is sent as traceparent, every request has one span that ended', async () => {
    const fetch = make(door)
    const sent = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef-F ,') }),
      fc
        .tuple(fc.nat(255), fc.nat(), fc.nat(), fc.nat(255))
        .map((parts) => parts.map((part) => part.toString(16)).join('-')),
      fc.constant(SENT),
    )
    await fc.assert(
      fc.asyncProperty(sent, async (traceparent) => {
        exporter.reset()
        expect((await fetch(asked(traceparent))).status).toBe(200)
        expect(spans().map(({ ended }) => ended)).toEqual([true])
        expect(spans()[0]!.spanContext().traceId === TRACE).toBe(traceparent.trim() === SENT)
      }),
      { numRuns: runs(5_000) },
    )
  })
})

describe('OP3: no provider, no cost', () => {
  afterEach(unregister)
  /** A context that tells of any use. */
  const touched: unknown[] = []
  const untouchable = new Proxy({} as never, {
    get: (_, name) => void touched.push(name),
    set: (_, name) => Boolean(touched.push(name)),
    has: (_, name) => Boolean(touched.push(name)),
    defineProperty: (_, name) => Boolean(touched.push(name)),
  })

  test('nothing of the request is looked at, nothing is made, and the answer is the very same', () => {
    const spies = [
      vi.spyOn(context, 'with'),
      vi.spyOn(context, 'active'),
      vi.spyOn(propagation, 'extract'),
      vi.spyOn(trace, 'setSpan'),
      vi.spyOn(trace, 'getTracer'),
    ]
    const step = tracing()
    const answers = [text('x'), Promise.resolve(text('x'))]
    for (const answer of answers) expect(step(untouchable, () => answer)).toBe(answer)
    expect(touched).toEqual([])
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })

  test('a provider that is registered later is found, and one that has gone is not', async () => {
    const fetch = make(doors[0]![1])
    await fetch('/users/7')
    register()
    await fetch('/users/7')
    expect(spans()).toHaveLength(1)
    unregister()
    await fetch('/users/7')
    expect(spans()).toHaveLength(0)
  })

  test('a tracer of your own needs no registration', async () => {
    await make(doors[0]![1], { tracer: provider.getTracer('mine') })('/users/7')
    expect(spans().map(({ name, instrumentationScope }) => [name, instrumentationScope.name])).toEqual([
      ['GET /users/:id', 'mine'],
    ])
  })

  test('without a span there is nothing to take along', () => {
    expect({ noHeaders: traceHeaders(), emptyHeaders: traceHeaders({}) }).toEqual({ noHeaders: {}, emptyHeaders: {} })
  })
})

test.each<[string, any, string]>([
  ['trust', { trust: 'yes' }, 'tracing: trust: expected a boolean or a function, got "yes"'],
  ['an unknown option', { tracers: {} }, 'tracing: tracers: unknown option, did you mean "tracer"?'],
])('OP3: refuses %s', (_, options, message) => {
  expect(() => tracing(options)).toThrow(new TypeError(message))
})
