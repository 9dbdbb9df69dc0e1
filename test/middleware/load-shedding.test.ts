import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type LoadSheddingOptions, loadShedding } from '../../src/middleware/load-shedding.ts'
import { text } from '../../src/respond/text.ts'
import { heapUsed as onEdge } from '../../src/runtime/edge/core.ts'
import { heapUsed as onNode } from '../../src/runtime/node/core.ts'
import { doors } from '../harness.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe.each(doors)('MX12: loadShedding through %s', (_, door) => {
  const make = (options: LoadSheddingOptions, handler: (ctx: any) => any = () => text('x')) =>
    door({ use: [loadShedding({ heap: () => 0, ...options })], routes: [['GET', '/*', handler]] })

  test('MX12: as many at once as allowed, and room again when one has answered or failed', async () => {
    const gates: { resolve: (response: Response) => void; reject: (error: Error) => void }[] = []
    const fetch = make(
      { maxConcurrent: 2, retryAfter: 3 },
      () => new Promise((resolve, reject) => void gates.push({ resolve, reject })),
    )
    const running = [fetch('/'), fetch('/')]
    await settle()
    const refused = await fetch('/')
    expect({
      status: refused.status,
      'retry-after': refused.headers.get('retry-after'),
      json: await refused.json(),
    }).toEqual({ status: 503, 'retry-after': '3', json: { error: 'Service Unavailable' } })
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    gates[0]!.reject(new Error('x'))
    gates[1]!.resolve(text('y'))
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([500, 200])
    log.mockRestore()
    const next = [fetch('/'), fetch('/')]
    await settle()
    expect({ gatesLength: gates.length, status: (await fetch('/')).status }).toEqual({ gatesLength: 4, status: 503 })
    for (const { resolve } of gates) resolve(text('z'))
    expect((await Promise.all(next)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('MX12: a handler that throws at once makes room again', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fetch = make({ maxConcurrent: 1 }, () => {
      throw new Error('x')
    })
    for (let turn = 0; turn < 3; turn++) expect((await fetch('/')).status).toBe(500)
    log.mockRestore()
    const step = loadShedding({ maxConcurrent: 1 }) as unknown as (ctx: object, next: () => unknown) => unknown
    for (let turn = 0; turn < 3; turn++)
      expect(() =>
        step({}, () => {
          throw new Error('at once')
        }),
      ).toThrow('at once')
  })

  test('MX12: Retry-After is 10 seconds', async () => {
    const fetch = make({ maxHeap: 1, heap: () => 2 })
    expect((await fetch('/')).headers.get('retry-after')).toBe('10')
  })

  test('MX12: handlers that do not wait never count together', async () => {
    const fetch = make({ maxConcurrent: 1 })
    for (let turn = 0; turn < 3; turn++) expect((await fetch('/')).status).toBe(200)
  })

  test('MX12: both sides of the delay of the event loop, seen by the timer or before it runs', async () => {
    let time = 0
    const fetch = make({ maxEventLoopDelay: 50, now: () => time })
    expect((await fetch('/')).status).toBe(200)
    time = 150
    expect((await fetch('/')).status).toBe(200)
    time = 151
    expect((await fetch('/')).status).toBe(503)
    vi.advanceTimersByTime(100)
    expect((await fetch('/')).status).toBe(503)
    time = 251
    vi.advanceTimersByTime(100)
    expect((await fetch('/')).status).toBe(200)
  })

  test('MX12: measuring the event loop stops when it is not used', async () => {
    const fetch = make({ maxEventLoopDelay: 50 })
    expect(vi.getTimerCount()).toBe(0)
    await fetch('/')
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(60_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('MX12: both sides of the heap, which is looked at ten times a second', async () => {
    let time = 0
    let used = 100
    let looks = 0
    const heap = () => {
      looks++
      return used
    }
    const fetch = make({ maxHeap: 100, heap, now: () => time })
    expect((await fetch('/')).status).toBe(200)
    used = 101
    expect((await fetch('/')).status).toBe(200)
    time = 100
    expect({ status: (await fetch('/')).status, looks }).toEqual({ status: 503, looks: 2 })
  })

  test.each([Number.NaN, undefined, Promise.resolve(1)])('MX12: a heap of %s lets nobody pass', async (size) => {
    expect((await make({ maxHeap: 1, heap: () => size as number })('/')).status).toBe(503)
  })

  test('MX12: a health check passes', async () => {
    const fetch = make({ maxHeap: 1, heap: () => 2, skip: ({ path }) => path === '/health' })
    expect({ health: (await fetch('/health')).status, other: (await fetch('/')).status }).toEqual({
      health: 200,
      other: 503,
    })
  })
})

test('MX12: Node tells its heap, the edge does not', () => {
  expect(onNode!()).toBeGreaterThan(1_000_000)
  expect(onEdge).toBeUndefined()
})

test.each<[string, any, RegExp]>([
  ['no limit', {}, /^loadShedding: maxConcurrent: expected one limit or more/],
  [
    'a limit of 0',
    { maxConcurrent: 0 },
    /^loadShedding: maxConcurrent: expected a whole number of requests from 1, got 0$/,
  ],
  [
    'a delay',
    { maxEventLoopDelay: '50ms', heap: () => 0 },
    /^loadShedding: maxEventLoopDelay: expected a whole number of milli/,
  ],
  [
    'a heap',
    { maxHeap: '1 GB', heap: () => 0 },
    /^loadShedding: maxHeap: expected a whole number of bytes from 1, got "1 GB"$/,
  ],
  [
    'a delay of 0',
    { maxEventLoopDelay: 0 },
    /^loadShedding: maxEventLoopDelay: expected a whole number of milliseconds from 1/,
  ],
  [
    'a time',
    { maxConcurrent: 1, retryAfter: -1 },
    /^loadShedding: retryAfter: expected a whole number of seconds from 0/,
  ],
  [
    'an unknown option',
    { maxConcurrency: 1 },
    /^loadShedding: maxConcurrency: unknown option, did you mean "maxConcurrent"/,
  ],
])('MX12: refuses %s', (_, options, message) => {
  expect(() => loadShedding(options)).toThrow(message)
})
