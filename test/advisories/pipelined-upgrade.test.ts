import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { text } from '../../src/respond/text.ts'
import { afterEarlier } from '../../src/runtime/node/exchange.ts'
import type { ListenOptions } from '../../src/runtime/serve-contract.ts'
import { webSocket } from '../../src/websocket.ts'
import { kinds, listen, open, statuses, within } from '../node/wire.ts'

/** What reaches nobody ends the process; the runner's own listener would hide it from the test. */
const uncaught: unknown[] = []
const note = (error: unknown): void => void uncaught.push(error)
beforeEach(() => {
  uncaught.length = 0
  process.prependListener('uncaughtException', note)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  process.off('uncaughtException', note)
  vi.restoreAllMocks()
  expect(uncaught).toEqual([])
})

const HOST = 'Host: localhost\r\n'
const GET = (path: string, fields = ''): string => `GET ${path} HTTP/1.1\r\n${HOST}${fields}\r\n`
const SOCKET = GET(
  '/socket',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
)
const OTHER = GET('/plain', 'Connection: Upgrade\r\nUpgrade: h2c\r\n')
const CONNECT = `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`
/** A text frame `hi`, masked with zeros, and the same from the server. */
const HI = '\x81\x82\0\0\0\0hi'
const ECHO = '\x81\x02hi'

/** A server with a handler that waits, and how to let it go on. */
const start = async (options: ListenOptions) => {
  const waiting: (() => void)[] = []
  const slow = (): Promise<Response> => new Promise((resolve) => waiting.push(() => resolve(text('slow'))))
  const last = async (): Promise<Response> => {
    await slow()
    return text('last', 200, { connection: 'close' })
  }
  const handle = await listen(
    {
      '/slow': slow,
      '/last': last,
      '/plain': () => text('plain'),
      '/socket': webSocket(() => ({ message: (socket, message) => void socket.send(message as string) })),
    },
    { graceMs: 300, ...options },
  )
  const release = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      await vi.waitUntil(() => waiting.length > at, 10_000)
      waiting[at]!()
    }
  }
  return { handle, waiting, release, [Symbol.asyncDispose]: () => handle.close() }
}

describe.each(kinds)('an upgrade behind a request that is not answered yet, on %s', (_, options, openTo) => {
  test.each([
    ['a WebSocket', GET('/slow') + SOCKET, 1, [200, 101]],
    ['a WebSocket after two requests', GET('/slow') + GET('/slow') + SOCKET, 2, [200, 200, 101]],
    ['another protocol', GET('/slow') + OTHER, 1, [200, 200]],
    ['another protocol, then a WebSocket', GET('/slow') + OTHER + GET('/slow') + SOCKET, 2, [200, 200, 200, 101]],
    ['another protocol twice', GET('/slow') + OTHER + OTHER, 1, [200, 200, 200]],
    ['CONNECT', GET('/slow') + CONNECT, 1, [200, 501]],
  ])('%s is answered after it', async (_, bytes, count, expected) => {
    await using server = await start(options)
    const wire = await openTo(server.handle.port!)
    wire.write(bytes)
    await server.release(count)
    const came = await wire.until((all) => statuses(all).length >= expected.length)
    expect(statuses(came)).toEqual(expected)
    if (!expected.includes(101)) return
    wire.write(HI)
    await wire.until((all) => all.endsWith(ECHO))
    wire.end()
  })

  test('frames that came with the handshake are not lost', async () => {
    await using server = await start(options)
    const wire = await openTo(server.handle.port!)
    wire.write(GET('/slow') + SOCKET + HI)
    await server.release(1)
    expect(statuses(await wire.until((all) => all.endsWith(ECHO)))).toEqual([200, 101])
    wire.end()
  })

  test.each([
    ['a WebSocket', SOCKET],
    ['another protocol', OTHER],
    ['CONNECT', CONNECT],
  ])('%s behind the last response of a connection is dropped', async (_, upgrade) => {
    await using server = await start(options)
    const wire = await openTo(server.handle.port!)
    wire.write(GET('/last') + upgrade)
    await server.release(1)
    expect(statuses(await wire.closed())).toEqual([200])
  })

  test.each([
    ['a WebSocket', SOCKET],
    ['another protocol', OTHER],
    ['CONNECT', CONNECT],
  ])('a client that goes before: %s', async (_, upgrade) => {
    const server = await start(options)
    const wire = await openTo(server.handle.port!)
    wire.write(GET('/slow') + upgrade)
    await vi.waitUntil(() => server.waiting.length === 1, 10_000)
    wire.reset()
    const received = await wire.closed()
    await server.release(1)
    await within(15_000, server.handle.close(), 'close')
    expect({ received, handled: server.waiting.length, logged: vi.mocked(console.error).mock.calls }).toEqual({
      received: '',
      handled: 1,
      logged: [],
    })
  })
})

describe('afterEarlier', () => {
  /** A socket that writes one response after the other, as Node's does. */
  const socketWith = (...responses: EventEmitter[]) => ({
    destroyed: false,
    writable: true,
    _httpMessage: responses[0] as EventEmitter | null,
    setTimeout: vi.fn(),
    next() {
      const [done] = responses.splice(0, 1)
      this._httpMessage = responses[0] ?? null
      done!.emit('close')
    },
  })
  const begun = vi.fn()
  beforeEach(() => begun.mockReset())

  test('a socket without an earlier response begins at once, and keeps its timeout', () => {
    const socket = socketWith()
    afterEarlier(socket as never, begun)
    expect(begun).toHaveBeenCalledTimes(1)
    expect(socket.setTimeout).not.toHaveBeenCalled()
  })

  test('the keep-alive timeout that Node starts after each response does not cut the next one', () => {
    const socket = socketWith(new EventEmitter(), new EventEmitter())
    afterEarlier(socket as never, begun)
    socket.next()
    expect(begun).not.toHaveBeenCalled()
    socket.next()
    expect(begun).toHaveBeenCalledTimes(1)
    expect(socket.setTimeout).toHaveBeenLastCalledWith(0)
  })

  test.each([
    ['is destroyed', { destroyed: true }],
    ['was ended with the last response', { writable: false }],
  ])('nothing begins on a socket that %s', (_, state) => {
    const socket = Object.assign(socketWith(new EventEmitter()), state)
    afterEarlier(socket as never, begun)
    socket.next()
    expect(begun).not.toHaveBeenCalled()
  })
})

test('an upgrade that is not ours may be asked for on one connection again and again', async () => {
  const warned: unknown[] = []
  const warn = (warning: unknown): void => void warned.push(warning)
  process.on('warning', warn)
  await using server = await start({})
  const wire = await open(server.handle.port!)
  for (let count = 1; count <= 12; count++) {
    wire.write(OTHER)
    await wire.until((seen) => statuses(seen).length === count && seen.endsWith('plain'))
  }
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', warn)
  expect({ statuses: new Set(statuses(wire.text())), warned }).toEqual({ statuses: new Set([200]), warned: [] })
  wire.end()
})
