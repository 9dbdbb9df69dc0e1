import { request as httpRequest } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { json } from '../../src/respond/json.ts'
import { sse } from '../../src/respond/sse.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { freePort } from '../free-port.mjs'
import { cert, key } from './certificate.ts'
import { kept } from './serving.ts'
import { exchange, listen, open, parse, pause, request, statuses } from './wire.ts'

describe('R8: listen', () => {
  const app = () => createApp().get('/', () => text('ok'))

  test('on port 0 the callback and the handle have the port that is bound', async () => {
    const called = vi.fn()
    const handle = kept(await app().listen(0, called))
    expect(handle.port).toBeGreaterThan(0)
    expect(called).toHaveBeenCalledExactlyOnceWith(handle.port)
    expect(handle.url).toBe(`http://localhost:${handle.port}`)
    expect(await (await fetch(handle.url)).text()).toBe('ok')
  })

  test('with options', async () => {
    const handle = kept(await app().listen({ port: 0, hostname: '127.0.0.1' }))
    expect({ hostname: handle.hostname, url: handle.url }).toEqual({
      hostname: '127.0.0.1',
      url: `http://127.0.0.1:${handle.port}`,
    })
    expect(statuses(await exchange(handle.port!, request('/')))).toEqual([200])
  })

  test('on IPv6 the URL has brackets', async () => {
    const handle = kept(await app().listen({ port: 0, hostname: '::1' }))
    expect(handle.url).toBe(`http://[::1]:${handle.port}`)
    expect(await (await fetch(handle.url)).text()).toBe('ok')
  })

  test('rejects if the port is in use, and does not call the callback', async () => {
    const { port } = kept(await app().listen({ port: 0, hostname: '127.0.0.1' }))
    const called = vi.fn()
    await expect(app().listen({ port: port!, hostname: '127.0.0.1' }, called)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    expect(called).not.toHaveBeenCalled()
  })

  test('rejects for a host that is not on this machine', async () => {
    await expect(app().listen({ port: 0, hostname: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
  })

  test.each([-1, 65_536, 1.5])('rejects for port %s', async (port) => {
    await expect(app().listen(port)).rejects.toThrow(
      `listen: port: expected a whole number from 0 to 65535 (0 lets the system choose), got ${port}`,
    )
  })

  test('rejects HTTP/2 without TLS, and TLS with what is no key', async () => {
    await expect(app().listen({ port: 0, http2: true })).rejects.toThrow(TypeError)
    await expect(app().listen({ port: 0, tls: { key: 'x', cert: 'y' } })).rejects.toThrow()
  })

  test('close frees the port; closing twice is closing once', async () => {
    const port = await freePort()
    const handle = await app().listen({ port, hostname: '127.0.0.1' })
    await Promise.all([handle.close(), handle.close()])
    await handle.close()
    await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    kept(await app().listen({ port, hostname: '127.0.0.1' }))
  })

  test('the handle is disposable', async () => {
    const handle = await app().listen({ port: 0, hostname: '127.0.0.1' })
    await handle[Symbol.asyncDispose]()
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('a signal closes it', async () => {
    const stop = new AbortController()
    const handle = await app().listen({ port: 0, hostname: '127.0.0.1', signal: stop.signal })
    stop.abort()
    await handle.close()
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('a signal that is aborted already', async () => {
    const handle = await app().listen({ port: 0, hostname: '127.0.0.1', signal: AbortSignal.abort() })
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test("X5: ctx.env is the process's environment, or what is given", async () => {
    const show = createApp().get('/', (ctx) => json({ given: ctx.env.GIVEN ?? null, path: ctx.env.PATH !== undefined }))
    const own = kept(await show.listen({ port: 0, hostname: '127.0.0.1' }))
    const given = kept(await show.listen({ port: 0, hostname: '127.0.0.1', env: { GIVEN: 'yes' } }))
    expect(parse(await exchange(own.port!, request('/'))).body).toBe('{"given":null,"path":true}')
    expect(parse(await exchange(given.port!, request('/'))).body).toBe('{"given":"yes","path":false}')
  })

  test('a unix socket', async () => {
    const path = join(tmpdir(), `sluice-${process.pid}-${Math.random().toString(36).slice(2)}.sock`)
    const handle = kept(
      await app()
        .get('/url', (ctx) => text(ctx.request.url))
        .listen({ path }),
    )
    expect({ port: handle.port, hostname: handle.hostname, url: handle.url }).toEqual({
      port: undefined,
      hostname: path,
      url: `unix:${path}`,
    })
    const body = await new Promise<string>((resolve, reject) => {
      httpRequest({ socketPath: path, path: '/url', headers: { host: 'named.test' }, agent: false }, (response) => {
        let received = ''
        response.on('data', (chunk) => {
          received += chunk
        })
        response.on('end', () => resolve(received))
      })
        .on('error', reject)
        .end()
    })
    expect(body).toBe('http://named.test/url')
    await expect(app().listen({ path })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

test('R28: in development a route that is registered twice is reported at the first request', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubEnv('NODE_ENV', 'development')
  const app = createApp()
    .get('/u/:id', () => text('first'))
    .get('/u/:key', () => text('second'))
  for (let round = 0; round < 2; round++) {
    expect(await (await app.fetch(new Request('http://localhost/u/1'))).text()).toBe('first')
  }
  expect(warn.mock.calls).toEqual([[expect.stringContaining('GET /u/:key')]])
  vi.stubEnv('NODE_ENV', 'production')
  await createApp()
    .get('/x', () => text(''))
    .get('/x', () => text(''))
    .fetch(new Request('http://localhost/x'))
  expect(warn).toHaveBeenCalledOnce()
  vi.unstubAllEnvs()
  warn.mockRestore()
})

describe('close drains', () => {
  test('a request that is under way is answered, and its connection closed', async () => {
    let release!: () => void
    const server = await listen(
      {
        '/': async () => {
          await new Promise<void>((resolve) => {
            release = resolve
          })
          return text('late')
        },
      },
      { graceMs: 5_000 },
    )
    const wire = await open(server.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await pause(20)
    const closed = server.close()
    await expect(open(server.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    release()
    expect(await wire.closed()).toMatch(/\r\n\r\nlate$/)
    await closed
  })

  test('a kept connection that is idle does not hold it up', async () => {
    // A grace longer than the test may take: a close that waited for it would never get here.
    const server = await listen({ '/': () => text('x') }, { graceMs: 600_000 })
    const wire = await open(server.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await wire.until((received) => received.endsWith('x'))
    await server.close()
    expect(statuses(await wire.closed())).toEqual([200])
    await expect(open(server.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('a request on a kept connection in the moment of closing is answered with Connection: close', async () => {
    const server = await listen({ '/': () => text('x') }, { graceMs: 5_000 })
    const wire = await open(server.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await wire.until((received) => received.endsWith('x'))
    const closed = server.close()
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(statuses(await wire.closed())).toEqual([200, 200])
    expect(wire.text().toLowerCase()).toContain('connection: close')
    await closed
  })

  test('connections that are still open after graceMs are cut', async () => {
    const cleanup = vi.fn()
    const server = await listen(
      {
        '/': () =>
          sse((send) => {
            void send({ data: 1 })
            return cleanup
          }),
      },
      { graceMs: 100 },
    )
    const wire = await open(server.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await wire.until((received) => received.includes('data: 1'))
    await server.close()
    await wire.closed()
    await vi.waitFor(() => expect(cleanup).toHaveBeenCalledOnce(), { timeout: 15_000 })
  })

  test('200 keep-alive clients under load lose no accepted request', async () => {
    const server = await listen(
      {
        '/': async () => {
          await pause(2)
          return text('x')
        },
      },
      { graceMs: 5_000 },
    )
    let running = true
    let answered = 0
    let begun = 0
    const lost: string[] = []
    const client = async (): Promise<void> => {
      const wire = await open(server.port!)
      let sent = 0
      while (running) {
        wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
        sent++
        const outcome = await wire
          .until((received) => received.split('HTTP/1.1 200').length - 1 >= sent && received.endsWith('x'), 45_000)
          .catch(() => 'lost')
        if (outcome === 'lost') {
          lost.push(wire.text().slice(-300))
          break
        }
        answered++
        if (sent === 2) begun++
        if (/connection: close/i.test(outcome)) break
      }
      wire.end()
    }
    const clients = Array.from({ length: 200 }, client)
    await vi.waitFor(() => expect(begun).toBe(200), { timeout: 45_000 })
    await server.close()
    running = false
    await Promise.all(clients)
    expect(lost).toEqual([])
    expect(answered).toBeGreaterThan(400)
  })
})

describe('TLS', () => {
  test('HTTPS, with https in the URL', async () => {
    const server = kept(await listen({ '/': (ctx) => text(ctx.request.url) }, { tls: { key, cert } }))
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`)
    const body = await new Promise<string>((resolve, reject) => {
      httpsRequest(server.url, { ca: cert, agent: false }, (response) => {
        response.on('data', (chunk) => resolve(String(chunk)))
      })
        .on('error', reject)
        .end()
    })
    expect(body).toBe(`${server.url}/`)
  })

  test('bytes that are no TLS end the connection, not the server', async () => {
    const server = kept(await listen({ '/': () => text('x') }, { tls: { key, cert } }))
    const wire = await open(server.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(statuses(await wire.closed())).toEqual([])
  })
})

describe('HTTP/2', () => {
  const routes = {
    '/': (ctx: any) =>
      json({
        url: ctx.request.url,
        method: ctx.method,
        host: ctx.header('host'),
        pseudo: [...ctx.request.headers.keys()].filter((name) => name.startsWith(':')),
      }),
    '/echo': async (ctx: any) => text(await ctx.text()),
    '/cookies': () =>
      json(1, 200, { 'set-cookie': ['a=1', 'b=2'], connection: 'keep-alive', 'keep-alive': 'timeout=5', 'x-a': 'b' }),
    '/cookies/in': (ctx: any) => text(String(ctx.header('cookie'))),
    '/stream': () => stream(['a', 'b']),
    '/reason': () => json(1, { statusText: 'ignored' }),
    '/platform': () => new Response('platform'),
    '/head': () => text('four'),
    '/204': () => text('', 204),
    '/bad': (ctx: any) => {
      ctx.onResponse(['x-a', 'b\r\nc: d'])
      return text('x')
    },
  }
  const session = async (more = {}): Promise<readonly [ClientHttp2Session, ServerHandle]> => {
    const server = kept(await listen({ ...routes, ...more }, { tls: { key, cert }, http2: true }))
    const client = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: cert })
    client.on('error', () => {})
    return [client, server]
  }
  const ask = (
    client: ClientHttp2Session,
    headers: Record<string, any>,
    body?: string,
  ): Promise<{ headers: Record<string, any>; body: string }> =>
    new Promise((resolve, reject) => {
      const outgoing = client.request({ ':path': '/', ...headers })
      let received: any
      let text = ''
      outgoing.on('response', (answer) => {
        received = answer
      })
      outgoing.on('data', (chunk) => {
        text += chunk
      })
      outgoing.on('end', () => resolve({ headers: received, body: text }))
      outgoing.on('error', reject)
      outgoing.end(body)
    })

  test('requests, uploads, cookies, streams, HEAD', async () => {
    const [client, server] = await session()
    expect(JSON.parse((await ask(client, {})).body)).toEqual({
      url: `${server.url}/`,
      method: 'GET',
      host: null,
      pseudo: [],
    })
    expect((await ask(client, { ':path': '/echo', ':method': 'POST' }, 'hello')).body).toBe('hello')
    const cookies = await ask(client, { ':path': '/cookies' })
    expect({
      'set-cookie': cookies.headers['set-cookie'],
      'x-a': cookies.headers['x-a'],
      connection: cookies.headers.connection,
      'content-length': cookies.headers['content-length'],
    }).toEqual({ 'set-cookie': ['a=1', 'b=2'], 'x-a': 'b', connection: undefined, 'content-length': '1' })
    expect((await ask(client, { ':path': '/cookies/in', cookie: ['a=1', 'b=2'] })).body).toBe('a=1; b=2')
    expect((await ask(client, { ':path': '/stream' })).body).toBe('ab')
    expect((await ask(client, { ':path': '/reason' })).body).toBe('1')
    expect((await ask(client, { ':path': '/platform' })).body).toBe('platform')
    const head = await ask(client, { ':path': '/head', ':method': 'HEAD' })
    expect({
      ':status': head.headers[':status'],
      'content-length': head.headers['content-length'],
      body: head.body,
    }).toEqual({ ':status': 200, 'content-length': '4', body: '' })
    expect((await ask(client, { ':path': '/204' })).headers[':status']).toBe(204)
    expect((await ask(client, { ':path': '//evil.test/x' })).headers[':status']).toBe(404)
    expect((await ask(client, { ':path': '/', ':method': 'TRACE' })).headers[':status']).toBe(501)
    await expect(ask(client, { ':path': '/', ':authority': 'a/b' })).rejects.toThrow('PROTOCOL_ERROR')
    expect((await ask(client, { ':path': '/', ':authority': '1.2.3.4.5' })).headers[':status']).toBe(400)
    // Both name the host, so they have to agree (RFC 9113 §8.3.1)
    const named = async (host: string) => ask(client, { ':path': '/head', ':authority': 'a.test', host })
    expect({
      sameHost: (await named('a.test')).headers[':status'],
      otherHost: (await named('b.test')).headers[':status'],
    }).toEqual({ sameHost: 200, otherHost: 400 })
    client.close()
  })

  test('CONNECT is refused, and the server lives', async () => {
    const [client] = await session()
    const outgoing = client.request({ ':method': 'CONNECT', ':authority': 'a.test:443' })
    const status = await new Promise((resolve, reject) => {
      outgoing.on('response', (headers) => resolve(headers[':status']))
      outgoing.on('error', reject)
    })
    expect(status).toBe(501)
    outgoing.close(constants.NGHTTP2_CANCEL)
    expect((await ask(client, {})).headers[':status']).toBe(200)
    client.close()
  })

  test('a field that cannot be sent is a 500, and the session lives', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const [client] = await session()
    expect((await ask(client, { ':path': '/bad' })).headers[':status']).toBe(500)
    expect((await ask(client, {})).headers[':status']).toBe(200)
    client.close()
    log.mockRestore()
  })

  test('a client that goes cancels the source', async () => {
    const cancel = vi.fn()
    const [client] = await session({
      '/endless': () =>
        stream(
          () =>
            new ReadableStream({
              async pull(c) {
                await pause(1)
                c.enqueue(new Uint8Array(100_000))
              },
              cancel,
            }),
        ),
    })
    const outgoing = client.request({ ':path': '/endless' })
    outgoing.on('error', () => {})
    await new Promise((resolve) => outgoing.on('response', resolve))
    outgoing.close(constants.NGHTTP2_CANCEL)
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 15_000 })
    expect((await ask(client, {})).headers[':status']).toBe(200)
    client.close()
  })

  test('a client that goes before the answer: the source that comes then is cancelled', async () => {
    const cancel = vi.fn()
    let release!: () => void
    const [client] = await session({
      '/late': async () => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return stream(() => new ReadableStream({ cancel }))
      },
    })
    const outgoing = client.request({ ':path': '/late' })
    outgoing.on('error', () => {})
    await vi.waitFor(() => expect(release).toBeDefined(), { timeout: 15_000 })
    outgoing.close(constants.NGHTTP2_CANCEL)
    await pause(20)
    release()
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 15_000 })
    client.close()
  })

  test.each([
    ['text()', (ctx: any) => ctx.text()],
    [
      'the stream',
      async (ctx: any) => {
        for await (const _ of ctx.request.body) void 0
      },
    ],
  ])('an upload that is cut off does not look complete: %s', async (_, read) => {
    let outcome: any
    let arrived!: () => void
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const [client] = await session({
      '/up': async (ctx: any) => {
        arrived()
        outcome = await read(ctx).then(
          () => 'complete',
          (error: any) => error,
        )
        return text('')
      },
    })
    const outgoing = client.request({ ':path': '/up', ':method': 'POST' })
    outgoing.on('error', () => {})
    outgoing.write('abc')
    await arrival
    outgoing.destroy(new Error('gone'))
    await vi.waitFor(() => expect(outcome).toMatchObject({ status: 400 }), { timeout: 15_000 })
    client.close()
  })

  test('request.signal aborts with the stream, and not with its end', async () => {
    const seen: AbortSignal[] = []
    const [client] = await session({
      '/signal': async (ctx: any) => {
        seen.push(ctx.request.signal)
        await pause(200)
        return text('x')
      },
    })
    await ask(client, { ':path': '/signal' })
    await pause(10)
    expect(seen[0]!.aborted).toBe(false)
    const outgoing = client.request({ ':path': '/signal' })
    outgoing.on('error', () => {})
    await vi.waitFor(() => expect(seen).toHaveLength(2), { timeout: 15_000 })
    outgoing.close(constants.NGHTTP2_CANCEL)
    await vi.waitFor(() => expect(seen[1]!.aborted).toBe(true), { timeout: 15_000 })
    client.close()
  })

  test('HTTP/1.1 on the same port', async () => {
    const [client, server] = await session()
    client.close()
    const body = await new Promise<string>((resolve, reject) => {
      httpsRequest(`${server.url}/cookies`, { ca: cert, agent: false }, (response) => {
        resolve(`${response.httpVersion} ${response.headers['set-cookie']}`)
        response.resume()
      })
        .on('error', reject)
        .end()
    })
    expect(body).toBe('1.1 a=1,b=2')
  })

  test('close lets streams finish, and an idle session does not hold it up', async () => {
    let release!: () => void
    const server = await listen(
      {
        '/': () => text('x'),
        '/late': async () => {
          await new Promise<void>((resolve) => {
            release = resolve
          })
          return text('late')
        },
      },
      { tls: { key, cert }, http2: true, graceMs: 600_000 },
    )
    const [busy, idle] = [connectHttp2(server.url, { ca: cert }), connectHttp2(server.url, { ca: cert })]
    await ask(idle, {})
    const answer = ask(busy, { ':path': '/late' })
    await vi.waitFor(() => expect(release).toBeDefined(), { timeout: 15_000 })
    const closed = server.close()
    await pause(300)
    release()
    expect((await answer).body).toBe('late')
    await closed
    busy.destroy()
    idle.destroy()
  })

  test('close cuts what is open after the grace', async () => {
    const server = await listen(
      {
        '/': () =>
          sse((send) => {
            void send({ data: 1 })
            return () => {}
          }),
      },
      { tls: { key, cert }, http2: true, graceMs: 100 },
    )
    const client = connectHttp2(server.url, { ca: cert })
    client.on('error', () => {})
    const outgoing = client.request({ ':path': '/' })
    outgoing.on('error', () => {})
    await new Promise((resolve) => outgoing.on('data', resolve))
    expect({ stream: outgoing.closed, session: client.closed }).toEqual({ stream: false, session: false })
    await server.close()
    await vi.waitFor(() =>
      expect({ stream: outgoing.closed, session: client.closed }).toEqual({ stream: true, session: true }),
    )
    client.destroy()
  })
})
