import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clientKey } from '../../src/client-address.ts'
import { cache } from '../../src/middleware/cache.ts'
import { except } from '../../src/middleware/combine.ts'
import { compression } from '../../src/middleware/compression.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { deprecation } from '../../src/middleware/deprecation.ts'
import { ipRestriction } from '../../src/middleware/ip-restriction.ts'
import { loadShedding } from '../../src/middleware/load-shedding.ts'
import { logger } from '../../src/middleware/logger.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { requestId } from '../../src/middleware/request-id.ts'
import { serverTiming } from '../../src/middleware/server-timing.ts'
import { session } from '../../src/middleware/session.ts'
import { trustedProxy } from '../../src/middleware/trusted-proxy.ts'
import { problemJson } from '../../src/problem-json.ts'
import { proxy } from '../../src/proxy.ts'
import { text } from '../../src/respond/text.ts'
import { serversOf } from '../../src/runtime/platform/servers.ts'
import { memoryRateLimit } from '../../src/stores/memory-rate-limit.ts'
import { memorySession } from '../../src/stores/memory-session.ts'
import { tracing } from '../../src/tracing.ts'
import { doors, type Setup } from '../harness.ts'
import { watchUnhandled } from '../unhandled.ts'

const unhandled = watchUnhandled()
const errors = vi.spyOn(console, 'error')
const log = vi.fn()
const startSpan = vi.fn()
beforeEach(() => {
  vi.clearAllMocks()
  errors.mockImplementation(() => {})
  startSpan.mockReturnValue({ isRecording: () => false, spanContext: () => ({}) })
})

type Callback = () => any // any: it stands for callbacks of every type
const secret = 'of thirty-two characters or more'
const reject: Callback = async () => {
  throw new Error('rejected')
}
const FAILING = [
  ['rejects', reject],
  [
    'throws',
    () => {
      throw new Error('rejected')
    },
  ],
] as const
/** The error of the callback was printed, once, and did not end the process. */
const expectReported = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(errors.mock.calls.flat().map(String)).toEqual(['Error: rejected'])
  expect(unhandled).not.toHaveBeenCalled()
}
const say =
  (value: unknown): Callback =>
  async () =>
    value
const tracer: any = { startSpan } // any: only what is called
const count = { max: 1, windowMs: 1000, keyGenerator: () => 'a' }
const sessionWith = (store: Callback): NonNullable<Setup['use']> => [
  session({ secret, store }),
  (ctx, next) => {
    ctx.state.session.user = 1
    return next()
  },
]

const ask = (path = '/a', method = 'GET'): Request =>
  new Request(`http://localhost${path}`, {
    method,
    headers: { 'accept-encoding': 'gzip', 'x-request-id': 'sent', 'idempotency-key': 'once' },
  })
const page = (): Response => text('x'.repeat(2000))
const routes: NonNullable<Setup['routes']> = [['*', '/a', page]]

/** A callback, and the middleware or the application that calls it. */
const callbacks: readonly (readonly [string, (callback: Callback) => Setup, method?: string])[] = [
  ['cache key', (key) => ({ use: [cache({ key, maxAge: 9 })], routes })],
  ['compression filter', (filter) => ({ use: [compression({ filter })], routes })],
  ['csrf ignore', (ignore) => ({ use: [csrf({ secret, ignore })], routes }), 'POST'],
  ['deprecation when', (when) => ({ use: [deprecation({ since: new Date(0), when })], routes })],
  ['except', (exempt) => ({ use: [except(exempt, () => text('guarded', 403))], routes })],
  ['loadShedding skip', (skip) => ({ use: [loadShedding({ maxConcurrent: 1, skip })], routes })],
  ['proxy headers', (headers) => ({ routes: [['*', '/a', proxy('http://127.0.0.1:9', { headers })]] })],
  ['rateLimiter store', (store) => ({ use: [rateLimiter({ ...count, store })], routes })],
  ['requestId create', (create) => ({ use: [requestId({ create })], routes })],
  ['requestId trust', (trust) => ({ use: [requestId({ trust })], routes })],
  ['serverTiming enabled', (enabled) => ({ use: [serverTiming({ enabled })], routes })],
  ['session store', (store) => ({ use: sessionWith(store), routes })],
]

describe.each(doors)('F5 callbacks that are asynchronous, %s', (_, door) => {
  const cases = callbacks.map(([name, setup, method = 'GET']) => [name, setup, method] as const)
  test.each(cases)('%s that rejects gives 500, and no rejection is unhandled', async (_, setup, method) => {
    const response = await door(setup(reject))(ask('/a', method))
    await response.text()
    expect(response.status).toBe(500)
    expect(errors.mock.calls.flat().map(String)).toEqual(['Error: rejected'])
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(unhandled).not.toHaveBeenCalled()
  })

  test.each([
    ['skip', { skip: reject }],
    ['format', { format: reject }],
    ['log', { log: reject }],
  ])('logger: %s that rejects is reported, and the response is sent', async (_, options) => {
    const response = await door({ use: [logger({ log, ...options })], routes })(ask())
    expect(response.status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(errors.mock.calls.flat().map(String)).toEqual(['Error: rejected'])
    expect({ log: log.mock.calls, unhandled: unhandled.mock.calls }).toEqual({ log: [], unhandled: [] })
  })

  test.each([
    ['logs unless skip resolves to true', { skip: say(false) }, [['GET /a 200 0ms']]],
    ['logs nothing if skip resolves to true', { skip: say(true) }, []],
    ['logs what format resolves to', { format: say('a line') }, [['a line']]],
  ])('logger %s', async (_, options, lines) => {
    await door({ use: [logger({ log, now: () => 1, ...options })], routes })(ask())
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(log.mock.calls).toEqual(lines)
  })

  test('problemJson: type that rejects gives the default format', async () => {
    const fetch = door({ ...problemJson({ type: reject }), routes: [['GET', '/a', reject]] })
    const response = await fetch(ask())
    expect({ status: response.status, json: await response.json() }).toEqual({
      status: 500,
      json: { error: 'Internal Server Error' },
    })
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(unhandled).not.toHaveBeenCalled()
  })

  const heads: readonly (readonly [string, Callback, unknown, object])[] = [
    ['compression filter', say(false), 200, { 'content-encoding': undefined }],
    ['compression filter', say(true), 200, { 'content-encoding': 'gzip' }],
    ['csrf ignore', say(false), 403, {}],
    ['csrf ignore', say(true), 200, {}],
    ['deprecation when', say(false), 200, { deprecation: undefined }],
    ['deprecation when', say(true), 200, { deprecation: '@0' }],
    ['except', say(false), 403, {}],
    ['except', say(true), 200, {}],
    ['rateLimiter store', say(memoryRateLimit()), 200, { 'ratelimit-remaining': '0' }],
    ['requestId create', say('made'), 200, { 'x-request-id': 'made' }],
    ['requestId trust', say(true), 200, { 'x-request-id': 'sent' }],
    ['requestId trust', say(false), 200, { 'x-request-id': expect.stringMatching(/^.{36}$/) }],
    ['serverTiming enabled', say(false), 200, { 'server-timing': undefined }],
    ['serverTiming enabled', say(true), 200, { 'server-timing': expect.stringContaining('total') }],
    ['session store', say(memorySession()), 200, { 'set-cookie': expect.stringContaining('session=') }],
  ]
  test.each(heads)('%s is awaited: %o gives %i', async (name, callback, status, fields) => {
    const [, setup, method] = callbacks.find(([known]) => known === name)!
    const response = await door(setup(callback))(ask('/a', method))
    expect(response.status).toBe(status)
    for (const [field, value] of Object.entries(fields)) expect(response.headers.get(field) ?? undefined).toEqual(value)
  })

  const asked = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-host': 'evil.example' }
  const trusting: readonly (readonly [string, string, (trustProxy: Callback) => Setup])[] = [
    ['ipRestriction', 'clientAddress', (trustProxy) => ({ use: [ipRestriction({ allow: ['10.0.0.1'], trustProxy })] })],
    [
      'rateLimiter',
      'clientAddress',
      (trustProxy) => ({ use: [rateLimiter({ ...count, keyGenerator: clientKey({ trustProxy }) })] }),
    ],
    ['trustedProxy', 'trustedProxy', (trustProxy) => ({ use: [trustedProxy({ trustProxy })] })],
    ['proxy', 'proxy', (trustProxy) => ({ routes: [['*', '/a', proxy('http://127.0.0.1:9', { trustProxy })]] })],
  ]
  test.each(trusting)(
    'F8, P17: %s believes no header for a trustProxy that is asynchronous',
    async (_, name, setup) => {
      for (const trust of [say(false), reject]) {
        const fetch = door({ routes, ...setup(trust) })
        const response = await fetch(new Request('http://localhost/a', { headers: asked }), {}, { peer: '192.0.2.1' })
        expect(response.status).toBe(500)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
      const refused = `TypeError: ${name}: trustProxy: expected a boolean, got "a promise"`
      const reported = errors.mock.calls.flat().map(String)
      expect(reported.toSorted()).toEqual(['Error: rejected', refused, refused])
      expect(unhandled).not.toHaveBeenCalled()
    },
  )

  test.each([
    [false, 503],
    [true, 200],
  ])('loadShedding awaits skip: %s gives %i under load', async (skipped, status) => {
    const fetch = door({ use: [loadShedding({ maxHeap: 1, heap: () => 2, skip: say(skipped) })], routes })
    expect((await fetch(ask())).status).toBe(status)
  })

  test('cache awaits key and tags', async () => {
    const work = vi.fn(page)
    const kept = cache({ key: say('one'), tags: say(['tag']), maxAge: 9 })
    const fetch = door({ use: [kept], routes: [['GET', '/a', work]] })
    for (const path of ['/a', '/a?again']) expect((await fetch(path)).status).toBe(200)
    expect(work).toHaveBeenCalledTimes(1)
    await kept.purge('tag')
    await fetch('/a')
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('cache sends a response whose tags reject as an error', async () => {
    const fetch = door({ use: [cache({ tags: reject, maxAge: 9 })], routes })
    expect((await fetch('/a')).status).toBe(500)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('session awaits onConflict', async () => {
    const store = memorySession()
    const write = vi.spyOn(store, 'replace').mockResolvedValueOnce(false)
    const use = [session({ secret, store, onConflict: async (_loaded, mine) => ({ ...mine, merged: true }) })]
    const fetch = door({
      use,
      routes: [
        ['GET', '/a', (ctx) => text(`${Object.keys(Object.assign(ctx.state.session, { [ctx.query.get('k')]: 1 }))}`)],
      ],
    })
    const cookie = `${(await fetch('/a?k=a')).headers.get('set-cookie')}`.split(';')[0]!
    await fetch(new Request('http://localhost/a?k=b', { headers: { cookie } }))
    expect(write).toHaveBeenCalledTimes(2)
    expect(await (await fetch(new Request('http://localhost/a?k=c', { headers: { cookie } }))).text()).toBe(
      'a,b,merged,c',
    )
  })
})

test.each(doors)('F5 tracing: trust that rejects trusts nobody and is reported, %s', async (_, door) => {
  const fetch = door({ use: [tracing({ tracer, trust: reject })], routes })
  expect((await fetch(ask())).status).toBe(200)
  await expectReported()
})

test.each(FAILING)('F5 listen: a callback that %s is reported, and the server serves', async (_, callback) => {
  const close = async (): Promise<void> => {}
  const serve = async () => ({ port: 1, hostname: '', url: 'http://a', close, [Symbol.asyncDispose]: close })
  const servers = serversOf(async () => ({ serve }))
  expect((await servers.listen({ fetch: page, close } as never, {}, callback)).url).toBe('http://a')
  await expectReported()
})
