import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { trackConnections } from '../../src/runtime/node/connections.ts'

/** Connections with a clock of their own, for both sides of every limit. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string | undefined = '127.0.0.1'
  readonly remotePort = 1
  bytesRead = 0
  bytesWritten = 0
  writableLength = 0
  cuts = 0
  readonly alpnProtocol: string | undefined = undefined
  readonly _parent: FakeSocket | undefined = undefined
  readonly _handle: { bytesWritten?: number; writeQueueSize?: number } | null = { bytesWritten: 0, writeQueueSize: 0 }
  constructor(parts: object = {}) {
    super()
    Object.assign(this, parts)
  }
}
Object.assign(FakeSocket.prototype, {
  destroy(this: FakeSocket) {
    this.cuts++
  },
})
type Cuttable = FakeSocket & { destroy(): void }

const setUp = (sendTimeoutMs = 0) => {
  const idle: Cuttable[] = []
  const server = Object.assign(new EventEmitter(), {
    closeIdleConnections() {
      for (const socket of idle) socket.destroy()
    },
  })
  const connections = trackConnections(server as never, false, sendTimeoutMs)
  const connect = (parts: object = {}, event = 'connection') => {
    const socket = new FakeSocket(parts) as Cuttable
    server.emit(event, socket)
    return socket
  }
  return { server, idle, connections, connect }
}

test('a connection without an address is cut, and not tracked', () => {
  const { connections, connect } = setUp()
  for (const event of ['connection', 'secureConnection']) {
    const socket = connect({ remoteAddress: undefined }, event)
    expect(socket.cuts).toBe(1)
    connections.cutAll()
    expect(socket.cuts).toBe(1)
  }
})

test('each connection is tracked once, until it closes', () => {
  const { server, connections, connect } = setUp()
  for (const event of ['connection', 'secureConnection']) {
    const socket = connect({}, event)
    server.emit(event, socket)
    expect(socket.listenerCount('close')).toBe(1)
    connections.cutAll()
    expect(socket.cuts).toBe(1)
    socket.emit('close')
    connections.cutAll()
    expect(socket.cuts).toBe(1)
  }
})

test('TLS is cut before the connection below it', () => {
  const { connections, connect } = setUp()
  const order: string[] = []
  const below = connect({ destroy: () => void order.push('below') })
  connect({ _parent: below, destroy: () => void order.push('tls') }, 'secureConnection')
  connections.cutAll()
  expect(order).toEqual(['tls', 'below'])
})

test.each<[string, object, number]>([
  ['that has sent nothing is cut at the second call', {}, 1],
  ['that has begun a request is left to Node', { bytesRead: 1 }, 0],
  ['of HTTP/2 is left to its session', { alpnProtocol: 'h2' }, 0],
  ['that has something to send stays', { writableLength: 1 }, 0],
])('a quiet connection %s', (_, parts, cuts) => {
  const { connections, connect } = setUp()
  const socket = connect(parts)
  connections.cutQuiet()
  expect(socket.cuts).toBe(0)
  connections.cutQuiet()
  expect(socket.cuts).toBe(cuts)
})

test.each<[string, (socket: FakeSocket) => void]>([
  ['sent', (socket) => void socket.bytesWritten++],
  ['received', (socket) => void socket.bytesRead++],
  [
    'sent and received',
    (socket) => {
      socket.bytesRead++
      socket.bytesWritten++
    },
  ],
])('a connection on which something was %s since the last call is not idle', (_, move) => {
  const { idle, connections, connect } = setUp()
  const [moved, still] = [connect({ bytesRead: 1 }), connect({ bytesRead: 1 })]
  idle.push(moved, still)
  connections.cutQuiet()
  expect([moved.cuts, still.cuts]).toEqual([0, 0])
  move(moved)
  connections.cutQuiet()
  expect([moved.cuts, still.cuts]).toEqual([0, 1])
  connections.cutQuiet()
  expect(moved.cuts).toBe(1)
})

test('of TLS, the bytes of the connection below count', () => {
  const { connections, connect } = setUp()
  const below = connect()
  const secure = connect({ _parent: below }, 'secureConnection')
  connections.cutQuiet()
  below.bytesRead = 1
  connections.cutQuiet()
  expect([secure.cuts, below.cuts]).toEqual([0, 0])
})

test('a client that reads nothing for sendTimeoutMs is cut', () => {
  const { connect } = setUp(100)
  const handle = { bytesWritten: 10, writeQueueSize: 5 }
  const socket = connect({ _handle: handle })
  const closing = connect({ _handle: null })
  vi.advanceTimersByTime(100)
  Object.assign(handle, { bytesWritten: 11, writeQueueSize: 4 })
  vi.advanceTimersByTime(50)
  // More to send is nothing that was read
  Object.assign(handle, { bytesWritten: 12, writeQueueSize: 5 })
  vi.advanceTimersByTime(50)
  expect(socket.cuts).toBe(0)
  vi.advanceTimersByTime(50)
  expect([socket.cuts, closing.cuts]).toEqual([1, 0])
})

test('a client that has read everything in between has its time again', () => {
  const { connect } = setUp(100)
  const handle = { bytesWritten: 10, writeQueueSize: 5 }
  const socket = connect({ _handle: handle })
  vi.advanceTimersByTime(50)
  handle.writeQueueSize = 0
  vi.advanceTimersByTime(50)
  handle.writeQueueSize = 5
  vi.advanceTimersByTime(100)
  expect(socket.cuts).toBe(0)
  vi.advanceTimersByTime(50)
  expect(socket.cuts).toBe(1)
})

test('TLS that keeps what its connection has sent is cut with it', () => {
  const { connect } = setUp(100)
  const below = connect()
  const secure = connect({ _parent: below, writableLength: 1 }, 'secureConnection')
  vi.advanceTimersByTime(50)
  expect([secure.cuts, below.cuts]).toEqual([0, 0])
  vi.advanceTimersByTime(100)
  expect([secure.cuts, below.cuts]).toEqual([1, 1])
})

test('nothing is watched without a limit, at most every 30 seconds with a long one, and not after the end', () => {
  setUp()
  expect(vi.getTimerCount()).toBe(0)
  const { server, connect } = setUp(100_000)
  expect(vi.getTimerCount()).toBe(1)
  const socket = connect({ _handle: { bytesWritten: 10, writeQueueSize: 5 } })
  vi.advanceTimersByTime(30_000 + 90_000)
  expect(socket.cuts).toBe(0)
  vi.advanceTimersByTime(30_000)
  expect(socket.cuts).toBe(1)
  server.emit('close')
  expect(vi.getTimerCount()).toBe(0)
})
