import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { supervise } from '../../src/runtime/node/supervisor.ts'
import type { WorkerPool } from '../../src/runtime/node/worker-pool.ts'
import { later } from './wire.ts'

/** The pool that the next supervisor gets, and what it has done. */
const fake = vi.hoisted(() => ({ pool: undefined as unknown, created: [] as unknown[][] }))

vi.mock('../../src/runtime/node/worker-pool.ts', () => ({
  createWorkerPool: (...given: unknown[]) => {
    fake.created.push(given)
    return fake.pool
  },
}))

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT'] as const
const listening = () => SIGNALS.map((name) => process.listenerCount(name))
/** What a signal calls that came after those of the test runner. */
const receive = (name: (typeof SIGNALS)[number]) => process.listeners(name).at(-1)!(name)

const setUp = (clean = true) => {
  const { promise: port, ...listens } = later<number | undefined>()
  const { promise: failed, ...breaks } = later<Error>()
  const closes: number[] = []
  const renewals: ReturnType<typeof later<void>>[] = []
  const pool: WorkerPool = {
    listening: port,
    failed,
    renew: () => {
      renewals.push(later<void>())
      return renewals.at(-1)!.promise
    },
    close: async (graceMs) => {
      closes.push(graceMs)
      return clean
    },
  }
  fake.pool = pool
  fake.created.length = 0
  return { listens, breaks, closes, renewals }
}

let before: number[]
const logged: unknown[] = []
beforeEach(() => {
  before = listening()
  vi.spyOn(process, 'exit').mockImplementation((() => {}) as never)
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  logged.length = 0
  process.exitCode = undefined
  for (const [index, name] of SIGNALS.entries())
    for (const listener of process.listeners(name).slice(before[index])) process.off(name, listener)
})

test.each([
  ['as many workers as there are cores, with a grace of ten seconds', {}, [availableParallelism(), 10_000]],
  ['the given number and grace', { workers: 3, graceMs: 5 }, [3, 5]],
])('OP4: the supervisor starts %s', async (_, options, expected) => {
  const { listens, closes } = setUp()
  listens.resolve(80)
  const handle = await supervise(options, undefined)
  expect({ created: fake.created, port: handle.port }).toEqual({ created: [expected], port: 80 })
  await handle.close()
  expect({ closes, exitCode: process.exitCode, left: listening() }).toEqual({
    closes: [expected[1]],
    exitCode: undefined,
    left: before,
  })
})

test('OP4: a second server with workers in one process is refused', async () => {
  setUp()
  const workers = cluster.workers as Record<string, unknown>
  workers.other = {}
  try {
    await expect(supervise({ workers: 2 }, undefined)).rejects.toThrow('listen: workers: expected one server')
  } finally {
    delete workers.other
  }
  expect(fake.created).toEqual([])
})

test('OP4: where there are no workers at all, there is no other server', async () => {
  const { workers } = cluster
  Object.assign(cluster, { workers: undefined })
  try {
    setUp().listens.resolve(80)
    await (await supervise({}, undefined)).close()
  } finally {
    Object.assign(cluster, { workers })
  }
})

test('OP4: workers that do not listen are ended at once, and no signal is waited for', async () => {
  const { listens, closes } = setUp()
  const started = supervise({}, undefined)
  expect(listening()).toEqual(before.map((count) => count + 1))
  listens.reject(new Error('no database'))
  await expect(started).rejects.toThrow('no database')
  expect({ closes, left: listening() }).toEqual({ closes: [0], left: before })
})

test.each([
  [true, 0],
  [false, 1],
])(
  'OP4: a signal while workers start lets them finish, and ends the process: clean %s, code %i',
  async (clean, code) => {
    const { listens, closes } = setUp(clean)
    const started = vi.fn()
    const failed = vi.fn()
    supervise({ graceMs: 7 }, undefined).then(started, failed)
    receive('SIGTERM')
    expect(listening()).toEqual([before[0]! + 1, before[1], before[2]])
    await turn()
    expect(closes).toEqual([7])
    expect(vi.mocked(process.exit)).toHaveBeenCalledExactlyOnceWith(code)
    listens.reject(new Error('ended'))
  },
)

test('OP4: a start that fails after a signal waits for the workers that the signal ends', async () => {
  const { listens } = setUp()
  const order: string[] = []
  const ends = later<boolean>()
  ;(fake.pool as { close: WorkerPool['close'] }).close = (graceMs) => {
    order.push(`close ${graceMs}`)
    return graceMs ? ends.promise : Promise.resolve(true)
  }
  const started = supervise({ graceMs: 7 }, undefined).catch(() => void order.push('failed'))
  receive('SIGINT')
  listens.reject(new Error('ended'))
  await turn()
  expect(order).toEqual(['close 7'])
  ends.resolve(true)
  await started
  expect(order).toEqual(['close 7', 'close 0', 'failed'])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'OP4: %s closes the application, and ends the process with 0',
  async (name) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { listens, closes } = setUp()
    listens.resolve(80)
    const close = vi.fn(async () => {})
    await supervise({}, { close } as never)
    await receive(name)
    expect({ calls: close.mock.calls.length, closes }).toEqual({ calls: 1, closes: [] })
    // A SIGHUP that comes now does not end the process
    expect(listening()[0]).toBe(before[0]! + 2)
    vi.advanceTimersByTime(1000)
    expect(vi.mocked(process.exit)).toHaveBeenCalledExactlyOnceWith()
    expect(process.exitCode).toBe(undefined)
  },
)

test('OP4: without an application, SIGTERM closes the server; a worker that does not end by itself makes it a 1', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { listens, closes } = setUp(false)
  listens.resolve(80)
  await supervise({ graceMs: 7 }, undefined)
  await receive('SIGTERM')
  expect({ closes, exitCode: process.exitCode }).toEqual({ closes: [7], exitCode: 1 })
  expect(listening().slice(1)).toEqual(before.slice(1))
})

test('OP4: workers that fail again and again close the server, and the process ends with 1', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { listens, breaks, closes } = setUp()
  listens.resolve(80)
  await supervise({ graceMs: 7 }, undefined)
  const error = new Error('5 workers in a row')
  breaks.resolve(error)
  await vi.waitFor(() => expect(closes).toEqual([7]))
  expect({ logged, exitCode: process.exitCode }).toEqual({ logged: [error], exitCode: 1 })
})

test('OP4: a SIGHUP waits until the workers listen; those that come during a renewal are one more', async () => {
  const { listens, renewals } = setUp()
  const started = supervise({}, undefined)
  const renew = process.listeners('SIGHUP').at(-1)!
  void renew('SIGHUP')
  await turn()
  expect(renewals).toHaveLength(0)
  listens.resolve(80)
  const handle = await started
  await turn()
  expect(renewals).toHaveLength(1)
  void renew('SIGHUP')
  void renew('SIGHUP')
  await turn()
  expect(renewals).toHaveLength(1)
  renewals[0]!.reject(new Error('no memory'))
  await turn()
  expect({ count: renewals.length, logged }).toEqual({
    count: 2,
    logged: ['sluice: the rolling restart has ended early: no memory'],
  })
  renewals[1]!.resolve()
  await turn()
  expect(renewals).toHaveLength(2)
  void renew('SIGHUP')
  await turn()
  expect(renewals).toHaveLength(3)
  await handle.close()
})
