import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Sender } from '../../src/respond/sse.ts'
import { toNodeHandler } from '../../src/to-node-handler.ts'
import { exchange, kinds, listen, open, parse, pause, request } from './wire.ts'

/** How the bytes of an event reach the socket: as one chunk where Node would pass four pieces on. */
const ends: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const serve = async (sender: Sender, options = {}, more = {}): Promise<number> => {
  const handle = await listen({ '/': (ctx) => ctx.sse(sender, { heartbeatMs: 0, ...more }) }, options)
  ends.push(() => handle.close())
  return handle.port!
}

/** Not before the stream was written to the socket itself. */
const later = (ms = 30): Promise<void> => pause(ms)

/** The content of chunks (RFC 9112 §7.1), and how many there were. Fails if one has another length than it says. */
const unchunk = (body: string): { content: string; count: number } => {
  let content = ''
  let count = 0
  for (let at = 0; ; count++) {
    const [line] = /^[\da-f]+\r\n/.exec(body.slice(at)) ?? []
    if (!line) throw new Error(`no chunk at ${at}: ${JSON.stringify(body.slice(at, at + 40))}`)
    const size = Number.parseInt(line, 16)
    at += line.length
    content += body.slice(at, at + size)
    at += size
    if (body.slice(at, at + 2) !== '\r\n') throw new Error(`a chunk of ${size} bytes has no end`)
    at += 2
    if (!size) return { content: Buffer.from(content, 'latin1').toString(), count }
  }
}
const eventsOf = (text: string): string[] =>
  Array.from(text.matchAll(/^data: ([^\n]*)\n\n/gm), ([, data]) => JSON.parse(data!))

test.each(kinds)(
  'over %s, texts of any length and script arrive whole, in chunks of their length',
  async (_, options, openTo) => {
    const lengths = fc.oneof(fc.nat(40), fc.integer({ min: 16_350, max: 16_400 }), fc.constant(70_000))
    const texts = fc.array(fc.tuple(fc.constantFrom('x', 'ä', '€', '𝄞', '\u2028'), lengths, fc.boolean()), {
      minLength: 1,
      maxLength: 6,
    })
    let sent: [string, number, boolean][] = []
    const port = await serve(async (send) => {
      await later()
      for (const [character, length, waits] of sent) {
        await send({ data: JSON.stringify(character.repeat(length)) })
        if (waits) await later(1)
      }
    }, options)
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        sent = given
        const wire = await openTo(port)
        wire.write(request('/'))
        const text = await wire.until((all) => all.endsWith('\r\n0\r\n\r\n'))
        wire.end()
        expect(eventsOf(unchunk(parse(text).body).content)).toEqual(given.map(([character, n]) => character.repeat(n)))
      }),
      { numRuns: 25 },
    )
  },
)

test('two clients that get different events in turn get their own', async () => {
  const port = await serve(async (send) => {
    await later()
    for (let n = 0; n < 200; n++) {
      send({ data: JSON.stringify(`${n}`) })
      send.comment(`c${n}`)
      if (n % 10 === 0) await later(1)
    }
  })
  const all = await Promise.all(
    Array.from({ length: 4 }, () => exchange(port, request('/'), (text) => text.endsWith('\r\n0\r\n\r\n'))),
  )
  for (const text of all) {
    const { content } = unchunk(parse(text).body)
    expect(eventsOf(content)).toEqual(Array.from({ length: 200 }, (_, n) => `${n}`))
    expect(content.match(/^: c\d+$/gm)).toHaveLength(200)
  }
})

test('a stream that fills the same bytes again and again is passed on as it was each time', async () => {
  const bytes = new Uint8Array(24)
  const port = await serve(async () => {
    let n = 0
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await later(2)
          if (n === 30) return controller.close()
          new TextEncoder().encodeInto(`data: ${JSON.stringify(`${n++}`.padStart(8, '0'))}\n\n`, bytes)
          controller.enqueue(bytes.subarray(0, 18))
        },
      },
      { highWaterMark: 0 },
    )
  })
  const text = await exchange(port, request('/'), (all) => all.endsWith('\r\n0\r\n\r\n'))
  expect(eventsOf(unchunk(parse(text).body).content).map(Number)).toEqual(Array.from({ length: 30 }, (_, n) => n))
})

test('an empty chunk does not end the response', async () => {
  const port = await serve(() => {
    const parts = ['data: "a"\n\n', '', 'data: "b"\n\n']
    return new ReadableStream({
      async pull(controller) {
        await later()
        const part = parts.shift()
        if (part === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(part))
      },
    })
  })
  const text = await exchange(port, request('/'), (all) => all.endsWith('\r\n0\r\n\r\n'))
  expect(eventsOf(unchunk(parse(text).body).content)).toEqual(['a', 'b'])
})

test('HTTP/1.0 has no chunks: the end of the connection is the end', async () => {
  const port = await serve(async (send) => {
    await later()
    for (let n = 0; n < 5; n++) send({ data: JSON.stringify(`${n}`) })
  })
  const { body } = parse(await exchange(port, 'GET / HTTP/1.0\r\nHost: localhost\r\n\r\n'))
  expect(eventsOf(body)).toEqual(['0', '1', '2', '3', '4'])
  expect(body).not.toMatch(/^[\da-f]+\r\n/)
})

test('a response that waits for an earlier one of the same connection comes after it', async () => {
  const handle = await listen({
    '/slow': async () => {
      await later(120)
      return new Response('slow')
    },
    '/events': (ctx) =>
      ctx.sse(
        async (send: Parameters<Sender>[0]) => {
          for (let n = 0; n < 20; n++) {
            send({ data: JSON.stringify(`${n}`) })
            await later(10)
          }
        },
        { heartbeatMs: 0 },
      ),
  })
  ends.push(() => handle.close())
  const text = await exchange(
    handle.port!,
    'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\nGET /events HTTP/1.1\r\nHost: localhost\r\n\r\n',
    (all) => all.endsWith('0\r\n\r\n'),
  )
  const at = text.indexOf('HTTP/1.1', 1)
  expect(text.slice(0, at)).toContain('slow')
  expect(eventsOf(unchunk(parse(text.slice(at)).body).content)).toHaveLength(20)
})

describe('behind middleware of Node', () => {
  /** What a client gets of three events, with a middleware that is called at first, and before each event. */
  const eventsBehind = async (middleware: (outgoing: ServerResponse, n?: number) => void): Promise<string> => {
    let response: ServerResponse
    const app = createApp().get('/', (ctx) =>
      ctx.sse(
        async (send) => {
          await later()
          for (let n = 0; n < 3; n++) {
            middleware(response, n)
            send({ data: JSON.stringify(`n${n}`) })
          }
        },
        { heartbeatMs: 0 },
      ),
    )
    const handler = toNodeHandler(app)
    const server = createServer((incoming, outgoing) => {
      response = outgoing
      middleware(outgoing)
      void handler(incoming, outgoing)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
    const { port } = server.address() as AddressInfo
    const text = await exchange(port, request('/'), (all) => all.endsWith('\r\n0\r\n\r\n'))
    return unchunk(parse(text).body).content
  }

  test('that has replaced write, every byte goes through it', async () => {
    const content = await eventsBehind((outgoing, n) => {
      if (n !== undefined) return
      const { write } = outgoing
      outgoing.write = (chunk: Uint8Array) =>
        write.call(outgoing, Buffer.from(Buffer.from(chunk).toString().toUpperCase()), 'utf8')
    })
    expect(content).toBe('DATA: "N0"\n\nDATA: "N1"\n\nDATA: "N2"\n\n')
  })

  test('that holds back what is written for a while, nothing overtakes it', async () => {
    const content = await eventsBehind((outgoing, n) => {
      if (n === 1) outgoing.cork()
      if (n === 1) outgoing.write(': between\n\n')
      if (n === 2) outgoing.uncork()
    })
    expect(content).toBe('data: "n0"\n\n: between\n\ndata: "n1"\n\ndata: "n2"\n\n')
  })
})

test('a client that reads nothing makes a sender wait once, without a listener for each event', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  ends.push(() => void process.off('warning', warned))
  const results: unknown[] = []
  const settled: unknown[] = []
  const fill: Sender = async (send) => {
    await later()
    for (let n = 0; n < 400; n++) results.push(send({ data: 'x'.repeat(10_000) }))
    settled.push(...(await Promise.all(results)))
  }
  const port = await serve(fill, {}, { backpressureLimit: 1e9 })
  const wire = await open(port)
  wire.socket.pause()
  wire.write(request('/'))
  await later(300)
  expect(results.some((result) => result instanceof Promise)).toBe(true)
  wire.socket.resume()
  await wire.until((all) => all.endsWith('\r\n0\r\n\r\n'))
  wire.end()
  expect(settled).toEqual(Array.from({ length: 400 }, () => true))
  expect(warned).not.toHaveBeenCalled()
})
