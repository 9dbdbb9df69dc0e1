import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorkerPool } from '../../src/runtime/node/worker-pool.ts'
import type { WorkerProcess } from '../../src/runtime/node/worker-process.ts'
import { eventually, later } from './wire.ts'

/** A worker that does what it is told, and ends when it is asked to. */
const fakeWorker = (pid: number) => {
  const listening = later<number | undefined>()
  const ended = later<string>()
  listening.promise.catch(() => {})
  const worker = {
    pid,
    lived: 0,
    asked: 0,
    listening: listening.promise,
    ended: ended.promise,
    age: () => worker.lived,
    within: [] as number[],
    clean: true,
    async stop(withinMs: number) {
      worker.asked++
      worker.within.push(withinMs)
      worker.end('by SIGTERM')
      return worker.clean
    },
    listen: () => listening.resolve(80),
    refuse: (why: string) => listening.reject(new Error(why)),
    end(how: string) {
      ended.resolve(how)
      listening.reject(new Error(`ended ${how}`))
    },
  }
  return worker satisfies WorkerProcess
}

/** A pool, of one unless it says otherwise, with all that it has started so far. */
const poolOfOne = (count = 1) => {
  const started: ReturnType<typeof fakeWorker>[] = []
  const pool = createWorkerPool(count, 1000, () => {
    const worker = fakeWorker(started.length + 1)
    started.push(worker)
    return worker
  })
  /** The worker that was started as the n-th. */
  const nth = async (n: number) => {
    await eventually(() => started.length >= n, `worker ${n}`)
    return started[n - 1]!
  }
  return { pool, started, nth }
}

const said: string[] = []
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation((line) => void said.push(line)))
afterEach(() => {
  said.length = 0
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('OP4: a worker whose listen rejects is ended, and the next one starts', async () => {
  const { pool, nth } = poolOfOne()
  const first = await nth(1)
  first.listen()
  expect(await pool.listening).toBe(80)
  first.end('by SIGKILL')
  const second = await nth(2)
  second.refuse('no database')
  const third = await nth(3)
  expect(second.asked).toBe(1)
  third.listen()
  expect(await pool.close(0)).toBe(true)
  expect({ first: first.asked, second: second.asked, third: third.asked }).toEqual({ first: 0, second: 1, third: 1 })
})

test('OP4: a worker that the system does not start is a failure like any other, and the next one is tried', async () => {
  let starts = 0
  const first = fakeWorker(1)
  const third = fakeWorker(3)
  const pool = createWorkerPool(1, 1000, () => {
    starts++
    if (starts === 2) throw new Error('spawn ENOMEM')
    return starts === 1 ? first : third
  })
  first.listen()
  await pool.listening
  first.end('by SIGKILL')
  await eventually(() => starts === 3, 'the third')
  expect(said).toContain('sluice: worker 0 ended at its start (spawn ENOMEM), the next one starts in 200 ms')
  expect(await pool.close(0)).toBe(true)
})

test('OP4: a successor whose listen rejects is ended and forgotten, and its predecessor stays', async () => {
  const { pool, nth } = poolOfOne()
  const first = await nth(1)
  first.listen()
  const renewed = pool.renew()
  const successor = await nth(2)
  successor.refuse('no database')
  await expect(renewed).rejects.toThrow('no database')
  expect({ first: first.asked, successor: successor.asked }).toEqual({ first: 0, successor: 1 })
  await pool.close(0)
  expect({ first: first.asked, successor: successor.asked }).toEqual({ first: 1, successor: 1 })
})

test('OP4: a successor that ends right after it has listened stops the renewal, and the old workers stay', async () => {
  const { pool, nth, started } = poolOfOne(2)
  for (const n of [1, 2]) (await nth(n)).listen()
  await pool.listening
  const renewed = pool.renew()
  const successor = await nth(3)
  successor.listen()
  await turn()
  successor.end('with exit code 1')
  await expect(renewed).rejects.toThrow(
    'listen: workers: worker 3 ended with exit code 1 within 1000 ms after it listened',
  )
  expect(started.map(({ asked }) => asked)).toEqual([0, 0, 0])
  await pool.close(0)
})

test('OP4: a successor that hangs is ended after 30 seconds, and the next renewal is made', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { pool, started } = poolOfOne()
  started[0]!.listen()
  const renewed = pool.renew()
  const refused = expect(renewed).rejects.toThrow('listen: workers: worker 2 does not listen after 30000 ms')
  await vi.advanceTimersByTimeAsync(29_999)
  expect(started.map(({ asked }) => asked)).toEqual([0, 0])
  await vi.advanceTimersByTimeAsync(1)
  await refused
  expect(started.map(({ asked }) => asked)).toEqual([0, 1])

  const again = pool.renew()
  started[2]!.listen()
  await again
  expect(started.map(({ asked }) => asked)).toEqual([1, 1, 0])
  expect(vi.getTimerCount()).toBe(0)
  await pool.close(0)
})

test('OP4: replacing a stable worker resets the count of crashes', async () => {
  const { pool, nth } = poolOfOne()
  const first = await nth(1)
  first.listen()
  first.end('by SIGKILL')
  const second = await nth(2)
  second.end('by SIGKILL')
  const steady = await nth(3)
  steady.listen()
  steady.lived = 5000
  const renewed = pool.renew()
  const successor = await nth(4)
  successor.listen()
  await renewed
  await turn()
  successor.end('by SIGKILL')
  await nth(5)
  expect(said).toEqual(
    [
      [1, 100],
      [2, 200],
      [4, 100],
    ].map(([pid, ms]) => `sluice: worker ${pid} ended by SIGKILL, the next one starts in ${ms} ms`),
  )
  await pool.close(0)
})

test('OP4: a first worker that hangs is a refusal after 30 seconds, and it is ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { pool, started } = poolOfOne()
  const refused = expect(pool.listening).rejects.toThrow('listen: workers: worker 1 does not listen after 30000 ms')
  await vi.advanceTimersByTimeAsync(29_999)
  expect(started[0]!.asked).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  await refused
  expect(started[0]!.asked).toBe(1)
  await pool.close(0)
})

test('OP4: a later worker that hangs is ended after 30 seconds, the log says so, and the next one starts', async () => {
  const { pool, nth, started } = poolOfOne()
  const first = await nth(1)
  first.listen()
  first.lived = 5000
  await pool.listening
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  first.end('by SIGKILL')
  // `eventually` waits by a timer
  while (started.length < 2) await turn()
  await vi.advanceTimersByTimeAsync(30_000)
  while (started.length < 3) await turn()
  expect(started.map(({ asked }) => asked)).toEqual([0, 1, 0])
  expect(said.at(-1)).toBe(
    'sluice: worker 2 ended by SIGTERM, as it did not listen within 30000 ms, the next one starts in 100 ms',
  )
  await pool.close(0)
})

test('OP4: workers that boot for longer than five seconds and fail then are failures like any other: the fifth is the last', async () => {
  const { pool, nth, started } = poolOfOne()
  const first = await nth(1)
  first.listen()
  first.lived = 5000
  await pool.listening
  first.end('by SIGKILL')
  for (let n = 2; n <= 6; n++) {
    const next = await nth(n)
    next.lived = 10_000
    next.refuse('no database')
  }
  expect((await pool.failed).message).toBe(
    'listen: workers: 5 workers in a row did not listen or ended within 5000 ms after that, the last one by SIGTERM',
  )
  expect(started).toHaveLength(6)
})

test('OP4: a renewal replaces one worker after the other: the second stays until its own successor listens', async () => {
  const { pool, nth, started } = poolOfOne(2)
  for (const n of [1, 2]) (await nth(n)).listen()
  await pool.listening
  const renewed = pool.renew()
  const third = await nth(3)
  await turn()
  expect(started).toHaveLength(3)
  expect(started.map(({ asked }) => asked)).toEqual([0, 0, 0])
  third.listen()
  const fourth = await nth(4)
  expect(started.map(({ asked }) => asked)).toEqual([1, 0, 0, 0])
  fourth.listen()
  await renewed
  expect(started.map(({ asked }) => asked)).toEqual([1, 1, 0, 0])
  // The grace of the pool and two seconds
  expect(started[0]!.within).toEqual([3000])
  await pool.close(0)
})

test('OP4: a close gives each worker its grace and two seconds, says whether all ended well, and starts no other', async () => {
  for (const clean of [true, false]) {
    const { pool, nth, started } = poolOfOne(2)
    for (const n of [1, 2]) (await nth(n)).listen()
    await pool.listening
    started[1]!.clean = clean
    expect(await pool.close(500)).toBe(clean)
    expect(started.map(({ within }) => within)).toEqual([[2500], [2500]])
    await turn()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(started).toHaveLength(2)
  }
  expect(said).toEqual([])
})

test('OP4: a close during a renewal ends the successor, and the renewal is no failure', async () => {
  const { pool, nth, started } = poolOfOne()
  const first = await nth(1)
  first.listen()
  await pool.listening
  const renewed = pool.renew()
  await nth(2)
  await pool.close(0)
  await renewed
  expect(started.every(({ asked }) => asked >= 1)).toBe(true)
})
