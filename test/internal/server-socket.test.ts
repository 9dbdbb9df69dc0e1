import { describe, expect, test, vi } from 'vitest'
import type { Closing } from '../../src/internal/stream/closing.ts'
import type { RawSocket } from '../../src/internal/websocket/raw-socket.ts'
import { Connection } from '../../src/internal/websocket/server-socket.ts'
import type { SocketHandlers } from '../../src/internal/websocket/socket-handlers.ts'
import { createWatch } from '../../src/internal/websocket/watch.ts'

/** A connection over a runtime's socket that does nothing. With `pauses` its reading can be halted, as on Node. */
const connect = (handlers: SocketHandlers<string>, { pauses = true, backpressureLimit = 1000 } = {}) => {
  const server: Closing = { begun: false, openSources: new Set() }
  const watch = createWatch(60_000)
  const limits = { watch, maxPayload: 100, backpressureLimit, read: (message: unknown) => message }
  const raw = {
    protocol: '',
    bufferedAmount: 0,
    send: vi.fn(),
    close: vi.fn(),
    terminate: vi.fn(),
    ...(pauses && { pause: vi.fn(), resume: vi.fn() }),
  } satisfies RawSocket
  const connection = new Connection(handlers, limits, server)
  connection.open(raw)
  return { connection, raw, server }
}
const never = (): Promise<never> => new Promise(() => {})
const quiet = { error: () => {} }

test.each([
  [100, []],
  [101, [[1009, 'Message too big']]],
])('WS2: a message of %i bytes, where 100 are allowed, on a runtime without a limit of its own', (size, closed) => {
  const { connection, raw } = connect({ ...quiet })
  connection.message('x'.repeat(size))
  expect(raw.close.mock.calls).toEqual(closed)
  connection.closed(1000, '')
})

test('WS2: reading is halted while a handler is at work, and goes on after it', async () => {
  const done: (() => void)[] = []
  const { connection, raw } = connect({ message: () => new Promise<void>((resolve) => done.push(resolve)) })
  connection.message('1')
  expect(raw.pause).not.toHaveBeenCalled()
  connection.message('2')
  expect(raw.pause).toHaveBeenCalledOnce()
  expect(raw.resume).not.toHaveBeenCalled()
  for (let n = 0; n < 2; n++) {
    await vi.waitFor(() => expect(done).toHaveLength(n + 1))
    done[n]!()
  }
  await vi.waitFor(() => expect(raw.resume).toHaveBeenCalledOnce())
  connection.closed(1000, '')
})

test.each([
  ['1024 messages', 'x', 1024],
  ['as many bytes as two messages and 64 KiB have', 'x'.repeat(100), 657],
])('WS2: where reading cannot be halted, %s wait for a handler, and one more ends with 1008', (_, message, most) => {
  const error = vi.fn()
  const { connection, raw } = connect({ message: never, error }, { pauses: false })
  connection.message('first')
  for (let n = 0; n < most; n++) connection.message(message)
  expect(raw.close).not.toHaveBeenCalled()
  connection.message(message)
  expect(raw.close.mock.calls).toEqual([[1008, 'Too many messages']])
  expect(error.mock.calls[0]![1]).toEqual(new Error('Messages arrive faster than they are handled'))
  connection.closed(1008, '')
})

test('WS2: a client that sends pings and reads no answers is cut off when too much waits for it', () => {
  const error = vi.fn()
  const { connection, raw } = connect({ error })
  raw.bufferedAmount = 1000
  connection.pong()
  expect(raw.terminate).not.toHaveBeenCalled()
  raw.bufferedAmount = 1001
  connection.pong()
  expect(raw.terminate).toHaveBeenCalledOnce()
  expect(error.mock.calls[0]![1]).toEqual(new Error('The client is too slow: 1001 bytes wait for it'))
  connection.closed(1006, '')
})

test('WS4: a server keeps nothing of a connection that has ended', () => {
  const { connection, server } = connect({})
  expect(server.openSources.size).toBe(1)
  connection.closed(1000, '')
  expect(server.openSources.size).toBe(0)
})

test.each(['message', 'pong'] as const)('WS2: a %s after our close frame does not keep a connection alive', (event) => {
  const { connection, raw } = connect({ ...quiet })
  connection.seen = 1
  connection[event]('x')
  expect(connection.seen).toBeGreaterThan(1)
  connection.close(1000, '')
  connection.seen = 1
  connection[event]('x')
  expect(connection.seen).toBe(1)
  expect(raw.close.mock.calls).toEqual([[1000, '']])
  connection.closed(1000, '')
})

test('WS4: a handshake that ends during close() of the server is closed, and its handlers hear of neither', () => {
  const called = vi.fn()
  const server: Closing = { begun: true, openSources: new Set() }
  const watch = createWatch(60_000)
  const limits = { watch, maxPayload: 100, backpressureLimit: 1000, read: (message: unknown) => message }
  const connection = new Connection({ open: called, close: called }, limits, server)
  const close = vi.fn()
  connection.open({ protocol: '', bufferedAmount: 0, send: called, close, terminate: called })
  expect(close.mock.calls).toEqual([[1001, '']])
  connection.message('x')
  connection.closed(1001, '')
  expect(called).not.toHaveBeenCalled()
})

describe('WS2: a message that is longer than the limit itself', () => {
  /** Send a message of 200,000 bytes where 100,000 may wait, and then do something while so many bytes wait. */
  const cutAfter = (act: (connection: Connection) => void, bufferedAmount: number) => {
    const { connection, raw } = connect({ ...quiet }, { backpressureLimit: 100_000 })
    raw.bufferedAmount = 200_000
    const sent = connection.send('x'.repeat(200_000))
    expect({ waits: sent instanceof Promise, cut: raw.terminate.mock.calls.length }).toEqual({ waits: true, cut: 0 })
    raw.bufferedAmount = bufferedAmount
    act(connection)
    const cut = raw.terminate.mock.calls.length === 1
    connection.closed(1006, '')
    return cut
  }

  test.each([
    ['answers to pings up to the limit beside it leave the client', 300_000, false],
    ['one byte more cuts it off', 300_001, true],
  ])('%s', (_, waiting, cut) => expect(cutAfter((connection) => connection.pong(), waiting)).toBe(cut))

  test.each([
    ['a short one that makes it as much as the limit leaves the client', 100_000, false],
    ['a short one behind it cuts it off, though it was longer', 200_001, true],
  ])('%s', (_, waiting, cut) => expect(cutAfter((connection) => void connection.send('x'), waiting)).toBe(cut))

  test('once the client has taken it, the limit alone counts', () => {
    const { connection, raw } = connect({ ...quiet }, { backpressureLimit: 100_000 })
    raw.bufferedAmount = 200_000
    void connection.send('x'.repeat(200_000))
    raw.bufferedAmount = 100_000
    void connection.send('x')
    raw.bufferedAmount = 100_001
    connection.pong()
    expect(raw.terminate).toHaveBeenCalledOnce()
    connection.closed(1006, '')
  })
})
