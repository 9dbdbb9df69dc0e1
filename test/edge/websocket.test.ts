import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RawEvents, RawSocket } from '../../src/internal/websocket/raw-socket.ts'
import { openOn } from '../../src/runtime/platform/web-socket.ts'
import { type SocketHandlers, type WebSocketOptions, webSocket } from '../../src/websocket.ts'
import { doors } from '../harness.ts'

vi.mock('#runtime/websocket', () => import('../../src/runtime/edge/websocket.ts'))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The server's end of a pair, as Workers have it: a program may close it only with some codes, and only once. */
class ServerEnd extends EventTarget {
  binaryType = 'blob'
  accepted = false
  readyState = 1
  bufferedAmount: number | undefined = undefined
  readonly sent: (string | Uint8Array)[] = []
  readonly closes: (readonly unknown[])[] = []

  accept(): void {
    this.accepted = true
  }

  send(message: string | Uint8Array): void {
    this.sent.push(message)
  }

  close(...given: [number?, string?]): void {
    this.closes.push(given)
    if (given[0] && given[0] !== 1000 && given[0] < 3000) throw new TypeError('Invalid code')
    if (this.closes.length > 2) throw new TypeError('Closed')
  }

  tell(type: string, event: object): void {
    this.dispatchEvent(Object.assign(new Event(type), event))
  }
}

const client = { name: 'the end of the client' }
let end: ServerEnd

/** The platform's `Response`, which takes the status 101 with a socket. */
class WorkersResponse extends Response {
  readonly webSocket: unknown
  constructor(body?: BodyInit | null, init: ResponseInit & { readonly webSocket?: unknown } = {}) {
    super(body, init.status === 101 ? { ...init, status: 200 } : init)
    this.webSocket = init.webSocket
    if (init.webSocket) Object.defineProperty(this, 'status', { value: init.status })
  }
}

beforeEach(() => {
  end = new ServerEnd()
  vi.stubGlobal('Response', WorkersResponse)
  vi.stubGlobal(
    'WebSocketPair',
    class {
      readonly 0 = client
      readonly 1 = end
    },
  )
})

describe.each(doors)('a WebSocket of Workers, through %s', (_, door) => {
  const open = async (
    handlers: SocketHandlers<string | Uint8Array>,
    options: WebSocketOptions = {},
    offered?: string,
  ) => {
    const headers = { upgrade: 'websocket', ...(offered && { 'sec-websocket-protocol': offered }) }
    const fetch = door({ routes: [['GET', '/', webSocket(() => handlers, options)]] })
    return (await fetch(new Request('http://localhost/', { headers }))) as WorkersResponse
  }

  test.each([
    ['without subprotocols', {}, undefined, null, ''],
    ['with one that the client offers', { protocols: ['a', 'b'] }, 'b', 'b', 'b'],
    ['with none that the client offers', { protocols: ['a'] }, 'c', null, ''],
  ])('WS1: the handshake is answered with the end of the client, %s', async (_, options, offered, field, protocol) => {
    const opened: string[] = []
    const response = await open({ open: (socket) => void opened.push(socket.protocol) }, options, offered)
    expect({
      status: response.status,
      webSocket: response.webSocket,
      field: response.headers.get('sec-websocket-protocol'),
      accepted: end.accepted,
      opened,
    }).toEqual({ status: 101, webSocket: client, field, accepted: true, opened: [protocol] })
  })

  test('WS1: texts and bytes go both ways', async () => {
    const got: unknown[] = []
    await open({
      message(socket, message) {
        got.push(message)
        socket.send(message)
      },
    })
    end.tell('message', { data: 'text' })
    end.tell('message', { data: new Uint8Array([1, 2]).buffer })
    expect({ type: end.binaryType, got, sent: end.sent }).toEqual({
      type: 'arraybuffer',
      got: ['text', new Uint8Array([1, 2])],
      sent: ['text', new Uint8Array([1, 2])],
    })
  })

  test.each([
    ['an allowed code', { code: 1000, reason: 'done' }, [[1000, 'done']], [1000, 'done']],
    ['a code that only platforms may send', { code: 1001, reason: 'away' }, [[1001, 'away'], []], [1001, 'away']],
    ['a connection that was cut', { code: 0, reason: '' }, [[0, '']], [1006, '']],
  ])('WS1: the close of the client is answered: %s', async (_, event, closes, told) => {
    const closed: unknown[] = []
    await open({ close: (_socket, code, reason) => void closed.push([code, reason]) })
    end.tell('close', event)
    expect({ closes: end.closes, closed }).toEqual({ closes, closed: [told] })
  })

  test('WS1: a socket that the platform has closed already is closed in silence', async () => {
    const closed: unknown[] = []
    await open({ close: (_socket, code) => void closed.push(code) })
    end.closes.push([], [])
    end.tell('close', { code: 1001, reason: '' })
    expect(closed).toEqual([1001])
  })

  test.each([
    ['with a message', { message: 'reset', error: 'cause' }, 'reset'],
    ['without one', { message: '', error: 'cause' }, 'The connection was lost'],
  ])('WS1: an error of the platform, %s, goes to the handler', async (_, event, message) => {
    const errors: unknown[] = []
    await open({ error: (_socket, error) => void errors.push(error) })
    end.tell('error', event)
    expect(errors).toEqual([expect.objectContaining({ message, code: 'ECONNRESET', cause: 'cause' })])
  })

  test('WS1: a connection that breaks is no line in the log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await open({})
    end.tell('error', { message: 'reset' })
    expect(log).not.toHaveBeenCalled()
  })

  test('WS1: close() passes on its code and its reason', async () => {
    await open({ open: (socket) => socket.close(4000, 'bye') })
    expect(end.closes).toEqual([[4000, 'bye']])
  })

  test('WS1: terminate() closes, and tells the handler at once', async () => {
    const closed: unknown[] = []
    await open({
      message: (socket) => socket.terminate(),
      close: (_socket, code, reason) => void closed.push([code, reason]),
    })
    end.tell('message', { data: 'x' })
    await vi.waitFor(() => expect(closed).toEqual([[1006, '']]))
    expect(end.closes).toEqual([[1000, '']])
  })

  test('WS2: the buffer of a slow client is watched until it has room, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const log: unknown[] = []
    let send: () => unknown = () => undefined
    await open(
      {
        open(socket) {
          send = () => socket.send('x')
        },
        drain: (socket) => void log.push(socket.bufferedAmount),
      },
      { backpressureLimit: 1_000_000 },
    )
    const timers = vi.getTimerCount()
    expect(send()).toBe(true)
    end.bufferedAmount = 0
    expect(send()).toBe(true)
    expect({ unwatched: vi.getTimerCount() - timers }).toEqual({ unwatched: 0 })
    end.bufferedAmount = 500_000
    const room = send()
    void send()
    expect({ room, watched: vi.getTimerCount() - timers }).toEqual({ room: expect.any(Promise), watched: 1 })
    await vi.advanceTimersByTimeAsync(15)
    expect({ log, watched: vi.getTimerCount() - timers }).toEqual({ log: [], watched: 1 })
    end.bufferedAmount = 0
    await vi.advanceTimersByTimeAsync(15)
    expect({ log, room: await room, watched: vi.getTimerCount() - timers }).toEqual({
      log: [0],
      room: true,
      watched: 0,
    })
    end.bufferedAmount = 500_000
    end.readyState = 3
    void send()
    await vi.advanceTimersByTimeAsync(15)
    expect(vi.getTimerCount() - timers).toBe(0)
  })

  test('WS2: a client that sends nothing is closed, as no platform watches it', async () => {
    vi.useFakeTimers()
    vi.advanceTimersByTime(1)
    const closed: unknown[] = []
    await open({ close: (_socket, code) => void closed.push(code) }, { idleTimeoutMs: 1000 })
    await vi.advanceTimersByTimeAsync(5000)
    expect({ closed, closes: end.closes }).toEqual({ closed: [1006], closes: [[1000, '']] })
  })

  test('WS1: a platform without pairs of sockets is a 500 that says so in the log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.stubGlobal('WebSocketPair', undefined)
    expect((await open({})).status).toBe(500)
    expect(String(log.mock.calls[0]?.[0])).toContain('This runtime has no WebSockets')
  })
})

test.each([
  ['by the platform', true, true],
  ['by this package', false, undefined],
  ['by this package, if nothing is said', undefined, undefined],
])('WS2: silent clients are watched %s', (_, given, watches) => {
  const opened: RawSocket[] = []
  openOn(end as never, '', { open: (raw: RawSocket) => void opened.push(raw) } as RawEvents, given)
  expect(opened.map((raw) => raw.watches)).toEqual([watches])
})
