import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { type HealthOptions, health } from '../src/health.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank } from '../src/kernel/plan.ts'
import { pipe } from '../src/pipe.ts'
import { problemJson } from '../src/problem-json.ts'
import { drainSignal } from '../src/signal.ts'
import { createApp as createTinyApp } from '../src/tiny.ts'

const never = () => new Promise(() => {})

let log: MockInstance
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => log.mockRestore())

const doors: [string, (options: HealthOptions) => (path: string) => Promise<Response>][] = [
  ['createApp', (options) => (path) => health(options)(createApp()).request(path)],
  ['tiny', (options) => async (path) => health(options)(createTinyApp()).fetch(new Request(`http://h${path}`))],
  ['pipe', (options) => async (path) => pipe(blank, health(options), toFetch)(new Request(`http://h${path}`))],
]

describe.each(doors)('OP1: health through %s', (_, door) => {
  const ask = async (options: HealthOptions, path = '/readyz') => {
    let time = 0
    const now = () => {
      time += 3
      return time
    }
    const response = await door({ now, ...options })(path)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('retry-after')).toBeNull()
    return { status: response.status, body: await response.json() }
  }
  const ok = { status: 'ok', durationMs: 3 }

  test('OP1: without checks both paths answer that all is well', async () => {
    for (const path of ['/livez', '/readyz'])
      expect(await ask({}, path)).toEqual({ status: 200, body: { status: 'ok', checks: {} } })
  })

  test('OP1: paths of your own', async () => {
    const options = { livePath: '/health/live', readyPath: '/health/ready' }
    for (const path of Object.values(options)) expect((await ask(options, path)).status).toBe(200)
    expect((await door(options)('/livez')).status).toBe(404)
  })

  test.each<[string, any, object]>([
    ['gives nothing', () => {}, ok],
    ['gives true, late', async () => true, ok],
    ['gives false', () => false, { status: 'failed', durationMs: 3 }],
    [
      'throws',
      () => {
        throw new Error('password=1')
      },
      { status: 'failed', durationMs: 3 },
    ],
    ['rejects with no error', () => Promise.reject(null), { status: 'failed', durationMs: 3 }],
    ['hangs', { check: never, timeoutMs: 5 }, { status: 'timed out', durationMs: 3 }],
    [
      'hangs, and rejects when it is told to stop',
      {
        check: (signal: AbortSignal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
        timeoutMs: 5,
      },
      { status: 'timed out', durationMs: 3 },
    ],
  ])('OP1: a check that %s', async (_, check, expected) => {
    const fine = 'ok' === (expected as { status: string }).status
    for (const [path, kind] of [
      ['/readyz', 'ready'],
      ['/livez', 'live'],
    ] as const)
      expect(await ask({ [kind]: { database: check } }, path)).toEqual(
        fine
          ? { status: 200, body: { status: 'ok', checks: { database: expected } } }
          : {
              status: 503,
              body: { error: 'Service Unavailable', code: `not_${kind}`, checks: { database: expected } },
            },
      )
  })

  test('OP1: the answer names what failed beside what works, and what readiness needs is not asked for liveness', async () => {
    const options: HealthOptions = { ready: { cache: () => {}, queue: () => false } }
    const {
      status,
      body: { checks },
    } = await ask(options)
    expect({ status, cache: checks.cache.status, queue: checks.queue.status }).toEqual({
      status: 503,
      cache: 'ok',
      queue: 'failed',
    })
    expect(await ask(options, '/livez')).toEqual({ status: 200, body: { status: 'ok', checks: {} } })
  })

  test('OP1: both outcomes are JSON', async () => {
    for (const ready of [{}, { queue: () => false }] as HealthOptions['ready'][]) {
      const response = await door({ ready: ready! })('/readyz')
      expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
    }
  })

  test('OP1: checks run together', async () => {
    let met = 0
    const both: (() => void)[] = []
    const meet = () =>
      new Promise<void>((resolve) => {
        both.push(resolve)
        if (++met === 2) for (const go of both) go()
      })
    expect((await ask({ ready: { a: meet, b: meet } })).status).toBe(200)
  })

  test('OP1: readiness fails as soon as a drain of your own begins, also one that begins while checks run', async () => {
    const drain = new AbortController()
    const check = vi.fn(() => drain.abort())
    const options = { ready: { check }, draining: drain.signal }
    const draining = { error: 'Service Unavailable', code: 'draining' }
    expect(await ask(options)).toEqual({ status: 503, body: { ...draining, checks: { check: ok } } })
    expect(await ask(options)).toEqual({ status: 503, body: { ...draining, checks: {} } })
    expect(check).toHaveBeenCalledOnce()
    expect((await ask(options, '/livez')).status).toBe(200)
  })
})

test('OP1: probes that come while a check runs wait for the same run', async () => {
  const gates: (() => void)[] = []
  const check = vi.fn(() => new Promise<void>((resolve) => void gates.push(resolve)))
  const app = health({ ready: { check } })(createApp())
  const probes = Array.from({ length: 20 }, () => app.request('/readyz'))
  await vi.waitFor(() => expect(gates).toHaveLength(1))
  gates[0]!()
  expect((await Promise.all(probes)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  const next = app.request('/readyz')
  await vi.waitFor(() => expect(gates).toHaveLength(2))
  gates[1]!()
  expect((await next).status).toBe(200)
})

test('OP1: the platform is asked to wait for checks, which other probes may wait for', async () => {
  const app = health({ ready: { check: () => new Promise((resolve) => setTimeout(resolve)) } })(createApp())
  const waitUntil = vi.fn()
  await app.fetch(new Request('http://x/readyz'), {}, { waitUntil })
  expect(waitUntil.mock.calls).toEqual([[expect.any(Promise)]])
})

test('OP1: a check without a limit of its own has two seconds', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const app = health({ ready: { quick: () => {}, own: { check: () => {}, timeoutMs: 777 } } })(createApp())
  await app.request('/readyz')
  const limits = timers.mock.calls.map(([, delay]) => delay)
  timers.mockRestore()
  expect(limits).toEqual([2000, 777])
})

test('OP1: the error of a check that begins to fail is logged once, until it has worked again, and never sent', async () => {
  let works = false
  const ready = { database: async () => works || Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1')) }
  const app = health({ ready })(createApp())
  const bodies: string[] = []
  for (works of [false, false, true, false]) bodies.push(await (await app.request('/readyz')).text())
  const line = expect.objectContaining({
    message: 'health: database fails',
    cause: new Error('connect ECONNREFUSED 10.0.0.1'),
  })
  expect(log.mock.calls).toEqual([[line], [line]])
  expect(bodies.join()).not.toContain('10.0.0.1')
})

test('OP1: a check that continues after its time limit was told to stop, and is started again', async () => {
  const signals: AbortSignal[] = []
  const check = (signal: AbortSignal) => signals.push(signal) > 1 || never()
  const app = health({ ready: { database: { check, timeoutMs: 1 } } })(createApp())
  expect((await app.request('/readyz')).status).toBe(503)
  expect((await app.request('/readyz')).status).toBe(200)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('OP1: a refusal has the form of the application', async () => {
  const app = health({ ready: { queue: () => false } })(createApp({ ...problemJson() }))
  const response = await app.request('/readyz')
  expect({ status: response.status, 'content-type': response.headers.get('content-type') }).toEqual({
    status: 503,
    'content-type': 'application/problem+json',
  })
  expect(await response.json()).toMatchObject({ status: 503, code: 'not_ready' })
})

test('OP1: HEAD has the status and no body; probes are in no OpenAPI document', async () => {
  const app = health()(createApp())
  const response = await app.request('/readyz', { method: 'HEAD' })
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' })
  const { openapi } = await import('../src/openapi.ts')
  expect(openapi(app, { info: { title: 'x', version: '1' } }).paths).toEqual({})
})

test('OP1: without a server that announces its drain, the drain signal never aborts', () => {
  expect({
    withoutExecution: drainSignal({ execution: undefined }).aborted,
    emptyExecution: drainSignal({ execution: {} }).aborted,
  }).toEqual({
    withoutExecution: false,
    emptyExecution: false,
  })
})

test.each<[string, any, string]>([
  ['an invalid check', { ready: { a: 1 } }, 'health: ready: a: expected a function, got 1'],
  [
    'a time of 0',
    { timeoutMs: 0 },
    'health: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 0',
  ],
  [
    'a time of a check',
    { live: { a: { check: never, timeoutMs: '1s' } } },
    'health: live: a: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got "1s"',
  ],
  [
    'a time that no timer has',
    { timeoutMs: 2 ** 31 },
    'health: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 2147483648',
  ],
  [
    'a time of a check that no timer has',
    { ready: { a: { check: never, timeoutMs: 2 ** 31 } } },
    'health: ready: a: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 2147483648',
  ],
  ['no checks', { ready: null }, 'health: ready: expected a plain object of checks, got null'],
  ['a check in place of checks', { ready: () => 1 }, 'health: ready: expected an object, got () => 1'],
  ['a map of checks', { live: new Map() }, 'health: live: expected a plain object of checks, got {}'],
  ['an invalid signal', { draining: {} }, 'health: draining: expected an AbortSignal, got {}'],
  ['no signal', { draining: null }, 'health: draining: expected an AbortSignal, got null'],
  [
    'one path for both',
    { livePath: '/health', readyPath: '/health' },
    'health: readyPath: expected another path than livePath, got "/health"',
  ],
  ['a live path', { livePath: 'livez' }, 'health: livePath: expected a path such as "/readyz", got "livez"'],
  ['a ready path', { readyPath: 'readyz' }, 'health: readyPath: expected a path such as "/readyz", got "readyz"'],
  ['an unknown option', { liveness: {} }, 'health: liveness: unknown option, did you mean "live"?'],
])('OP1: refuses %s', (_, options, message) => {
  expect(() => health(options)).toThrow(new TypeError(message))
})
