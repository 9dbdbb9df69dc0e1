import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Connection } from '../../src/internal/websocket/server-socket.ts'
import { webSocket } from '../../src/websocket.ts'
import { kinds, listen } from '../node/wire.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const limits = {
  maxPayload: 1000,
  backpressureLimit: 1000,
  read: (message: string | Uint8Array) => message,
  watch: { add() {}, delete() {} },
}

test.each([
  ['as much as may', 1000, 0],
  ['one byte more', 1001, 1],
])('answers to pings that a client does not read: %s', (_, bufferedAmount, cut) => {
  const told: string[] = []
  const terminate = vi.fn()
  const raw = { protocol: '', bufferedAmount, send() {}, close() {}, terminate }
  const connection = new Connection({ error: (_, error) => told.push(`${error}`) }, limits, undefined)
  connection.open(raw)
  for (let pings = 0; pings < 3; pings++) connection.pong()
  expect(terminate).toHaveBeenCalledTimes(cut)
  expect(told).toHaveLength(cut)
})

test('a connection that is closing is left to its timeout', () => {
  const terminate = vi.fn()
  const connection = new Connection({}, limits, undefined)
  connection.open({ protocol: '', bufferedAmount: 5000, send() {}, close() {}, terminate })
  connection.close()
  connection.pong()
  expect(terminate).not.toHaveBeenCalled()
})

test.each([
  ['the runtime tells pongs', {}, false],
  ['the runtime pings, and tells no pongs', { watches: true }, true],
])('a client that was not heard for idleTimeoutMs: %s', (_, more, skipsIdleCheck) => {
  const connection = new Connection({}, limits, undefined)
  connection.open({ protocol: '', bufferedAmount: 0, send() {}, close() {}, terminate() {}, ...more })
  expect(connection.skipsIdleCheck).toBe(skipsIdleCheck)
})

/** A ping of 125 bytes, the most that a control frame holds, masked with zeros, 200 times. */
const PINGS = Buffer.concat(Array(200).fill(Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)])))
const HANDSHAKE =
  'GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

describe.each(kinds)('on %s', (_, options, openTo) => {
  /** ws answers pings itself. Its newer versions count the answers, the older ones that we accept do not. */
  const unlimited = { configurable: true, get: () => 0, set() {} }
  beforeEach(() => {
    Object.defineProperty(WebSocket.prototype, '_maxPendingAutoPongs', unlimited)
  })
  afterEach(() => {
    Reflect.deleteProperty(WebSocket.prototype, '_maxPendingAutoPongs')
  })

  test('a client that sends pings for ever and reads nothing is disconnected', async () => {
    const closed = vi.fn()
    await using handle = await listen(
      { '/socket': webSocket(() => ({ close: closed, error: () => {} }), { backpressureLimit: 65_536 }) },
      options,
    )
    const wire = await openTo(handle.port!)
    wire.write(HANDSHAKE)
    await wire.until((text) => text.includes('\r\n\r\n'))
    wire.socket.pause()
    let sent = 0
    const flood = (): void => {
      while (!closed.mock.calls.length && !wire.socket.destroyed) {
        sent += PINGS.length
        if (!wire.socket.write(PINGS)) return
      }
    }
    wire.socket.on('drain', flood)
    flood()
    await vi.waitUntil(() => closed.mock.calls.length, { timeout: 15_000 })
    // What both systems hold between them is a few megabytes
    expect(sent).toBeLessThan(100_000_000)
    wire.end()
  })
})
