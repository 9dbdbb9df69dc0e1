import { request as ask, createServer } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import npmCompression from 'compression'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { compression } from '../../src/middleware/compression.ts'
import { text } from '../../src/respond/text.ts'
import { serve as listen } from '../../src/serve.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'

const LARGE = 'All work and no play. '.repeat(100)
const decoders: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

/** The text, decoded as its header says: what a client sees. */
const decoded = async (response: Response): Promise<string> => {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const decode = decoders[response.headers.get('content-encoding') ?? '']
  return new TextDecoder().decode(decode ? decode(bytes) : bytes)
}

const get = (accepted: string | null, path = '/', method = 'GET'): Request =>
  new Request(`http://localhost${path}`, { method, headers: accepted === null ? {} : { 'accept-encoding': accepted } })

const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(97)

const streamOf = (...chunks: (Uint8Array | Error)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (!chunk) controller.close()
      else if (chunk instanceof Error) controller.error(chunk)
      else controller.enqueue(chunk)
    },
  })

describe.each(doors)('compression through %s', (_, door) => {
  const serve = (make: (ctx: any) => Response | Promise<Response>, options?: Parameters<typeof compression>[0]) =>
    door({ use: [compression(options)], routes: [['*', '/', make]] })

  test.each<[string, string | null, string | null]>([
    ['MZ4: gzip', 'gzip', 'gzip'],
    ['MZ4: a refused coding', 'gzip;q=0', null],
    ['MZ4: no field', null, null],
    ['MZ4: an empty field', '', null],
    ['MZ4: the highest weight wins', 'br;q=0.1, gzip;q=0.9', 'gzip'],
    ['MZ4: as it is wanted more than compressed', 'identity, gzip;q=0.5', null],
    ['MZ4: as it is wanted just as much', 'identity, gzip', 'gzip'],
    ['MZ4: as it is wanted less', 'identity;q=0.4, gzip;q=0.5', 'gzip'],
    ['MZ4: anything', '*', 'br'],
    ['MZ4: anything but br', '*, br;q=0', 'gzip'],
    ['MZ4: nothing but as it is', '*;q=0, identity', null],
    ['MZ4: an unknown coding', 'compress', null],
    ['MZ4: a name that holds another is not it', 'notgzip', null],
    ['MZ4: upper case and white space', ' GZIP ; Q=1', 'gzip'],
    ['MZ5: real brotli', 'br', 'br'],
    ['MZ4: deflate is zlib', 'deflate', 'deflate'],
    ['MZ2: br before gzip when both are liked', 'gzip, deflate, br', 'br'],
    ['MZ4: a weight out of all bounds', 'gzip;q=0.0.0', null],
  ])('%s', async (_, accepted, expected) => {
    const response = await serve(() => text(LARGE))(get(accepted))
    expect(response.headers.get('content-encoding')).toBe(expected)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(await decoded(response)).toBe(LARGE)
  })

  test.each([
    ['MZ2: gzip preferred', 'gzip', 'br, gzip', 'gzip'],
    ['MZ2: brotli preferred', 'brotli', 'gzip, br', 'br'],
    ['MZ2: the token br is fine too', 'br', 'gzip, br', 'br'],
    ['MZ2: deflate preferred', 'deflate', 'gzip, deflate', 'deflate'],
    ['MZ2: the client likes the other more', 'gzip', 'gzip;q=0.5, br', 'br'],
    ['MZ2: the preferred one is not accepted, so the other is taken', 'gzip', 'br', 'br'],
  ] as const)('%s', async (_, preferredEncoding, accepted, expected) => {
    const response = await serve(() => text(LARGE), { preferredEncoding })(get(accepted))
    expect(response.headers.get('content-encoding')).toBe(expected)
    expect(await decoded(response)).toBe(LARGE)
  })

  test.each<[string, () => Response, boolean]>([
    ['MZ1: text one byte below the threshold', () => text('a'.repeat(1023)), false],
    ['MZ1, L2: text of 1,024 bytes, the threshold', () => text('a'.repeat(1024)), true],
    ['MZ1: bytes counted, not characters', () => text('é'.repeat(512)), true],
    ['MZ1: a platform response below', () => new Response('a'.repeat(1023)), false],
    ['MZ1: a platform response at it', () => new Response('a'.repeat(1024)), true],
    ['MZ1: a stream below', () => typed(streamOf(bytes(1000), bytes(23))), false],
    ['MZ1: a stream at it', () => typed(streamOf(bytes(1000), bytes(24))), true],
    ['MZ1: an empty stream', () => typed(streamOf()), false],
    ['MZ1: a declared length below', () => typed(streamOf(bytes(100)), { 'content-length': '100' }), false],
    ['MZ1: a declared length above', () => typed(streamOf(bytes(2000)), { 'content-length': '2000' }), true],
  ])('%s, and nothing is lost', async (_, make, compressed) => {
    const plain = await make().text()
    const response = await serve(make)(get('gzip'))
    expect(response.headers.has('content-encoding')).toBe(compressed)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    if (compressed) expect(response.headers.get('content-length')).toBeNull()
    expect(response.bodyUsed).toBe(false)
    expect(await decoded(response)).toBe(plain)
  })

  test.each<[string, Record<string, string>, number?]>([
    ['MZ6: encoded already', { 'content-encoding': 'zstd' }],
    ['MZ6: a part', { 'content-range': 'bytes 0-1999/9999' }, 206],
    ['MZ6: no-transform', { 'cache-control': 'public, No-Transform' }],
    ['MZ6, S6: an event stream', { 'content-type': 'text/event-stream; charset=utf-8' }],
    ['MZ3: an image', { 'content-type': 'image/png' }],
    ['MZ3: no type', { 'content-type': '' }],
    ['MZ3: a type that only begins like one', { 'content-type': 'application/jsonish' }],
  ])('%s is left alone', async (_, headers, status = 200) => {
    const response = await serve(
      () => new Response(LARGE, { status, headers: { 'content-type': 'text/plain', ...headers } }),
    )(get('gzip'))
    expect(response.headers.get('content-encoding')).toBe(headers['content-encoding'] ?? null)
    expect(response.headers.get('vary')).toBeNull()
    expect(await response.text()).toBe(LARGE)
  })

  test.each([
    'text/html; charset=utf-8',
    'TEXT/CSS',
    'application/json',
    'application/problem+json;charset=utf-8',
    'image/svg+xml',
    'application/xml',
    'application/javascript',
    'application/wasm',
  ])('MZ3: %s is compressed', async (type) => {
    const response = await serve(() => new Response(LARGE, { headers: { 'content-type': type } }))(get('gzip'))
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await decoded(response)).toBe(LARGE)
  })

  test.each([
    ['MZ3: listed exactly', ['image/bmp'], 'image/bmp', true],
    ['MZ3: listed in upper case', ['Image/BMP'], 'image/bmp', true],
    ['MZ3: listed by its first half', ['font/*'], 'font/ttf', true],
    ['MZ3: text is out when not listed', ['image/bmp'], 'text/html', false],
    ['MZ3: an event stream is out even if listed', ['text/*'], 'text/event-stream', false],
    ['MZ3: an empty list', [], 'text/html', false],
  ])('%s', async (_, compressibleTypes, type, compressed) => {
    const response = await serve(() => new Response(LARGE, { headers: { 'content-type': type } }), {
      compressibleTypes,
    })(get('gzip'))
    expect(response.headers.has('content-encoding')).toBe(compressed)
  })

  test('MZ6: HEAD has no body to compress, and 204 is left alone', async () => {
    const head = await serve(() => text(LARGE))(get('gzip', '/', 'HEAD'))
    expect({ 'content-encoding': head.headers.get('content-encoding'), vary: head.headers.get('vary') }).toEqual({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    })
    expect(await head.text()).toBe('')
    const none = await serve(() => new Response(null, { status: 204 }))(get('gzip'))
    expect({ status: none.status, 'content-encoding': none.headers.get('content-encoding') }).toEqual({
      status: 204,
      'content-encoding': null,
    })
  })

  test.each<[string, () => Response, string, string | null]>([
    ['a text', () => text(LARGE), 'gzip', null],
    ['a text for a client that takes no coding', () => text(LARGE), 'identity', `${LARGE.length}`],
    ['a small text', () => text('small'), 'gzip', '5'],
    [
      'a length without a body',
      () => new Response(null, { headers: { 'content-type': 'text/css', 'content-length': '5000' } }),
      'gzip',
      null,
    ],
  ])('MZ6: HEAD never has the length of bytes that GET would compress: %s', async (_, handler, accepted, length) => {
    const server = await listen(serve(handler), { port: 0, hostname: '127.0.0.1' })
    try {
      const { headers } = await fetch(server.url, { method: 'HEAD', headers: { 'accept-encoding': accepted } })
      expect({
        'content-length': headers.get('content-length'),
        'content-encoding': headers.get('content-encoding'),
      }).toEqual({ 'content-length': length, 'content-encoding': length ? null : 'gzip' })
    } finally {
      await server.close()
    }
  })

  test.each([
    ['X-Accept-Encoding-Thing', 'X-Accept-Encoding-Thing, Accept-Encoding'],
    ['accept-encoding', 'accept-encoding'],
    ['Origin, ACCEPT-ENCODING', 'Origin, ACCEPT-ENCODING'],
    ['*', '*'],
  ])('NA8: Vary %s becomes %s', async (vary, expected) => {
    const response = await serve(() => text(LARGE, 200, { vary }))(get('gzip'))
    expect(response.headers.get('vary')).toBe(expected)
  })

  const FIELDS = ['etag', 'accept-ranges', 'content-encoding', 'vary', 'content-type', 'cache-control']
  const shown = ({ headers }: Response) => Object.fromEntries(FIELDS.map((name) => [name, headers.get(name)]))
  const tagged = (more: object = {}) => ({
    'content-type': 'text/plain',
    etag: '"a"',
    'accept-ranges': 'bytes',
    ...more,
  })
  /** What serves GET, and HEAD without a body where a file or a target would. */
  const makers: [string, (ctx: any) => Response][] = [
    ['a text', () => text(LARGE, 200, tagged())],
    ['bytes', () => new Response(bytes(5000), { headers: tagged() })],
    ['a stream', () => new Response(streamOf(bytes(5000)), { headers: tagged() })],
    ['a small text', () => text('small', 200, tagged())],
    ['an image', () => new Response(bytes(5000), { headers: tagged({ 'content-type': 'image/png' }) })],
    [
      'a file',
      ({ method }) =>
        new Response(method === 'HEAD' ? null : bytes(5000), { headers: tagged({ 'content-length': '5000' }) }),
    ],
    [
      'a small file',
      ({ method }) => new Response(method === 'HEAD' ? null : bytes(5), { headers: tagged({ 'content-length': '5' }) }),
    ],
  ]
  test.each(makers)(
    'NA8: HEAD has the fields of GET, for %s and a client of any coding (RFC 9110 §9.3.2)',
    async (_, make) => {
      for (const accepted of ['gzip', 'br;q=0.5, gzip', 'identity', null]) {
        const [got, head] = [await serve(make)(get(accepted)), await serve(make)(get(accepted, '/', 'HEAD'))]
        expect({ accepted, ...shown(head) }).toEqual({ accepted, ...shown(got) })
      }
    },
  )

  test('NA8: HEAD for a body whose length nobody tells has a weak tag and no ranges, as GET would', async () => {
    const make = () => new Response(null, { headers: tagged() })
    expect(shown(await serve(make)(get('gzip', '/', 'HEAD')))).toMatchObject({ etag: 'W/"a"', 'accept-ranges': null })
  })

  test.each([
    ['a client that names no tag', {}, 'W/"a"'],
    ['a client that has any', { 'if-none-match': '*' }, 'W/"a"'],
    ['a client that has the compressed response', { 'if-none-match': 'W/"a"' }, 'W/"a"'],
    ['a client that has the response as it is', { 'if-none-match': '"b", "a"' }, '"a"'],
  ])('NA8: a 304 has the tag of the 200, for %s', async (_, headers, etag) => {
    const fetch = serve(() => new Response(null, { status: 304, headers: { etag: '"a"' } }))
    const ask = async (accepted: string) =>
      (
        await fetch(new Request('http://localhost/', { headers: { 'accept-encoding': accepted, ...headers } }))
      ).headers.get('etag')
    expect({ gzip: await ask('gzip'), identity: await ask('identity') }).toEqual({ gzip: etag, identity: '"a"' })
  })

  test('MZ7: a strong ETag becomes weak, Accept-Ranges goes, Vary is added to', async () => {
    const headers = {
      etag: '"a"',
      'accept-ranges': 'bytes',
      vary: 'Origin',
      'content-type': 'text/plain',
      'x-own': 'kept',
    }
    const response = await serve(() => new Response(LARGE, { status: 201, headers }))(get('gzip'))
    expect(response.status).toBe(201)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-encoding': 'gzip',
      'content-type': 'text/plain',
      etag: 'W/"a"',
      vary: 'Origin, Accept-Encoding',
      'x-own': 'kept',
    })
  })

  test('MZ7: an uncompressed response keeps ETag and length, and a weak ETag is not changed', async () => {
    const small = await serve(() => new Response('small', { headers: { etag: '"a"', 'content-type': 'text/plain' } }))(
      get('gzip'),
    )
    expect(small.headers.get('etag')).toBe('"a"')
    const weak = await serve(() => new Response(LARGE, { headers: { etag: 'W/"a"', 'content-type': 'text/plain' } }))(
      get('gzip'),
    )
    expect(weak.headers.get('etag')).toBe('W/"a"')
  })

  test('MZ7: several Set-Cookie lines stay several', async () => {
    const make = (): Response => {
      const headers = new Headers({ 'content-type': 'text/plain' })
      headers.append('set-cookie', 'a=1')
      headers.append('set-cookie', 'b=2')
      return new Response(LARGE, { headers })
    }
    expect((await serve(make)(get('gzip'))).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test('MZ8: filter keeps a response out', async () => {
    const fetch = serve(() => text(LARGE), { filter: (ctx: any) => ctx.query.get('plain') === null })
    expect((await fetch(get('gzip', '/?plain'))).headers.has('content-encoding')).toBe(false)
    expect((await fetch(get('gzip'))).headers.get('content-encoding')).toBe('gzip')
  })

  test('MW5: errors and unmatched paths are compressed too', async () => {
    const fetch = door({
      use: [compression()],
      routes: [['GET', '/', () => Promise.reject(new Error('x'))]],
      notFound: () => text(LARGE, 404),
      onError: () => text(LARGE, 500),
    })
    for (const [path, status] of [
      ['/', 500],
      ['/none', 404],
    ] as const) {
      const response = await fetch(get('gzip', path))
      expect({ status: response.status, 'content-encoding': response.headers.get('content-encoding') }).toEqual({
        status,
        'content-encoding': 'gzip',
      })
      expect(await decoded(response)).toBe(LARGE)
    }
  })

  test('MZ8: a live stream is not held up until the threshold', async () => {
    const { stream: live, controller } = liveStream()
    const response = await serve(() => typed(live))(get('gzip'))
    const reader = response.body!.getReader()
    controller.enqueue(new TextEncoder().encode('first'))
    const { value } = await reader.read()
    expect(value!.byteLength).toBeGreaterThan(0)
    await reader.cancel()
  }, 2000)

  test('MZ8: what the first chunk says can be read before there is a second', async () => {
    const { stream: live, controller } = liveStream()
    const response = await serve(() => typed(live), { threshold: 0 })(get('gzip'))
    controller.enqueue(new TextEncoder().encode('first'))
    const stream = response.body!.pipeThrough(new DecompressionStream('gzip'))
    const reader = stream.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('first')
    controller.close()
    expect((await reader.read()).done).toBe(true)
  }, 2000)

  test.each([
    ['before the threshold', 10],
    ['after it', 5000],
  ])('MZ8: a source that fails %s fails the body, quietly', async (_, length) => {
    const response = await serve(() => typed(streamOf(bytes(length), new Error('gone'))))(get('gzip')).catch(
      (error) => error,
    )
    if (response.status === 200) await expect(response.arrayBuffer()).rejects.toThrow()
    else expect(response.status).toBe(500)
  })

  test('MZ8: a client that goes away cancels the source', async () => {
    const cancelled = vi.fn()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes(4096)),
      cancel: cancelled,
    })
    const response = await serve(() => typed(endless))(get('gzip'))
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    expect(cancelled).toHaveBeenCalledOnce()
  }, 2000)

  test.each(['gzip,', 'a;q=', ' ', 'gzip ; ', ','])(
    '60 kB of %j in Accept-Encoding are read in linear time',
    (unit) => {
      const fetch = serve(() => text(LARGE))
      return expectLinear(
        60_000,
        (size) => `x${unit.repeat(size / unit.length)}`,
        async (accepted) => expect((await fetch(get(accepted))).status).toBe(200),
      )
    },
  )
})

test.each([
  ['a threshold below nought', { threshold: -1 }, 'threshold: expected a whole number of bytes from 0, got -1'],
  ['a threshold that is no number', { threshold: Number.NaN }, 'got NaN'],
  ['an unknown coding', { preferredEncoding: 'lzma' as never }, 'got "lzma"'],
  ['identity is no coding', { preferredEncoding: 'identity' as never }, 'got "identity"'],
])('%s is refused when made', (_, options, message) => {
  expect(() => compression(options)).toThrow(TypeError)
  expect(() => compression(options)).toThrow(message)
})

test('MZ4: negotiates like npm compression, over real sockets', async () => {
  const app = createApp()
    .use(compression())
    .get('/', () => text(LARGE))
  const handle = await app.listen(0)
  const negotiate = npmCompression()
  const peer = createServer((request, response) =>
    negotiate(request as never, response as never, () => response.setHeader('content-type', 'text/plain').end(LARGE)),
  )
  await new Promise<void>((resolve) => peer.listen(0, resolve))
  const { port } = peer.address() as { port: number }
  try {
    for (const accepted of [
      'gzip',
      'br',
      'deflate',
      'gzip, br',
      'gzip;q=0',
      'gzip;q=0.2, br;q=0.1',
      'identity',
      '*',
      '',
      'x-none',
      'deflate, gzip',
      'gzip;q=0.5, identity',
      '*;q=0',
    ]) {
      const [own, theirs] = await Promise.all([handle.port!, port].map((at) => encodingFrom(at, accepted)))
      expect({ accepted, own }).toEqual({ accepted, own: theirs })
    }
  } finally {
    await handle.close()
    peer.closeAllConnections()
    await new Promise((resolve) => peer.close(resolve))
  }
})

const encodingFrom = (
  port: number,
  accepted: string,
): Promise<readonly [string | undefined, string | undefined, string]> =>
  new Promise((resolve, reject) => {
    ask({ port, headers: { 'accept-encoding': accepted }, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const coding = response.headers['content-encoding']
      const all = Buffer.concat(chunks)
      resolve([coding, response.headers.vary, Buffer.from(decoders[coding ?? '']?.(all) ?? all).toString()])
    })
      .on('error', (error) => reject(new Error(`${port} ${accepted}`, { cause: error })))
      .end()
  })

const liveStream = (): {
  stream: ReadableStream<Uint8Array>
  controller: ReadableStreamDefaultController<Uint8Array>
} => {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = []
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controllers.push(controller)
    },
  })
  return { stream, controller: controllers[0]! }
}

const typed = (body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Response =>
  new Response(body, { headers: { 'content-type': 'text/plain', ...headers } })
