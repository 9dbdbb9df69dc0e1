import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { SocketClosed, type SocketOptions, socket } from '../../src/client/socket.ts'
import { createClient } from '../../src/client.ts'
import { readSocket } from './read-socket.ts'

/** A connection that a test drives. */
class Fake {
  binaryType = ''
  readyState = 0
  bufferedAmount = 0
  readonly sent: unknown[] = []
  readonly closes: unknown[] = []
  readonly url: string
  readonly protocols: readonly string[]
  readonly #listeners = new Map<string, (event: any) => void>() // any: events of several classes

  constructor(url = '', protocols: readonly string[] = []) {
    this.url = url
    this.protocols = protocols
  }
  addEventListener(type: string, listener: (event: any) => void): void {
    this.#listeners.set(type, listener)
  }
  send(message: unknown): void {
    this.sent.push(message)
  }
  close(...given: unknown[]): void {
    this.closes.push(given)
    this.readyState = 2
  }
  tell(type: string, event: object = {}): void {
    this.#listeners.get(type)!(event)
  }
  open(): this {
    this.readyState = 1
    this.tell('open')
    return this
  }
  say(data: unknown): this {
    this.tell('message', { data })
    return this
  }
  cut(code: number, reason = ''): void {
    this.readyState = 3
    this.tell('close', { code, reason })
  }
}

/** A socket over connections that are driven by hand; `next` is the one that is opened next. */
const drive = (options: SocketOptions & { query?: object; params?: object } = {}) => {
  const made: Fake[] = []
  const waits: number[] = []
  const api: any = createClient<any>({ baseUrl: 'https://a.example/v1/' }) // any: there is no application
  const chat = (socket as unknown as (...given: unknown[]) => ReturnType<typeof socket<any, string>>)(
    api,
    '/rooms/:room',
    {
      params: { room: 'a b' },
      connect: (url: string, protocols: string[]) => {
        const fake = new Fake(url, protocols)
        made.push(fake)
        return fake
      },
      sleep: async (ms: number) => void waits.push(ms),
      random: () => 1,
      ...options,
    },
  )
  const next = async (): Promise<Fake> => {
    const before = made.length
    await vi.waitFor(() => expect(made.length).toBeGreaterThan(taken))
    expect(before).toBeLessThanOrEqual(made.length)
    const fake = made[taken++]!
    // `followTarget` listens a moment after `connect`
    await vi.waitFor(() => fake.tell('error'))
    return fake
  }
  let taken = 0
  return { chat, made, waits, next }
}

describe('WS3: the messages of a socket', () => {
  test('WS3: texts and bytes come in order, the address is that of the route, and 1000 ends the loop', async () => {
    const { chat, next } = drive({ query: { after: 7 }, protocols: ['v2', 'v1'] })
    const first = await next()
    expect({ url: first.url, protocols: first.protocols, binaryType: first.binaryType }).toEqual({
      url: 'wss://a.example/v1/rooms/a%20b?after=7',
      protocols: ['v2', 'v1'],
      binaryType: 'arraybuffer',
    })
    first
      .open()
      .say('one')
      .say(new Uint8Array([0, 255]).buffer)
      .say('{"n":1}')
      .cut(1000)
    const got: unknown[] = []
    for await (const message of chat)
      got.push(message.data === '{"n":1}' ? message.json() : typeof message.data === 'string' ? message.data : message)
    expect({ text: got[0], json: got[2] }).toEqual({ text: 'one', json: { n: 1 } })
    expect((got[1] as { data: Uint8Array }).data).toEqual(new Uint8Array([0, 255]))
    expect(() => (got[1] as { json(): unknown }).json()).toThrow('The message is bytes, not JSON')
    expect({ connected: chat.connected, sentLate: chat.send('late') }).toEqual({ connected: false, sentLate: false })
  })

  test('WS3: readers at once get one message each', async () => {
    const { chat, next } = drive()
    const both = [chat.next(), chat.next()]
    ;(await next()).open().say('a').say('b')
    expect((await Promise.all(both)).map(({ value }) => value!.data)).toEqual(['a', 'b'])
    chat.close()
  })

  test('WS3: more messages than may wait end it with an error, behind those that came', async () => {
    const { chat, next } = drive({ receiveLimit: 2 })
    const first = await next()
    first.open().say('a').say('b').say('c').say('d')
    expect(await readSocket(chat)).toEqual(['a', 'b', new RangeError('socket: 2 messages wait to be read')])
    expect(first.closes).toEqual([[1000, '']])
  })
})

describe('WS3: what is sent', () => {
  test('WS3: waits for the connection, in order, behind what onOpen says', async () => {
    const chatOf: { send(message: string): unknown }[] = []
    const { chat, next } = drive({ onOpen: () => chatOf[0]!.send('hello') })
    chatOf.push(chat)
    expect({ text: chat.send('a'), json: chat.sendJson({ b: 1 }), connected: chat.connected }).toEqual({
      text: true,
      json: true,
      connected: false,
    })
    const first = (await next()).open()
    expect({ sent: first.sent, connected: chat.connected }).toEqual({
      sent: ['hello', 'a', '{"b":1}'],
      connected: true,
    })
    chat.send(new Uint8Array([1]))
    first.cut(1006)
    chat.send('c')
    const second = (await next()).open()
    expect({ sentLength: first.sent.length, sent: second.sent }).toEqual({ sentLength: 4, sent: ['hello', 'c'] })
    chat.close()
  })

  test('WS3: at most sendLimit bytes wait, before and behind the connection', async () => {
    const { chat, next } = drive({ sendLimit: 4 })
    expect(['abc', 'd', 'e'].map((text) => chat.send(text))).toEqual([true, true, false])
    const first = (await next()).open()
    expect(first.sent).toEqual(['abc', 'd'])
    first.bufferedAmount = 3
    expect(['x', 'yz'].map((text) => chat.send(text))).toEqual([true, false])
    // The goodbye has begun: it waits for the next connection
    first.readyState = 2
    expect(['abcd', 'e'].map((text) => chat.send(text))).toEqual([true, false])
    first.cut(1001)
    expect((await next()).open().sent).toEqual(['abcd'])
    chat.close()
  })

  test('WS3: an onOpen that throws ends it with that error', async () => {
    const { chat, next } = drive({
      onOpen: () => {
        throw new Error('no token')
      },
    })
    ;(await next()).open()
    expect(await readSocket(chat)).toEqual([new Error('no token')])
  })
})

describe('WS3: connecting again', () => {
  test('WS3: the wait doubles up to the most, a message ends the row, and the query is read anew', async () => {
    let last = 0
    const query = {
      get after() {
        return last
      },
    }
    const { chat, next, waits } = drive({ retryMs: 100, maxRetryMs: 700, query })
    ;(await next()).open().say('a').cut(1001)
    for (let n = 0; n < 3; n++) (await next()).cut(1006)
    ;(await next()).open().cut(1011)
    last = 5
    const sixth = await next()
    expect(new URL(sixth.url).search).toBe('?after=5')
    sixth.open().say('b').cut(1013)
    ;(await next()).open().cut(1000)
    expect(await readSocket(chat)).toEqual(['a', 'b'])
    expect(waits).toEqual([100, 200, 400, 700, 700, 100])
  })

  test.each([
    [0, 50],
    [0.5, 75],
    [1, 100],
  ])('WS3: at random %d the wait of 100 ms is %d ms', async (number, expected) => {
    const { chat, next, waits } = drive({ retryMs: 100, random: () => number })
    ;(await next()).open().cut(1012)
    ;(await next()).open().cut(1000)
    expect({ messages: await readSocket(chat), waits }).toEqual({ messages: [], waits: [expected] })
  })

  test.each([1002, 1003, 1007, 1008, 1009, 1010, 1015, 3000, 4999])('WS3: %i ends it with an error', async (code) => {
    const { chat, next, made } = drive()
    ;(await next()).open().say('a').cut(code, 'why')
    const [message, error] = await readSocket(chat)
    expect(message).toBe('a')
    expect(error).toBeInstanceOf(SocketClosed)
    expect(error).toMatchObject({
      name: 'SocketClosed',
      code,
      reason: 'why',
      message: `socket: /rooms/:room: closed with ${code}`,
    })
    expect(made).toHaveLength(1)
  })

  test.each([1000, 1005])('WS3: %i ends it without one', async (code) => {
    const { chat, next } = drive()
    ;(await next()).open().cut(code)
    expect(await readSocket(chat)).toEqual([])
  })

  test.each<[string, (first: Fake) => unknown]>([
    ['is refused', (first) => first.cut(1006)],
    ['says nothing for timeoutMs', () => {}],
  ])('WS3: a first connection that %s is an error, and no reason to try again', async (_, fail) => {
    const { chat, next, made } = drive({ timeoutMs: 20 })
    const first = await next()
    fail(first)
    expect(await readSocket(chat)).toEqual([new SocketClosed(1006, '', 'socket: /rooms/:room: no connection')])
    expect(made).toHaveLength(1)
  })

  test('WS3: a later connection that says nothing for timeoutMs is closed, and the next one tried', async () => {
    // The first and the third stand at once: a busy machine may be slower than timeoutMs
    const fakes = [1, 0, 1].map((readyState) => Object.assign(new Fake(), { readyState }))
    const [first, second, third] = fakes as [Fake, Fake, Fake]
    let at = 0
    const { chat } = drive({ timeoutMs: 20, connect: () => fakes[at++]! })
    await vi.waitFor(() => first.tell('error'))
    first.say('a').cut(1006)
    await vi.waitFor(() => third.tell('error'), 10_000)
    expect(second.closes).toEqual([[]])
    // Too late: nobody waits for it
    second.open().say('lost')
    third.say('b').cut(1000)
    expect(await readSocket(chat)).toEqual(['a', 'b'])
  })

  test('WS3: a connect that rejects is an error at first, and a failure like any other later', async () => {
    const fakes = [new Fake(), undefined, new Fake()]
    let at = 0
    const connect = () => fakes[at++] ?? Promise.reject(new Error('no network'))
    const { chat, waits } = drive({ connect })
    await vi.waitFor(() => fakes[0]!.tell('error'))
    fakes[0]!.open().cut(1006)
    await vi.waitFor(() => fakes[2]!.tell('error'))
    fakes[2]!.open().cut(1000)
    expect({ messages: await readSocket(chat), waits }).toEqual({ messages: [], waits: [1000, 2000] })
    const refused = drive({ connect: () => Promise.reject(new Error('no network')) })
    expect(await readSocket(refused.chat)).toEqual([new Error('no network')])
  })
})

describe('WS3: the end', () => {
  test.each<[string, (chat: ReturnType<typeof drive>['chat'], controller: AbortController) => unknown, unknown[]]>([
    ['close()', (chat) => chat.close(), [1000, '']],
    ['close(3000)', (chat) => chat.close(3000, 'bye'), [3000, 'bye']],
    ['close(4999)', (chat) => chat.close(4999), [4999, '']],
    ['the signal', (_, controller) => controller.abort(), [1000, '']],
    ['leaving the loop', (chat) => chat.return!(), [1000, '']],
  ])('WS3: %s closes the connection, and leaves no listener, no timer and no further attempt', async (_, end, said) => {
    const controller = new AbortController()
    const { chat, next, made } = drive({ signal: controller.signal })
    const first = (await next()).open()
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    const waiting = chat.next()
    end(chat, controller)
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(first.closes).toEqual([said])
    first.say('late').cut(1006)
    expect(await chat.next()).toEqual({ done: true, value: undefined })
    expect({ listeners: getEventListeners(controller.signal, 'abort').length, connections: made.length }).toEqual({
      listeners: 0,
      connections: 1,
    })
  })

  test('WS3: while it waits to connect again, the signal ends the wait', async () => {
    const controller = new AbortController()
    const { chat, next, made } = drive({ signal: controller.signal, retryMs: 60_000, sleep: undefined as never })
    ;(await next()).open().cut(1006)
    const waiting = chat.next()
    controller.abort()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(made).toHaveLength(1)
  })

  test('WS3: while a connection is being made, it is closed when it is there', async () => {
    const fake = new Fake()
    const gives: ((fake: Fake) => void)[] = []
    const connect = () =>
      new Promise<Fake>((resolve) => {
        gives.push(resolve)
      })
    const { chat } = drive({ connect })
    await vi.waitFor(() => expect(gives).toHaveLength(1))
    chat.close()
    gives[0]!(fake)
    await vi.waitFor(() => expect(fake.closes).toEqual([[1000, '']]))
  })

  test('WS3: a signal that has aborted opens nothing', async () => {
    const { chat, made } = drive({ signal: AbortSignal.abort() })
    expect({ messages: await readSocket(chat), connections: made }).toEqual({ messages: [], connections: [] })
  })

  test.each([1001, 2999, 5000])('WS3: close(%i) is refused', (code) => {
    const { chat } = drive()
    expect(() => chat.close(code)).toThrow(`close: code: expected 1000, or 3000 to 4999, got ${code}`)
    expect(() => chat.close(1000, 'é'.repeat(62))).toThrow('close: reason: expected a string of at most 123 bytes')
    chat.close(1000, 'x'.repeat(123))
  })
})

test.each<[SocketOptions, string]>([
  [{ retryMs: -1 }, 'socket: retryMs'],
  [{ maxRetryMs: 0.5 }, 'socket: maxRetryMs'],
  [{ timeoutMs: 0 }, 'socket: timeoutMs'],
  [{ sendLimit: -1 }, 'socket: sendLimit'],
  [{ receiveLimit: 0 }, 'socket: receiveLimit'],
])('WS3: %j is refused', (options, message) => expect(() => drive(options)).toThrow(message))

test('WS3: without a WebSocket of the platform, connect is asked for', () => {
  vi.stubGlobal('WebSocket', undefined)
  expect(() => drive({ connect: undefined as never })).toThrow('since this platform has no WebSocket')
  vi.unstubAllGlobals()
})

test('WS3: a parameter that is missing is an error of the loop', async () => {
  const { chat } = drive({ params: {} })
  const message = '/rooms/:room: room: expected a value without empty, "." or ".." segments, got ""'
  expect(await readSocket(chat)).toEqual([new TypeError(message)])
})
