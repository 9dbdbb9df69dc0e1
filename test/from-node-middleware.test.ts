import './mend-express.ts'
import { createServer, get, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { finished, type Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import bodyParser from 'body-parser'
import express from 'express'
import session from 'express-session'
import morgan from 'morgan'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { fromNodeMiddleware, type NodeMiddleware } from '../src/from-node-middleware.ts'
import { onResponse } from '../src/kernel/edits.ts'
import { bodyParser as inflating } from '../src/middleware/body-parser.ts'
import { runNodeMiddleware as onEdge } from '../src/runtime/edge/node-middleware.ts'
import { serve } from '../src/runtime/node/serve.ts'
import type { ServerHandle } from '../src/runtime/serve-contract.ts'
import { toNodeHandler } from '../src/to-node-handler.ts'
import { doors, type Setup } from './harness.ts'

// Packages without types of their own
const require = createRequire(import.meta.url)
const multer = require('multer')
const cors = require('cors')
const { Passport, Strategy } = require('passport')

const closes: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** The doors, and the same behind a socket: both ways to a request. */
const ways: [string, (setup: Setup) => Promise<Ask>][] = doors.flatMap(([name, door]) => [
  [
    `${name}, fetch`,
    async (setup: Setup): Promise<Ask> => {
      const fetch = door(setup)
      return (path, init) => fetch(new Request(`http://localhost${path}`, init))
    },
  ],
  [
    `${name}, a socket`,
    async (setup: Setup): Promise<Ask> => {
      const server: ServerHandle = await serve(door(setup) as never, { port: 0, hostname: '127.0.0.1', graceMs: 100 })
      closes.push(() => server.close())
      return (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init)
    },
  ],
])

const onError = (error: any, ctx: any) => ctx.path && new Response(`caught ${error.message ?? error}`, { status: 500 })
const hello = (): Response => new Response('hello', { headers: { 'x-app': '1' } })
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

describe.each(ways)('OP5: %s', (_, start) => {
  const through = (middleware: NodeMiddleware, more: Partial<Setup> = {}): Promise<Ask> =>
    start({ use: [fromNodeMiddleware(middleware)], routes: [['GET', '/', hello]], onError, ...more })

  test.each<[string, NodeMiddleware, number, string]>([
    ['next() goes on', (_, __, next) => next(), 200, 'hello'],
    ['end(text) answers', (_, response) => response.end('done'), 200, 'done'],
    [
      'end() without a body answers',
      (_, response) => {
        response.statusCode = 202
        response.end()
      },
      202,
      '',
    ],
    [
      'several writes are a stream',
      (_, response) => {
        response.write('a')
        response.write(Buffer.from('b'))
        setImmediate(() => response.end('c'))
      },
      200,
      'abc',
    ],
    [
      'a write after the head is a stream',
      (_, response) => {
        response.writeHead(201)
        response.write('a')
        response.end('b')
      },
      201,
      'ab',
    ],
    [
      'a write of nothing begins a stream',
      (_, response) => {
        response.write('')
        response.end('a')
      },
      200,
      'a',
    ],
    [
      'what comes after the end is dropped',
      (_, response) => {
        response.end('a')
        response.write('b')
        response.end('c')
        response.destroy()
      },
      200,
      'a',
    ],
    ['an encoding is read', (_, response) => response.end('6869', 'hex'), 200, 'hi'],
    [
      'writeHead with text and fields',
      (_, response) => {
        response.writeHead(401, 'Who', { 'X-A': '1' })
        response.end('no')
      },
      401,
      'no',
    ],
    [
      'a 204 has no body',
      (_, response) => {
        response.statusCode = 204
        response.end('dropped')
      },
      204,
      '',
    ],
    ['next(error) goes to onError', (_, __, next) => next(new Error('bad')), 500, 'caught bad'],
    ['next of a text goes to onError', (_, __, next) => next('bad'), 500, 'caught bad'],
    [
      'a throw goes to onError',
      () => {
        throw new Error('thrown')
      },
      500,
      'caught thrown',
    ],
    [
      'a rejection goes to onError',
      async () => {
        throw new Error('rejected')
      },
      500,
      'caught rejected',
    ],
    [
      'an answer that is broken off goes to onError',
      (_, response) => response.destroy(new Error('broken')),
      500,
      'caught broken',
    ],
    [
      'an answer that is broken off without an error goes to onError',
      (_, response) => response.destroy(),
      500,
      'caught The middleware destroyed its response',
    ],
    [
      'a second answer after next() is dropped',
      (_, response, next) => {
        next()
        response.end('late')
      },
      200,
      'hello',
    ],
    [
      'a status that no response can have goes to onError',
      (_, response) => {
        response.writeHead(199)
        response.end()
      },
      500,
      'caught',
    ],
  ])('OP5: %s', async (_title, middleware, status, text) => {
    const response = await (await through(middleware))('/')
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(text)
  })

  test.each<[string, readonly string[] | Record<string, string | string[]>, string | null, string[]]>([
    ['a list', ['X-A', '1', 'Set-Cookie', 'a=1', 'x-a', '2', 'set-cookie', 'b=2'], '1, 2', ['a=1', 'b=2']],
    ['a record', { 'X-A': ['1', '2'], 'Set-Cookie': ['a=1', 'b=2'] }, '1, 2', ['a=1', 'b=2']],
    ['a list that replaces', ['x-b', 'new'], null, []],
  ])('OP5: writeHead takes the fields as %s', async (_, fields, value, cookies) => {
    const ask = await through((_, response) => {
      response.setHeader('x-b', 'old')
      // any: Node's types have no read-only lists
      response.writeHead(200, fields as any)
      response.end()
    })
    const { headers } = await ask('/')
    expect({ 'x-a': headers.get('x-a'), 'set-cookie': headers.getSetCookie() }).toEqual({
      'x-a': value,
      'set-cookie': cookies,
    })
    expect(headers.get('x-b')).toBe(value ? 'old' : 'new')
  })

  test('OP5: callbacks of end are called when the response has been sent, once each', async () => {
    const called: string[] = []
    const ask = await through((_, response) => {
      response.end('a', () => called.push('first'))
      response.end('b', 'utf8', () => called.push('second'))
    })
    expect(await (await ask('/')).text()).toBe('a')
    await vi.waitFor(() => expect(called).toEqual(['first', 'second']))
  })

  test('OP5: a middleware that waits for the head sees the reason of the application', async () => {
    let seen: unknown
    const ask = await through(
      (_, response, next) => {
        response.once('finish', () => {
          seen = { statusCode: response.statusCode, statusMessage: response.statusMessage }
        })
        next()
      },
      { routes: [['GET', '/', () => new Response('x', { status: 201, statusText: 'Yay' })]] },
    )
    await ask('/')
    await vi.waitFor(() => expect(seen).toEqual({ statusCode: 201, statusMessage: 'Yay' }))
  })

  test('OP5: fields of a middleware that describe a body are not those of the application', async () => {
    const ask = await through((_, response, next) => {
      response.setHeader('content-length', '99')
      response.setHeader('content-encoding', 'gzip')
      response.setHeader('content-encoding-x', '1')
      next()
    })
    const response = await ask('/')
    expect({ 'content-encoding': response.headers.get('content-encoding'), text: await response.text() }).toEqual({
      'content-encoding': null,
      text: 'hello',
    })
    expect(response.headers.get('content-length')).not.toBe('99')
    expect(response.headers.get('content-encoding-x')).toBe('1')
  })

  test('OP5: middleware that waits for the headers sees those of all middleware behind it', async () => {
    const seen: unknown[] = []
    const first: NodeMiddleware = (_, response, next) => {
      const { writeHead } = response
      response.writeHead = (...given: any[]) => {
        seen.push(response.getHeader('x-between'))
        return writeHead.apply(response, given as never)
      }
      next()
    }
    const between: Setup['use'] = [
      (ctx, next) => {
        onResponse(ctx, ['x-between', '1'])
        return next()
      },
    ]
    const ask = await start({
      use: [fromNodeMiddleware(first), ...between, fromNodeMiddleware((_, __, next) => next())],
      routes: [['GET', '/', hello]],
    })
    expect({ text: await (await ask('/')).text(), seen }).toEqual({ text: 'hello', seen: ['1'] })
  })

  test('OP5: the body of a GET is empty, and ends', async () => {
    const ask = await through((request, response) => {
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
      })
      request.on('end', () => response.end(`${bytes} ${request.complete}`))
    })
    expect(await (await ask('/')).text()).toBe('0 true')
  })

  test('OP5: fields join with the answer, errors included; our own fields count', async () => {
    const ask = await start({
      use: [
        fromNodeMiddleware((_, response, next) => {
          response.setHeader('X-Theirs', '1')
          response.setHeader('x-app', 'theirs')
          response.setHeader('set-cookie', ['a=1', 'b=2'])
          response.setHeader('vary', 'Origin')
          next()
        }),
      ],
      routes: [
        [
          'GET',
          '/',
          () =>
            new Response('x', {
              headers: [
                ['x-app', 'ours'],
                ['set-cookie', 'c=3'],
                ['vary', 'Accept'],
              ],
            }),
        ],
        [
          'GET',
          '/bad',
          () => {
            throw new Error('bad')
          },
        ],
      ],
      onError,
    })
    const { headers } = await ask('/')
    expect({ 'x-theirs': headers.get('x-theirs'), 'x-app': headers.get('x-app'), vary: headers.get('vary') }).toEqual({
      'x-theirs': '1',
      'x-app': 'ours',
      vary: 'Origin, Accept',
    })
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3'])
    expect((await ask('/bad')).headers.get('x-theirs')).toBe('1')
  })

  test('OP5: the message has method, url, fields and a body; keep takes over', async () => {
    const ask = await start({
      use: [
        fromNodeMiddleware(bodyParser.json()),
        fromNodeMiddleware((_, __, next) => next(), {
          keep: (request, ctx) => {
            ctx.state.seen = {
              method: request.method,
              url: request.url,
              'x-a': request.headers['x-a'],
              body: request.body,
              host: typeof request.headers.host,
            }
          },
        }),
      ],
      routes: [['POST', '/p', async (ctx) => Response.json({ ...ctx.state.seen, json: await ctx.json() })]],
    })
    const response = await ask('/p?q=1', {
      ...json({ a: 1 }),
      headers: { 'content-type': 'application/json', 'x-a': 'b' },
    })
    expect(await response.json()).toEqual({
      method: 'POST',
      url: '/p?q=1',
      'x-a': 'b',
      body: { a: 1 },
      host: 'string',
      json: { a: 1 },
    })
  })

  test('OP5: a body that we have read is there for the middleware', async () => {
    const ask = await start({
      use: [
        async (ctx, next) => {
          await ctx.text()
          return next()
        },
        fromNodeMiddleware(bodyParser.json(), {
          keep: (request, ctx) => {
            ctx.state.body = request.body
          },
        }),
      ],
      routes: [['POST', '/', async (ctx) => Response.json([ctx.state.body, await ctx.json()])]],
    })
    expect(await (await ask('/', json([1]))).json()).toEqual([[1], [1]])
  })

  test('OP5: body-parser refuses broken JSON through onError', async () => {
    const ask = await through(bodyParser.json(), { routes: [['POST', '/', hello]] })
    const response = await ask('/', { ...json(0), body: '{"a":' })
    expect(await response.text()).toMatch(/^caught .*JSON/)
  })

  test('OP5: multer reads files', async () => {
    const ask = await start({
      use: [
        fromNodeMiddleware(multer().single('file'), {
          keep: ({ file, body }, ctx) => Object.assign(ctx.state, { file, body }),
        }),
      ],
      routes: [
        [
          'POST',
          '/',
          (ctx) => Response.json([ctx.state.file.originalname, ctx.state.file.buffer.toString(), ctx.state.body.a]),
        ],
      ],
    })
    const form = new FormData()
    form.set('a', '1')
    form.set('file', new File(['content'], 'a.txt'))
    expect(await (await ask('/', { method: 'POST', body: form })).json()).toEqual(['a.txt', 'content', '1'])
  })

  const legacy = express()
    .get('/json', (request, response) => void response.status(201).json({ query: request.query.a }))
    .get('/file', (_, response) => response.sendFile(`${process.cwd()}/package.json`))
    .get('/broken', () => {
      throw new Error('broken')
    })

  test.each([
    ['answers a route', '/json?a=1', 201, '{"query":"1"}'],
    ['sends a file', '/file', 200, expect.stringContaining('"name": "sluice"')],
    ['fails', '/broken', 500, 'caught broken'],
    ['has no route', '/', 200, 'hello'],
  ])('OP5: an application of Express that %s', async (_, path, status, body) => {
    const ask = await through(legacy)
    const response = await ask(path)
    expect({ status: response.status, body: await response.text() }).toEqual({ status, body })
  })

  test('OP5: morgan writes status and length', async () => {
    const lines: string[] = []
    const ask = await through(
      morgan(':method :url :status :res[x-app]', { stream: { write: (line) => void lines.push(line) } }),
    )
    await (await ask('/?a')).text()
    await (await ask('/none')).text()
    await vi.waitFor(() => expect(lines).toEqual(['GET /?a 200 1\n', 'GET /none 404 -\n']))
  })

  test('OP5: cors answers a preflight and adds its field', async () => {
    const ask = await through(cors({ origin: 'https://a.example' }))
    const preflight = await ask('/', { method: 'OPTIONS' })
    expect({
      status: preflight.status,
      'access-control-allow-origin': preflight.headers.get('access-control-allow-origin'),
    }).toEqual({ status: 204, 'access-control-allow-origin': 'https://a.example' })
    const { headers } = await ask('/')
    expect({
      'access-control-allow-origin': headers.get('access-control-allow-origin'),
      'x-app': headers.get('x-app'),
    }).toEqual({ 'access-control-allow-origin': 'https://a.example', 'x-app': '1' })
  })

  test('OP5: express-session and passport share one request, and the session is stored before the answer', async () => {
    const passport = new Passport()
    passport.use(
      'name',
      Object.assign(Object.create(Strategy.prototype), {
        name: 'name',
        authenticate(this: any, request: any) {
          const name = request.headers['x-name']
          if (name) this.success({ name })
          else this.fail('Name', 401)
        },
      }),
    )
    passport.serializeUser((user: unknown, done: any) => done(null, user))
    passport.deserializeUser((user: unknown, done: any) => done(null, user))
    const login = passport.authenticate('name')
    const ask = await start({
      use: [
        fromNodeMiddleware(session({ secret: 's', resave: false, saveUninitialized: false })),
        fromNodeMiddleware(passport.session()),
        ['/login', fromNodeMiddleware(login)],
        fromNodeMiddleware((_, __, next) => next(), {
          keep: (request, ctx) => {
            ctx.state.user = request.user
          },
        }),
      ],
      routes: [
        ['GET', '/login', () => new Response('in')],
        ['GET', '/me', (ctx) => Response.json(ctx.state.user ?? null)],
      ],
      onError,
    })
    const refused = await ask('/login')
    expect({ status: refused.status, 'www-authenticate': refused.headers.get('www-authenticate') }).toEqual({
      status: 401,
      'www-authenticate': 'Name',
    })
    expect(await (await ask('/me')).json()).toBeNull()
    const entered = await ask('/login', { headers: { 'x-name': 'ada' } })
    expect({ status: entered.status, text: await entered.text() }).toEqual({ status: 200, text: 'in' })
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
    expect(await (await ask('/me', { headers: { cookie } })).json()).toEqual({ name: 'ada' })
  })

  test('OP5: a long answer waits for its reader', async () => {
    const chunk = 'x'.repeat(40_000)
    const ask = await through((_, response) => {
      let left = 20
      const go = (): void => {
        while (left > 0) {
          left--
          if (!response.write(chunk)) return void response.once('drain', go)
        }
        response.end()
      }
      go()
    })
    expect(await (await ask('/')).text()).toHaveLength(800_000)
  })
})

test('OP5: the real socket and address are there behind a server', async () => {
  let address: unknown
  const app = createApp()
    .use(
      fromNodeMiddleware((request, _, next) => {
        address = request.socket.remoteAddress
        next()
      }),
    )
    .get('/', hello)
  const server = createServer(toNodeHandler(app))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closes.push(() => new Promise((resolve) => (server.close(resolve).closeAllConnections() as never) ?? resolve(0)))
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(address).toBe('127.0.0.1')
})

test.each([
  ['https://localhost/', true],
  ['http://localhost/', undefined],
])('OP5: whether the connection of %s is encrypted', async (url, expected) => {
  let encrypted: unknown
  const app = createApp()
    .use(
      fromNodeMiddleware((request, _, next) => {
        encrypted = (request.socket as { encrypted?: boolean }).encrypted
        next()
      }),
    )
    .get('/', hello)
  await app.fetch(new Request(url))
  expect(encrypted).toBe(expected)
})

test('OP5: behind a server of Node the request is its own, with the names as they were sent', async () => {
  const seen: unknown[] = []
  const app = createApp()
    .use(
      fromNodeMiddleware((request, _response, next) => {
        seen.push((request as IncomingMessage).rawHeaders.includes('X-OWN'))
        next()
      }),
    )
    .get('/', hello)
  const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  await new Promise((resolve) =>
    get({ port: server.port, host: '127.0.0.1', headers: { 'X-OWN': '1' }, agent: false }, (response) =>
      response.resume().on('end', resolve),
    ),
  )
  await server.close()
  expect(seen).toEqual([true])
})

test('OP5: a reader that goes closes the response', async () => {
  let closed: (how: object) => void = () => {}
  const left = new Promise((resolve) => {
    closed = resolve
  })
  const app = createApp().use(
    fromNodeMiddleware((_, response) => {
      response.once('close', () =>
        closed({ destroyed: response.destroyed, ended: response.writableEnded, finished: response.writableFinished }),
      )
      response.write('begun')
    }),
  )
  const response = await app.fetch(new Request('http://localhost/'))
  await response.body!.cancel()
  expect(await left).toEqual({ destroyed: true, ended: false, finished: false })
})

test('OP5: the file that express.static sends is closed when its client goes', async () => {
  const closed: string[] = []
  const files = express.static(process.cwd())
  const app = createApp().use(
    fromNodeMiddleware((request, response, next) => {
      response.on('pipe', (file: Readable) => file.on('close', () => closed.push(request.url)))
      files(request, response, next)
    }),
  )
  const response = await app.fetch(new Request('http://localhost/package-lock.json'))
  await response.body!.cancel()
  await vi.waitFor(() => expect(closed).toEqual(['/package-lock.json']))
})

test.each([
  ['leaves while it runs', async (left: AbortController) => void setTimeout(() => left.abort(), 1)],
  ['has left before it runs', async (left: AbortController) => left.abort()],
])('OP5: a middleware learns that the client %s', async (_, leave) => {
  const left = new AbortController()
  let seen: unknown
  const app = createApp()
    .use(async (_ctx, next) => {
      await leave(left)
      return next()
    })
    .use(
      fromNodeMiddleware((_request, response, next) => {
        response.once('close', () => {
          const { destroyed, closed } = response
          finished(response, (error) => {
            seen = { destroyed, closed, code: error?.code }
            next()
          })
        })
      }),
    )
    .get('/', hello)
  await app.fetch(new Request('http://localhost/', { signal: left.signal }))
  expect(seen).toEqual({ destroyed: true, closed: true, code: 'ERR_STREAM_PREMATURE_CLOSE' })
})

test('OP5: the error of a response that a middleware breaks off is known when it closes', async () => {
  const seen: unknown[] = []
  const app = createApp().use(
    fromNodeMiddleware((_, response) => {
      response.once('close', () => seen.push(response.errored?.message))
      response.write('begun')
      response.destroy(new Error('broken'))
    }),
  )
  await app.fetch(new Request('http://localhost/'))
  expect(seen).toEqual(['broken'])
})

test('OP5: a stream that is broken off fails at the reader', async () => {
  const app = createApp().use(
    fromNodeMiddleware((_, response) => {
      response.write('begun')
      setImmediate(() => response.destroy(new Error('broken')))
    }),
  )
  const response = await app.fetch(new Request('http://localhost/'))
  await expect(response.text()).rejects.toThrow('broken')
})

test('OP5: a middleware that writes without waiting is broken off when 64 MiB wait for the client', async () => {
  let written = 0
  let closed = false
  const app = createApp().use(
    fromNodeMiddleware((_, response) => {
      response.once('close', () => {
        closed = true
      })
      for (; written < 100 && !closed; written++) response.write(new Uint8Array(1_048_576))
      response.end()
    }),
  )
  const response = await app.fetch(new Request('http://localhost/'))
  await expect(response.arrayBuffer()).rejects.toThrow(`The client is too slow: ${65 * 1_048_576} bytes wait for it`)
  // The write that was too much is counted
  expect(written).toBe(66)
})

test('OP5: a middleware that waits for the callback of each write is not broken off', async () => {
  let most = 0
  let taken = 0
  const app = createApp().use(
    fromNodeMiddleware(async (_, response) => {
      for (let written = 0; written < 100; written++) {
        most = Math.max(most, written - taken)
        await new Promise<void>((resolve) => void response.write(new Uint8Array(1_048_576), () => resolve()))
      }
      response.end()
    }),
  )
  const response = await app.fetch(new Request('http://localhost/'))
  for await (const bytes of response.body!) taken += bytes.byteLength / 1_048_576
  expect(taken).toBe(100)
  expect(most).toBeLessThan(4)
})

test('OP5: callbacks of writes are called when the client has gone', async () => {
  let called = 0
  const app = createApp().use(
    fromNodeMiddleware((_, response) => {
      for (let written = 0; written < 3; written++) response.write(new Uint8Array(1_048_576), () => called++)
    }),
  )
  const response = await app.fetch(new Request('http://localhost/'))
  await response.body!.cancel()
  await vi.waitFor(() => expect(called).toBe(3))
})

test.each([
  ['no function', [1], 'fromNodeMiddleware: middleware: expected a function (req, res, next), got 1'],
  ['an error handler', [(_: 1, __: 2, ___: 3, ____: 4) => {}], 'got "an error handler"'],
  ['a misspelt option', [() => {}, { kep: () => {} }], 'unknown option, did you mean "keep"?'],
])('OP5: %s is refused', (_, parameters, message) => {
  expect(() => fromNodeMiddleware(...(parameters as [never]))).toThrow(message)
})

test('OP5: a body over the limit that a middleware reads is refused, and ends nothing', async () => {
  const app = createApp({
    bodyLimit: 3,
    onError: (error) => new Response(`${(error as Error).message}`, { status: 500 }),
  })
    .use(fromNodeMiddleware(bodyParser.text({ type: '*/*' })))
    .post('/', hello)
  const response = await app.fetch(new Request('http://localhost/', { method: 'POST', body: 'four' }))
  expect(response.status).toBe(500)
})

test.each([
  ['an error', new Error('gone'), 'gone'],
  ['a text', 'gone', 'The body cannot be read'],
  ['nothing', undefined, 'The body cannot be read'],
])('OP5: a body that breaks off with %s is not a whole one for the middleware', async (_, reason, message) => {
  const app = createApp()
    .use(
      fromNodeMiddleware((request, response) => {
        request.on('end', () => response.end('read'))
        request.on('error', (error: Error) => response.writeHead(400).end(error.message))
        request.resume()
      }),
    )
    .post('/', hello)
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('partial'))
      controller.error(reason)
    },
  })
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  const response = await app.fetch(new Request('http://localhost/', init))
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 400, text: message })
})

test('OP5: cookies of a response are not added to a list that earlier middleware gave to every response', async () => {
  const handler = toNodeHandler(
    createApp().get('/:name', (ctx) => new Response('', { headers: { 'set-cookie': `user=${ctx.params.name}` } })),
  )
  const shared = ['theme=dark']
  const server = createServer((request, response) => {
    response.setHeader('set-cookie', shared)
    handler(request, response)
  }).listen(0)
  closes.push(async () => server.close())
  const { port } = server.address() as AddressInfo
  const cookies: string[][] = []
  for (const name of ['ann', 'ben'])
    cookies.push((await fetch(`http://127.0.0.1:${port}/${name}`)).headers.getSetCookie())
  expect({ cookies, shared }).toEqual({
    cookies: [
      ['theme=dark', 'user=ann'],
      ['theme=dark', 'user=ben'],
    ],
    shared: ['theme=dark'],
  })
  server.closeAllConnections()
})

test('OP5: it is not supported elsewhere', () => expect(onEdge).toBeUndefined())

test.each([
  ['a plain body', '{"a":1}', {}],
  ['a body that bodyParser has decompressed', gzipSync('{"a":1}'), { 'content-encoding': 'gzip' }],
])('OP5: the middleware sees the address of the client of %s', async (_, body, coding) => {
  const seen: unknown[] = []
  const app = createApp()
    .use(
      inflating({ inflate: true }),
      fromNodeMiddleware((request, _response, next) => {
        seen.push((request as IncomingMessage).socket.remoteAddress)
        next()
      }),
    )
    .post('/', (ctx) => ctx.json(ctx.state.body))
  const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  const headers = { 'content-type': 'application/json', ...coding }
  const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body, headers })
  expect({ json: await response.json(), seen }).toEqual({ json: { a: 1 }, seen: ['127.0.0.1'] })
  await server.close()
})
