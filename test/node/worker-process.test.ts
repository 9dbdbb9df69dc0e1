import cluster from 'node:cluster'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveByWorkers } from '../../src/runtime/node/cluster.ts'
import { failedWorker, LEAVE, startWorker } from '../../src/runtime/node/worker-process.ts'

/** A worker as `cluster.fork` gives it, with what it was told. */
class FakeWorker extends EventEmitter {
  connected = true
  readonly told: unknown[] = []
  readonly process = Object.assign(new EventEmitter(), {
    pid: 7 as number | undefined,
    exitCode: null as number | null,
    kill: (signal: string) => void this.told.push(signal),
    send: () => true,
  })
  isConnected = () => this.connected
  send = (message: unknown) => void this.told.push(message)
  says = (sluice: unknown) => this.emit('message', { sluice })
  exits(code: number | null, signal: string | null = null) {
    this.process.exitCode = code
    this.emit('exit', code, signal)
  }
}

let fake: FakeWorker
beforeEach(() => {
  fake = new FakeWorker()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(cluster, 'fork').mockReturnValue(fake as never)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each<[string, (worker: FakeWorker) => void, string]>([
  ['with a code', (worker) => worker.exits(3), 'with exit code 3'],
  ['by a signal', (worker) => worker.exits(null, 'SIGKILL'), 'by SIGKILL'],
  [
    'after its listen has rejected',
    (worker) => {
      worker.says({ failed: 'in use', code: 'EADDRINUSE' })
      worker.exits(1)
    },
    'with exit code 1 (in use)',
  ],
  [
    'long after it listened, when another listen rejects',
    (worker) => {
      worker.says({ port: 80 })
      worker.says({ failed: 'in use' })
      worker.exits(1)
    },
    'with exit code 1',
  ],
  [
    'at its start',
    (worker) => {
      worker.process.pid = undefined
      worker.emit('error', new Error('spawn ENOMEM'))
    },
    'at its start (spawn ENOMEM)',
  ],
  [
    'after its channel broke',
    (worker) => {
      worker.emit('error', new Error('EPIPE'))
      worker.exits(0)
    },
    'with exit code 0',
  ],
])('OP4: a worker that ends %s says how', async (_, act, how) => {
  const { ended } = startWorker()
  act(fake)
  expect(await ended).toBe(how)
})

test('OP4: a worker listens at its port, and has an age from then to its end', async () => {
  const worker = startWorker()
  expect({ pid: worker.pid, age: worker.age() }).toEqual({ pid: 7, age: Number.NEGATIVE_INFINITY })
  fake.says({ port: 80 })
  expect(await worker.listening).toBe(80)
  vi.advanceTimersByTime(30)
  expect(worker.age()).toBe(30)
  fake.exits(0)
  vi.advanceTimersByTime(30)
  expect(worker.age()).toBe(30)
})

test('OP4: a worker without a process has the number 0', () => {
  fake.process.pid = undefined
  expect(startWorker().pid).toBe(0)
})

test('OP4: messages of others do not make a worker listen, and a failure has its code', async () => {
  const { listening } = startWorker()
  for (const message of [null, undefined, 'text', {}, { sluice: null }, { sluice: 'text' }])
    fake.emit('message', message)
  fake.says({ failed: 'in use', code: 'EADDRINUSE' })
  await expect(listening).rejects.toMatchObject({ message: 'in use', code: 'EADDRINUSE' })
})

test('OP4: a worker that ends before it listens says so', async () => {
  const { listening } = startWorker()
  fake.exits(1)
  await expect(listening).rejects.toThrow('listen: workers: a worker ended with exit code 1 before it listened')
})

test.each<[string, (worker: FakeWorker) => void, unknown]>([
  ['that listens is told to leave', (worker) => worker.says({ port: 80 }), LEAVE],
  ['that does not listen yet gets a signal', () => {}, 'SIGTERM'],
  [
    'without a channel gets a signal',
    (worker) => {
      worker.says({ port: 80 })
      worker.connected = false
    },
    'SIGTERM',
  ],
])('OP4: a worker %s, once, and is killed in the end', async (_, act, told) => {
  const worker = startWorker()
  act(fake)
  const stops = [worker.stop(100), worker.stop(200)]
  expect(fake.told).toEqual([told])
  vi.advanceTimersByTime(99)
  expect(fake.told).toEqual([told])
  vi.advanceTimersByTime(1)
  expect(fake.told).toEqual([told, 'SIGKILL'])
  fake.exits(null, 'SIGKILL')
  await Promise.all(stops)
  expect(vi.getTimerCount()).toBe(0)
})

test('OP4: a worker may have for ever to end', () => {
  void startWorker().stop(Number.POSITIVE_INFINITY)
  vi.advanceTimersByTime(1000)
  expect(fake.told).toEqual(['SIGTERM'])
})

test.each<[string, boolean, number, boolean]>([
  ['that listened and ended with 0', true, 0, true],
  ['that listened and ended with 1', true, 1, false],
  ['that had not listened', false, 1, true],
])('OP4: a worker %s, clean: %s', async (_, listened, code, clean) => {
  const worker = startWorker()
  if (listened) fake.says({ port: 80 })
  const stopped = worker.stop(100)
  fake.exits(code)
  expect(await stopped).toBe(clean)
})

test('OP4: a worker that the system has refused to start has ended', async () => {
  const { pid, listening, ended, age, stop } = failedWorker(new Error('EAGAIN'))
  expect({ pid, age: age(), ended: await ended, stopped: await stop(0) }).toEqual({
    pid: 0,
    age: 0,
    ended: 'at its start (EAGAIN)',
    stopped: true,
  })
  await expect(listening).rejects.toThrow('listen: workers: a worker did not start (EAGAIN)')
})

/** What the process of a worker does. */
const inWorker = async (app?: { close(): Promise<void> }, options: object = {}, fails?: unknown) => {
  const said: unknown[] = []
  const closes: string[] = []
  const own = { isConnected: () => true, disconnect: () => void closes.push('channel') }
  const replaced = { isPrimary: cluster.isPrimary, worker: cluster.worker }
  Object.assign(cluster, { isPrimary: false, worker: own })
  const send = Object.getOwnPropertyDescriptors({ send: process.send, connected: process.connected })
  Object.assign(process, {
    connected: true,
    send: (message: unknown, _handle: unknown, _options: unknown, done: () => void) => {
      said.push(message)
      done()
    },
  })
  vi.spyOn(process, 'exit').mockImplementation((() => {}) as never)
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP', 'message'] as const
  const before = names.map((name) => process.rawListeners(name).length)
  const server = { port: 80, hostname: 'h', url: 'u', close: async () => void closes.push('server') }
  const listen = async () => {
    if (fails) throw fails
    return server as never
  }
  const added = () => names.map((name, index) => process.rawListeners(name).slice(before[index]))
  const undo = () => {
    added().forEach((listeners, index) => {
      for (const listener of listeners) process.off(names[index]!, listener as never)
    })
    Object.assign(cluster, replaced)
    Object.defineProperties(process, send)
  }
  try {
    const handle = await serveByWorkers(options, listen, app as never)
    return { handle, said, closes, added, own, undo }
  } catch (error) {
    undo()
    return { error, said, closes, added, own, undo }
  }
}

test.each<[string, unknown, object]>([
  ['an error', Object.assign(new Error('in use'), { code: 'EADDRINUSE' }), { failed: 'in use', code: 'EADDRINUSE' }],
  ['something else', 'text', { failed: 'text', code: undefined }],
])('OP4: a worker whose listen rejects with %s tells its supervisor', async (_, fails, told) => {
  const { error, said } = await inWorker(undefined, {}, fails)
  expect({ error, said }).toEqual({ error: fails, said: [{ sluice: told }] })
})

test('OP4: a worker tells its port, and leaves on a signal or a message, once', async () => {
  const { handle, said, closes, added, undo } = await inWorker()
  try {
    expect({ port: handle?.port, said, added: added().map(({ length }) => length) }).toEqual({
      port: 80,
      said: [{ sluice: { port: 80 } }],
      added: [1, 1, 1, 1],
    })
    const [onHangUp, onMessage] = added()
      .slice(2)
      .map(([listener]) => listener as ((message?: unknown) => void) | undefined)
    onHangUp?.()
    onMessage?.('another')
    expect(closes).toEqual([])
    onMessage?.(LEAVE)
    await handle?.close()
    await handle?.[Symbol.asyncDispose]()
    expect(closes).toEqual(['server', 'channel'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.mocked(process.exit)).toHaveBeenCalledExactlyOnceWith()
  } finally {
    undo()
  }
})

test('OP4: a worker closes its application, and no channel that is gone', async () => {
  const app = { close: vi.fn(async () => {}) }
  const controller = new AbortController()
  const { closes, own, undo } = await inWorker(app, { signal: controller.signal })
  try {
    own.isConnected = () => false
    controller.abort()
    await vi.waitFor(() => expect(closes).toEqual(['server']))
    expect(app.close).toHaveBeenCalledTimes(1)
  } finally {
    undo()
  }
})
