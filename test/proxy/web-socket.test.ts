import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createApp } from '../../src/app.ts'
import { createLink } from '../../src/internal/websocket/target-link.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { requestId } from '../../src/middleware/request-id.ts'
import { pipe } from '../../src/pipe.ts'
import { type ProxyWebSocketOptions, proxyWebSocket } from '../../src/proxy/web-socket.ts'
import { proxy } from '../../src/proxy.ts'
import { serve } from '../../src/serve.ts'
import { type SocketHandlers, webSocket } from '../../src/websocket.ts'
import { exchange, parse } from '../node/wire.ts'

const closing: (() => unknown)[] = []
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  vi.restoreAllMocks()
})

/** Node 20 has no `WebSocket` of its own. */
const connect: ProxyWebSocketOptions['connect'] = (url, { protocols, headers }) =>
  new WebSocket(url, protocols, { headers })

const here = { port: 0, hostname: '127.0.0.1', graceMs: 300 }

/** Both doors, with the proxy at every path. */
const gateways = [
  [
    'createApp',
    (handler: any) =>
      createApp()
        .use(requestId({ create: () => 'ours' }))
        .get('/*', handler)
        .listen(here),
  ],
  [
    'pipe',
    (handler: any) =>
      serve(pipe(blank, use(requestId({ create: () => 'ours' })), route('GET', '/*', handler), toFetch), here),
  ],
] as const

/** A server of ours that is proxied to. */
const upstream = async (handlers: (ctx: any) => SocketHandlers<string | Uint8Array>): Promise<string> => {
  const server = await createApp()
    .get(
      '/*',
      webSocket(handlers, { origin: '*', protocols: ['v1', 'v2'], maxPayload: 20_000_000, backpressureLimit: 2e7 }),
    )
    .listen(here)
  closing.push(() => server.close())
  return `http://127.0.0.1:${server.port}`
}

const visit = (url: string, protocols: string[] = [], headers: Record<string, string> = {}) => {
  const socket = new WebSocket(url.replace('http', 'ws'), protocols, { headers })
  const got: unknown[] = []
  socket.on('message', (content, binary) => got.push(binary ? [...(content as Buffer)] : content.toString()))
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  const opened = new Promise<number>((resolve, reject) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode!))
    socket.on('error', reject)
  })
  return { socket, got, closed, opened }
}

describe.each(gateways)('proxyWebSocket through %s', (_, listen) => {
  const start = async (target: string, options: ProxyWebSocketOptions = {}): Promise<string> => {
    const server = await listen(proxyWebSocket(target, { connect, ...options }))
    closing.push(() => server.close())
    return `http://127.0.0.1:${server.port}`
  }

  test('MX11: texts and bytes go both ways, in order, and the first may be of the target', async () => {
    const at = await start(
      await upstream(() => ({
        open: (socket) => socket.send('welcome'),
        message: (socket, message) => socket.send(message),
      })),
    )
    const { socket, got, opened } = visit(`${at}/room`)
    expect(await opened).toBe(101)
    for (const message of ['é☃😀', '', 'x'.repeat(70_000), Buffer.from([0, 255, 1])]) socket.send(message)
    await vi.waitFor(() => expect(got).toHaveLength(5), 20_000)
    expect(got).toEqual(['welcome', 'é☃😀', '', 'x'.repeat(70_000), [0, 255, 1]])
    socket.close()
  })

  test('MX11: ten megabytes come through whole', async () => {
    const at = await start(await upstream(() => ({ message: (socket, message) => socket.send(message) })), {
      backpressureLimit: 2e7,
    })
    const { socket, got, opened } = visit(at)
    await opened
    for (let count = 0; count < 100; count++) socket.send(`${count}`.padEnd(100_000))
    await vi.waitFor(() => expect(got).toHaveLength(100), 20_000)
    expect(got.map((text) => Number(text))).toEqual(Array.from({ length: 100 }, (_, at) => at))
    socket.close()
  })

  test('MX11: the target sees path, query, subprotocol, fields and the client, and no handshake of ours', async () => {
    const seen: [string, Headers][] = []
    const at = await start(
      await upstream((ctx) => {
        seen.push([ctx.url.pathname + ctx.url.search, ctx.request.headers])
        return {}
      }),
      {
        prefix: '/live',
        protocols: ['v2', 'v1'],
        headers: ({ state }) => ({ 'x-request-id': state.requestId, cookie: undefined }),
      },
    )
    const headers = { cookie: 'a=1', authorization: 'Bearer 1', 'x-forwarded-for': '6.6.6.6' }
    const { socket, opened } = visit(`${at}/live/a%20b?c=1`, ['v1', 'v2'], headers)
    expect(await opened).toBe(101)
    // The target prefers it
    expect(socket.protocol).toBe('v1')
    const [path, fields] = seen[0]!
    expect(path).toBe('/a%20b?c=1')
    expect(fields.get('sec-websocket-protocol')?.replace(/ /g, '')).toBe('v2,v1')
    expect(fields.get('authorization')).toBe('Bearer 1')
    expect({ 'x-request-id': fields.get('x-request-id'), cookie: fields.get('cookie') }).toEqual({
      'x-request-id': 'ours',
      cookie: null,
    })
    expect(fields.get('x-forwarded-for')).toBe('127.0.0.1')
    socket.close()
  })

  test.each([
    ['the target knows one of those that both sides name', ['v3', 'v2'], ['v3', 'v2', 'v1'], 'v2'],
    ['the client offers others', ['v3', 'v2'], ['v9'], ''],
    ['this side names none', [], ['v1'], ''],
  ])('NA12: %s: protocols %j, offered %j, chosen %j', async (_, protocols, offered, chosen) => {
    const at = await start(await upstream(() => ({})), { protocols })
    const socket = new WebSocket(at.replace('http', 'ws'), offered)
    // The package `ws` refuses a response without a protocol that it has offered; the response is what counts
    socket.on('error', () => {})
    const told = await new Promise((resolve) =>
      socket.on('upgrade', ({ headers }) => resolve(headers['sec-websocket-protocol'] ?? '')),
    )
    expect(told).toBe(chosen)
    socket.terminate()
  })

  test.each<[string, number, string, { code: number; reason: string }]>([
    ['a code of its own', 3001, 'bye', { code: 3001, reason: 'bye' }],
    ['1000', 1000, '', { code: 1000, reason: '' }],
  ])('MX11: the client closes with %s, and the target hears it', async (_, code, reason, expected) => {
    const heard: { code: number; reason: string }[] = []
    const at = await start(await upstream(() => ({ close: (_, code, reason) => heard.push({ code, reason }) })))
    const { socket, opened } = visit(at)
    await opened
    socket.close(code, reason)
    await vi.waitFor(() => expect(heard).toEqual([expected]), 20_000)
  })

  test.each<[string, SocketHandlers<string | Uint8Array>, { code: number; reason: string }]>([
    ['with a code of its own', { message: (socket) => socket.close(3002, 'enough') }, { code: 3002, reason: 'enough' }],
    ['as it goes away', { message: (socket) => socket.close(1001, 'later') }, { code: 1001, reason: 'later' }],
    ['without a word', { message: (socket) => socket.terminate() }, { code: 1014, reason: '' }],
  ])('MX11: the target closes %s, and the client hears it', async (_, handlers, expected) => {
    const { socket, opened, closed } = visit(await start(await upstream(() => handlers)))
    await opened
    socket.send('go')
    expect(await closed).toEqual(expected)
  })

  test('MX11: a client that is cut ends the connection to the target', async () => {
    let ended = 0
    const at = await start(
      await upstream(() => ({
        close: () => {
          ended++
        },
      })),
    )
    const { socket, opened } = visit(at)
    await opened
    socket.terminate()
    await vi.waitFor(() => expect(ended).toBe(1), 20_000)
  })

  test('MX11: a target that refuses, or is not there, is a 502, and one that is silent a 504', async () => {
    const plain = await createApp()
      .get('/*', (ctx) => ctx.text('no', 401))
      .listen(here)
    closing.push(() => plain.close())
    const silent = createServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    closing.push(() => silent.close())
    const { port } = silent.address() as { port: number }
    const statuses: number[] = []
    for (const target of [`http://127.0.0.1:${plain.port}`, 'http://127.0.0.1:1', `http://127.0.0.1:${port}`])
      statuses.push(await visit(await start(target, { timeoutMs: 300 })).opened)
    expect(statuses).toEqual([502, 502, 504])
  })

  test('MX11: one path has requests and sockets', async () => {
    const target = await upstream(() => ({ open: (socket) => socket.send('by a socket') }))
    const [sockets, requests] = [proxyWebSocket(target, { connect }), proxy(target)]
    const server = await listen((ctx: any) => (ctx.header('upgrade') ? sockets(ctx) : requests(ctx)))
    closing.push(() => server.close())
    const { socket, got } = visit(`http://127.0.0.1:${server.port}`)
    await vi.waitFor(() => expect(got).toEqual(['by a socket']), 20_000)
    socket.close()
    const response = await fetch(`http://127.0.0.1:${server.port}`)
    expect({ status: response.status, json: await response.json() }).toEqual({
      status: 426,
      json: expect.objectContaining({ code: 'upgrade_required' }),
    })
  })

  test('MX11: a foreign page, a path that climbs and a plain request are refused before the target is asked', async () => {
    let asked = 0
    const at = await start('http://127.0.0.1:1', {
      connect: () => {
        asked++
        throw new Error('asked')
      },
    })
    expect(await visit(at, [], { origin: 'https://evil.example' }).opened).toBe(403)
    expect(await visit(`${at}/a/..%2f..%2fb`).opened).toBe(400)
    expect((await fetch(at)).status).toBe(426)
    expect(asked).toBe(0)
  })

  test.each([
    ['no version', 'Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 426],
    [
      'another version',
      'Connection: Upgrade\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      426,
    ],
    ['no key', 'Connection: Upgrade\r\nSec-WebSocket-Version: 13', 400],
    ['a bad key', 'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YQ==', 400],
    ['no upgrade of the connection', 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 426],
  ])('MX11: a handshake with %s is refused before the target is asked', async (_, fields, status) => {
    const asked = vi.fn(() => Promise.reject(new Error('asked')))
    const { port } = new URL(await start('http://127.0.0.1:1', { connect: asked }))
    const bytes = `GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n${fields}\r\n\r\n`
    const got = parse(await exchange(Number(port), bytes, (text) => text.includes('}')))
    expect({ status: got.status, calls: asked.mock.calls }).toEqual({ status, calls: [] })
    expect(JSON.parse(got.body)).toMatchObject({ error: expect.any(String) })
    expect(got.lines.map((line) => line.toLowerCase())).toContain('sec-websocket-version: 13')
  })

  test('MX11: a handshake with the client that comes to nothing ends the connection to the target', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await new Promise((resolve) => server.once('listening', resolve))
    closing.push(() => server.close())
    const ended = new Promise((resolve) => server.on('connection', (socket) => socket.on('close', resolve)))
    const { port } = server.address() as { port: number }
    const at = await start(`http://127.0.0.1:${port}`, {
      timeoutMs: 200,
      // The client has gone by the time that the target has answered
      connect: async (url, init) => {
        client.socket.terminate()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return connect!(url, init)
      },
    })
    const client = visit(at)
    client.opened.catch(() => {})
    expect({ code: await ended, open: server.clients.size }).toEqual({ code: 1005, open: 0 })
  })
})

test.each<[string, object]>([
  ['proxyWebSocket: prefix: expected a path such as "/api", got "api"', { prefix: 'api' }],
  ['proxyWebSocket: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 0', { timeoutMs: 0 }],
  ['proxyWebSocket: connect: expected a function, got "x"', { connect: 'x' }],
  ['proxyWebSocket: timeout: unknown option, did you mean "timeoutMs"?', { timeout: 1 }],
])('MX11: %s', (message, options) =>
  expect(() => proxyWebSocket('http://a.example', { connect, ...options } as never)).toThrow(message),
)

test.each([
  ['1024 messages', 1024, 'x', true],
  ['one message more', 1025, 'x', false],
  ['16 MiB', 16, 'x'.repeat(1_048_576), true],
  ['a MiB more', 17, 'x'.repeat(1_048_576), false],
])('MX11: a target may send %s before the client is there', async (_, count, data, kept) => {
  const listeners: Record<string, (event: any) => void> = {}
  const close = vi.fn()
  const target = {
    binaryType: '',
    readyState: 1,
    send() {},
    close,
    addEventListener: (type: string, listener: (event: any) => void) => {
      listeners[type] = listener
    },
  }
  const { opened, handlers } = createLink(target, 1000)
  await opened
  for (let n = 0; n < count; n++) listeners.message!({ data })
  expect(close).toHaveBeenCalledTimes(kept ? 0 : 1)
  if (!kept) return
  let sent = 0
  await handlers.open!({ send: () => !!++sent, close() {} } as never)
  expect(sent).toBe(count)
})

test('MX11: early messages wait for the client, and later ones come after them', async () => {
  const listeners: Record<string, (event: any) => void> = {}
  const target = {
    binaryType: '',
    readyState: 1,
    send() {},
    close() {},
    addEventListener: (type: string, listener: (event: any) => void) => {
      listeners[type] = listener
    },
  }
  const { opened, handlers } = createLink(target, 1000)
  await opened
  for (const data of ['1', '2', '3']) listeners.message!({ data })
  const sent: string[] = []
  let go: ((room: boolean) => void) | undefined
  const socket = {
    close() {},
    send(data: string) {
      sent.push(data)
      return new Promise<boolean>((resolve) => {
        go = resolve
      })
    },
  }
  const open = handlers.open!(socket as never)
  await vi.waitFor(() => expect(sent).toEqual(['1']))
  listeners.message!({ data: '4' })
  for (const wanted of [
    ['1', '2'],
    ['1', '2', '3'],
    ['1', '2', '3', '4'],
  ]) {
    go!(true)
    await vi.waitFor(() => expect(sent).toEqual(wanted))
  }
  go!(true)
  await open
  listeners.message!({ data: '5' })
  expect(sent.at(-1)).toBe('5')
})

test('MX11: without a WebSocket of the runtime, connect is asked for', () => {
  vi.stubGlobal('WebSocket', undefined)
  expect(() => proxyWebSocket('http://a.example')).toThrow('since this runtime has no WebSocket')
  vi.unstubAllGlobals()
})
