import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/app.ts'
import { scoped } from '../../src/container/scope.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { requestScope } from '../../src/middleware/request-scope.ts'
import { problemJson } from '../../src/problem-json.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { type ServerSocket, type WebSocketOptions, webSocket } from '../../src/websocket.ts'
import { number, object } from '../../src/z.ts'
import { start } from './serving.ts'
import { eventually, exchange, kinds, open, parse, statuses, within } from './wire.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const FIELDS = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
/** A handshake by hand. */
const handshake = (path: string, more: string[] = [`Sec-WebSocket-Key: ${KEY}`], fields = FIELDS): string =>
  `GET ${path} HTTP/1.1\r\n${[...fields, ...more].join('\r\n')}\r\n\r\n`

/** One frame of a client by hand (RFC 6455 §5.2), with a mask of zeros. */
const frame = (
  opcode: number,
  payload: string | number[],
  { fin = true, masked = true, rsv = 0, length = -1 } = {},
) => {
  const body = Buffer.from(payload as string)
  const size = length < 0 ? body.length : length
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode]
  const mask = masked ? 0x80 : 0
  if (size < 126) head.push(mask | size)
  else if (size < 65_536) head.push(mask | 126, size >> 8, size & 255)
  else {
    const eight = Buffer.alloc(8)
    eight.writeBigUInt64BE(BigInt(size))
    head.push(mask | 127, ...eight)
  }
  return Buffer.concat([Buffer.from(head), Buffer.alloc(masked ? 4 : 0), body])
}

/** The client of the package ws, with what has come. */
const client = (handle: ServerHandle, path: string, { protocols = [] as string[], ...options } = {}) => {
  const socket = new WebSocket(handle.url.replace('http', 'ws') + path, protocols, {
    rejectUnauthorized: false,
    ...options,
  })
  const got: unknown[] = []
  socket.on('message', (content, binary) => got.push(binary ? [...(content as Buffer)] : content.toString()))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const opened = new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  opened.catch(() => {})
  return { socket, got, closed, opened }
}

const echo = (options: WebSocketOptions = {}) =>
  createApp().get(
    '/',
    webSocket(() => ({ message: (socket, message) => socket.send(message) }), options),
  )

describe.each(kinds)('WS1: over %s', (_, options) => {
  test('WS1: texts and bytes come back, of every length class', async () => {
    const { socket, got, opened } = client(await start(echo(), options), '/')
    await opened
    const texts = ['', 'é☃😀', 'x'.repeat(125), 'x'.repeat(126), 'x'.repeat(65_535), 'x'.repeat(65_536)]
    for (const one of texts) socket.send(one)
    socket.send(Buffer.from([0, 255, 1]))
    await eventually(() => got.length === 7, 'seven messages')
    expect({ got, extensions: socket.extensions, protocol: socket.protocol }).toEqual({
      got: [...texts, [0, 255, 1]],
      extensions: '',
      protocol: '',
    })
    socket.close()
  })
})

describe('WS1: a handler like any other', () => {
  test('WS1: has params, state of the middleware before it, and its fields in the answer', async () => {
    const app = createApp()
      .use(helmet())
      .get(
        '/rooms/:room',
        (ctx, next) => {
          ctx.state.user = ctx.query.get('user')
          ctx.onResponse((response) => response.headers.append('set-cookie', 'seen=1'))
          return next()
        },
        webSocket((ctx: any) => ({
          open: (socket) => socket.send(`${ctx.state.user} in ${ctx.params.room}`),
        })),
      )
    const { socket, got, opened } = client(await start(app), '/rooms/a%20b?user=ada')
    let fields: Record<string, unknown> = {}
    socket.on('upgrade', (response) => {
      fields = response.headers
    })
    await opened
    await eventually(() => got.length === 1, 'a message')
    expect(got).toEqual(['ada in a b'])
    expect(fields).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'set-cookie': ['seen=1'] })
  })

  test.each([
    ['a guard', '/guarded', 401, { error: 'Unauthorized' }],
    ['the function itself', '/refused', 418, { error: 'not today' }],
    ['an error', '/throws', 500, { error: 'Internal Server Error' }],
    ['an error of a middleware, after it', '/late', 500, { error: 'Internal Server Error' }],
    ['no route', '/nowhere', 404, { error: 'Not Found' }],
  ])('WS1: %s refuses with a plain HTTP answer, and the connection ends', async (_, path, status, body) => {
    const opened = vi.fn()
    const app = createApp()
      .get(
        '/guarded',
        (ctx) => ctx.json({ error: 'Unauthorized' }, 401),
        webSocket(() => ({ open: opened })),
      )
      .get(
        '/refused',
        webSocket((ctx: any) => ctx.json({ error: 'not today' }, 418)),
      )
      .get(
        '/throws',
        webSocket(() => {
          throw new Error('broken')
        }),
      )
      .get(
        '/late',
        async (_, next) => {
          await next()
          throw new Error('broken')
        },
        webSocket(() => ({ open: opened, close: opened })),
      )
    const { port } = await start(app)
    const got = parse(await exchange(port!, handshake(path)))
    expect({ status: got.status, body: JSON.parse(got.body) }).toEqual({ status, body })
    expect(got.lines).toContain('Connection: close')
    expect(opened).not.toHaveBeenCalled()
  })

  test('WS1: a request that is not an upgrade gets 426', async () => {
    const { url } = await start(echo())
    const response = await fetch(url)
    expect({ status: response.status, upgrade: response.headers.get('upgrade') }).toEqual({
      status: 426,
      upgrade: 'websocket',
    })
  })

  test.each([
    ['an unknown version of the protocol', ['Sec-WebSocket-Version: 12'], [KEY], 426],
    ['two versions', ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Version: 12'], [KEY], 426],
    ['no version', [], [KEY], 426],
    ['no key', ['Sec-WebSocket-Version: 13'], [], 400],
    ['two keys', ['Sec-WebSocket-Version: 13'], [KEY, KEY], 400],
    ['a key that is too short', ['Sec-WebSocket-Version: 13'], ['YQ=='], 400],
    ['a key of 15 bytes', ['Sec-WebSocket-Version: 13'], [`${'A'.repeat(20)}`], 400],
    ['a key of 17 bytes', ['Sec-WebSocket-Version: 13'], [`${'A'.repeat(23)}=`], 400],
    ['a key of other letters', ['Sec-WebSocket-Version: 13'], [`${'!'.repeat(22)}==`], 400],
    ['this version and a key', ['Sec-WebSocket-Version: 13'], [KEY], 101],
  ])('WS2: %s: nothing is opened for a bad handshake', async (_, version, keys, status) => {
    const made = vi.fn(() => ({}))
    const { port } = await start(createApp().get('/', webSocket(made)))
    const more = keys.map((key) => `Sec-WebSocket-Key: ${key}`)
    const bytes = handshake('/', more, [...FIELDS.slice(0, 3), ...version])
    const text = await exchange(
      port!,
      bytes,
      (text) => text.includes('\r\n\r\n') && (status === 101 || /}$/.test(text)),
    )
    expect(parse(text).status).toBe(status)
    expect(made).toHaveBeenCalledTimes(status === 101 ? 1 : 0)
    if (status === 101) return expect(text).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
    expect(text).toMatch(/sec-websocket-version: 13/i)
    expect(JSON.parse(parse(text).body)).toEqual(
      status === 400
        ? { error: 'Bad Sec-WebSocket-Key', code: 'bad_handshake' }
        : { error: 'Upgrade Required', code: 'upgrade_required' },
    )
  })

  test('WS2: a handshake that came over no socket opens nothing', async () => {
    const made = vi.fn(() => ({}))
    const app = createApp().get('/', webSocket(made))
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const response = await app.request('/', { headers: { ...headers, 'sec-websocket-key': KEY } })
    expect({ status: response.status, calls: made.mock.calls }).toEqual({ status: 426, calls: [] })
  })

  test('WS2: a bad handshake is reported as problemJson formats it, if it is used', async () => {
    const app = createApp({ ...problemJson() }).get(
      '/',
      webSocket(() => ({})),
    )
    const { port } = await start(app)
    const { status, lines } = parse(await exchange(port!, handshake('/', ['Sec-WebSocket-Key: bad'])))
    expect(status).toBe(400)
    expect(lines.join().toLowerCase()).toContain('content-type: application/problem+json')
  })

  test.each([
    ['GET', '', 'from GET'],
    ['POST', 'a body', 'POST: a body'],
  ])('WS1: an upgrade to something else by %s is a plain request, body included', async (method, body, expected) => {
    const app = echo()
      .get('/plain', (ctx) => ctx.text('from GET'))
      .post('/plain', async (ctx) => ctx.text(`POST: ${await ctx.text()}`))
    const { port } = await start(app)
    const bytes = `${method} /plain HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /plain HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    const text = await exchange(port!, bytes)
    expect(statuses(text)).toEqual([200, 200])
    expect(text).toContain(expected)
  })
})

describe('WS2: the page that asks', () => {
  const list = ['https://app.example', 'http://127.0.0.1:9']
  test.each([
    ['no origin', {}, undefined, 101],
    ['this host', {}, 'http://localhost', 101],
    ['this host behind a proxy with TLS', {}, 'https://localhost', 101],
    ['another host', {}, 'http://evil.example', 403],
    ['another port', {}, 'http://localhost:81', 403],
    ['this host as the end of another', {}, 'http://evillocalhost', 403],
    ['this host as a user', {}, 'http://localhost@evil.example', 403],
    ['null', {}, 'null', 403],
    ['an empty one', {}, '', 403],
    ['one of the list', { origin: list }, 'https://app.example', 101],
    ['one that is not in the list', { origin: list }, 'http://localhost', 403],
    ['all', { origin: '*' }, 'http://evil.example', 101],
    ['a function that accepts', { origin: (origin: string) => origin.endsWith('.example') }, 'http://a.example', 101],
    ['a function that refuses later', { origin: async () => false }, 'http://a.example', 403],
  ])('WS2: %s', async (_, options, origin, status) => {
    const { port } = await start(echo(options as WebSocketOptions))
    const more = [`Sec-WebSocket-Key: ${KEY}`, ...(origin === undefined ? [] : [`Origin: ${origin}`])]
    const text = await exchange(port!, handshake('/', more), (text) => text.includes('\r\n\r\n'))
    expect(parse(text).status).toBe(status)
  })

  test.each([
    [['b', 'a'], ['a', 'b'], 'a'],
    [['b'], ['a', 'b'], 'b'],
    [['c'], ['a', 'b'], undefined],
    [[], ['a'], ''],
    [['a'], [], undefined],
  ])('WS2: offered %j, known %j: chosen %j', async (offered, known, chosen) => {
    const { socket, opened } = client(await start(echo({ protocols: known })), '/', { protocols: offered })
    if (chosen === undefined) await expect(opened).rejects.toThrow(/subprotocol/)
    else {
      await opened
      expect(socket.protocol).toBe(chosen)
    }
  })
})

describe('WS2: hostile clients', () => {
  const serveOne = async (options: WebSocketOptions = {}) => {
    const seen = { closed: -1, errors: [] as string[], messages: 0 }
    const app = createApp().get(
      '/',
      webSocket(
        () => ({
          message: (socket, message) => {
            seen.messages++
            return socket.send(message)
          },
          close: (_, code) => {
            seen.closed = code
          },
          error: (_, error) => void seen.errors.push((error as Error).message),
        }),
        { maxPayload: 100, ...options },
      ),
    )
    const handle = await start(app)
    const wire = await open(handle.port!)
    wire.write(handshake('/'))
    await wire.until((text) => text.includes('\r\n\r\n'))
    return { seen, wire, handle, rest: () => wire.text().slice(wire.text().indexOf('\r\n\r\n') + 4) }
  }
  const closeFrame = (code: number): string => String.fromCharCode(0x88, 2, code >> 8, code & 255)

  test.each([
    ['a frame without a mask', frame(1, 'a', { masked: false }), 1002],
    ['a frame longer than maxPayload, of which only the head comes', frame(2, '', { length: 101 }), 1009],
    ['a frame of 2^40 bytes', frame(2, '', { length: 2 ** 40 }), 1009],
    [
      'fragments that are too long together',
      Buffer.concat([frame(2, 'x'.repeat(60), { fin: false }), frame(0, 'x'.repeat(41))]),
      1009,
    ],
    ['an opcode that does not exist', frame(3, ''), 1002],
    ['a reserved bit', frame(1, 'a', { rsv: 4 }), 1002],
    ['a ping in fragments', frame(9, '', { fin: false }), 1002],
    ['a ping of 126 bytes', frame(9, 'x'.repeat(126)), 1002],
    ['a continuation of nothing', frame(0, 'a'), 1002],
    ['a text that is no UTF-8', frame(1, [0xc3, 0x28]), 1007],
    ['a close code that may not be sent', frame(8, [0x03, 0xee]), 1002],
    ['a close frame of one byte', frame(8, [0x03]), 1002],
  ])('WS2: %s closes, and reaches no handler but error', async (_, bytes, code) => {
    const { seen, wire, rest } = await serveOne()
    wire.write(bytes)
    await wire.closed()
    expect(rest().startsWith(closeFrame(code as number))).toBe(true)
    await eventually(() => seen.closed !== -1, 'close')
    expect({ messages: seen.messages, errorsLength: seen.errors.length }).toEqual({ messages: 0, errorsLength: 1 })
  })

  test('WS2: a message of maxPayload bytes passes, whole or in fragments', async () => {
    const { seen, wire, rest } = await serveOne()
    wire.write(frame(2, 'x'.repeat(100)))
    wire.write(Buffer.concat([frame(2, 'x'.repeat(99), { fin: false }), frame(9, 'p'), frame(0, 'x')]))
    await wire.until(() => (rest().match(/x{100}/g) ?? []).length === 2)
    expect({ messages: seen.messages, errors: seen.errors }).toEqual({ messages: 2, errors: [] })
    wire.end()
    await eventually(() => seen.closed === 1006, 'close')
  })

  test('WS2: a frame that comes a byte at a time and then stops is cut after idleTimeoutMs, silence is too', async () => {
    const { seen, wire } = await serveOne({ idleTimeoutMs: 200 })
    for (const byte of frame(1, 'slow').subarray(0, 5)) wire.write(Buffer.from([byte]))
    await wire.closed()
    await eventually(() => seen.closed === 1006, 'close')
    expect(seen.messages).toBe(0)
  })

  test('WS2: a frame that comes a byte at a time for ever is cut after idleTimeoutMs', async () => {
    const { seen, wire } = await serveOne({ idleTimeoutMs: 200, maxPayload: 1_000_000 })
    const bytes = frame(2, 'x'.repeat(1_000_000))
    let at = 0
    const drip = setInterval(() => wire.write(bytes.subarray(at, ++at)), 10)
    await wire.closed().finally(() => clearInterval(drip))
    await eventually(() => seen.closed === 1006, 'close')
    expect(seen.messages).toBe(0)
  })

  test.each([
    [1024, 'passes'],
    [1025, 'closes with 1008'],
  ])('WS2: a message in %i fragments of a byte %s', async (count, outcome) => {
    const { seen, wire, rest } = await serveOne({ maxPayload: 2000 })
    const part = (n: number): Buffer => frame(n ? 0 : 2, 'x', { fin: n === count - 1 })
    wire.write(Buffer.concat(Array.from({ length: count }, (_, n) => part(n))))
    if (outcome === 'passes') {
      await wire.until(() => rest().includes('x'.repeat(count)))
      expect(seen.errors).toEqual([])
      return
    }
    await wire.closed()
    expect(rest()).toContain(closeFrame(1008))
    expect({ messages: seen.messages, errors: seen.errors }).toEqual({
      messages: 0,
      errors: ['Too many message fragments'],
    })
  })

  test('WS2: a long frame that comes a byte at a time is closed with 1008, long before it is whole', async () => {
    const { seen, wire, rest } = await serveOne({ maxPayload: 1_000_000 })
    const bytes = frame(2, 'x'.repeat(1_000_000))
    let over = false
    const closed = wire.closed().then(() => {
      over = true
    })
    let sent = 0
    while (!over && sent < 100_000) {
      wire.write(bytes.subarray(sent, ++sent))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sent).toBeLessThan(100_000)
    await closed
    expect(rest()).toContain(closeFrame(1008))
    expect({ messages: seen.messages, errors: seen.errors }).toEqual({
      messages: 0,
      errors: ['Too many buffered chunks'],
    })
  })

  /** A socket whose handler works on the first message until it is released, and what it has handled. */
  const serveSlow = async () => {
    let release!: () => void
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const handled: unknown[] = []
    const ended: number[] = []
    const app = createApp().get(
      '/',
      webSocket(
        () => ({
          async message(_, message) {
            await released
            handled.push(message)
          },
          close: (_, code) => void ended.push(code),
        }),
        { idleTimeoutMs: 600 },
      ),
    )
    return { handle: await start(app), release, handled, ended }
  }

  test('WS2: a client that waits for a handler longer than idleTimeoutMs is kept', async () => {
    const { handle, release, handled } = await serveSlow()
    const { socket, opened, closed } = client(handle, '/')
    await opened
    let pings = 0
    // Nothing is read while the second message waits, and so no pong
    for (const one of ['a', 'b', 'c']) socket.send(one)
    const pinged = new Promise<void>((resolve) => socket.on('ping', () => void (++pings === 8 && resolve())))
    await Promise.race([pinged, closed.then((code) => Promise.reject(new Error(`Closed with ${code}`)))])
    release()
    await eventually(() => handled.length === 3, 'three messages')
    expect({ handled, readyState: socket.readyState }).toEqual({ handled: ['a', 'b', 'c'], readyState: WebSocket.OPEN })
    socket.close()
    expect(await closed).toBe(1005)
  })

  test('WS2: a client that has gone while a handler worked is cut after idleTimeoutMs', async () => {
    const { handle, release, handled, ended } = await serveSlow()
    const wire = await open(handle.port!)
    wire.write(handshake('/'))
    wire.write(Buffer.concat([frame(1, 'a'), frame(1, 'b')]))
    // Pings come, and nobody answers
    await wire.until((text) => (text.match(/\x89\x00/g) ?? []).length >= 4)
    expect(ended).toEqual([])
    release()
    await wire.closed()
    await eventually(() => ended.length > 0, 'close')
    expect({ handled, ended }).toEqual({ handled: ['a', 'b'], ended: [1006] })
  })

  test('WS2: a client that reads nothing is cut after idleTimeoutMs, even if it has sent more than is handled', async () => {
    let ended: number | undefined
    const app = createApp().get(
      '/',
      webSocket(
        () => ({
          message: (socket) => socket.send('x'.repeat(200_000)),
          close: (_, code) => {
            ended = code
          },
        }),
        { idleTimeoutMs: 300, backpressureLimit: 100_000_000 },
      ),
    )
    const wire = await open((await start(app)).port!)
    wire.write(handshake('/'))
    await wire.until((text) => text.includes('\r\n\r\n'))
    wire.socket.pause()
    wire.write(Buffer.concat(Array.from({ length: 200 }, () => frame(1, 'more'))))
    await eventually(() => ended !== undefined, 'close')
    expect(ended).toBe(1006)
  })

  test('WS2: a client that answers pings is kept', async () => {
    const { socket, opened, closed } = client(await start(echo({ idleTimeoutMs: 600 })), '/')
    await opened
    let pings = 0
    await new Promise<void>((resolve) => socket.on('ping', () => void (++pings === 6 && resolve())))
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.close()
    expect(await closed).toBe(1005)
  })

  test('WS2: a client that reads nothing is cut at backpressureLimit, and send has said so', async () => {
    const results: unknown[] = []
    let ended: number | undefined
    const errors: string[] = []
    const app = createApp().get(
      '/',
      webSocket(
        () => ({
          open(socket) {
            const pump = async (): Promise<void> => {
              while (ended === undefined) {
                const result = socket.send('x'.repeat(50_000))
                results.push(typeof result === 'boolean' ? result : 'promise')
                if (results.length > 4000 || result === false) return
                if (results.length % 20 === 0) await new Promise((resolve) => setTimeout(resolve))
              }
            }
            void pump()
          },
          close: (_, code) => {
            ended = code
          },
          error: (_, error) => void errors.push((error as Error).message),
        }),
        { backpressureLimit: 500_000 },
      ),
    )
    const wire = await open((await start(app)).port!)
    wire.write(handshake('/'))
    wire.socket.pause()
    await eventually(() => ended !== undefined, 'close')
    expect(results[0]).toBe(true)
    expect(results).toContain('promise')
    expect(results.at(-1)).toBe(false)
    expect(errors[0]).toMatch(/^The client is too slow: \d+ bytes wait for it$/)
    wire.end()
  })

  test('WS2: awaiting send is only as fast as the client reads, drain is called, and nothing is lost', async () => {
    const drained = vi.fn()
    const app = createApp().get(
      '/',
      webSocket(() => ({
        async open(socket) {
          for (let n = 0; n < 400; n++) if (!(await socket.send(`${n} ${'x'.repeat(30_000)}`))) return
          socket.close()
        },
        drain: drained,
      })),
    )
    const { socket, got, opened, closed } = client(await start(app), '/')
    await opened
    socket.pause()
    await eventually(() => socket.isPaused, 'a pause')
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.resume()
    expect(await closed).toBe(1000)
    expect(got.map((one) => Number((one as string).split(' ')[0]))).toEqual(Array.from({ length: 400 }, (_, n) => n))
    expect(drained).toHaveBeenCalled()
  })

  test('WS2: a flood of upgrades without credentials is refused, each with 401, and leaves nothing open', async () => {
    const opened = vi.fn()
    const app = createApp()
      .get(
        '/',
        (ctx, next) => (ctx.header('authorization') ? next() : ctx.json({ error: 'Unauthorized' }, 401)),
        webSocket(() => ({ open: opened })),
      )
      .get('/ok', (ctx) => ctx.text('ok'))
    const { port, url } = await start(app)
    const answers = await Promise.all(Array.from({ length: 300 }, () => exchange(port!, handshake('/'))))
    expect(new Set(answers.map((text) => parse(text).status))).toEqual(new Set([401]))
    expect(await (await fetch(`${url}/ok`)).text()).toBe('ok')
    expect(opened).not.toHaveBeenCalled()
  })

  test('WS2: clients that go in the middle of the handshake leave nothing behind', async () => {
    let release!: () => void
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const seen = { asked: 0, opened: 0 }
    const app = createApp().get(
      '/',
      webSocket(async () => {
        seen.asked++
        await gate
        return { open: () => void seen.opened++ }
      }),
    )
    const handle = await start(app)
    const wires = await Promise.all(Array.from({ length: 20 }, () => open(handle.port!)))
    for (const wire of wires) wire.write(handshake('/'))
    await eventually(() => seen.asked === 20, 'twenty handshakes')
    for (const wire of wires) wire.reset()
    await Promise.all(wires.map((wire) => wire.closed()))
    await new Promise((resolve) => setTimeout(resolve, 50))
    release()
    await within(5000, handle.close(), 'close')
    expect(seen.opened).toBe(0)
  })
})

describe('WS3: typed messages', () => {
  const typed = (error?: (socket: ServerSocket, error: unknown) => unknown) =>
    createApp().get(
      '/',
      webSocket(
        () => ({
          message: (socket, { n }) => socket.send(`${n + 1}`),
          ...(error && { error }),
        }),
        { messages: object({ n: number() }) },
      ),
    )

  test.each([
    ['no JSON', '{'],
    ['another type', '{"n":"1"}'],
    ['bytes', Buffer.from('{"n":1}')],
  ])('WS3: %s closes with 1007', async (_, bad) => {
    const { socket, got, opened, closed } = client(await start(typed()), '/')
    await opened
    socket.send('{"n":1}')
    socket.send(bad)
    expect(await closed).toBe(1007)
    expect(got).toEqual(['2'])
  })

  test('WS3: bytes whose numbers would be JSON, put side by side, close with 1007, too', async () => {
    const got: number[] = []
    const app = createApp().get(
      '/',
      webSocket(() => ({ message: (_, n) => void got.push(n) }), { messages: number() }),
    )
    const { socket, opened, closed } = client(await start(app), '/')
    await opened
    socket.send(Buffer.from([49]))
    expect(await closed).toBe(1007)
    expect(got).toEqual([])
  })

  test('WS3: with an error handler the socket stays open, and the handler gets the error', async () => {
    const causes: unknown[] = []
    const app = typed((socket, error) => {
      causes.push((error as Error).cause)
      return socket.send((error as Error).name)
    })
    const { socket, got, opened } = client(await start(app), '/')
    await opened
    for (const one of ['{"n":"1"}', '{"n":2}']) socket.send(one)
    await eventually(() => got.length === 2, 'two messages')
    expect(got).toEqual(['BadMessage', '3'])
    expect(causes[0]).toMatchObject({ name: 'ValidationError' })
  })

  test('WS1: a handler that waits gets one message after the other; one that fails closes with 1011', async () => {
    const seen: string[] = []
    const app = createApp().get(
      '/',
      webSocket(() => ({
        async message(_, message) {
          seen.push(`begin ${message}`)
          await new Promise((resolve) => setTimeout(resolve, 5))
          if (message === '3') throw new Error('broken')
          seen.push(`end ${message}`)
        },
      })),
    )
    const { socket, opened, closed } = client(await start(app), '/')
    await opened
    for (const one of ['1', '2', '3', '4']) socket.send(one)
    expect(await closed).toBe(1011)
    expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3'])
    expect(console.error).toHaveBeenCalledTimes(1)
  })
})

describe('WS4: the end', () => {
  const CODE = 'close: code: expected 1000 to 1014 except 1004 to 1006, or 3000 to 4999, got'
  const REASON = 'close: reason: expected a string of at most 123 bytes, got'
  test.each<[given: [code?: unknown, reason?: unknown], refused: string]>([
    [[1006], `${CODE} 1006`],
    [[1005], `${CODE} 1005`],
    [[1015], `${CODE} 1015`],
    [[999], `${CODE} 999`],
    [[2999], `${CODE} 2999`],
    [[5000], `${CODE} 5000`],
    [[3000.5], `${CODE} 3000.5`],
    [['1000'], `${CODE} "1000"`],
    [[4000, 'x'.repeat(124)], REASON],
    [[4000, 'é'.repeat(62)], REASON],
    [[4000, 5], `${REASON} 5`],
  ])('WS4: close(%j) is refused before anything changes, and the socket still closes', async (given, refused) => {
    const told: string[] = []
    const app = createApp().get(
      '/',
      webSocket(() => ({
        open(socket) {
          try {
            socket.close(...(given as [number]))
          } catch (error) {
            told.push(String(error))
          }
        },
        message: (socket) => socket.close(4000, 'é'.repeat(61)),
      })),
    )
    const { socket, opened, closed } = client(await start(app), '/')
    await opened
    socket.send('go')
    expect(await within(5000, closed, 'the close')).toBe(4000)
    expect(told).toEqual([expect.stringContaining(`TypeError: ${refused}`)])
  })

  test('WS4: a handler that closes with a reason that is too long fails like any other: 1011', async () => {
    const told: unknown[] = []
    const handlers = {
      message: (socket: ServerSocket) => socket.close(4000, 'x'.repeat(130)),
      error: (_: ServerSocket, error: unknown) => told.push(error),
    }
    const { socket, opened, closed } = client(
      await start(
        createApp().get(
          '/',
          webSocket(() => handlers),
        ),
      ),
      '/',
    )
    await opened
    socket.send('go')
    expect(await within(5000, closed, 'the close')).toBe(1011)
    expect(told).toEqual([expect.any(TypeError)])
  })

  test.each([1000, 1001, 1003, 1007, 1014, 3000, 4999])('WS4: close(%i) is sent', async (code) => {
    const { opened, closed } = client(
      await start(
        createApp().get(
          '/',
          webSocket(() => ({ open: (one) => one.close(code, 'x'.repeat(123)) })),
        ),
      ),
      '/',
    )
    await opened
    expect(await within(5000, closed, 'the close')).toBe(code)
  })

  test('WS4: close() of the server closes sockets with 1001, and waits for no grace if clients answer', async () => {
    const codes: number[] = []
    const app = createApp().get(
      '/',
      webSocket(() => ({ close: (_, code) => void codes.push(code) })),
    )
    const handle = await start(app, { graceMs: 60_000 })
    const clients = Array.from({ length: 20 }, () => client(handle, '/'))
    await Promise.all(clients.map(({ opened }) => opened))
    await within(15_000, handle.close(), 'close')
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual(Array.from({ length: 20 }, () => 1001))
    await eventually(() => codes.length === 20, 'twenty ends')
  })

  test('WS4: a client that does not answer is cut after graceMs', async () => {
    const handle = await start(echo(), { graceMs: 300 })
    const wire = await open(handle.port!)
    wire.write(handshake('/'))
    await wire.until((text) => text.includes('\r\n\r\n'))
    await within(15_000, handle.close(), 'close')
    expect(await wire.closed()).toMatch(/\x88.\x03\xe9/)
  })

  test('WS4: a handshake that ends during close() is closed with 1001 too', async () => {
    let go!: () => void
    const app = createApp().get(
      '/',
      webSocket(async () => {
        await new Promise<void>((resolve) => {
          go = resolve
        })
        return {}
      }),
    )
    const handle = await start(app, { graceMs: 60_000 })
    const { closed } = client(handle, '/')
    await eventually(() => go !== undefined, 'a handshake')
    const closing = handle.close()
    go()
    expect(await closed).toBe(1001)
    await within(15_000, closing, 'close')
  })

  test('WS1: the signal aborts, sends say false, and what was awaited resolves', async () => {
    let socket!: ServerSocket
    const app = createApp().get(
      '/',
      webSocket(() => ({
        open(opened) {
          socket = opened
        },
      })),
    )
    const one = client(await start(app), '/')
    await one.opened
    const { signal } = socket
    one.socket.terminate()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    expect(await socket.send('x')).toBe(false)
    expect(socket.signal.aborted).toBe(true)
  })

  test('WS1: a handler that is made after the server listens works', async () => {
    const app = createApp().get('/first', (ctx) => ctx.text('first'))
    const handle = await start(app)
    app.get(
      '/late',
      webSocket(() => ({ open: (socket) => socket.send('late') })),
    )
    const { got, opened } = client(handle, '/late')
    await opened
    await eventually(() => got.length > 0, 'a message')
    expect(got).toEqual(['late'])
  })
})

describe('WS1: options that are refused', () => {
  test.each([
    [{ maxPayload: 0 }, 'webSocket: maxPayload: expected a whole number of bytes from 1, got 0'],
    [
      { idleTimeoutMs: 0 },
      'webSocket: idleTimeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 0',
    ],
    [{ backpressureLimit: 0.5 }, 'webSocket: backpressureLimit: expected a whole number of bytes from 1, got 0.5'],
    [{ protocols: ['a b'] }, 'webSocket: protocols: expected a list of tokens such as "chat.v1", got ["a b"]'],
    [{ protocols: 'a' }, 'webSocket: protocols: expected a list of tokens such as "chat.v1", got "a"'],
    [{ origin: ['https://a.example/'] }, 'webSocket: origin: expected "same", "*", a function or a list'],
    [{ orgin: '*' }, 'webSocket: orgin: unknown option, did you mean "origin"?'],
  ])('WS1: %j', (options, message) => {
    expect(() => webSocket(() => ({}), options as never)).toThrow(message)
  })

  test('WS1: something else than a function', () => {
    expect(() => webSocket({} as never)).toThrow('webSocket: open: expected a function of the context, got "object"')
  })
})

test('F7, WS1: a message may open the scope of the request, which goes on after the handshake', async () => {
  const app = createApp()
  scoped(app.container, 'greeting', () => 'hello')
  app.use(requestScope(app.container)).get(
    '/',
    webSocket((ctx: any) => ({ message: (socket: any) => void socket.send(ctx.state.container.make('greeting')) })),
  )
  const { socket, got, opened } = client(await start(app), '/')
  await opened
  socket.send('x')
  await eventually(() => got.length === 1, 'a message')
  expect(got).toEqual(['hello'])
  socket.close()
})

test('WS1: a wrapper around an application that forgets its response is a 500, and ends nothing', async () => {
  const app = echo()
  const handle = await serve(
    (async (...request: Parameters<typeof app.fetch>) => void (await app.fetch(...request))) as never,
    {
      port: 0,
      hostname: '127.0.0.1',
    },
  )
  const { opened } = client(handle, '/')
  await expect(opened).rejects.toThrow('500')
  await handle.close()
})
