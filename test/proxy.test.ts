import { once } from 'node:events'
import {
  createServer as createHttp,
  request as httpRequest,
  type IncomingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import type { AnyMiddleware, Middleware } from '../src/internal/types/context.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank, route, use } from '../src/kernel/plan.ts'
import { bodyLimit } from '../src/middleware/body-limit.ts'
import { bodyParser } from '../src/middleware/body-parser.ts'
import { every } from '../src/middleware/combine.ts'
import { idempotency } from '../src/middleware/idempotency.ts'
import { methodOverride } from '../src/middleware/method-override.ts'
import { requestId } from '../src/middleware/request-id.ts'
import { timeout } from '../src/middleware/timeout.ts'
import { pipe } from '../src/pipe.ts'
import { type ProxyOptions, proxy } from '../src/proxy.ts'
import { memoryIdempotency } from '../src/stores/memory-idempotency.ts'
import { collectGarbage } from './collect-garbage.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})
vi.spyOn(console, 'error').mockImplementation(() => {})

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real server that tells what it got, unless it is told how to answer. */
const upstream = async (answer?: (response: ServerResponse, seen: Seen) => void) => {
  const server = createHttp(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const seen = { method: request.method!, url: request.url!, headers: request.headers, body }
    if (answer) answer(response, seen)
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(seen))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that writes bytes as they are. */
const rawUpstream = async (answer: string, end = true): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => (end ? socket.end(answer, 'latin1') : socket.write(answer, 'latin1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const gateway = async (target: string, options?: ProxyOptions): Promise<number> => {
  const server = await createApp()
    .all('/*', proxy(target, options))
    .listen({ port: 0, hostname: '127.0.0.1', graceMs: 100 })
  closing.push(() => server.close())
  return server.port!
}

/** A request line and fields as they are. */
const raw = (port: number, target: string, headers = '', method = 'GET'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `${method} ${target} HTTP/1.1\r\nhost: front.example\r\nconnection: close\r\n${headers}\r\n`,
        'latin1',
      ),
    )
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
const seenIn = (answer: string): Seen => JSON.parse(/\{.*\}/s.exec(answer)![0])

describe('MX11: the request', () => {
  test('goes on with method, path, query, body and fields', async () => {
    const port = await gateway(await upstream())
    const response = await fetch(`http://127.0.0.1:${port}/a%20b/c?x=1&y=%2F`, {
      method: 'POST',
      body: 'hello',
      headers: { 'x-own': 'kept', authorization: 'Bearer x', cookie: 'a=1' },
    })
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/a%20b/c?x=1&y=%2F',
      body: 'hello',
      headers: { 'x-own': 'kept', authorization: 'Bearer x', cookie: 'a=1', 'accept-encoding': 'identity' },
    })
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is passed', async (method) => {
    const answer = await raw(await gateway(await upstream()), '/', '', method)
    expect(seenIn(answer).method).toBe(method)
  })

  test('HEAD has no body and the length of GET', async () => {
    const port = await gateway(await upstream((response) => response.setHeader('content-length', '5').end('hello')))
    const answer = await raw(port, '/', '', 'HEAD')
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-length: 5\r\n/i)
    expect(answer.endsWith('\r\n\r\n')).toBe(true)
  })

  test('fields of the connection stay on it, those that it names too', async () => {
    const port = await gateway(await upstream())
    const fields =
      'te: trailers\r\nkeep-alive: 5\r\nproxy-authorization: Basic x\r\nx-hop: 1\r\nupgrade: h2c\r\nx-end: 1\r\n'
    const { headers } = seenIn(await raw(port, '/', `connection: x-hop\r\n${fields}`))
    expect(headers['x-end']).toBe('1')
    for (const name of ['te', 'proxy-authorization', 'x-hop', 'upgrade']) expect(headers).not.toHaveProperty(name)
  })

  test.each<[string, ProxyOptions, Record<string, string | undefined>]>([
    [
      'says who the client is, whatever the client says',
      {},
      {
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'front.example',
        'x-forwarded-proto': 'http',
        'x-real-ip': undefined,
        forwarded: undefined,
      },
    ],
    [
      'keeps what a trusted peer says',
      { trustProxy: ['127.0.0.1'] },
      { 'x-forwarded-for': '6.6.6.6, 127.0.0.1', 'x-forwarded-host': 'evil.example', 'x-real-ip': '6.6.6.6' },
    ],
    [
      'says it in one field',
      { forwarded: 'forwarded' },
      { forwarded: 'for=127.0.0.1;host="front.example";proto=http', 'x-forwarded-for': undefined },
    ],
    [
      'says nothing',
      { forwarded: false },
      { forwarded: undefined, 'x-forwarded-for': undefined, 'x-forwarded-host': undefined },
    ],
    [
      'sets and takes away',
      { headers: { 'x-key': 'secret', cookie: undefined } },
      { 'x-key': 'secret', cookie: undefined },
    ],
  ])('%s', async (_, options, expected) => {
    const port = await gateway(await upstream(), options)
    const lies =
      'x-forwarded-for: 6.6.6.6\r\nx-real-ip: 6.6.6.6\r\nx-forwarded-host: evil.example\r\nforwarded: for=6.6.6.6\r\ncookie: a=1\r\n'
    const { headers } = seenIn(await raw(port, '/', lies))
    for (const [name, value] of Object.entries(expected))
      expect({ name, value: headers[name] }).toEqual({ name, value })
  })

  test.each<[string, ProxyOptions]>([
    ['a stranger', {}],
    ['a trusted peer', { trustProxy: ['127.0.0.1'] }],
  ])('what CGI reads as another field does not go through, from %s', async (_, options) => {
    const port = await gateway(await upstream(), { ...options, headers: { 'X-User': 'guest', 'x-none': undefined } })
    const lies = 'x_user: admin\r\nX_None: 1\r\nx_forwarded_for: 6.6.6.6\r\nx-real_ip: 6.6.6.6\r\nmy_field: 1\r\n'
    const { headers } = seenIn(await raw(port, '/', lies))
    expect(headers).toMatchObject({ 'x-user': 'guest', 'x-forwarded-for': '127.0.0.1', my_field: '1' })
    for (const name of ['x_user', 'x_none', 'x_forwarded_for', 'x-real_ip']) expect(headers).not.toHaveProperty(name)
  })

  test('headers that name the client or the path for some targets are removed unless the peer is trusted', async () => {
    const names = [
      'true-client-ip',
      'x-client-ip',
      'client-ip',
      'fly-client-ip',
      'wl-proxy-client-ip',
      'x-azure-clientip',
    ]
    const more = ['do-connecting-ip', 'x-original-forwarded-for', 'x-original-host', 'x-envoy-external-address']
    const known = ['x-forwarded', 'forwarded-for', 'x-forward-for', 'x-vercel-forwarded-for', 'cf-connecting-ipv6']
    const rest = ['cf-pseudo-ipv4', 'x-nf-client-connection-ip', 'x-appengine-user-ip', 'x-azure-socketip']
    const others = ['x-remote-ip', 'x-remote-addr', 'x-originating-ip', 'cloudfront-viewer-address']
    const lies = Object.fromEntries(
      [...names, ...more, ...known, ...rest, ...others, 'x-original-url'].map((name) => [name, '6.6.6.6']),
    )
    const lines = Object.entries(lies).map(([name, value]) => `${name}: ${value}\r\n`)
    const stranger = await gateway(await upstream())
    for (const name in lies) expect(seenIn(await raw(stranger, '/', lines.join(''))).headers).not.toHaveProperty(name)
    const trusted = await gateway(await upstream(), { trustProxy: ['127.0.0.1'] })
    expect(seenIn(await raw(trusted, '/', lines.join(''))).headers).toMatchObject(lies)
  })

  test('NB4: fields by which a gateway tells who a client is are removed, and `headers` can put them back', async () => {
    const names = [
      ...['proxy', 'remote-user', 'remote_user', 'x-remote-user', 'x-remote-group', 'x-authenticated-user'],
      ...['x-webauth-user', 'x-auth-request-user', 'x-auth-request-email', 'x-ms-client-principal', 'x-userinfo'],
      ...['x-ms-client-principal-id', 'x-amzn-oidc-data', 'x-goog-authenticated-user-email', 'x-consumer-username'],
      ...['x-ssl-client-cert', 'ssl-client-cert', 'x-ssl-client-s-dn', 'x-client-cert', 'x-client-dn'],
      ...['cf-access-jwt-assertion', 'front-end-https', 'x-arr-ssl', 'x-url-scheme', 'x-envoy-internal'],
      ...[
        'x-envoy-original-path',
        'x-proxyuser-ip',
        'x-vercel-proxied-for',
        'x-host',
        'x-script-name',
        'script-name',
        'path-info',
        'wl-proxy-ssl',
      ],
    ]
    const lines = names.map((name) => `${name}: evil\r\n`).join('')
    const reached = async (options?: ProxyOptions): Promise<readonly string[]> => {
      const { headers } = seenIn(await raw(await gateway(await upstream(), options), '/', lines))
      return names.filter((name) => name in headers)
    }
    expect({
      stranger: await reached(),
      given: await reached({ headers: (ctx) => ({ 'remote-user': ctx.header('remote-user') ?? undefined }) }),
      trusted: (await reached({ trustProxy: ['127.0.0.1'] })).length,
    }).toEqual({ stranger: [], given: ['remote-user'], trusted: names.length - 1 })
  })

  test.each([
    ['a length', 'content-length: 5\r\n\r\nhello', '5'],
    ['chunks', 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n', undefined],
  ])('NB3: an upload with %s is sent on with it', async (_, rest, length) => {
    const { headers, body } = seenIn(await raw(await gateway(await upstream()), '/', rest, 'PUT'))
    expect({ length: headers['content-length'], body: body.trim() }).toEqual({ length, body: 'hello' })
  })

  test('a trusted peer is believed about the scheme, and counts as the first proxy', async () => {
    const port = await gateway(await upstream(), { trustProxy: 1 })
    const { headers } = seenIn(await raw(port, '/', 'x-forwarded-proto: https\r\nx-forwarded-for: 6.6.6.6\r\n'))
    expect(headers).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '6.6.6.6, 127.0.0.1' })
  })

  test('fields whose names only look like those of a client are kept', async () => {
    const own = [
      'x-via',
      'viable',
      'forwarded-x',
      'x-real-ip-x',
      'x-clip',
      'my-forwarded',
      'hostname',
      'content-length-x',
    ]
    const { headers } = seenIn(
      await raw(await gateway(await upstream()), '/', own.map((name) => `${name}: 1\r\n`).join('')),
    )
    for (const name of own) expect({ name, value: headers[name] }).toEqual({ name, value: '1' })
  })

  test('a client that waits for 100 Continue, and a GET with a body', async () => {
    const port = await gateway(await upstream())
    const expecting = await raw(port, '/', 'expect: 100-continue\r\ncontent-length: 7\r\n\r\nhello', 'POST')
    expect(seenIn(expecting)).toMatchObject({ method: 'POST', body: 'hello\r\n' })
    expect(seenIn(expecting).headers).not.toHaveProperty('expect')
    expect(seenIn(await raw(port, '/', 'content-length: 7\r\n\r\nhello'))).toMatchObject({ method: 'GET', body: '' })
  })

  test('a large body goes through as a stream', async () => {
    const port = await gateway(await upstream((response, { body }) => response.end(`${body.length}`)))
    const parts = function* () {
      for (let part = 0; part < 200; part++) yield new TextEncoder().encode('x'.repeat(50_000))
    }
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: (ReadableStream as any).from(parts()),
      duplex: 'half',
    } as RequestInit)
    expect(await response.text()).toBe('10000000')
  })
})

describe('MX11: no path names another host, or leaves the base', () => {
  const HOSTILE = [
    ...[
      '//evil.example/',
      '//evil.example',
      '/@evil.example/',
      '@evil.example/',
      '/\\evil.example',
      '/\\\\evil.example',
    ],
    ...[
      'http://evil.example/',
      'https://evil.example/x',
      'HTTP://EVIL.EXAMPLE/',
      '/http://evil.example',
      '///evil.example',
    ],
    ...[
      '/:80@evil.example',
      '/%2f%2fevil.example',
      '/%5cevil.example',
      '/.evil.example',
      '/..//evil.example',
      '/?@evil.example',
    ],
    ...[
      '/../secret',
      '/%2e%2e/secret',
      '/a/../../secret',
      '/.%2e/secret',
      '/..%2fsecret',
      '/%2e%2e%5csecret',
      '/..;/secret',
    ],
    ...[
      '/%252e%252e/secret',
      '/%252e%252e%252fsecret',
      '/..%5csecret',
      '/a/..%2f..%2fsecret',
      '/%zz',
      '/#@evil.example',
    ],
  ]
  test.each(HOSTILE)('%j', async (target) => {
    let hits = 0
    const outside: string[] = []
    const port = await gateway(
      await upstream((response, { url, headers }) => {
        hits++
        if (!url.startsWith('/base/') || headers.host?.includes('evil')) outside.push(url)
        response.end('reached')
      }).then((url) => `${url}/base`),
    )
    const answer = await raw(port, target)
    expect(outside).toEqual([])
    expect(answer).not.toContain('secret')
    if (!hits) expect(answer).toMatch(/^HTTP\/1\.1 40\d /)
    else expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each([
    ['/%252E%252E/secret', 400],
    ['/%252e%252e/secret', 400],
    ['/%252e%252e%252fsecret', 400],
    ['/a/./b', 200],
    ['/a/.%2fb', 400],
    ['/%25ff', 400],
    ['/100%25', 200],
    ['/50%25x', 200],
    ['/a..b/.c/...', 200],
  ])('%s gives %i', async (target, status) => {
    const port = await gateway(`${await upstream()}/base`)
    expect(await raw(port, target)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test.each(['/base', '/base/'])('the target %s is the folder of all paths', async (base) => {
    const port = await gateway((await upstream()) + base, { prefix: '/api' })
    const urls = await Promise.all(
      ['/api', '/api/', '/api/x/?y'].map(async (path) => seenIn(await raw(port, path)).url),
    )
    expect(urls).toEqual(['/base/', '/base/', '/base/x/?y'])
    for (const path of ['/abc/x', '/ap', '/']) expect(await raw(port, path)).toMatch(/^HTTP\/1\.1 400/)
  })

  test('a prefix is removed at a slash, and a path that is not below it is refused', async () => {
    const port = await gateway(await upstream(), { prefix: '/api' })
    expect(seenIn(await raw(port, '/api/x?y')).url).toBe('/x?y')
    expect(seenIn(await raw(port, '/api')).url).toBe('/')
    expect(await raw(port, '/apix')).toMatch(/^HTTP\/1\.1 400/)
  })
})

describe('MX11: the answer', () => {
  test('comes with status, fields and every cookie, without fields of the connection', async () => {
    const port = await gateway(
      await upstream((response) => {
        response.writeHead(418, 'Teapot', [
          ...['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-own', '1', 'x-hop', '1', 'connection', 'close, x-hop'],
          ...['proxy-authenticate', 'Basic', 'keep-alive', 'timeout=9'],
        ])
        response.end('short')
      }),
    )
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect({ status: response.status, text: await response.text(), 'x-own': response.headers.get('x-own') }).toEqual({
      status: 418,
      text: 'short',
      'x-own': '1',
    })
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect({
      'x-hop': response.headers.has('x-hop'),
      'proxy-authenticate': response.headers.has('proxy-authenticate'),
    }).toEqual({ 'x-hop': false, 'proxy-authenticate': false })
  })

  test('a redirect goes to the client', async () => {
    const port = await gateway(
      await upstream((response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
    )
    const response = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 302,
      location: 'http://127.0.0.1:1/',
    })
  })

  test.each([204, 304])('a %i has no body', async (status) => {
    const port = await gateway(await upstream((response) => response.writeHead(status, { etag: '"a"' }).end()))
    expect(await raw(port, '/')).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*etag: "a"[\\s\\S]*\\r\\n\\r\\n$`))
  })

  test('unrequested gzip is described as the plain bytes that it becomes', async () => {
    const port = await gateway(
      await upstream((response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('plain'))),
    )
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect({ 'content-encoding': response.headers.get('content-encoding'), text: await response.text() }).toEqual({
      'content-encoding': null,
      text: 'plain',
    })
  })

  test('NB1: behind a target that always compresses there are no ranges and no strong tag, for HEAD as for GET', async () => {
    const bytes = gzipSync('a line of a log\n'.repeat(100))
    const asked: (string | undefined)[] = []
    const port = await gateway(
      await upstream((response, { headers }) => {
        asked.push(headers.range)
        const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? []
        const part = from ? bytes.subarray(Number(from), Number(to) + 1) : bytes
        const fields = { 'content-encoding': 'gzip', etag: '"v1"', 'accept-ranges': 'bytes', 'repr-digest': 'x' }
        const range = from && { 'content-range': `bytes ${from}-${to}/${bytes.length}` }
        response.writeHead(from ? 206 : 200, { ...fields, 'content-length': part.length, ...range }).end(part)
      }),
    )
    const ask = async (init: RequestInit): Promise<object> => {
      const { status, headers, ...response } = await fetch(`http://127.0.0.1:${port}/`, init).then(async (one) => ({
        status: one.status,
        headers: one.headers,
        length: (await one.text()).length,
      }))
      const names = ['content-encoding', 'etag', 'accept-ranges', 'content-range', 'repr-digest']
      return { status, ...response, fields: names.map((name) => headers.get(name)) }
    }
    const fields = [null, 'W/"v1"', null, null, null]
    expect({
      whole: await ask({}),
      range: await ask({ headers: { range: 'bytes=0-15' } }),
      head: await ask({ method: 'HEAD' }),
      asked,
    }).toEqual({
      whole: { status: 200, length: 1600, fields },
      range: { status: 200, length: 1600, fields },
      head: { status: 200, length: 0, fields },
      asked: [undefined, 'bytes=0-15', undefined, undefined],
    })
  })

  test('a range of a target that sends its bytes as they are goes through', async () => {
    const port = await gateway(
      await upstream((response, { headers }) =>
        response.writeHead(206, { 'content-range': 'bytes 0-1/9', etag: '"a"', 'x-range': headers.range! }).end('ab'),
      ),
    )
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { range: 'bytes=0-1' } })
    expect({
      status: response.status,
      'x-range': response.headers.get('x-range'),
      etag: response.headers.get('etag'),
      text: await response.text(),
    }).toEqual({ status: 206, 'x-range': 'bytes=0-1', etag: '"a"', text: 'ab' })
  })

  const plain = Buffer.from('{"hello":"world"}'.repeat(20))
  /** A frame of zstd with one block that is not compressed (RFC 8878). */
  const zstd = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x54, 0, 0xa1, 0x0a, 0]), plain])
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['GZip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstd],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['gzip,gzip', gzipSync(gzipSync(plain))],
    ['identity, gzip', gzipSync(plain)],
    ['gzip, identity', gzipSync(plain)],
    ['identity', plain],
    ['something', plain],
  ])('a body with the coding %s has the label and the length of its bytes', async (coding, coded) => {
    const fields = `content-encoding: ${coding}\r\ncontent-length: ${coded.length}\r\nconnection: close\r\n`
    const port = await gateway(await rawUpstream(`HTTP/1.1 200 OK\r\n${fields}\r\n${coded.toString('latin1')}`))
    const [head, body] = await new Promise<[IncomingHttpHeaders, Buffer]>((resolve, reject) => {
      const sent = httpRequest(`http://127.0.0.1:${port}/`, { agent: false }, async (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => resolve([response.headers, Buffer.concat(pieces)]))
      })
      sent.on('error', reject)
      sent.end()
    })
    const { 'content-encoding': label, 'content-length': length } = head
    expect({ label, length, body }).toEqual(
      label === undefined
        ? { label: undefined, length: undefined, body: plain }
        : { label: coding, length: `${coded.length}`, body: coded },
    )
  })

  test('comes piece by piece', async () => {
    let more: () => void = () => {}
    const port = await gateway(
      await upstream((response) => {
        response.write('one')
        more = () => response.end('two')
      }),
    )
    const reader = (await fetch(`http://127.0.0.1:${port}/`)).body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('one')
    more()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('two')
  })

  test.each<[string, () => Promise<string>, number]>([
    ['no server listens', async () => 'http://127.0.0.1:1', 502],
    ['it hangs up', () => rawUpstream(''), 502],
    ['it speaks no HTTP', () => rawUpstream('SSH-2.0-OpenSSH_9\r\n'), 502],
    ['it sends no status', () => rawUpstream('HTTP/1.1 abc\r\n\r\n'), 502],
    ['it sends a head without end', () => rawUpstream(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}\r\n\r\n`), 502],
    ['it splits a field', () => rawUpstream('HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n'), 502],
    [
      'it gives two lengths',
      () => rawUpstream('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      502,
    ],
    ['it never answers', () => rawUpstream('', false), 504],
    ['it stops within the head', () => rawUpstream('HTTP/1.1 200 OK\r\nx-a: b', false), 504],
  ])('%s: an answer of ours', async (_, target, status) => {
    const port = await gateway(await target(), { timeoutMs: status === 504 ? 100 : 20_000 })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: status === 504 ? 'Gateway Timeout' : 'Bad Gateway' })
  })

  test('MX6: a streamed body beyond bodyLimit is the fault of the client: 413, and nothing is reported', async () => {
    const app = createApp().post('/*', bodyLimit(10), proxy(await upstream()))
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    closing.push(() => server.close())
    vi.mocked(console.error).mockClear()
    const post = async (text: string) => {
      const init = { method: 'POST', body: new Blob([text]).stream(), duplex: 'half' } as RequestInit
      const { status } = await fetch(`http://127.0.0.1:${server.port}/`, init)
      return status
    }
    expect({ within: await post('ten bytes!'), beyond: await post('eleven byte') }).toEqual({
      within: 200,
      beyond: 413,
    })
    expect(console.error).not.toHaveBeenCalled()
  })

  test('a body that ends too early is not taken for whole', async () => {
    const port = await gateway(await rawUpstream('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'))
    await expect(fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())).rejects.toThrow()
  })

  test.each(['before the head', 'within the body'])(
    'a client that goes %s ends the request to the target',
    async (when) => {
      let gone: (how: object) => void = () => {}
      const left = new Promise((resolve) => {
        gone = resolve
      })
      let begun: () => void = () => {}
      const reached = new Promise<void>((resolve) => {
        begun = resolve
      })
      const port = await gateway(
        await upstream((response) => {
          response.on('close', () => gone({ destroyed: response.destroyed, ended: response.writableEnded }))
          if (when === 'within the body') response.write('begun')
          begun()
        }),
      )
      const request = httpRequest({ host: '127.0.0.1', port, path: '/' })
      request.on('error', () => {})
      const head = new Promise((resolve) => request.on('response', resolve))
      request.end()
      await reached
      if (when === 'within the body') await head
      request.destroy()
      expect(await left).toEqual({ destroyed: true, ended: false })
    },
  )
})

test('MX11: fields that depend on the request, as the id that requestId made', async () => {
  const fetch = pipe(
    blank,
    use(requestId({ create: () => 'ours' })),
    route(
      'GET',
      '/*',
      proxy(await upstream(), {
        headers: ({ state }) => ({ 'x-request-id': state.requestId, authorization: undefined }),
      }),
    ),
    toFetch,
  )
  const headers = { 'x-request-id': 'theirs', authorization: 'Bearer 1' }
  const response = await fetch(new Request('http://front.example/', { headers }))
  const seen = (await response.json()) as Seen
  expect({ 'x-request-id': seen.headers['x-request-id'], authorization: seen.headers.authorization }).toEqual({
    'x-request-id': 'ours',
    authorization: undefined,
  })
})

test('MX11: what fetch of Node adds, and what of the client it replaces, as docs/proxy.md says', async () => {
  const port = await gateway(await upstream())
  const told = async (headers = ''): Promise<IncomingHttpHeaders> =>
    JSON.parse((await raw(port, '/', headers)).split('\r\n\r\n')[1]!.replace(/^[^{]*|[^}]*$/g, '')).headers
  const added = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }
  expect(await told()).toMatchObject(added)
  const metadata = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }
  const sent = { accept: 'text/html', 'accept-language': 'de', 'user-agent': 'own', ...metadata }
  const lines = Object.entries({ ...sent, 'sec-fetch-mode': 'navigate' }).map((field) => `${field.join(': ')}\r\n`)
  expect(await told(lines.join(''))).toMatchObject({ ...sent, 'sec-fetch-mode': 'cors' })
})

describe('MX11: without sockets', () => {
  const reading =
    // any: a context of createApp, whose readers the type of a middleware does not have
      (read: (ctx: any) => Promise<unknown>): AnyMiddleware =>
      async (ctx, next) => {
        await read(ctx)
        return next()
      }
  const limit = bodyLimit(100)
  const readers: readonly [string, AnyMiddleware, number][] = [
    ['reads nothing', (_, next) => next(), 200],
    ['reads a clone', reading((ctx) => ctx.request.clone().text()), 200],
    ['has read the text', reading((ctx) => ctx.text()), 200],
    ['has read two kinds of it', reading(async (ctx) => [await ctx.text(), await ctx.arrayBuffer()]), 200],
    ['has begun to read it', reading(async (ctx) => void ctx.text()), 200],
    ['keeps an answer by its key', idempotency({ scope: () => '', store: memoryIdempotency() }), 200],
    ['looks for a method in the form', methodOverride({ form: '_method' }), 200],
    ['parses it', bodyParser(), 200],
    ['limits it', limit, 200],
    ['limits it to less', bodyLimit(3), 413],
    [
      'limits it, and has read it',
      every(
        limit,
        reading((ctx) => ctx.text()),
      ),
      200,
    ],
    ['has used the stream up', reading((ctx) => new Response(ctx.request.body).text()), 502],
  ]
  test.each(readers)(
    'the body of a request of the platform is passed on behind a middleware that %s',
    async (_, before, status) => {
      const seen: string[] = []
      const fetch = async (request: Request) => {
        seen.push(await request.text())
        return new Response('x')
      }
      const app = createApp().use(before).post('/*', proxy('http://a.example', { fetch }))
      const body = new URLSearchParams({ a: '1', b: 'é' })
      const headers = { 'idempotency-key': 'k' }
      const response = await app.fetch(new Request('http://front.example/', { method: 'POST', body, headers }))
      expect({ status: response.status, seen }).toEqual({ status, seen: status === 200 ? ['a=1&b=%C3%A9'] : [] })
    },
  )

  const forwardedBy = async (options: ProxyOptions, peer: string | undefined, url = 'https://front.example/') => {
    let seen: Request | undefined
    const fetch = async (request: Request) => {
      seen = request
      return new Response('x')
    }
    const send = pipe(blank, route('GET', '/*', proxy('http://a.example', { ...options, fetch })), toFetch)
    await send(new Request(url), {}, { peer } as never)
    return seen!.headers
  }

  test.each<[string, string | undefined, string, string | null]>([
    ['IPv4', '10.0.0.1', 'for=10.0.0.1;host="front.example";proto=https', '10.0.0.1'],
    ['IPv6', '2001:db8::1', 'for="[2001:db8::1]";host="front.example";proto=https', '2001:db8::1'],
    ['an unknown address', undefined, 'for=unknown;host="front.example";proto=https', null],
  ])('the client is named: %s', async (_, peer, forwarded, list) => {
    expect((await forwardedBy({ forwarded: 'forwarded' }, peer)).get('forwarded')).toBe(forwarded)
    const headers = await forwardedBy({}, peer)
    expect({
      'x-forwarded-for': headers.get('x-forwarded-for'),
      'x-forwarded-proto': headers.get('x-forwarded-proto'),
    }).toEqual({ 'x-forwarded-for': list, 'x-forwarded-proto': 'https' })
  })

  test.each(['TRACE', 'TRACK', 'CONNECT'])(
    '%s, which other servers than that of Node let in, is refused',
    async (method) => {
      const send = pipe(blank, route('*', '/*', proxy('http://a.example', { fetch: () => expect.fail() })), toFetch)
      const response = await send(
        Object.defineProperty(new Request('http://front.example/'), 'method', { value: method }),
      )
      expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
        status: 405,
        allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      })
    },
  )

  const answerOf = async (given: Response, method = 'GET') => {
    const send = pipe(blank, route('*', '/*', proxy('http://a.example', { fetch: async () => given })), toFetch)
    return send(new Request('http://front.example/', { method }))
  }

  test.each<[string, string, string | null]>([
    ['GET', 'gzip', null],
    ['GET', 'X-GZIP', null],
    ['GET', 'deflate', null],
    ['GET', 'br', null],
    ['GET', 'gzip, br', null],
    ['GET', 'gzip,gzip', null],
    ['GET', 'x-deflate', 'x-deflate'],
    ['GET', 'identity, gzip', 'identity, gzip'],
    ['GET', 'gzip,', 'gzip,'],
    ['GET', 'agzip', 'agzip'],
    ['GET', 'gzipped', 'gzipped'],
    ['HEAD', 'gzip', null],
    ['HEAD', 'something', 'something'],
  ])(
    'NB2: the coding and the length of %s with the coding %s are kept unless fetch decodes it',
    async (method, coding, expected) => {
      const headers = {
        'content-encoding': coding,
        'content-length': '9',
        'content-length-x': '1',
        'x-content-length': '1',
      }
      const response = await answerOf(new Response(null, { headers }), method)
      const kept = expected === null ? null : '9'
      expect({
        'content-encoding': response.headers.get('content-encoding'),
        'content-length': response.headers.get('content-length'),
      }).toEqual({ 'content-encoding': expected, 'content-length': kept })
      expect({
        'content-length-x': response.headers.get('content-length-x'),
        'x-content-length': response.headers.get('x-content-length'),
      }).toEqual({ 'content-length-x': '1', 'x-content-length': '1' })
    },
  )

  test('a fetch that gives a body with a 204, as that of Bun does', async () => {
    const given = Object.defineProperty(new Response(null, { status: 204 }), 'body', { value: new ReadableStream() })
    expect((await answerOf(given)).body).toBeNull()
  })

  test('a failure is reported with its cause, unless the client left', async () => {
    const log = vi.mocked(console.error).mockClear()
    const cause = new Error('refused')
    const left = new AbortController()
    const fetch = async () => {
      throw cause
    }
    const send = pipe(blank, route('GET', '/*', proxy('http://a.example/b', { fetch })), toFetch)
    await send(new Request('http://front.example/'))
    expect(log.mock.calls.flat()).toEqual([
      expect.objectContaining({ message: 'proxy: no response from http://a.example', cause }),
    ])
    const request = new Request('http://front.example/', { signal: left.signal })
    left.abort()
    await send(request)
    expect(log).toHaveBeenCalledTimes(1)
  })

  test.each([
    [
      'the client left before its turn',
      (left: AbortController): Middleware =>
        async (_ctx, next) => {
          left.abort()
          return next()
        },
    ],
    ['timeout has responded', (): Middleware => timeout(1)],
  ])('the request to the target ends if %s', async (_, before) => {
    const log = vi.mocked(console.error).mockClear()
    const left = new AbortController()
    const ended = new Promise<unknown>((resolve) => {
      const fetch = (request: Request): Promise<Response> => {
        return new Promise((_answer, reject) => {
          const end = (): void => {
            reject(request.signal.reason)
            resolve(request.signal.reason)
          }
          if (request.signal.aborted) end()
          else request.signal.addEventListener('abort', end)
        })
      }
      const send = pipe(blank, use(before(left)), route('GET', '/*', proxy('http://a.example', { fetch })), toFetch)
      void send(new Request('http://front.example/', { signal: left.signal }))
    })
    expect(await ended).toBeInstanceOf(DOMException)
    expect(log).not.toHaveBeenCalled()
  })

  test('the time limit ends with the head of the response', async () => {
    const port = await gateway(
      await upstream((response) => {
        response.write('one')
        setTimeout(() => response.end('two'), 150)
      }),
      { timeoutMs: 100 },
    )
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('onetwo')
  })
})

test.each(['http://a.example/', 'https://a.example', 'http://[::1]:80/b/c/'])('MX11: a target may be %s', (target) =>
  expect(() => proxy(target)).not.toThrow(),
)

test.each<[string, string]>([
  ['something in front', 'xhttp://host/'],
  ['a query after the host', 'http://host?x'],
  ['no host', 'http:///host'],
  ['a port that is too large', 'http://host:99999/'],
  ['no scheme', '127.0.0.1:4000'],
  ['another scheme', 'file:///etc/passwd'],
  ['a user', 'http://user:secret@host/'],
  ['a query', 'http://host/?x'],
  ['a fragment', 'http://host/#x'],
])('MX11: a target with %s is refused', (_, target) => expect(() => proxy(target)).toThrow('proxy: target: expected'))

test.each<[string, object]>([
  ['proxy: prefix: expected a path such as "/api", got "api"', { prefix: 'api' }],
  ['proxy: prefix: expected a path such as "/api", got "/api/"', { prefix: '/api/' }],
  ['proxy: headers: expected an object or a function, got null', { headers: null }],
  ['proxy: headers: expected an object or a function, got true', { headers: true }],
  ['proxy: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 0', { timeoutMs: 0 }],
  ['proxy: forwarded: expected "x-forwarded", "forwarded" or false, got true', { forwarded: true }],
  ['proxy: headers: expected an object or a function, got "x"', { headers: 'x' }],
  ['proxy: timeout: unknown option, did you mean "timeoutMs"?', { timeout: 1 }],
])('MX11: %s', (message, options) => expect(() => proxy('http://a.example', options as never)).toThrow(message))

test('a target that is late is given up, although garbage was collected meanwhile', async () => {
  const silent = createHttp(() => {}).listen(0)
  closing.push(
    () => silent.close(),
    () => silent.closeAllConnections(),
  )
  await once(silent, 'listening')
  const send = proxy(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, { timeoutMs: 300 })
  const answer = createApp().all('/*', send).request('/')
  for (const ms of [100, 200]) setTimeout(collectGarbage, ms)
  expect((await answer).status).toBe(504)
})
