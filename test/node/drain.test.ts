import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { limitBodyStream } from '../../src/internal/body/limit-body-stream.ts'
import { readText } from '../../src/read/text.ts'
import { text } from '../../src/respond/text.ts'
import { kinds, listen, open, openTls, pause, statuses, within } from './wire.ts'

const request = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

/** A handler that answers when the test says so. */
const held = () => {
  let answer = (): void => {}
  let reached = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    reached = resolve
  })
  const handler = () =>
    new Promise<Response>((resolve) => {
      answer = () => resolve(text('late'))
      reached()
    })
  return { handler, arrived, answer: () => answer() }
}

describe('K7: graceMs', () => {
  test('a request that never ends is cut once the grace is over, and close() ends', async () => {
    const { handler, arrived } = held()
    const server = await listen({ '/': handler }, { graceMs: 50 })
    const wire = await open(server.port!)
    wire.write(request('/'))
    await arrived
    await server.close()
    expect(await wire.closed()).toBe('')
  })

  test('a request that ends within the grace is answered, however late', async () => {
    const { handler, arrived, answer } = held()
    const server = await listen({ '/': handler }, { graceMs: 600_000 })
    const wire = await open(server.port!)
    wire.write(request('/'))
    await arrived
    const closed = server.close()
    await pause(600)
    answer()
    expect(await wire.closed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nlate$/)
    await closed
  })

  test('two servers with a short and a long grace: the short one is cut while the other waits and is answered', async () => {
    const [one, other] = [held(), held()]
    const short = await listen({ '/': one.handler }, { graceMs: 50 })
    const long = await listen({ '/': other.handler }, { graceMs: 600_000 })
    const wires = [await open(short.port!), await open(long.port!)]
    for (const wire of wires) wire.write(request('/'))
    await Promise.all([one.arrived, other.arrived])
    const order: string[] = []
    const closing = [short.close().then(() => order.push('short')), long.close().then(() => order.push('long'))]
    await closing[0]
    // Were both graces the same, the second would be over by now.
    await pause(500)
    expect(order).toEqual(['short'])
    other.answer()
    await Promise.all(closing)
    expect(order).toEqual(['short', 'long'])
    expect(await Promise.all(wires.map((wire) => wire.closed()))).toEqual(['', expect.stringMatching(/late$/)])
  })
})

describe('K7: an upload that is answered before it has ended', () => {
  const LENGTH = 4 * 1024 * 1024
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${LENGTH}\r\n\r\n`

  const copies: Request[] = []
  test.each<[string, number, (ctx: any) => any]>([
    ['before it is read', 1, () => text('no', 413)],
    ['at the limit of a reader', LENGTH / 2, (ctx) => readText(ctx)],
    [
      'at the limit of a reader, while nobody reads a copy',
      LENGTH / 2,
      (ctx) => {
        copies.push(ctx.request.clone())
        return readText(ctx)
      },
    ],
    [
      'at the limit of the stream, while nobody reads a copy',
      LENGTH / 2,
      (ctx) => {
        copies.push(ctx.request.clone())
        limitBodyStream(ctx.request, LENGTH / 4)
        return new Response(ctx.request.body).text()
      },
    ],
  ])('%s: its client reads the answer, and the connection serves the next request', async (_, first, handler) => {
    const server = await listen({ '/': handler, '/next': () => text('next') })
    const wire = await open(server.port!)
    wire.write(`${head}${'x'.repeat(first)}`)
    await wire.until((received) => received.includes('\r\n\r\n'))
    for (let sent = first; sent < LENGTH; sent += 65_536) wire.write('x'.repeat(Math.min(65_536, LENGTH - sent)))
    wire.write(request('/next'))
    expect(await wire.until((received) => received.endsWith('next'), 20_000)).toMatch(/^HTTP\/1\.1 413 /)
    wire.end()
    await server.close()
  })

  test('a client that sends byte by byte is cut, and nothing stays open', async () => {
    const server = await listen({ '/': () => text('no', 413) }, { graceMs: 600_000 })
    const wire = await open(server.port!)
    wire.write(head)
    const trickle = setInterval(() => wire.write('x'), 50)
    try {
      expect(await wire.closed(20_000)).toMatch(/^HTTP\/1\.1 413 /)
    } finally {
      clearInterval(trickle)
      wire.end()
    }
    await server.close()
  })
})

describe('OP4: close() loses no request of a kept connection', () => {
  /** Nothing of this process runs for a while, as on a loaded machine: timers that are due come first afterwards. */
  const stall = (ms: number): void => {
    const end = performance.now() + ms
    while (performance.now() < end);
  }

  test.each(kinds)(
    '%s: a request that has begun before is answered with Connection: close',
    async (_, options, openTo) => {
      const { handler, arrived, answer } = held()
      const server = await listen({ '/': handler }, { ...options, graceMs: 600_000 })
      const wire = await openTo(server.port!)
      wire.write(request('/'))
      await arrived
      const closed = server.close()
      answer()
      expect(await wire.closed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n\r\nlate$/)
      await closed
    },
  )

  test.each(kinds)('%s: a request that follows the end of a long response is answered', async (_, options, openTo) => {
    let end = (): void => {}
    const body = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('begun'))
          end = () => controller.close()
        },
      })
    const routes = { '/': () => new Response(body()), '/next': () => text('next') }
    const server = await listen(routes, { ...options, graceMs: 600_000 })
    const wire = await openTo(server.port!)
    wire.write(request('/'))
    await wire.until((received) => received.includes('begun'))
    const closed = server.close()
    end()
    await wire.until((received) => received.endsWith('0\r\n\r\n'))
    wire.write(request('/next'))
    stall(300)
    expect(await wire.closed()).toMatch(/\r\nConnection: close\r\n\r\nnext$/)
    await closed
  })

  test.each(kinds)('%s: a first request that arrives during a stall is answered', async (_, options, openTo) => {
    const server = await listen({ '/': () => text('first') }, { ...options, graceMs: 600_000 })
    const wire = await openTo(server.port!)
    const closed = server.close()
    wire.write(request('/'))
    stall(300)
    expect(await wire.closed()).toMatch(/\r\n\r\nfirst$/)
    await closed
  })

  test.each(kinds)('%s: two requests that were sent at once are both answered', async (_, options, openTo) => {
    const [one, other] = [held(), held()]
    const routes = { '/': one.handler, '/other': other.handler }
    const server = await listen(routes, { ...options, graceMs: 600_000 })
    const wire = await openTo(server.port!)
    wire.write(request('/') + request('/other'))
    await Promise.all([one.arrived, other.arrived])
    const closed = server.close()
    one.answer()
    other.answer()
    expect(await wire.closed()).toMatch(/\r\n\r\nlateHTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n\r\nlate$/)
    await closed
  })

  test.each(kinds)('%s: a client that pauses while it reads a response gets all of it', async (_, options, openTo) => {
    const SIZE = 40_000_000
    const server = await listen({ '/': () => text('x'.repeat(SIZE)) }, { ...options, graceMs: 600_000 })
    const { socket } = await openTo(server.port!)
    let size = 0
    socket.on('data', (chunk) => {
      size += chunk.length
    })
    socket.write(request('/'))
    await once(socket, 'data')
    socket.pause()
    const closed = server.close()
    await pause(1000)
    socket.resume()
    await closed
    if (!socket.closed) await once(socket, 'close')
    expect(size).toBeGreaterThan(SIZE)
  })

  test.each(kinds.slice(1))('%s: a request whose TLS record arrives slowly is answered', async (_, options) => {
    const server = await listen({ '/': () => text('first') }, { ...options, graceMs: 600_000 })
    let isSlow = false
    const slow = createServer(async (client) => {
      const upstream = connect(server.port!, '127.0.0.1')
      upstream.on('error', () => {}).pipe(client)
      for await (const chunk of client) {
        const size = isSlow ? 40 : chunk.length
        for (let at = 0; at < chunk.length; at += size) {
          upstream.write(chunk.subarray(at, at + size))
          if (isSlow) await pause(40)
        }
      }
    }).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const wire = await openTls((slow.address() as AddressInfo).port)
    isSlow = true
    const closed = server.close()
    wire.write(request('/', `X-Long: ${'x'.repeat(1000)}\r\n`))
    expect(await wire.closed()).toMatch(/\r\n\r\nfirst$/)
    await closed
    slow.close()
  })

  test('HTTP/2: a stream that a client opens during a stall is answered, and the session ends', async () => {
    const server = await listen({ '/': () => text('one') }, { ...kinds[2]![1], graceMs: 600_000 })
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false })
    const ask = async (): Promise<string> => {
      let received = ''
      for await (const chunk of session.request({ ':path': '/' }).setEncoding('utf8')) received += chunk
      return received
    }
    expect(await ask()).toBe('one')
    const closed = server.close()
    const answer = ask()
    // The request is written in a later turn
    setImmediate(() => stall(300))
    expect(await answer).toBe('one')
    await within(15_000, closed, 'close')
    session.destroy()
  })

  test.each(kinds)('%s: a kept connection without another request is closed', async (_, options, openTo) => {
    const server = await listen({ '/': () => text('one') }, { ...options, graceMs: 600_000 })
    const [kept, silent] = [await openTo(server.port!), await openTo(server.port!)]
    kept.write(request('/'))
    await kept.until((received) => received.endsWith('one'))
    await within(15_000, server.close(), 'close')
    expect({ kept: statuses(await kept.closed()), silent: await silent.closed() }).toEqual({ kept: [200], silent: '' })
  })
})
