import { createServer } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { bytesOf } from '#runtime/core'
import { createApp } from '../../src/app.ts'
import { fromNodeMiddleware } from '../../src/from-node-middleware.ts'
import { bodyLimit } from '../../src/middleware/body-limit.ts'
import { readParts } from '../../src/read/parts.ts'
import { sse } from '../../src/respond/sse.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { toNodeHandler } from '../../src/to-node-handler.ts'
import { exchange, kinds, listen, open, parse, pause, request, statuses } from './wire.ts'

const servers: ServerHandle[] = []
const serve = async (routes: Record<string, (ctx: any) => any>, options = {}): Promise<number> => {
  const server = await listen(routes, options)
  servers.push(server)
  return server.port!
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
const unhandled = vi.fn()
process.on('unhandledRejection', unhandled)
afterEach(() => expect(unhandled).not.toHaveBeenCalled())

/** Resolves when a handler was called, with its context. */
const signalling = () => {
  let arrive!: (ctx: any) => void
  const arrived = new Promise<any>((resolve) => {
    arrive = resolve
  })
  return { arrive, arrived }
}

describe('S4: the client goes while a response is streamed', () => {
  test.each([
    ['while the source is silent', async () => {}],
    [
      'while the source gives',
      async (controller: ReadableStreamDefaultController) => {
        for (let n = 0; n < 5; n++) {
          controller.enqueue(new Uint8Array(10))
          await pause(2)
        }
      },
    ],
  ])('the source is cancelled %s', async (_, fill) => {
    const cancel = vi.fn()
    const port = await serve({
      '/': () =>
        stream(
          () =>
            new ReadableStream({
              start(controller) {
                controller.enqueue(new Uint8Array(1))
                void fill(controller).catch(() => {})
              },
              cancel,
            }),
        ),
    })
    const wire = await open(port)
    wire.write(request('/'))
    await wire.until((received) => received.includes('\r\n\r\n1'))
    wire.end()
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 15_000 })
  })

  test('a generator is ended', async () => {
    const ended = vi.fn()
    const port = await serve({
      '/': () =>
        stream(async function* () {
          try {
            for (;;) {
              yield 'x'
              await pause(1)
            }
          } finally {
            ended()
          }
        }),
    })
    const wire = await open(port)
    wire.write(request('/'))
    await wire.until((received) => received.includes('\r\n\r\n'))
    wire.end()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), { timeout: 15_000 })
  })

  test('a sender of events is notified and cleaned up', async () => {
    const cleanup = vi.fn()
    let signal!: AbortSignal
    const port = await serve({
      '/': () =>
        sse(
          (send) => {
            signal = send.signal
            void send({ data: 1 })
            return cleanup
          },
          { heartbeatMs: 5 },
        ),
    })
    const wire = await open(port)
    wire.write(request('/'))
    await wire.until((received) => received.includes(': \n\n'))
    expect(signal.aborted).toBe(false)
    wire.end()
    await vi.waitFor(() => expect(cleanup).toHaveBeenCalledOnce(), { timeout: 15_000 })
    expect(signal.aborted).toBe(true)
  })

  test('a client that goes before the handler answers: the source that comes then is cancelled', async () => {
    const cancel = vi.fn()
    const { arrive, arrived } = signalling()
    let release!: () => void
    const port = await serve({
      '/': async (ctx) => {
        arrive(ctx)
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return stream(() => new ReadableStream({ cancel }))
      },
    })
    const wire = await open(port)
    wire.write(request('/'))
    await arrived
    wire.end()
    await pause(20)
    release()
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 15_000 })
  })

  test('a client that disconnects before the handler responds with a text does no harm', async () => {
    const { arrive, arrived } = signalling()
    let release!: () => void
    const port = await serve({
      '/': async (ctx) => {
        arrive(ctx)
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return text('late')
      },
      '/ok': () => text('ok'),
    })
    const wire = await open(port)
    wire.write(request('/'))
    await arrived
    wire.end()
    await pause(20)
    release()
    await pause(10)
    expect(statuses(await exchange(port, request('/ok')))).toEqual([200])
  })

  test('the response of a platform class is cancelled too', async () => {
    const cancel = vi.fn()
    const port = await serve({
      '/': () =>
        new Response(
          new ReadableStream({
            start(c) {
              c.enqueue(new Uint8Array(1))
            },
            cancel,
          }),
        ),
    })
    const wire = await open(port)
    wire.write(request('/'))
    await wire.until((received) => received.includes('\r\n\r\n1'))
    wire.end()
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 15_000 })
  })
})

describe('request.signal', () => {
  test('aborts when the client goes', async () => {
    const { arrive, arrived } = signalling()
    const port = await serve({
      '/': async (ctx) => {
        const { signal } = ctx.request
        arrive(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return text('')
      },
    })
    const wire = await open(port)
    wire.write(request('/'))
    const signal = await arrived
    expect(signal.aborted).toBe(false)
    wire.end()
    await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: 15_000 })
  })

  test('is aborted for who asks when the client has gone', async () => {
    const { arrive, arrived } = signalling()
    let answer = (_: unknown): void => {}
    const seen = new Promise((resolve) => {
      answer = resolve
    })
    const port = await serve({
      '/': async (ctx) => {
        arrive(ctx)
        await seen
        return text('')
      },
    })
    const wire = await open(port)
    wire.write(request('/'))
    const ctx = await arrived
    wire.end()
    await pause(20)
    await expect.poll(() => ctx.request.signal.aborted, { timeout: 15_000 }).toBe(true)
    answer(undefined)
  })

  test('node-server #172: does not abort when the answer was sent', async () => {
    const seen: AbortSignal[] = []
    const port = await serve({
      '/': (ctx) => {
        seen.push(ctx.request.signal)
        return text('x')
      },
      '/stream': (ctx) => {
        seen.push(ctx.request.signal)
        return stream(['x'])
      },
    })
    await exchange(port, request('/'))
    await exchange(port, request('/stream'))
    await exchange(port, request('/', { method: 'POST', headers: ['Content-Length: 1'], body: 'x' }))
    await pause(20)
    expect(seen.map((signal) => signal.aborted)).toEqual([false, false, false])
  })
})

describe('uploads', () => {
  test.each([
    ['text()', (ctx: any) => ctx.text()],
    ['json()', (ctx: any) => ctx.json()],
    ['bytesOf', (ctx: any) => bytesOf(ctx.request, 1_000_000)],
    [
      'the stream',
      async (ctx: any) => {
        for await (const _ of ctx.request.body) void 0
      },
    ],
  ])('one that is cut off does not look complete: %s', async (_, read) => {
    for (const [headers, part] of [
      [['Content-Length: 10'], 'abc'],
      [['Transfer-Encoding: chunked'], '3\r\nabc\r\n'],
    ] as const) {
      const { arrive, arrived } = signalling()
      const port = await serve({
        '/': async (ctx) => {
          const outcome = read(ctx).then(
            () => 'complete',
            (error: any) => error,
          )
          arrive(outcome)
          await outcome
          return text('')
        },
      })
      const wire = await open(port)
      wire.write(request('/', { method: 'POST', headers: [...headers], body: part }))
      await pause(20)
      wire.end()
      expect(await arrived).toMatchObject({ status: 400 })
    }
  })

  test('a slow one is read to its end', async () => {
    const port = await serve({ '/': async (ctx) => text(await ctx.text()) })
    const wire = await open(port)
    wire.write(request('/', { method: 'POST', headers: ['Content-Length: 5'] }))
    for (const letter of 'hello') {
      await pause(20)
      wire.write(letter)
    }
    expect(parse(await wire.closed()).body).toBe('hello')
  })

  test('one that is too slow is refused with 408', async () => {
    const port = await serve(
      { '/': async (ctx) => text(await ctx.text()) },
      { requestTimeoutMs: 200, headersTimeoutMs: 200 },
    )
    const wire = await open(port)
    wire.write(request('/', { method: 'POST', headers: ['Content-Length: 5'], body: 'he' }))
    const other = await open(port)
    other.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow')
    expect(statuses(await other.closed())).toEqual([408])
    await wire.closed()
    expect(statuses(wire.text())[0]).not.toBe(200)
  })

  test('one that is never read does not block the next request', async () => {
    const port = await serve({ '/': () => text('early'), '/next': () => text('next') })
    const body = 'x'.repeat(100_000)
    const answer = await exchange(
      port,
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}${request('/next')}`,
    )
    expect(statuses(answer)).toEqual([200, 200])
  })

  test('one that goes on after the answer, and after its stream was left', async () => {
    const port = await serve({
      '/': async (ctx) => {
        const reader = ctx.request.body.getReader()
        await reader.read()
        await reader.cancel()
        return text('early')
      },
    })
    const wire = await open(port)
    wire.write(request('/', { method: 'POST', headers: ['Transfer-Encoding: chunked'], body: '3\r\nabc\r\n' }))
    await wire.until((received) => received.includes('early'))
    for (let round = 0; round < 5; round++) {
      wire.write('3\r\nabc\r\n')
      await pause(2)
    }
    wire.write('0\r\n\r\n')
    const received = await wire.closed()
    expect({ statuses: statuses(received), body: parse(received).body }).toEqual({ statuses: [200], body: 'early' })
  })

  test('one over the limit is refused before it has ended, and its rest is not kept', async () => {
    const port = await serve({ '/': async (ctx) => text(String((await bytesOf(ctx.request, 1000)).byteLength)) })
    for (const headers of [['Content-Length: 100000000'], ['Transfer-Encoding: chunked']]) {
      const wire = await open(port)
      wire.write(
        request('/', {
          method: 'POST',
          headers,
          body: headers[0]!.startsWith('T') ? `7d0\r\n${'x'.repeat(2000)}\r\n` : 'x'.repeat(2000),
        }),
      )
      expect(statuses(await wire.until((received) => received.includes('\r\n\r\n')))).toEqual([413])
      await wire.closed(4_000)
    }
  })

  test('a reader that comes after the answer is refused, not left waiting', async () => {
    const { arrive, arrived } = signalling()
    const port = await serve({
      '/': (ctx) => {
        arrive(ctx)
        return text('early')
      },
    })
    await exchange(port, request('/', { method: 'POST', headers: ['Content-Length: 3'], body: 'abc' }))
    const ctx = await arrived
    await pause(20)
    const outcome = await Promise.race([
      ctx.text().then(
        (value: string) => value,
        (error: any) => error.status,
      ),
      pause(500).then(() => 'hangs'),
    ])
    expect(outcome).toBe(400)
  })

  test('a slow handler holds the client back', async () => {
    let release!: () => void
    let taken = 0
    const port = await serve({
      '/': async (ctx) => {
        const reader = ctx.request.body.getReader()
        taken += (await reader.read()).value.byteLength
        await new Promise<void>((resolve) => {
          release = resolve
        })
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return text(String(taken))
          taken += value.byteLength
        }
      },
    })
    const wire = await open(port)
    const size = 64 * 1024 * 1024
    wire.write(request('/', { method: 'POST', headers: [`Content-Length: ${size}`] }))
    let sent = 0
    const block = Buffer.alloc(1024 * 1024)
    while (sent < size && wire.socket.write(block)) sent += block.length
    await pause(200)
    expect(wire.socket.writableLength).toBeGreaterThan(0)
    for (sent += block.length; sent < size; sent += block.length) wire.socket.write(block)
    release()
    expect(parse(await wire.closed()).body).toBe(String(size))
  })
})

/** The same application on every kind of server, and a client of it that leaves in the middle of its upload, or after it. */
type Place = readonly [
  string,
  (app: any) => Promise<{ port: number; close(): unknown }>,
  (typeof kinds)[number][2] | 'h2',
]
const places: Place[] = [
  ...kinds.map(
    ([name, options, openTo]) =>
      [name, async (app: any) => portOf(await app.listen({ ...LOOPBACK, ...options })), openTo] as const,
  ),
  ['http2, over HTTP/2', async (app) => portOf(await app.listen({ ...LOOPBACK, ...kinds[2]![1] })), 'h2'],
  [
    "toNodeHandler on Node's own server",
    async (app) => {
      const server = createServer(toNodeHandler(app.fetch))
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return { port: (server.address() as AddressInfo).port, close: () => server.close() }
    },
    open,
  ],
]
const LOOPBACK = { port: 0, hostname: '127.0.0.1', graceMs: 200 }
const portOf = (handle: ServerHandle) => ({ port: handle.port!, close: () => handle.close() })

const FORM = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nhello\r\n--b--\r\n'

/** Send a form of which `sent` bytes arrive; the result leaves. */
const upload = async (port: number, openTo: Place[2], sent: number): Promise<() => void> => {
  if (openTo !== 'h2') {
    const wire = await openTo(port)
    const head = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${FORM.length}`]
    wire.write(request('/', { method: 'POST', headers: head, body: FORM.slice(0, sent) }))
    return () => wire.end()
  }
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  const stream = session.request({
    ':method': 'POST',
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': FORM.length,
  })
  stream.on('error', () => {}).write(FORM.slice(0, sent))
  return () => session.destroy()
}

const readers: [string, (ctx: any) => Promise<unknown>][] = [
  ['text()', (ctx) => ctx.text()],
  ['formData()', (ctx) => ctx.formData().then(() => FORM)],
  ['bytesOf', async (ctx) => new TextDecoder().decode(await bytesOf(ctx.request, 1_000_000))],
  ['the stream', (ctx) => new Response(ctx.request.body).text()],
  ['a clone', (ctx) => ctx.request.clone().text()],
  ['a Request made of the request', (ctx) => new Request(ctx.request.clone()).text()],
  [
    'readParts',
    async (ctx) => {
      const texts = []
      for await (const part of readParts(ctx.request)) texts.push(await part.text())
      return texts.join() === 'hello' ? FORM : texts
    },
  ],
  ['the stream behind bodyLimit', (ctx) => new Response(ctx.limited.body).text()],
]

/** Reads the body as packages for Node's servers do. */
const byNode = async (ctx: any): Promise<unknown> => {
  let read = ''
  const collect = fromNodeMiddleware((incoming, _, next) => {
    incoming.on('data', (chunk: Uint8Array) => (read += new TextDecoder().decode(chunk)))
    incoming.on('end', () => next())
    incoming.on('error', next)
  })
  await collect(ctx, () => text(''))
  return read
}

describe.each(places)('NA3: on %s', (_name, serveOn, openTo) => {
  /** The outcome of a read that begins when the client has left. */
  const readAfter = async (read: (ctx: any) => Promise<unknown>, sent: number, early = false): Promise<unknown> => {
    let tell!: (outcome: Promise<unknown>) => void
    let enter!: () => void
    const outcome = new Promise((resolve) => {
      tell = resolve
    })
    const entered = new Promise<void>((resolve) => {
      enter = resolve
    })
    const app = createApp().post('/', bodyLimit(1_000_000), async (ctx) => {
      const { signal } = ctx.request
      const late = async () => {
        await pause(30)
        if (!early)
          await new Promise((resolve) => (signal.aborted ? resolve(0) : signal.addEventListener('abort', resolve)))
        return Promise.race([
          read(Object.assign(ctx, { limited: ctx.request })).catch(
            (error: any) => `${error.status} ${error.cause?.message ?? ''}`,
          ),
          pause(3_000).then(() => 'waits for ever'),
        ])
      }
      enter()
      if (!early) await pause(10)
      tell(late())
      if (!early) await outcome
      return text('')
    })
    const server = await serveOn(app)
    const leave = await upload(server.port, openTo, sent)
    try {
      await entered
      await pause(20)
      if (!early) leave()
      return await outcome
    } finally {
      leave()
      await server.close()
    }
  }

  test.each(readers)(
    'a read by %s that begins after the client has left its upload ends with an error',
    async (_, read) => {
      expect(await readAfter(read, 10)).toMatch(/^400 /)
    },
  )

  test('a Node middleware that begins to read after the client has left gets an error', async () => {
    expect(await readAfter(byNode, 10)).toMatch(/^400 /)
  })

  test.skipIf(openTo === 'h2')('NA7: a Node middleware reads what had arrived whole', async () => {
    expect(await readAfter(byNode, FORM.length)).toBe(FORM)
  })

  test.skipIf(openTo === 'h2').each(readers)(
    'NA7: what had arrived whole before the client left can be read by %s',
    async (_, read) => {
      expect(await readAfter(read, FORM.length)).toBe(FORM)
    },
  )

  test.each([10, FORM.length])(
    'NA7: after the response, a read of an upload of which %i bytes came is refused',
    async (sent) => {
      for (const [, read] of readers) expect(await readAfter(read, sent, true)).toMatch(/^400 /)
    },
  )
})
