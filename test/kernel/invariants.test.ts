import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, use } from '../../src/kernel/plan.ts'
import { mount } from '../../src/kernel/scope.ts'
import { cors } from '../../src/middleware/cors.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { pipe } from '../../src/pipe.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

afterEach(() => vi.restoreAllMocks())

/** The invariants of a request, I1 to I7, through every door and on both classes of responses. */

const soon = (ms = 3): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {})
const pass = (_: any, next: any) => next()
const passLater = async (_: any, next: any) => await next()

describe.each(doors)('invariants of the kernel, through %s', (_, door) => {
  test('I1: a guard sees the final path', async () => {
    const moves = Object.assign((_: any, next: any) => next(), {
      prepare(ctx: any) {
        ctx.path = ctx.path.replace('/open', '/admin')
      },
    })
    const fetch = door({
      use: [['/admin/*', () => text('no', 403)], moves],
      routes: [['GET', '/*', () => text('secret')]],
    })
    expect((await fetch('/open/x')).status).toBe(403)
  })

  test('I2: scope is compiled, and a path with other methods runs the chain of its route', async () => {
    const ran: string[] = []
    const note = (name: string) => (_: any, next: any) => {
      ran.push(name)
      return next()
    }
    const fetch = door({
      use: [note('all'), ['/a/*', note('a')], ['/b/*', note('b')]],
      routes: [['POST', '/a/x', note('own'), () => text('x')]],
    })
    expect({ status: (await fetch('/a/x')).status, ran: ran.splice(0) }).toEqual({
      status: 404,
      ran: ['all', 'a', 'own'],
    })
    expect({ status: (await fetch('/b/none')).status, ran: ran.splice(0) }).toEqual({ status: 404, ran: ['all', 'b'] })
  })

  test('NA14: the cors() of a route answers its preflight', async () => {
    const fetch = door({
      routes: [
        ['GET', '/a', () => text('open')],
        ['PUT', '/a', cors({ origin: 'https://a.example', methods: ['PUT'] }), () => text('put')],
      ],
    })
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'PUT' }
    const response = await fetch(new Request('http://localhost/a', { method: 'OPTIONS', headers }))
    expect({
      status: response.status,
      'access-control-allow-methods': response.headers.get('access-control-allow-methods'),
    }).toEqual({ status: 204, 'access-control-allow-methods': 'PUT' })
  })

  test('NA5: a path that cannot be decoded is covered by every pattern, and then gets 400', async () => {
    const asked: string[] = []
    const guard = (ctx: any, next: any) => {
      asked.push(ctx.path)
      return ctx.header('x-key') ? next() : text('no', 401)
    }
    const fetch = door({ use: [['/admin/*', guard]], notFound: () => text('lost', 404), routes: [] })
    for (const path of ['/%61dmin/x%', '/other/%zz', `/x${'%2F'.repeat(17)}`]) {
      expect((await fetch(path)).status).toBe(401)
      const allowed = await fetch(new Request(`http://localhost${path}`, { headers: { 'x-key': '1' } }))
      expect({ status: allowed.status, body: await allowed.json() }).toEqual({
        status: 400,
        body: { error: 'Malformed path' },
      })
    }
    expect(asked).toHaveLength(6)
  })

  test('NA1: names of field lists are compared without case', async () => {
    const lists = (ctx: any, next: any) => {
      ctx.onResponse(['Cache-Control', 'no-store', 'X-A', 'list'])
      ctx.onResponse(['Set-Cookie', 'a=1', 'VARY', 'Origin'])
      ctx.onResponse(['SET-COOKIE', 'b=2'])
      return next()
    }
    const fetch = door({
      use: [lists],
      routes: [['GET', '/', () => json(1, 200, { 'Cache-Control': 'max-age=1', 'set-cookie': 'c=3', vary: 'Accept' })]],
    })
    const { headers } = await fetch('/')
    expect({
      life: headers.get('cache-control'),
      own: headers.get('x-a'),
      vary: headers.get('Vary'),
      cookies: headers.getSetCookie().sort(),
      names: [...headers.keys()].filter((name) => name !== name.toLowerCase()),
    }).toEqual({ life: 'max-age=1', own: 'list', vary: 'Accept, Origin', cookies: ['a=1', 'b=2', 'c=3'], names: [] })
    headers.delete('X-a')
    expect(headers.has('x-a')).toBe(false)
  })

  test.each([
    ['without middleware', []],
    ['behind middleware that passes on', [pass, passLater]],
    ['behind middleware of the package', [cors()]],
  ])('I4: what a handler returns is never edited, %s', async (_, use) => {
    for (const constant of [json({ a: 1 }), new Response(null, { status: 204 })]) {
      const edits = (ctx: any, next: any) => {
        ctx.onResponse(['X-List', 'yes'])
        ctx.onResponse((response: Response) => response.headers.append('set-cookie', `u=${ctx.header('x-u')}`))
        return next()
      }
      const fetch = door({ use: [...use, edits], routes: [['GET', '/', () => constant]] })
      for (const name of ['ann', 'bob']) {
        const response = await fetch(new Request('http://localhost/', { headers: { 'x-u': name } }))
        expect({ cookies: response.headers.getSetCookie(), 'x-list': response.headers.get('x-list') }).toEqual({
          cookies: [`u=${name}`],
          'x-list': 'yes',
        })
      }
      expect([...constant.headers.keys()].filter((name) => name !== 'content-type')).toEqual([])
    }
  })

  test('I4: the response is copied once, where it enters the chain', async () => {
    const seen: unknown[] = []
    const look = async (ctx: any, next: any) => {
      const response = await next()
      seen.push(response, ctx.response)
      return response
    }
    const made = text('x')
    const fetch = door({ use: [look, look], routes: [['GET', '/', () => made]] })
    await fetch('/')
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).not.toBe(made)
  })

  test('I5: the first answer wins at one place, also while an asynchronous onError runs', async () => {
    const log = quiet()
    const cancel = vi.fn()
    let late = 0
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse(['x-edit', 'once'])
          return next()
        },
        timeout(5),
      ],
      onError: async () => {
        await soon(30)
        late++
        return new Response(new ReadableStream({ cancel }))
      },
      routes: [
        ['GET', '/slow', () => soon(20).then(() => new Response(new ReadableStream({ cancel })))],
        ['GET', '/fails-late', () => soon(20).then(() => Promise.reject(new Error('late')))],
        ['GET', '/fails', () => soon(1).then(() => Promise.reject(new Error('now')))],
        ['GET', '/fast', async () => text('fast')],
      ],
    })
    const ask = async (path: string) => {
      const response = await fetch(path)
      return { status: response.status, body: await response.text(), 'x-edit': response.headers.get('x-edit') }
    }
    const timedOut = { status: 503, body: '{"error":"Request timed out"}', 'x-edit': 'once' }
    expect(await Promise.all(['/slow', '/fails-late', '/fails', '/fast'].map(ask))).toEqual([
      timedOut,
      timedOut,
      timedOut,
      { status: 200, body: 'fast', 'x-edit': 'once' },
    ])
    await vi.waitFor(() => expect({ cancelled: cancel.mock.calls.length, late }).toEqual({ cancelled: 2, late: 1 }))
    expect(log.mock.calls.map(([error]) => (error as Error).message)).toEqual(['late'])
  })

  test('I5: a middleware that responds without awaiting next() has responded', async () => {
    const log = quiet()
    const cancel = vi.fn()
    const early = (_: any, next: any) => {
      next()
      return text('early')
    }
    const fetch = door({
      use: [early],
      routes: [
        ['GET', '/body', () => soon().then(() => new Response(new ReadableStream({ cancel })))],
        ['GET', '/error', () => soon().then(() => Promise.reject(new Error('later')))],
      ],
    })
    for (const path of ['/body', '/error']) expect(await (await fetch(path)).text()).toBe('early')
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
    await vi.waitFor(() => expect(log.mock.calls.map(([error]) => error.message)).toEqual(['later']))
  })

  test('I6: the boundary and HEAD cancel the body that they drop', async () => {
    quiet()
    const cancel = vi.fn()
    const fails = async (ctx: any, next: any) => {
      await next()
      if (ctx.method === 'GET') throw new Error('after')
    }
    const fetch = door({ use: [fails], routes: [['GET', '/', () => new Response(new ReadableStream({ cancel }))]] })
    expect((await fetch('/')).status).toBe(500)
    expect((await fetch(new Request('http://localhost/', { method: 'HEAD' }))).status).toBe(200)
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(2))
  })

  test('I7: fetch never throws or rejects', async () => {
    quiet()
    const fail = (): never => {
      throw new Error('no')
    }
    const failingEdit = (ctx: any, next: any) => {
      ctx.onResponse(fail)
      return next()
    }
    for (const setup of [
      { routes: [['GET', '/', fail]] },
      { use: [fail], routes: [] },
      { use: [Object.assign((_: any, next: any) => next(), { prepare: fail })], routes: [] },
      { use: [failingEdit], routes: [['GET', '/', () => text('x')]] },
      { notFound: fail, routes: [] },
      { onError: fail, routes: [['GET', '/', fail]] },
      { onError: async () => fail(), routes: [['GET', '/', async () => fail()]] },
      { onRefusal: fail, routes: [] },
    ] as const)
      expect((await door(setup as never)('/')).status).toBe(500)
  })
})

describe('NA14: what a mounted application brings is for its own routes', () => {
  const api = () =>
    createApp()
      .use(cors({ origin: 'https://a.example', methods: ['PUT'] }))
      .put('/x', () => text('put'))
  const preflight = (path: string) =>
    new Request(`http://localhost${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' },
    })

  test('its cors() answers its preflights, also below an outer catch-all of one method', async () => {
    for (const app of [
      createApp().mount('/api', api()),
      createApp()
        .get('/*', () => text('spa'))
        .mount('/api', api()),
    ]) {
      const response = await app.request(preflight('/api/x'))
      expect({
        status: response.status,
        'access-control-allow-methods': response.headers.get('access-control-allow-methods'),
      }).toEqual({ status: 204, 'access-control-allow-methods': 'PUT' })
      expect((await app.request(preflight('/api/none'))).headers.has('access-control-allow-methods')).toBe(false)
    }
  })

  test('two modules at one prefix do not see the middleware of each other', async () => {
    const app = createApp()
      .group('/api', (open) => open.get('/login', () => text('open')))
      .group('/api', (closed) => closed.use(() => text('no', 401)).get('/me', () => text('me')))
    expect({ login: (await app.request('/api/login')).status, me: (await app.request('/api/me')).status }).toEqual({
      login: 200,
      me: 401,
    })
  })

  test('its notFound answers below its prefix, behind its middleware, and no outer catch-all hides that', async () => {
    const inner = createApp({ notFound: (ctx) => ctx.text(`inner ${ctx.state.seen}`, 404) })
      .use((ctx, next) => {
        ctx.state.seen = true
        return next()
      })
      .get('/x', () => text('x'))
    const app = createApp()
      .get('/*', () => text('spa'))
      .mount('/api', inner)
    expect(await Promise.all(['/api/none', '/other'].map(async (path) => (await app.request(path)).text()))).toEqual([
      'inner true',
      'spa',
    ])
  })

  test('an application that has middleware and no route is refused: it would guard nothing', () => {
    const guard = () => text('no', 401)
    const message =
      /^mount: routes: expected one or more, which its middleware guards: write use\("\/api\/\*", guard\)$/
    expect(() => createApp().mount('/api', createApp().use(guard))).toThrow(message)
    expect(() => createApp().group('/api', (inner) => inner.use(guard))).toThrow(message)
    expect(() => mount('/api', pipe(blank, use(guard)))).toThrow(message)
  })
})

test.each([
  ['a misspelt name', { onEror() {} }, 'toFetch: onEror: unknown option, did you mean "onError"?'],
  [
    'a limit, which applications have',
    { bodyLimit: 5 },
    'toFetch: bodyLimit: unknown option, expected one of strict, ',
  ],
])('NA21: toFetch refuses %s', (_, options, message) => {
  expect(() => toFetch(blank, options as never)).toThrow(message)
})

test.each([
  ['null', null],
  ['undefined', undefined],
  ['a number', 0],
])('NA21: a handler that returns %s is named as it came', async (_, returned) => {
  const errors: unknown[] = []
  const app = createApp({
    onError: (error, ctx) => {
      errors.push(error)
      return ctx.text('', 500)
    },
  })
  app.get('/', () => returned as never)
  await app.request('/')
  const came = typeof returned === 'number' ? 'number' : `${returned}`
  expect(errors).toEqual([
    expect.objectContaining({ message: expect.stringMatching(`returned ${came} instead of a Response`) }),
  ])
})
