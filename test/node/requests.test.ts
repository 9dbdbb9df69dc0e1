import '../mend-express.ts'
import { connect as connectHttp2 } from 'node:http2'
import express from 'express'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { peerOf } from '#runtime/core'
import { createApp } from '../../src/app.ts'
import { fromNodeMiddleware } from '../../src/from-node-middleware.ts'
import { bodyLimit } from '../../src/middleware/body-limit.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { exchange, kinds, listen, open, parse, request, statuses, type Wire } from './wire.ts'

let server: ServerHandle
let port: number
const show = (ctx: any) =>
  json({ method: ctx.method, path: ctx.path, url: ctx.request.url, pathname: ctx.url.pathname, params: ctx.params })

beforeAll(async () => {
  server = await listen({
    '/echo': async (ctx) => text(await ctx.text()),
    '/show': show,
    '/show/:id': show,
    '/url': show,
    '/headers': (ctx) => json([...ctx.request.headers]),
    '/peer': (ctx) => text(String(peerOf(ctx.request, undefined, undefined))),
    '/quick': () => text('quick'),
  })
  port = server.port!
})
afterAll(() => server.close())

const shown = async (bytes: string): Promise<any> => JSON.parse(parse(await exchange(port, bytes)).body)

describe('framing', () => {
  test('pipelined requests are answered in order', async () => {
    const bytes = [1, 2, 3, 4, 5].map((id) => `GET /show/${id} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('')
    const answer = await exchange(port, bytes + request('/show/last'))
    expect(statuses(answer)).toHaveLength(6)
    expect(Array.from(answer.matchAll(/"params":\{"id":"(\w+)"/g), ([, id]) => id)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      'last',
    ])
  })

  test('pipelined uploads are answered in order', async () => {
    const bytes = ['one', 'two']
      .map((word) => `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n${word}`)
      .join('')
    const answer = await exchange(port, bytes + request('/show', {}))
    expect({
      statuses: statuses(answer),
      one: answer.includes('\r\n\r\none'),
      two: answer.includes('\r\n\r\ntwo'),
    }).toEqual({
      statuses: [200, 200, 200],
      one: true,
      two: true,
    })
  })

  test('a request split at every byte', async () => {
    const bytes = request('/echo', {
      method: 'POST',
      headers: ['Transfer-Encoding: chunked', 'X-A: b'],
      body: '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    })
    for (let at = 1; at < bytes.length; at++) {
      const wire = await open(port)
      wire.socket.setNoDelay(true)
      wire.write(bytes.slice(0, at))
      await new Promise(setImmediate)
      wire.write(bytes.slice(at))
      expect(parse(await wire.closed()).body, `split at ${at}`).toBe('abcde')
    }
  })

  test('a request one byte at a time', async () => {
    const wire = await open(port)
    wire.socket.setNoDelay(true)
    for (const byte of request('/echo', { method: 'POST', headers: ['Content-Length: 3'], body: 'abc' })) {
      wire.write(byte)
      await new Promise(setImmediate)
    }
    expect(parse(await wire.closed()).body).toBe('abc')
  })

  test.each([
    ['Content-Length with Transfer-Encoding', ['Content-Length: 3', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['two Content-Lengths', ['Content-Length: 3', 'Content-Length: 4'], 'abcd'],
    ['two equal Content-Lengths', ['Content-Length: 3', 'Content-Length: 3'], 'abc'],
    ['a Content-Length that is a list', ['Content-Length: 3, 3'], 'abc'],
    ['a Content-Length with a sign', ['Content-Length: +3'], 'abc'],
    ['a Content-Length in hexadecimal', ['Content-Length: 0x3'], 'abc'],
    ['a Content-Length below zero', ['Content-Length: -1'], ''],
    ['a coding that is not chunked', ['Transfer-Encoding: gzip'], ''],
    ['chunked that is not last', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['a space before the colon', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
    ['a chunk size with a prefix', ['Transfer-Encoding: chunked'], '0x3\r\nabc\r\n0\r\n\r\n'],
    ['a chunk size below zero', ['Transfer-Encoding: chunked'], '-3\r\nabc\r\n0\r\n\r\n'],
    ['a folded header', ['X-A: b', ' c'], ''],
  ])('400: %s', async (_, headers, body) => {
    expect(statuses(await exchange(port, request('/echo', { method: 'POST', headers, body })))).toEqual([400])
  })
})

describe('host', () => {
  test.each([
    ['a space', 'a b'],
    ['a path', 'a/url?'],
    ['a query', 'a?b'],
    ['a fragment', 'a#b'],
    ['credentials', 'user:pass@a'],
    ['an at sign', 'a@b'],
    ['a backslash', 'a\\b'],
    ['an invalid port', 'a:b'],
    ['a port too large', 'a:99999'],
    ['two ports', 'a:1:2'],
    ['nothing', ''],
    ['only a port', ':80'],
    ['a percent escape', 'a%2fb'],
    ['an angle bracket', '<a>'],
    ['an open bracket', '[::1'],
    ['an invalid IPv6 address', '[::g]'],
    ['an invalid IPv4 address', '1.2.3.4.5'],
    ['a number too large', '999.1.1.1'],
    ['a comma', 'a, b'],
    ['a byte past ASCII', 'a\xe9'],
  ])('400: %s', async (_, host) => {
    const fresh = await listen({ '/url': show })
    for (const at of [port, fresh.port!]) {
      expect(statuses(await exchange(at, `GET /url HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))).toEqual([
        400,
      ])
    }
    await fresh.close()
  })

  test('400: no Host in HTTP/1.1, two of them, also equal ones', async () => {
    for (const lines of ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nHost: a\r\n', 'Host:\r\nHost:\r\n']) {
      expect(statuses(await exchange(port, `GET /url HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`))).toEqual([400])
    }
  })

  test.each([
    ['a name', 'example.com', 'http://example.com/url'],
    ['a name with a port', 'example.com:8080', 'http://example.com:8080/url'],
    ['the default port', 'example.com:80', 'http://example.com/url'],
    ['upper case', 'EXAMPLE.com', 'http://example.com/url'],
    ['IPv4', '127.0.0.1:1', 'http://127.0.0.1:1/url'],
    ['IPv4, short', '127.1', 'http://127.0.0.1/url'],
    ['IPv6', '[::1]:8080', 'http://[::1]:8080/url'],
    ['an underscore', 'a_b.test', 'http://a_b.test/url'],
  ])('%s', async (_, host, url) => {
    expect((await shown(`GET /url HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).url).toBe(url)
  })

  test('HTTP/1.0 without a Host is localhost', async () => {
    expect((await shown('GET /url HTTP/1.0\r\n\r\n')).url).toMatch(/^http:\/\/localhost(:\d+)?\/url$/)
  })

  test('hosts that take turns on one connection', async () => {
    const answer = await exchange(
      port,
      ['a', 'b', 'a']
        .map((host, n) => `GET /url HTTP/1.1\r\nHost: ${host}.test\r\n${n === 2 ? 'Connection: close\r\n' : ''}\r\n`)
        .join(''),
    )
    expect(Array.from(answer.matchAll(/"url":"([^"]+)"/g), ([, url]) => url)).toEqual([
      'http://a.test/url',
      'http://b.test/url',
      'http://a.test/url',
    ])
  })
})

describe('target', () => {
  test.each([
    ['origin form', '/show/1?a=b', '/show/1', 'http://localhost/show/1?a=b'],
    ['absolute form', 'http://other.test/show/1?a=b', '/show/1', 'http://other.test/show/1?a=b'],
    ['absolute form without a path', 'http://other.test', '/', 'http://other.test/'],
    ['absolute form, dot segments', 'http://other.test/x/../show/1', '/show/1', 'http://other.test/show/1'],
    ['absolute form, upper case', 'HTTP://OTHER.test/show/1', '/show/1', 'http://other.test/show/1'],
    ['dot segments', '/a/../show/1', '/show/1', 'http://localhost/show/1'],
    ['escaped dot segments', '/a/%2e%2E/show/1', '/show/1', 'http://localhost/show/1'],
    ['dot segments above the root', '/../../show/1', '/show/1', 'http://localhost/show/1'],
    ['a backslash', '/show\\1', '/show/1', 'http://localhost/show/1'],
    ['a fragment', '/show/1#x', '/show/1', 'http://localhost/show/1'],
    ['a second question mark', '/show/1?a?b', '/show/1', 'http://localhost/show/1?a?b'],
    ['a quote in the query', "/show/1?a='", '/show/1', 'http://localhost/show/1?a=%27'],
  ])('%s: router, ctx.url and request.url agree', async (_, target, path, url) => {
    const answer = parse(await exchange(port, request(target)))
    if (path === '/') return expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body)).toMatchObject({ path, pathname: path, url })
  })

  test.each([
    ['a doubled slash is a path, not a host', '//evil.test/url', 404],
    ['a doubled slash before a route', '//url', 404],
    ['a backslash and a slash', '/\\evil.test/url', 404],
    ['an absolute target whose host looks like a route', 'http://url/', 404],
    ['an absolute target with credentials', 'http://user:pass@a/url', 400],
    ['an absolute target of another scheme', 'ftp://a/url', 400],
    ['an absolute target without a host', 'http:///url', 400],
    ['an absolute target with a bad port', 'http://a:99999/url', 400],
    ['javascript', 'javascript:alert(1)', 400],
    ['a name', 'url', 400],
    ['a question mark', '?url', 400],
    ['escaped slashes make no segments', '/show%2f1', 404],
    ['a letter that is escaped', '/%75rl', 404],
    ['a malformed escape in a parameter', '/show/%', 400],
    ['a malformed escape in a parameter, no UTF-8', '/show/%ff', 400],
    ['a malformed escape elsewhere', '/%zz', 400],
    ['a malformed escape in the query', '/url?%', 200],
    ['asterisk form', '*', 404],
  ])('%s', async (_, target, status) => {
    expect(statuses(await exchange(port, request(target)))).toEqual([status])
  })

  test('srvx #206: OPTIONS * is answered, and the server lives', async () => {
    expect(statuses(await exchange(port, request('*', { method: 'OPTIONS' })))).toEqual([404])
    expect(statuses(await exchange(port, request('/url')))).toEqual([200])
  })

  test.each([
    ['TRACE', '/url'],
    ['CONNECT', 'a.test:443'],
    ['CONNECT', '/url'],
    ['TRACE', '*'],
  ])('%s %s is a 501', async (method, target) => {
    const [status] = statuses(await exchange(port, request(target, { method })))
    expect([400, 501]).toContain(status)
  })

  test.each(['PROPFIND', 'QUERY', 'M-SEARCH', 'PURGE'])(
    '%s is a method like any other, if the parser knows it',
    async (method) => {
      const answer = await exchange(port, request('/show/1', { method }))
      if (statuses(answer)[0] === 200) expect(JSON.parse(parse(answer).body).method).toBe(method)
      else expect(statuses(answer)).toEqual([400])
    },
  )
})

describe('headers', () => {
  test('a block of 1 MB is refused, and the server lives', async () => {
    const answer = await exchange(
      port,
      request('/url', { headers: Array.from({ length: 1000 }, (_, n) => `X-${n}: ${'x'.repeat(1000)}`) }),
    )
    expect(statuses(answer)).toEqual([431])
    expect(statuses(await exchange(port, request('/url')))).toEqual([200])
  })

  test('one field of 1 MB is refused', async () => {
    expect(statuses(await exchange(port, request('/url', { headers: [`Cookie: ${'x'.repeat(1_000_000)}`] })))).toEqual([
      431,
    ])
  })

  test('a target of 1 MB is refused', async () => {
    expect(statuses(await exchange(port, request(`/${'x'.repeat(1_000_000)}`)))).toEqual([431])
  })

  test('several of one name are joined, cookies by semicolons', async () => {
    const headers = new Map(
      JSON.parse(
        parse(
          await exchange(port, request('/headers', { headers: ['X-A: 1', 'x-a: 2', 'Cookie: a=1', 'Cookie: b=2'] })),
        ).body,
      ) as [string, string][],
    )
    expect({ 'x-a': headers.get('x-a'), cookie: headers.get('cookie') }).toEqual({ 'x-a': '1, 2', cookie: 'a=1; b=2' })
  })

  test('__proto__ is a name like any other', async () => {
    const headers = JSON.parse(
      parse(await exchange(port, request('/headers', { headers: ['__proto__: x', 'constructor: y'] }))).body,
    )
    expect(headers).toEqual(
      expect.arrayContaining([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    )
  })

  test("the address is the socket's, whatever headers say", async () => {
    const answer = await exchange(
      port,
      request('/peer', { headers: ['X-Forwarded-For: 6.6.6.6', 'Forwarded: for=6.6.6.6', 'X-Real-IP: 6.6.6.6'] }),
    )
    expect(parse(answer).body).toBe('127.0.0.1')
  })

  test('X-Forwarded-Proto and -Host change no URL', async () => {
    expect(
      (
        await shown(
          request('/url', {
            headers: ['X-Forwarded-Proto: https', 'X-Forwarded-Host: evil.test', 'X-HTTP-Method-Override: DELETE'],
          }),
        )
      ).url,
    ).toBe('http://localhost/url')
  })
})

describe('Expect', () => {
  test('100-continue is followed by the answer', async () => {
    const wire = await open(port)
    wire.write(request('/echo', { method: 'POST', headers: ['Content-Length: 3', 'Expect: 100-continue'] }))
    await wire.until((text) => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    wire.write('abc')
    expect(statuses(await wire.closed())).toEqual([100, 200])
  })

  const guarded = () =>
    createApp()
      .post('/limited', bodyLimit(10), async (ctx) => ctx.text(await ctx.text()))
      .post('/guarded', () => text('no', 401))
      .post('/streamed', async (ctx) => ctx.text(await new Response(ctx.request.body).text()))
      .post('/parsed', fromNodeMiddleware(express.text() as never), (ctx) =>
        ctx.text((ctx as any).node?.body ?? 'parsed'),
      )

  describe.each(kinds)('NA15: 100-continue on %s', (_, options, openTo) => {
    const ask = async (path: string, length: number, body: string): Promise<Wire> => {
      handle = await guarded().listen({ port: 0, hostname: '127.0.0.1', graceMs: 200, ...options })
      const wire = await openTo(handle.port!)
      wire.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
      )
      if (body) {
        await wire.until((seen) => seen.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
        wire.write(body)
      }
      return wire
    }
    let handle: ServerHandle
    afterEach(() => handle.close())

    test.each([
      ['a body that is too large', '/limited', 413],
      ['a guard', '/guarded', 401],
      ['a path that nobody has', '/none', 404],
    ])('%s is refused by the head alone, and the connection ends', async (_name, path, status) => {
      const wire = await ask(path, 1_000_000, '')
      const { lines } = parse(await wire.until((seen) => seen.includes('\r\n\r\n')))
      expect({
        statuses: statuses(wire.text()),
        connection: lines.filter((line) => /^connection:/i.test(line)),
      }).toEqual({
        statuses: [status],
        connection: ['Connection: close'],
      })
      wire.end()
    })

    test.each(['/limited', '/streamed', '/parsed'])(
      '%s asks for the body when it reads it, and the connection goes on',
      async (path) => {
        const wire = await ask(path, 5, 'hello')
        await wire.until((seen) => statuses(seen).length === 2)
        expect({ statuses: statuses(wire.text()), close: /connection: close/i.test(wire.text()) }).toEqual({
          statuses: [100, 200],
          close: false,
        })
        wire.end()
      },
    )
  })

  test.each([
    ['/limited', 413, []],
    ['/streamed', 200, [100]],
  ])('NA15: over HTTP/2, %s gives %i after %j', async (path, status, before) => {
    await using handle = await guarded().listen({ port: 0, hostname: '127.0.0.1', ...kinds[2]![1] })
    const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-length': 1000, expect: '100-continue' })
    const told: number[] = []
    stream.on('continue', () => {
      told.push(100)
      stream.end('x'.repeat(1000))
    })
    const final = await new Promise((resolve) => stream.on('response', (head) => resolve(head[':status'])))
    expect({ told, final }).toEqual({ told: before, final: status })
    session.destroy()
  })

  test('anything else is refused', async () => {
    expect(statuses(await exchange(port, request('/echo', { headers: ['Expect: the-unexpected'] })))).toEqual([417])
  })
})

test('an Upgrade without a handler is an ordinary request', async () => {
  expect(
    statuses(
      await exchange(
        port,
        `GET /quick HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      ),
    ),
  ).toEqual([200])
})
