import './mend-express.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, request as requestOver, type Server, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express, { type ErrorRequestHandler } from 'express'
import session from 'express-session'
import morgan from 'morgan'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { clientAddress } from '../src/client-address.ts'
import type { Execution } from '../src/internal/types/context.ts'
import { onResponse } from '../src/kernel/edits.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank, route, use } from '../src/kernel/plan.ts'
import { pipe } from '../src/pipe.ts'
import { json } from '../src/respond/json.ts'
import { toNodeHandler as onEdge } from '../src/runtime/edge/node-handler.ts'
import { toNodeHandler } from '../src/to-node-handler.ts'
import { cert, key } from './node/certificate.ts'
import { exchange, parse } from './node/wire.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections?.()
  }
})

/** Listen on the loopback. @returns the address. */
const start = async (listener: RequestListener | Server): Promise<string> => {
  const server = typeof listener === 'function' ? createServer(listener) : listener
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const app = createApp()
  .get('/', (ctx) => ctx.text('root'))
  .get('/where', (ctx) => ctx.json({ path: ctx.path, url: ctx.request.url, query: ctx.query.get('q') }))
  .get('/who', (ctx) => ctx.text(`${clientAddress(ctx)}`))
  .get('/missing', (ctx) => ctx.text('own 404', 404))
  .get('/set', (ctx) => {
    const response = ctx.text('set')
    response.headers.append('set-cookie', 'ours=1')
    response.headers.append('set-cookie', 'more=2')
    response.headers.set('vary', 'Origin, Accept')
    response.headers.set('x-both', 'ours')
    return response
  })
  .get('/stream', () => {
    const parts = ['a'.repeat(100_000), 'b'.repeat(100_000)]
    return new Response(
      new ReadableStream({
        pull(controller) {
          const part = parts.shift()
          if (part) controller.enqueue(new TextEncoder().encode(part))
          else controller.close()
        },
      }),
    )
  })
  .get('/throw', () => {
    throw new Error('in the handler')
  })
  .post('/json', async (ctx) => ctx.json(await ctx.json()))
  .post('/text', async (ctx) => ctx.text(await ctx.text()))
  .post('/form', async (ctx) => ctx.json([...(await ctx.formData())] as never))

test('OP5: the pipe door has its params, the body, the environment and the edits of its middleware', async () => {
  const fetched = pipe(
    blank,
    use((ctx, next) => {
      onResponse(ctx, ['x-own', '1'])
      return next()
    }),
    route('POST', '/users/:id', async (ctx) => json([ctx.params.id, await ctx.request.text(), ctx.env])),
    toFetch,
  )
  const server = express().use('/api', toNodeHandler(fetched, { env: { a: 1 } }))
  const address = await start(createServer(server))
  const response = await fetch(`${address}/api/users/7`, { method: 'POST', body: 'hello' })
  expect({ 'x-own': response.headers.get('x-own'), json: await response.json() }).toEqual({
    'x-own': '1',
    json: ['7', 'hello', { a: 1 }],
  })
  expect((await fetch(`${address}/api/none`)).status).toBe(404)
})

describe('OP5: Vite', () => {
  test('its server of development has routes of an application beside its own', async () => {
    const { createServer: createVite } = await import('vite')
    const root = mkdtempSync(join(tmpdir(), 'sluice-vite-'))
    writeFileSync(join(root, 'index.html'), '<h1>a page of Vite</h1>')
    const vite = await createVite({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
      plugins: [
        {
          name: 'api',
          configureServer: ({ middlewares }) => {
            middlewares.use('/api', toNodeHandler(app, { fallthrough: true }))
          },
        },
      ],
    })
    try {
      const url = await start(vite.middlewares as RequestListener)
      const ask = async (path: string, init?: RequestInit) => {
        const response = await fetch(url + path, init)
        return { status: response.status, body: await response.text() }
      }
      expect(await ask('/api/')).toEqual({ status: 200, body: 'root' })
      expect(await ask('/api/where?q=1')).toEqual({ status: 200, body: expect.stringContaining('"query":"1"') })
      expect(await ask('/api/json', { method: 'POST', body: '{"a":1}' })).toEqual({ status: 200, body: '{"a":1}' })
      expect(await ask('/')).toEqual({ status: 200, body: expect.stringContaining('a page of Vite') })
      expect(await ask('/@vite/client')).toEqual({ status: 200, body: expect.stringContaining('import') })
    } finally {
      await vite.close()
      rmSync(root, { recursive: true, force: true })
    }
  })
})

describe('OP5: http.createServer', () => {
  test.each([
    ['a route', '/', 200, 'root'],
    ['an unknown path', '/none', 404, ''],
    ['the query', '/where?q=1', 200, '"query":"1"'],
    ['an error of a handler', '/throw', 500, ''],
  ])('OP5: %s', async (_, path, status, text) => {
    const response = await fetch((await start(toNodeHandler(app))) + path)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(text)
  })

  test('OP5: a stream comes whole, a body goes in, HEAD has none', async () => {
    const address = await start(toNodeHandler(app))
    expect(await (await fetch(`${address}/stream`)).text()).toHaveLength(200_000)
    const big = 'x'.repeat(500_000)
    expect(await (await fetch(`${address}/text`, { method: 'POST', body: big })).text()).toBe(big)
    const head = await fetch(`${address}/`, { method: 'HEAD' })
    expect({
      status: head.status,
      'content-length': head.headers.get('content-length'),
      text: await head.text(),
    }).toEqual({ status: 200, 'content-length': '4', text: '' })
  })

  test('OP5: a plain fetch is taken, its `this` is kept, env is given', async () => {
    const own = {
      name: 'own',
      fetch(_: Request, env: { a: string }) {
        return new Response(this.name + env.a)
      },
    }
    expect(await (await fetch(await start(toNodeHandler(own as never, { env: { a: '!' } })))).text()).toBe('own!')
    const plain = toNodeHandler(async (request: Request) => new Response(new URL(request.url).pathname))
    expect(await (await fetch(`${await start(plain)}/p`)).text()).toBe('/p')
  })

  test('OP5: an error of a plain fetch is a 500 if there is no next, and the server continues', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    const address = await start(
      toNodeHandler(() => {
        throw new Error('secret')
      }),
    )
    const response = await fetch(address)
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 500,
      text: '{"error":"Internal Server Error"}',
    })
    expect((await fetch(address)).status).toBe(500)
    printed.mockRestore()
  })

  test('OP5: fallthrough without a next sends the 404', async () => {
    expect((await fetch(`${await start(toNodeHandler(app, { fallthrough: true }))}/none`)).status).toBe(404)
  })

  test.each([
    ['a host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
    ['a target that is no path', 'GET nowhere HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
  ])('OP5: %s is refused as our own server does', async (_, bytes, status) => {
    const { port } = new URL(await start(toNodeHandler(app)))
    const answer = await exchange(+port, bytes, (text) => text.includes('\r\n'))
    expect(answer).toContain(`HTTP/1.1 ${status} `)
  })

  test.each([
    ['no Host', 'GET /where HTTP/1.0\r\n\r\n', 'http://localhost:PORT/where'],
    ['its Host', 'GET /where HTTP/1.1\r\nHost: a.test:80\r\nConnection: close\r\n\r\n', 'http://a.test/where'],
    [
      'a whole URL',
      'GET http://b.test/where?q=1 HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n',
      'http://b.test/where?q=1',
    ],
  ])('OP5: the URL of a request with %s', async (_, bytes, url) => {
    const { port } = new URL(await start(toNodeHandler(app, { originalUrl: true })))
    const answer = await exchange(+port, bytes)
    expect(JSON.parse(parse(answer).body).url).toBe(url.replace('PORT', port))
  })

  test('OP5: a plain fetch gets the environment of the process, and waitUntil', async () => {
    const background = late()
    const handler = toNodeHandler((async (_: Request, env: unknown, { waitUntil }: Execution) => {
      waitUntil?.(Promise.resolve().then(() => background.resolve(env === process.env)))
      return new Response('ok')
    }) as never)
    expect(await (await fetch(await start(handler))).text()).toBe('ok')
    expect(await background.promise).toBe(true)
  })

  test('OP5: a 404 that streams is cancelled when the next handler takes over', async () => {
    const cancelled = late()
    const streams = toNodeHandler(
      async () => new Response(new ReadableStream({ cancel: () => cancelled.resolve(true) }), { status: 404 }),
      { fallthrough: true },
    )
    const address = await start((request, response) => streams(request, response, () => response.end('next')))
    expect(await (await fetch(address)).text()).toBe('next')
    expect(await cancelled.promise).toBe(true)
  })

  test('OP5: a 404 that cannot be cancelled is left to the next handler', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    try {
      const fails = async () =>
        new Response(new ReadableStream({ cancel: () => Promise.reject(new Error('stuck')) }), { status: 404 })
      const handler = toNodeHandler(fails, { fallthrough: true })
      const address = await start((request, response) => handler(request, response, () => response.end('next')))
      expect(await (await fetch(address)).text()).toBe('next')
      await new Promise((resolve) => setImmediate(resolve))
      expect(unhandled).not.toHaveBeenCalled()
    } finally {
      process.off('unhandledRejection', unhandled)
    }
  })

  test('OP5: the signal aborts when the client goes', async () => {
    const aborted = late()
    const started = late()
    const waits = createApp().get('/', (ctx) => {
      ctx.request.signal.addEventListener('abort', () => aborted.resolve(undefined))
      started.resolve(undefined)
      return new Promise<Response>(() => {})
    })
    const leave = new AbortController()
    const answer = fetch(await start(toNodeHandler(waits)), { signal: leave.signal }).catch(() => 'gone')
    await started.promise
    leave.abort()
    expect(await answer).toBe('gone')
    await aborted.promise
  })

  test('OP5: over HTTP/2 with TLS the scheme, the address and the fields are right', async () => {
    const server = createSecureServer({ key, cert }, toNodeHandler(app) as never)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const session = connectHttp2(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      rejectUnauthorized: false,
    })
    const ask = (path: string): Promise<[Record<string, unknown>, string]> =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':path': path })
        let head = {}
        let text = ''
        stream.on('response', (fields) => {
          head = fields
        })
        stream.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        stream.on('end', () => resolve([head, text])).on('error', reject)
      })
    expect(JSON.parse((await ask('/where'))[1]).url).toMatch(/^https:\/\/127/)
    expect((await ask('/who'))[1]).toBe('127.0.0.1')
    expect((await ask('/set'))[0]['set-cookie']).toEqual(['ours=1', 'more=2'])
    session.close()
    await new Promise((resolve) => server.close(resolve))
  })

  test('OP5: on a unix socket the address is empty', async () => {
    const path = join(tmpdir(), `sluice-handler-${process.pid}.sock`)
    const server = createServer(
      toNodeHandler(createApp().get('/', (ctx) => ctx.json({ address: clientAddress(ctx) ?? null }))),
    )
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(path, resolve))
    const text = await new Promise<string>((resolve) => {
      requestOver({ socketPath: path }, (response) => response.setEncoding('utf8').once('data', resolve)).end()
    })
    expect(text).toBe('{"address":""}')
  })
})

describe('OP5: Express 5', () => {
  test('OP5: below a path the application sees the rest, or all with originalUrl', async () => {
    const server = express()
    server.use('/api', toNodeHandler(app))
    server.use('/whole', toNodeHandler(createApp({ basePath: '/whole' }).mount('/', app), { originalUrl: true }))
    const address = await start(server)
    expect(await (await fetch(`${address}/api/where?q=2`)).json()).toMatchObject({ path: '/where', query: '2' })
    expect(await (await fetch(`${address}/api`)).text()).toBe('root')
    expect(((await (await fetch(`${address}/whole/where?q=3`)).json()) as any).url).toBe(`${address}/whole/where?q=3`)
    expect(await (await fetch(`${address}/api/who`)).text()).toBe('127.0.0.1')
  })

  test.each([
    [{}, '/none', 404, ''],
    [{ fallthrough: false }, '/none', 404, ''],
    [{ fallthrough: true }, '/none', 200, 'from express'],
    [{ fallthrough: true }, '/missing', 200, 'from express'],
    [{ fallthrough: true }, '/', 200, 'root'],
    [{ fallthrough: true }, '/throw', 500, ''],
  ])('OP5: with %j, %s', async (options, path, status, text) => {
    const server = express()
    server.use(toNodeHandler(app, options))
    server.use((_, response) => void response.send('from express'))
    const response = await fetch((await start(server)) + path)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(text)
  })

  test('OP5: the next handler can read the body after a fall-through', async () => {
    const server = express()
    server.use(toNodeHandler(app, { fallthrough: true }), express.json())
    server.post('/later', (request, response) => void response.json(request.body))
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
    expect(await (await fetch(`${await start(server)}/later`, sent)).json()).toEqual({ a: 1 })
  })

  test('OP5: what a plain fetch throws goes to next', async () => {
    const server = express()
    server.use(toNodeHandler(() => Promise.reject(new Error('to express'))))
    const answer: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(418).send(error.message)
    server.use(answer)
    const response = await fetch(await start(server))
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 418, text: 'to express' })
  })

  test.each([
    ['express.json()', express.json(), 'application/json', '{"a":[1,{"b":null}]}', '/json', '{"a":[1,{"b":null}]}'],
    ['a JSON scalar', express.json({ strict: false }), 'application/json', 'null', '/json', 'null'],
    ['vendor JSON', express.json({ type: '*/*' }), 'application/x+json', '[1]', '/text', '[1]'],
    ['express.text()', express.text(), 'text/plain', 'grüße', '/text', 'grüße'],
    ['express.raw()', express.raw(), 'application/octet-stream', 'raw', '/text', 'raw'],
    [
      'a simple form',
      express.urlencoded({ extended: false }),
      'application/x-www-form-urlencoded',
      'a=1&a=2&b=%26+c',
      '/form',
      '[["a","1"],["a","2"],["b","& c"]]',
    ],
    [
      'a nested form',
      express.urlencoded({ extended: true }),
      'application/x-www-form-urlencoded',
      'a[b]=1&a[c][0]=2',
      '/form',
      '[["a[b]","1"],["a[c]","2"]]',
    ],
  ])('OP5: a body that %s has read is read again', async (_, parser, type, body, path, expected) => {
    const server = express()
    server.use(parser, toNodeHandler(app))
    const response = await fetch((await start(server)) + path, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(await response.text()).toBe(expected)
  })

  test('OP5: a body that was read and thrown away is an error that says so; rawBody wins', async () => {
    const errors: unknown[] = []
    const reads = createApp({
      onError: (error, ctx) => {
        errors.push(error)
        return ctx.text('lost', 500)
      },
    }).post('/', async (ctx) => ctx.text(await ctx.text()))
    const server = express()
    server.use((request, _, next) => void request.resume().once('end', () => next()))
    server.use('/raw', (request, _, next) => {
      Object.assign(request, { rawBody: Buffer.from('kept') })
      next()
    })
    server.use('/raw', toNodeHandler(reads))
    server.use(toNodeHandler(reads))
    const address = await start(server)
    expect((await fetch(address, { method: 'POST', body: 'x' })).status).toBe(500)
    expect(`${errors}`).toContain('A Node middleware read the body without keeping it')
    expect(await (await fetch(`${address}/raw`, { method: 'POST', body: 'x' })).text()).toBe('kept')
  })

  test('OP5: fields join, with morgan and express-session around', async () => {
    const lines: string[] = []
    const server = express()
    server.use(morgan('tiny', { stream: { write: (line: string) => void lines.push(line) } }))
    server.use(session({ secret: 's', resave: false, saveUninitialized: true }))
    server.use((_, response, next) => {
      response.setHeader('set-cookie', 'theirs=0')
      response.setHeader('vary', 'Accept-Encoding, Origin')
      response.setHeader('x-both', 'theirs')
      next()
    })
    server.use(toNodeHandler(app))
    const { headers } = await fetch(`${await start(server)}/set`)
    expect(headers.getSetCookie().map((line) => line.split('=')[0])).toEqual(['theirs', 'ours', 'more', 'connect.sid'])
    expect(headers.get('vary')).toBe('Accept-Encoding, Origin, Accept')
    expect({ 'x-both': headers.get('x-both'), 'x-powered-by': headers.get('x-powered-by') }).toEqual({
      'x-both': 'ours',
      'x-powered-by': 'Express',
    })
    await vi.waitFor(() => expect(lines.join('')).toMatch(/^GET \/set 200 3 - /))
  })

  test.each([
    ['whole', (response: ServerResponse) => void response.end('first')],
    [
      'with its head',
      (response: ServerResponse) => {
        response.flushHeaders()
        setImmediate(() => response.end('first'))
      },
    ],
  ])('OP5: after a response that was sent %s, the application does not run', async (_, begin) => {
    const runs = vi.fn(async () => new Response('second'))
    const handler = toNodeHandler(runs)
    const address = await start((request, response) => {
      begin(response)
      handler(request, response, () => {})
    })
    expect(await (await fetch(address)).text()).toBe('first')
    expect(runs).not.toHaveBeenCalled()
  })

  test('OP5: a response that was already sent is not changed', async () => {
    const server = express()
    server.use((_, response, next) => {
      response.send('first')
      next()
    }, toNodeHandler(app))
    const response = await fetch(await start(server))
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: 'first' })
  })
})

test.each([
  ['no application', [{}], 'toNodeHandler: app: expected an application or a function'],
  ['a misspelt option', [app, { falltrough: true }], 'unknown option, did you mean "fallthrough"?'],
  ['a bad option', [app, { fallthrough: 'yes' }], 'toNodeHandler: fallthrough: expected a boolean, got "yes"'],
])('OP5: %s is refused', (_, parameters, message) => {
  expect(() => toNodeHandler(...(parameters as [never]))).toThrow(message)
})

test('OP5: there is none elsewhere than on Node', () => expect(onEdge).toBeUndefined())

const late = () => {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
