import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LINGER_MS } from '../../src/runtime/node/exchange.ts'
import { createSweep, type Limits } from '../../src/runtime/node/http2-limits.ts'

/** Sessions and streams with a clock of their own, for both sides of every limit. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

class FakeSocket extends EventEmitter {
  cut = 0
  destroy(): void {
    this.cut++
  }
}

class FakeSession extends EventEmitter {
  closed = false
  destroyed = false
  goAways = 0
  close(): void {
    this.closed = true
    this.goAways++
  }
}

class FakeStream extends EventEmitter {
  writableLength = 0
  headersSent = false
  destroyed = false
  state = { remoteClose: 0 }
  readonly done: unknown[] = []
  respond(...given: unknown[]): void {
    this.done.push(given)
  }
  close(code: number): void {
    this.done.push(code)
  }
}

const CANCEL = 8
const off: Limits = {
  requestTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 0,
  sendTimeout: 0,
  connectionsCheckingInterval: 0,
}

const setUp = (limits: Partial<Limits> = {}) => {
  vi.advanceTimersByTime(50)
  const sweep = createSweep({ ...off, ...limits })
  const [session, socket] = [new FakeSession(), new FakeSocket()]
  sweep.watch(session as never, socket as never)
  const after = (ms: number) => {
    vi.advanceTimersByTime(ms)
    sweep.check()
    return { goAways: session.goAways, cut: socket.cut }
  }
  const open = (parts: Partial<FakeStream> = {}) => {
    const stream = Object.assign(new FakeStream(), parts)
    session.emit('stream', stream)
    return stream
  }
  return { sweep, session, socket, after, open }
}

test('F4: a session without a request ends after headersTimeout, and is cut if its client stays', () => {
  const { after } = setUp({ headersTimeout: 100, keepAliveTimeout: 10 })
  expect(after(99)).toEqual({ goAways: 0, cut: 0 })
  expect(after(1)).toEqual({ goAways: 1, cut: 0 })
  expect(after(LINGER_MS - 1)).toEqual({ goAways: 1, cut: 0 })
  expect(after(1)).toEqual({ goAways: 1, cut: 1 })
})

test('F4: a session that has had a request ends after keepAliveTimeout without streams', () => {
  const { after, open } = setUp({ headersTimeout: 10, keepAliveTimeout: 100 })
  const stream = open()
  expect(after(1000)).toEqual({ goAways: 0, cut: 0 })
  stream.emit('close')
  expect(after(99)).toEqual({ goAways: 0, cut: 0 })
  expect(after(1)).toEqual({ goAways: 1, cut: 0 })
})

test.each([true, false])('F4: a limit of 0 is none: served %s', (served) => {
  const { after, open } = setUp()
  const stream = open()
  stream.writableLength = 1
  expect({ ...after(1_000_000), done: stream.done }).toEqual({ goAways: 0, cut: 0, done: [] })
  if (served) stream.emit('close')
  expect(after(1_000_000)).toEqual({ goAways: 0, cut: 0 })
})

test('F4: a session that is over at two checks is cut', () => {
  const { session, after } = setUp({ headersTimeout: 1 })
  session.destroyed = true
  expect(after(10)).toEqual({ goAways: 0, cut: 0 })
  expect(after(0)).toEqual({ goAways: 0, cut: 1 })
})

test('F4: a session whose connection has closed is forgotten', () => {
  const { session, socket, after } = setUp({ headersTimeout: 1 })
  socket.emit('close')
  expect(after(10)).toEqual({ goAways: 0, cut: 0 })
  expect(session.listenerCount('stream')).toBe(0)
})

test('F4: all sessions are told to end, once', () => {
  const { sweep, session } = setUp()
  sweep.closeAll()
  sweep.closeAll()
  expect(session.goAways).toBe(1)
})

const late = [[{ ':status': 408 }, { endStream: true }], CANCEL]
test.each<[string, Partial<FakeStream>, unknown[]]>([
  ['gets a 408', {}, late],
  ['that was answered is cancelled', { headersSent: true }, [CANCEL]],
  ['that is over gets no response', { destroyed: true }, [CANCEL]],
  ['that has come is left alone', { state: { remoteClose: 1 } }, []],
])('F4: a request that has not come as a whole within requestTimeout: one %s', (_, parts, done) => {
  const { after, open } = setUp({ requestTimeout: 100 })
  const stream = open(parts)
  after(99)
  expect(stream.done).toEqual([])
  after(1)
  expect(stream.done).toEqual(done)
})

test('F4: a response of which nothing is read for sendTimeout is cancelled', () => {
  const { after, open } = setUp({ sendTimeout: 100 })
  const stream = open({ writableLength: 1 })
  after(99)
  stream.emit('drain')
  after(99)
  expect(stream.done).toEqual([])
  after(1)
  expect(stream.done).toEqual([CANCEL])
})

test('F4: a response that has nothing to send is not waiting for its client', () => {
  const { after, open } = setUp({ sendTimeout: 100 })
  const stream = open()
  after(1000)
  stream.writableLength = 1
  after(99)
  expect(stream.done).toEqual([])
  after(1)
  expect(stream.done).toEqual([CANCEL])
})
