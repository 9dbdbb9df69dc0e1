import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bytesOf } from '#runtime/core'
import { addEdit, onResponse } from '../../src/kernel/edits.ts'
import { json } from '../../src/respond/json.ts'
import { redirect } from '../../src/respond/redirect.ts'
import { sse } from '../../src/respond/sse.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { exchange, kinds, listen, open, parse, pause, request, statuses } from './wire.ts'

const bytes = new TextEncoder().encode('bytes')
const edited = (edit: any, handler: () => Response) => (ctx: any) => {
  onResponse(ctx, edit)
  return handler()
}

const HOPS = { connection: 'x-hop', 'keep-alive': 'timeout=99', 'proxy-connection': 'a', upgrade: 'h2c' }

/** Responses of the platform, each for several requests: its body can be sent once. */
const [once, onceEdited, onceStored] = [1, 2, 3].map(() => new Response('once')) as [Response, Response, Response]

let server: ServerHandle
let port: number
const log = vi.spyOn(console, 'error').mockImplementation(() => {})

beforeAll(async () => {
  server = await listen({
    '/text': () => text('häh'),
    '/json': () => json({ a: 1 }, 201),
    '/empty': () => text(''),
    '/204': () => text('x', 204),
    '/204/length': () => new Response(null, { status: 204, headers: { 'content-length': '5' } }),
    '/205': () => text('x', 205),
    '/304': () => text('x', 304, { etag: '"a"' }),
    '/once': () => once,
    '/once/edited': edited(['x-a', 'b'], () => onceEdited),
    '/once/stored': (ctx: any) => {
      ctx.response = onceStored
      ctx.response.headers.append('x-a', 'b')
    },
    '/304/platform': () => new Response(null, { status: 304, headers: { etag: '"a"' } }),
    '/platform': () => new Response('platform', { headers: { 'x-a': 'b' } }),
    '/platform/null': () => new Response(null),
    '/bytes': () => new Response(bytes),
    '/reason': () => json(1, { statusText: 'All Good' }),
    '/redirect': () => redirect('/next'),
    '/frozen': edited(['x-a', 'b'], () => Response.redirect('http://localhost/next')),
    '/cookies': () => json(1, 200, { 'set-cookie': ['a=1; Path=/', 'b=2'] }),
    '/cookies/platform': () => {
      const response = new Response('x')
      response.headers.append('set-cookie', 'a=1')
      response.headers.append('set-cookie', 'b=2')
      return response
    },
    '/cookies/list': edited(['set-cookie', 'b=2'], () => json(1, 200, { 'set-cookie': 'a=1' })),
    '/cookies/limit': async (ctx) => {
      onResponse(ctx, ['set-cookie', 'a=1', 'set-cookie', 'b=2'])
      return text(String(await bytesOf(ctx.request, 2)))
    },
    '/trailers': () => json(1, 200, { trailer: 'x-sum' }),
    '/trailers/stream': () => stream(['a'], { trailer: 'x-sum' }),
    '/split/list': edited(['x-a', 'b\r\nx-evil: 1'], () => text('x')),
    '/split/edit': edited(
      (response: Response) => {
        response.headers.set('x-a', 'b\r\nx-evil: 1')
      },
      () => text('x'),
    ),
    '/split/helper': () => text('x', 200, { 'x-a': 'b\r\nx-evil: 1' }),
    '/split/redirect': () => redirect('/\r\nx-evil: 1'),
    '/split/raw': () => {
      const response = text('x')
      ;(response as any).addList?.(['x-a\r\nx-evil', '1'])
      return response
    },
    '/stream': () => stream(['a', 'b', 'c']),
    '/stream/empty': () => stream([]),
    '/stream/length': () => stream(['abc'], { 'content-length': '3' }),
    '/stream/short': () => stream(['ab'], { 'content-length': '3' }),
    '/stream/long': () => stream(['abcd'], { 'content-length': '3' }),
    '/stream/broken': () =>
      stream(async function* () {
        yield 'begun'
        await pause(5)
        throw new Error('broken')
      }),
    '/stream/odd': () => stream([1 as never]),
    '/stream/platform': () =>
      new Response(
        new ReadableStream({
          start(c) {
            c.enqueue(bytes)
            c.close()
          },
        }),
      ),
    '/length/wrong': () => json({ a: 1 }, 200, { 'content-length': '1000' }),
    '/length/word': () => stream(['abc'], { 'content-length': 'abc' }),
    '/length/two': () => stream(['abc'], { 'content-length': '3, 3' }),
    '/length/signed': () => new Response('abc', { headers: { 'content-length': '+3' } }),
    '/hops': () => stream(['abc'], HOPS),
    '/hops/close': () => text('abc', 200, { connection: 'close' }),
    '/hops/text': () => text('abc', 200, HOPS),
    '/hops/platform': () => new Response('abc', { headers: HOPS }),
    '/framing': () => json(1, 200, { 'transfer-encoding': 'chunked', 'content-length': '99' }),
    '/error': () => {
      throw new Error('secret')
    },
    '/zero': () => Response.error(),
    '/used': async () => {
      const response = new Response('x')
      await response.text()
      return response
    },
    '/sse': () =>
      sse((send) => {
        void send({ data: 1 })
      }),
    '/read': async () => {
      const response = text('x')
      await response.clone().text()
      return response
    },
    '/echo/stream': (ctx) => new Response(ctx.request.body),
    '/trailer': () => text('x', 200, { connection: 'close', 'keep-alive': 'timeout=1' }),
  })
  port = server.port!
})
afterAll(async () => {
  await server.close()
  log.mockRestore()
})

const ask = async (path: string, init = {}) => parse(await exchange(port, request(path, init)))
const field = (lines: string[], name: string): string[] =>
  lines.filter((line) => line.toLowerCase().startsWith(`${name}:`)).map((line) => line.slice(name.length + 2))

describe('bodies and their framing', () => {
  test.each([
    ['a body of known length', '/trailers', 'GET'],
    ['a stream', '/trailers/stream', 'GET'],
    ['HEAD of a stream', '/trailers/stream', 'HEAD'],
  ])('%s names no trailers, because none follow', async (_, path, method) => {
    const answer = await ask(path, { method })
    expect({ status: answer.status, trailer: field(answer.lines, 'trailer') }).toEqual({ status: 200, trailer: [] })
  })

  test.each([
    ['text', '/text', 200, ['4'], 'h\xc3\xa4h'],
    ['JSON', '/json', 201, ['7'], '{"a":1}'],
    ['nothing', '/empty', 200, ['0'], ''],
    ['a platform response without a body', '/platform/null', 200, ['0'], ''],
    ['a redirect', '/redirect', 302, ['0'], ''],
    ['a length that is known', '/stream/length', 200, ['3'], 'abc'],
    ['a length that was said wrong is mended', '/length/wrong', 200, ['7'], '{"a":1}'],
    ['205', '/205', 205, ['0'], ''],
    ['a response that was cloned and read', '/read', 200, ['1'], 'x'],
  ])('%s', async (_, path, status, length, body) => {
    const answer = await ask(path)
    expect({ status: answer.status, length: field(answer.lines, 'content-length'), body: answer.body }).toEqual({
      status,
      length,
      body,
    })
    expect(field(answer.lines, 'transfer-encoding')).toEqual([])
  })

  test.each([
    ['204', '/204', 204],
    ['204 with a length of its own', '/204/length', 204],
    ['304', '/304', 304],
    ['304 of the platform', '/304/platform', 304],
  ])('%s has neither body nor length', async (_, path, status) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(path, { method })
      expect({
        status: answer.status,
        body: answer.body,
        length: field(answer.lines, 'content-length'),
        coding: field(answer.lines, 'transfer-encoding'),
      }).toEqual({ status, body: '', length: [], coding: [] })
      if (status === 304) expect(field(answer.lines, 'etag')).toEqual(['"a"'])
    }
  })

  test.each([
    ['text', '/text', ['4']],
    ['JSON', '/json', ['7']],
    ['a stream', '/stream', []],
    ['a stream of known length', '/stream/length', ['3']],
    ['a platform response', '/platform', []],
    ['a stream of events', '/sse', []],
  ])('R32: HEAD of %s has its length where it is known and no body', async (_, path, length) => {
    const answer = await ask(path, { method: 'HEAD' })
    expect({ length: field(answer.lines, 'content-length'), body: answer.body }).toEqual({ length, body: '' })
  })

  // `createApp` and plans take the body off; a plain function behind `serve` does not
  test.each([
    ['the platform', (body: ReadableStream) => new Response(body)],
    ['stream()', (body: ReadableStream) => stream(() => body)],
  ])(
    'F7, R32: a plain function behind serve that streams without end, by %s, answers HEAD and the next request',
    async (_, make) => {
      let cancelled = 0
      let pulled = 0
      const endless = (): ReadableStream =>
        new ReadableStream(
          {
            pull(controller) {
              pulled++
              controller.enqueue(new Uint8Array(10))
            },
            cancel() {
              cancelled++
            },
          },
          { highWaterMark: 0 },
        )
      const handler = (asked: Request) => (asked.method === 'HEAD' ? make(endless()) : text('next'))
      await using handle = await serve(handler as never, { port: 0, hostname: '127.0.0.1', graceMs: 200 })
      const answer = await exchange(handle.port!, `HEAD / HTTP/1.1\r\nHost: a\r\n\r\n${request('/')}`)
      expect(statuses(answer)).toEqual([200, 200])
      expect(answer.endsWith('\r\n\r\nnext')).toBe(true)
      expect({ cancelled, pulled }).toEqual({ cancelled: 1, pulled: 0 })
    },
  )

  test('a HEAD and a GET on one connection', async () => {
    const answer = await exchange(port, `HEAD /text HTTP/1.1\r\nHost: a\r\n\r\n${request('/text')}`)
    expect(statuses(answer)).toEqual([200, 200])
    expect(answer.endsWith('\r\n\r\nh\xc3\xa4h')).toBe(true)
  })

  test.each([
    ['/stream', '1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n'],
    ['/stream/empty', '0\r\n\r\n'],
    ['/stream/platform', '5\r\nbytes\r\n0\r\n\r\n'],
    ['/bytes', '5\r\nbytes\r\n0\r\n\r\n'],
    ['/platform', '8\r\nplatform\r\n0\r\n\r\n'],
  ])('%s is chunked', async (path, body) => {
    const answer = await ask(path)
    expect({ coding: field(answer.lines, 'transfer-encoding'), body: answer.body }).toEqual({
      coding: ['chunked'],
      body,
    })
  })

  test('HTTP/1.0 gets a stream without chunks', async () => {
    const answer = await exchange(port, 'GET /stream HTTP/1.0\r\nHost: a\r\n\r\n')
    expect({ body: parse(answer).body, coding: field(parse(answer).lines, 'transfer-encoding') }).toEqual({
      body: 'abc',
      coding: [],
    })
  })

  test("framing is Node's own work", async () => {
    const answer = await ask('/framing')
    expect({
      length: field(answer.lines, 'content-length'),
      coding: field(answer.lines, 'transfer-encoding'),
      body: answer.body,
    }).toEqual({
      length: ['1'],
      coding: [],
      body: '1',
    })
  })

  test.each(['/length/word', '/length/two', '/length/signed'])(
    'NA9: the length of %s, which is no number, is not sent, to GET nor to HEAD',
    async (path) => {
      const [got, head] = [await ask(path), await ask(path, { method: 'HEAD' })]
      expect({
        get: field(got.lines, 'content-length'),
        body: got.body.replace(/^3\r\n(abc)\r\n0\r\n\r\n$/, '$1'),
        head: field(head.lines, 'content-length'),
      }).toEqual({ get: [], body: 'abc', head: [] })
    },
  )

  test.each(['/hops', '/hops/text', '/hops/platform'])(
    'NA9: %s: a connection has no fields but those of its own server',
    async (path) => {
      const wire = await open(port)
      wire.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      const { lines } = parse(await wire.until((received) => /abc/.test(received)))
      wire.end()
      const names = Object.keys(HOPS).map((name) => [name, field(lines, name)])
      expect(Object.fromEntries(names)).toEqual({
        connection: ['keep-alive'],
        'keep-alive': ['timeout=5'],
        'proxy-connection': [],
        upgrade: [],
      })
    },
  )

  test('NA9: a handler may end its connection', async () => {
    const { lines } = parse(await exchange(port, 'GET /hops/close HTTP/1.1\r\nHost: a\r\n\r\n'))
    expect(field(lines, 'connection')).toEqual(['close'])
  })

  test.each([
    ['more', '/stream/long'],
    ['fewer', '/stream/short'],
  ])('NA9: a stream with %s bytes than its length ends the connection at once, and looks cut off', async (_, path) => {
    const wire = await open(port)
    wire.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    const text = await wire.closed(4_000) // before an idle connection would be
    expect({ statuses: statuses(text), cutOff: parse(text).body.length < 3 }).toEqual({ statuses: [200], cutOff: true })
  })

  test('an upload is echoed while it is being sent', async () => {
    expect((await ask('/echo/stream', { method: 'POST', headers: ['Content-Length: 5'], body: 'hello' })).body).toBe(
      '5\r\nhello\r\n0\r\n\r\n',
    )
  })

  test.each(['/stream/broken', '/stream/short', '/stream/long', '/stream/odd'])(
    '%s does not end as if it were whole',
    async (path) => {
      const answer = await exchange(port, request(path))
      expect(answer.endsWith('0\r\n\r\n')).toBe(false)
      expect(parse(answer).body.length).not.toBe(3)
      expect(statuses(await exchange(port, request('/text')))).toEqual([200])
    },
  )
})

describe.each(kinds)('%s: a stream whose length is said wrong', (_, options, openTo) => {
  const relayed = (response: Response): Response =>
    new Response(response.body!.pipeThrough(new TransformStream()), response)
  test.each([
    ['longer, of ours', () => stream(['ab', 'cd'], { 'content-length': '3' })],
    ['longer, in one piece', () => stream(['abcd'], { 'content-length': '3' })],
    ['longer, of the platform', () => relayed(stream(['ab', 'cd'], { 'content-length': '3' }))],
    ['shorter, of ours', () => stream(['ab'], { 'content-length': '3' })],
    ['shorter, of the platform', () => relayed(stream(['ab'], { 'content-length': '3' }))],
  ])('%s: no more than its length is sent, and the connection ends before the next response', async (_, answer) => {
    await using server = await listen({ '/wrong': answer, '/next': () => text('next') }, options)
    const wire = await openTo(server.port!)
    wire.write(`GET /wrong HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n`)
    const received = await wire.closed()
    expect({
      statuses: statuses(received),
      length: parse(received).lines.filter((line) => /^content-length/i.test(line)),
      body: ['', 'ab'].includes(parse(received).body),
    }).toEqual({ statuses: [200], length: ['content-length: 3'], body: true })
  })
})

describe('fields', () => {
  test.each(['/cookies', '/cookies/platform', '/cookies/list'])(
    'H3: %s puts two Set-Cookie lines on the wire',
    async (path) => {
      expect(
        field((await ask(path)).lines, 'set-cookie')
          .map((line) => line.slice(0, 3))
          .sort(),
      ).toEqual(['a=1', 'b=2'])
    },
  )

  test('two cookies on a 413', async () => {
    const answer = await ask('/cookies/limit', { method: 'POST', headers: ['Content-Length: 5'], body: 'hello' })
    expect({ status: answer.status, cookies: field(answer.lines, 'set-cookie') }).toEqual({
      status: 413,
      cookies: ['a=1', 'b=2'],
    })
  })

  test.each(['/split/list', '/split/edit', '/split/helper', '/split/redirect', '/split/raw'])(
    '%s: CR and LF never split a response',
    async (path) => {
      const answer = await exchange(port, request(path))
      expect(statuses(answer)).toEqual([500])
      expect(answer).not.toMatch(/x-evil/i)
    },
  )

  test('the reason phrase', async () => {
    expect(await exchange(port, request('/reason'))).toMatch(/^HTTP\/1\.1 200 All Good\r\n/)
  })

  test('X7: headers can be added to a frozen response', async () => {
    const answer = await ask('/frozen')
    expect({
      status: answer.status,
      location: field(answer.lines, 'location'),
      'x-a': field(answer.lines, 'x-a'),
    }).toEqual({
      status: 302,
      location: ['http://localhost/next'],
      'x-a': ['b'],
    })
  })

  test('content type and other fields of both classes', async () => {
    expect(field((await ask('/platform')).lines, 'x-a')).toEqual(['b'])
    expect(field((await ask('/platform')).lines, 'content-type')).toEqual(['text/plain;charset=UTF-8'])
    expect(field((await ask('/text')).lines, 'content-type')).toEqual(['text/plain; charset=utf-8'])
  })
})

describe('responses that cannot be sent', () => {
  test.each(['/error', '/zero', '/used'])('%s is a 500 that says nothing, and the server lives', async (path) => {
    const answer = await exchange(port, request(path))
    expect(statuses(answer)).toEqual([500])
    expect(answer).not.toContain('secret')
    expect(statuses(await exchange(port, request('/text')))).toEqual([200])
  })

  test('the source of a response whose head cannot be written is cancelled', async () => {
    const cancel = vi.fn()
    const own = await listen({
      '/': (ctx: any) => {
        addEdit(ctx, ['x-a', 'b\r\n']) // which `onResponse` refuses
        return stream(() => new ReadableStream({ cancel }))
      },
    })
    expect(statuses(await exchange(own.port!, request('/')))).toEqual([500])
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce())
    await own.close()
  })
})

test('S2: events on the wire', async () => {
  const wire = await open(port)
  wire.write(request('/sse'))
  const answer = parse(await wire.closed())
  expect({ type: field(answer.lines, 'content-type'), body: answer.body }).toEqual({
    type: ['text/event-stream'],
    body: '9\r\ndata: 1\n\n\r\n0\r\n\r\n',
  })
})

test.each(['/once', '/once/edited', '/once/stored'])(
  'F1: the second request that gets the same platform response at %s fails with an error that says what to do',
  async (path) => {
    log.mockClear()
    const answers = [1, 2, 3].map(() => fetch(`http://127.0.0.1:${port}${path}`))
    const [first, ...others] = (await Promise.all(answers)).sort((one, other) => one.status - other.status)
    expect({ status: first!.status, text: await first!.text() }).toEqual({ status: 200, text: 'once' })
    for (const other of others) expect(await other.text()).not.toBe('once')
    expect(others.map(({ status }) => status)).toEqual([500, 500])
    expect(log.mock.calls.map(([error]) => error.message)).toEqual(
      Array(2).fill('The body of the response has been read already: create a response for each request'),
    )
  },
)
