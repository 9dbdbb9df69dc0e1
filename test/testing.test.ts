import { describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank, route } from '../src/kernel/plan.ts'
import { bodyParser } from '../src/middleware/body-parser.ts'
import { methodOverride } from '../src/middleware/method-override.ts'
import { rateLimiter } from '../src/middleware/rate-limiter.ts'
import { session } from '../src/middleware/session.ts'
import { describe as describeRoute } from '../src/openapi.ts'
import { pipe } from '../src/pipe.ts'
import { json } from '../src/respond/json.ts'
import { memoryRateLimit } from '../src/stores/memory-rate-limit.ts'
import { memorySession } from '../src/stores/memory-session.ts'
import { createClock, createCookieJar, testClient } from '../src/testing.ts'
import { object } from '../src/z/object.ts'
import { string } from '../src/z/string.ts'
import { doors } from './harness.ts'

const SECRET = 'a secret that is longer than thirty-two bytes'

describe.each(doors)('FX3: testClient through %s', (_, door) => {
  const visits = (clock = createClock()) => {
    const store = memorySession({ now: clock.now })
    return door({
      use: [bodyParser(), session({ store, secret: SECRET })],
      routes: [
        [
          'POST',
          '/login',
          (ctx: any) => {
            ctx.state.session.user = ctx.state.body.user
            return new Response(null, { status: 303, headers: { location: '/me' } })
          },
        ],
        ['GET', '/me', (ctx: any) => Response.json(ctx.state.session.user ?? null)],
      ],
    })
  }

  test('a session lasts from call to call, and a second visitor has none', async () => {
    const fetch = visits()
    const one: any = testClient(fetch, { followRedirects: 3 }) // any: the door has no type
    const two: any = testClient({ fetch }) // any: see above
    const landed = await one.post('/login', { form: { user: 'ann' } })
    expect({ status: landed.status, json: await landed.json() }).toEqual({ status: 200, json: 'ann' })
    expect(await (await one.get('/me')).json()).toBe('ann')
    expect(await (await one.request('/me')).json()).toBe('ann')
    expect(await (await two.get('/me')).json()).toBe(null)
    const three: any = testClient(fetch, { jar: one.jar }) // any: see above
    expect(await (await three.get('/me')).json()).toBe('ann')
    one.jar.set('stays=1; Max-Age=60', 'http://localhost/')
    one.jar.clear()
    expect(await (await one.get('/me')).json()).toBe(null)
  })

  test('cookies of a call are sent in place of those of the jar', async () => {
    const fetch = door({ routes: [['GET', '/', (ctx: any) => Response.json(ctx.header('cookie'))]] })
    const one: any = testClient(fetch) // any: see above
    one.jar.set('a=jar', 'http://localhost/')
    expect(await (await one.get('/')).json()).toBe('a=jar')
    expect(await (await one.get('/', { headers: { cookie: 'a=call' } })).json()).toBe('a=call')
  })

  test('the default path of a cookie is that of the request, not of the visitor', async () => {
    const set = () => new Response('', { headers: { 'set-cookie': 'a=1' } })
    const one: any = testClient(door({ routes: [['GET', '/shop/cart', set]] })) // any: see above
    await one.get('/shop/cart')
    expect(one.jar.get('a').path).toBe('/shop')
  })

  test('redirects are returned, unless they are to be followed', async () => {
    const one: any = testClient(visits()) // any: see above
    const response = await one.post('/login', { form: { user: 'ann' } })
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 303,
      location: '/me',
    })
  })

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', '"body"'],
    [308, 'PUT', 'PUT', '"body"'],
    [301, 'PUT', 'PUT', '"body"'],
    [302, 'DELETE', 'DELETE', '"body"'],
  ])('%i of a %s asks with %s again', async (status, method, then, body) => {
    const fetch = door({
      routes: [
        ['*', '/from', () => new Response(null, { status, headers: { location: 'to?a=1#x' } })],
        [
          '*',
          '/to',
          async (ctx: any) =>
            Response.json({
              method: ctx.method,
              body: await ctx.request.text(),
              kept: ctx.header('x-kept'),
              type: ctx.header('content-type'),
              coding: ctx.header('content-encoding'),
              language: ctx.header('content-language'),
              length: ctx.header('content-length'),
            }),
        ],
      ],
    })
    const one: any = testClient(fetch, { followRedirects: 1 }) // any: see above
    const ofBody = { 'content-encoding': 'identity', 'content-language': 'de', 'content-length': '6' }
    const response = await one[method.toLowerCase()]('/from', { json: 'body', headers: { 'x-kept': '1', ...ofBody } })
    const fields = body
      ? { type: 'application/json', coding: 'identity', language: 'de', length: '6' }
      : { type: null, coding: null, language: null, length: null }
    expect(await response.json()).toEqual({ method: then, body, kept: '1', ...fields })
  })

  test.each([303, 307])('a signal still aborts behind a redirect of %i', async (status) => {
    const leave = new AbortController()
    const seen: boolean[] = []
    const fetch = door({
      routes: [
        ['POST', '/from', () => new Response(null, { status, headers: { location: '/to' } })],
        [
          '*',
          '/to',
          (ctx: any) => {
            leave.abort()
            seen.push(ctx.request.signal.aborted)
            return new Response('')
          },
        ],
      ],
    })
    const one: any = testClient(fetch, { followRedirects: 1 }) // any: see above
    await one.post('/from', { json: 1, signal: leave.signal })
    expect(seen).toEqual([true])
  })

  test('as many redirects as allowed, and one too many', async () => {
    const fetch = door({
      routes: [
        [
          'GET',
          '/:n',
          (ctx: any) =>
            ctx.params.n === '0'
              ? new Response('end')
              : new Response(null, { status: 302, headers: { location: `/${ctx.params.n - 1}` } }),
        ],
      ],
    })
    const one: any = testClient(fetch, { followRedirects: 3 }) // any: see above
    expect(await (await one.request('/3')).text()).toBe('end')
    await expect(one.request('/4')).rejects.toThrow('More than 3 redirects')
  })

  test('the body of a redirect, which nobody reads, is cancelled, even if its producer then fails', async () => {
    let cancelled = 0
    const unfinished = () =>
      new ReadableStream({
        cancel: () => {
          cancelled++
          throw new Error('broken')
        },
      })
    const redirect = () => new Response(unfinished(), { status: 302, headers: { location: '/end' } })
    const fetch = door({
      routes: [
        ['GET', '/', redirect],
        ['GET', '/loop', () => new Response(unfinished(), { status: 302, headers: { location: '/loop' } })],
        ['GET', '/end', () => new Response('end')],
      ],
    })
    const one: any = testClient(fetch, { followRedirects: 1, check: false }) // any: see above
    expect(await (await one.request('/')).text()).toBe('end')
    expect(cancelled).toBe(1)
    await expect(one.request('/loop')).rejects.toThrow('More than 1 redirects')
    expect(cancelled).toBe(3)
    const two: any = testClient(fetch) // any: see above
    expect((await two.request('/')).status).toBe(302)
    expect(cancelled).toBe(3)
  })

  test('HEAD stays HEAD behind a 303', async () => {
    const asked: string[] = []
    const note = (ctx: any, location?: string) => {
      asked.push(ctx.method)
      return new Response(null, location ? { status: 303, headers: { location } } : {})
    }
    const fetch = door({
      routes: [
        ['GET', '/from', (ctx: any) => note(ctx, '/to')],
        ['GET', '/to', (ctx: any) => note(ctx)],
      ],
    })
    await (testClient(fetch, { followRedirects: 1 }) as any).request('/from', { method: 'HEAD' })
    expect(asked).toEqual(['HEAD', 'HEAD'])
  })

  test.each([201, 300, 304])('a location with %i is no redirect', async (status) => {
    const fetch = door({ routes: [['GET', '/', () => new Response(null, { status, headers: { location: '/to' } })]] })
    expect((await testClient(fetch, { followRedirects: 1 }).request('/')).status).toBe(status)
  })

  test('request takes a path, a URL, and a Request; an application may use `this`', async () => {
    const fetch = door({ routes: [['*', '/x', (ctx: any) => Response.json([ctx.method, ctx.url.search])]] })
    class Own {
      #inner = fetch
      fetch(request: Request) {
        return this.#inner(request)
      }
    }
    const one = testClient(new Own())
    expect(await (await one.request('/x?a=1', { method: 'PUT' })).json()).toEqual(['PUT', '?a=1'])
    expect(await (await one.request(new URL('http://localhost/x?a=2'))).json()).toEqual(['GET', '?a=2'])
    const request = new Request('http://localhost/x?a=3', { method: 'DELETE' })
    expect(await (await one.request(request)).json()).toEqual(['DELETE', '?a=3'])
  })

  test('a check can read what was sent, and a cookie is kept although it throws', async () => {
    const set = () => new Response('', { headers: { 'set-cookie': 'a=1' } })
    const one = testClient(door({ use: [bodyParser()], routes: [['POST', '/', set]] }), {
      check: async (_, request) => {
        throw new Error(`refused: ${await request.text()}`)
      },
    })
    await expect(one.request('/', { method: 'POST', body: 'sent' })).rejects.toThrow('refused: sent')
    expect(one.jar.get('a')?.value).toBe('1')
  })

  test.each(['https://elsewhere.example/', 'http://localhost:81/'])(
    'a redirect to %s is returned, not followed',
    async (location) => {
      const fetch = door({ routes: [['GET', '/', () => new Response(null, { status: 302, headers: { location } })]] })
      const one: any = testClient(fetch, { followRedirects: 3 }) // any: see above
      expect((await one.get('/')).headers.get('location')).toBe(location)
    },
  )

  test('fields of the visitor, the base URL, and a check of every answer', async () => {
    const checked: { method: string; status: number }[] = []
    const fetch = door({ routes: [['GET', '/', (ctx: any) => Response.json([ctx.header('x-a'), ctx.url.origin])]] })
    const one: any = testClient(fetch, {
      baseUrl: 'https://shop.example',
      headers: { 'x-a': 'visitor' },
      check: (response, request) => void checked.push({ method: request.method, status: response.status }),
    }) // any: see above
    expect(await (await one.get('/')).json()).toEqual(['visitor', 'https://shop.example'])
    expect(await (await one.get('/', { headers: { 'x-a': 'call' } })).json()).toEqual(['call', 'https://shop.example'])
    expect((await one.request('/absent')).status).toBe(404)
    expect(checked).toEqual([
      { method: 'GET', status: 200 },
      { method: 'GET', status: 200 },
      { method: 'GET', status: 404 },
    ])
    const strict: any = testClient(fetch, {
      check: (response) => {
        if (!response.ok) throw new Error('not declared')
      },
    }) // any: see above
    await expect(strict.request('/absent')).rejects.toThrow('not declared')
  })

  test('a clock moves what expires', async () => {
    const clock = createClock()
    const store = memoryRateLimit({ now: clock.now })
    const fetch = door({
      use: [rateLimiter({ max: 1, windowMs: 60_000, store, keyGenerator: () => 'one' } as never)],
      routes: [['GET', '/', () => new Response('')]],
    })
    const one: any = testClient(fetch) // any: see above
    expect({ status: (await one.get('/')).status, statusAgain: (await one.get('/')).status }).toEqual({
      status: 200,
      statusAgain: 429,
    })
    clock.tick(59_999)
    expect((await one.get('/')).status).toBe(429)
    clock.tick(1)
    expect((await one.get('/')).status).toBe(200)
  })
})

test.each([
  [{ baseUrl: '/x' }, 'testClient: baseUrl: expected an absolute URL'],
  [{ followRedirects: -1 }, 'testClient: followRedirects: expected'],
  [{ follow: 1 }, 'testClient: follow: unknown option'],
])('FX3: a bad option is refused: %j', (options, message) => {
  expect(() => testClient(() => new Response(), options as never)).toThrow(message)
})

describe('FX3: createClock', () => {
  test('can be advanced and set, and refuses a value that is not a time', () => {
    const clock = createClock(1000)
    clock.tick(5)
    expect(clock.now()).toBe(1005)
    clock.set(new Date(0))
    expect(clock.now()).toBe(0)
    expect(createClock().now()).toBe(Date.UTC(2020, 0))
    expect(() => createClock(Number.NaN)).toThrow('createClock: time')
    expect(() => clock.tick(Number.POSITIVE_INFINITY)).toThrow(TypeError)
    expect(() => clock.tick(-1)).toThrow('clock.tick: ms: expected a number of milliseconds from 0, got -1')
    expect(clock.now()).toBe(0)
  })
})

describe('FX3: createCookieJar keeps cookies as RFC 6265 says', () => {
  const HERE = 'https://shop.example/a/b'
  test.each<[string, string, string, string | undefined]>([
    ['the default path is the folder', 'k=v', 'https://shop.example/a/c', 'k=v'],
    ['and not what is beside it', 'k=v', 'https://shop.example/ab', undefined],
    ['a path', 'k=v; Path=/x', 'https://shop.example/x/y', 'k=v'],
    ['the path itself', 'k=v; Path=/x', 'https://shop.example/x', 'k=v'],
    ['a path with a slash at its end', 'k=v; Path=/x/', 'https://shop.example/x/y', 'k=v'],
    ['a path that only begins like it', 'k=v; Path=/x', 'https://shop.example/xy', undefined],
    ['a path without a slash is the default', 'k=v; Path=x', 'https://shop.example/a', 'k=v'],
    ['the host alone', 'k=v; Path=/', 'https://www.shop.example/', undefined],
    ['a domain', 'k=v; Path=/; Domain=.Shop.Example', 'https://www.shop.example/', 'k=v'],
    ['another domain is refused', 'k=v; Path=/; Domain=other.example', 'https://other.example/', undefined],
    ['a domain that only ends like it', 'k=v; Path=/; Domain=shop.example', 'https://myshop.example/', undefined],
    ['secure is for https', 'k=v; Path=/; Secure', 'http://shop.example/', undefined],
    ['secure', 'k=v; Path=/; secure', 'https://shop.example/', 'k=v'],
    ['quotes and blanks', ' k = "v w" ; Path=/', HERE, 'k="v w"'],
    ['an equals sign in the value', 'k=a=b; Path=/', HERE, 'k=a=b'],
    ['no name', '=v; Path=/', HERE, undefined],
    ['no equals sign', 'k; Path=/', HERE, undefined],
    ['expired', 'k=v; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT', HERE, undefined],
    ['Max-Age wins over Expires', 'k=v; Path=/; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT', HERE, 'k=v'],
    ['a Max-Age that is no number counts as absent', 'k=v; Path=/; Max-Age=soon', HERE, 'k=v'],
    ['a negative Max-Age', 'k=v; Path=/; Max-Age=-1', HERE, undefined],
    ['the last of two paths', 'k=v; Path=/x; Path=/', HERE, 'k=v'],
    ['an equals sign in a path', 'k=v; Path=/a=b', 'https://shop.example/a=b/c', 'k=v'],
    ['an empty domain is that of the request', 'k=v; Path=/; Domain=', HERE, 'k=v'],
    ['4096 bytes of two each, and one more', `k=${'é'.repeat(2048)}; Path=/`, HERE, undefined],
    ['4096 bytes', `k=${'v'.repeat(4095)}; Path=/`, HERE, `k=${'v'.repeat(4095)}`],
    ['4097 bytes', `k=${'v'.repeat(4096)}; Path=/`, HERE, undefined],
  ])('%s', (_, line, asked, expected) => {
    const jar = createCookieJar()
    jar.set(line, HERE)
    expect(jar.header(asked)).toBe(expected)
  })

  test('longer paths come first, then older ones; a new value keeps the place', () => {
    const jar = createCookieJar()
    for (const line of ['a=1; Path=/', 'b=2; Path=/', 'c=3; Path=/a', 'a=4; Path=/']) jar.set(line, HERE)
    expect(jar.header(HERE)).toBe('c=3; a=4; b=2')
    expect(jar.get('a')).toMatchObject({ value: '4', hostOnly: true, expires: Number.POSITIVE_INFINITY })
    jar.set('a=; Path=/; Max-Age=0', HERE)
    expect(jar.header(HERE)).toBe('c=3; b=2')
  })

  test('a host and its domain have cookies of their own', () => {
    const jar = createCookieJar()
    const www = 'https://www.shop.example/'
    jar.set('k=1; Path=/', www)
    jar.set('k=2; Path=/; Domain=shop.example', www)
    expect({ www: jar.header(www), host: jar.header(HERE) }).toEqual({ www: 'k=1; k=2', host: 'k=2' })
  })

  test('a cookie tells what was set', () => {
    const jar = createCookieJar({ now: () => 5000 })
    jar.set('k=v%20w; HttpOnly; SameSite=Lax; Secure; Max-Age=2', 'https://shop.example/a')
    expect(jar.get('k')).toEqual({
      name: 'k',
      value: 'v%20w',
      domain: 'shop.example',
      hostOnly: true,
      path: '/',
      expires: 7000,
      secure: true,
      httpOnly: true,
      sameSite: 'lax',
    })
  })

  test('an expired cookie is not given out', async () => {
    const clock = createClock()
    const jar = createCookieJar({ now: clock.now })
    jar.set('k=v; Max-Age=1', HERE)
    expect(jar.get('k')?.value).toBe('v')
    clock.tick(1000)
    expect({ cookie: jar.get('k'), header: jar.header(HERE) }).toEqual({ cookie: undefined, header: undefined })
  })

  test('time passes, and a jar is cleared', async () => {
    const clock = createClock()
    const jar = createCookieJar({ now: clock.now })
    jar.set('stays=1; Path=/; Max-Age=10', HERE)
    clock.tick(9_999)
    expect(jar.header(HERE)).toBe('stays=1')
    clock.tick(1)
    expect(jar.header(HERE)).toBe(undefined)
    jar.set('session=1; Path=/', HERE)
    jar.clear()
    expect(jar.header(HERE)).toBe(undefined)
  })

  test('a Secure cookie over http is refused, and an address has no domains', () => {
    const jar = createCookieJar()
    expect(jar.set('k=v; Path=/; Secure', 'http://shop.example/')).toBe(false)
    expect(jar.set('k=v; Path=/; Domain=0.1', 'http://127.0.0.1/')).toBe(false)
  })
})

describe('FX3, OA3: an answer that is not as its route describes it rejects', () => {
  const Named = object({ name: string() })
  const answers: Record<string, () => Response> = {
    '/fits': () => json({ name: 'Ada' }),
    '/misspelt': () => json({ nam: 'Ada' }),
    '/text': () => new Response('Ada'),
    '/accepted': () => json({ name: 'Ada' }, 202),
    '/moved': () => new Response(null, { status: 302, headers: { location: '/fits' } }),
    '/unchanged': () => new Response(null, { status: 304 }),
    '/refused': () => json({ error: 'No' }, 409),
  }
  const described = describeRoute({ responses: { 200: Named } })
  const makeApp = (options = {}) => {
    const app = createApp(options)
    for (const [path, answer] of Object.entries(answers)) app.get(path, described, answer)
    return app.get('/plain/:any', () => json({})).get('/items/:id', described, () => json({ id: 1 }))
  }

  test.each([
    ['/fits', undefined],
    ['/misspelt', 'GET /misspelt: 200 is not as described: name: Required'],
    ['/items/7?q=1', 'GET /items/7: 200 is not as described: name: Required'],
    ['/text', 'GET /text: 200 is not as described: expected JSON, got text/plain'],
    ['/accepted', 'GET /accepted: 202 is not as described: it is not described'],
    ['/moved', 'GET /moved: 302 is not as described: it is not described'],
    ['/unchanged', undefined],
    ['/refused', undefined],
    ['/plain/x', undefined],
    ['/nowhere', undefined],
    ['/items/%', undefined],
  ])('%s: %s', async (path, message) => {
    const asked = testClient(makeApp()).request(path)
    if (message) await expect(asked).rejects.toThrow(new Error(message))
    else expect(await asked).toBeInstanceOf(Response)
    // Each time, although the step has left the route with the first request
    const app = makeApp()
    await app.request(path)
    if (message) await expect(testClient(app).request(path)).rejects.toThrow(message)
  })

  test.each([
    ['/throws', 'GET /throws: 500 is not as described: it is not described'],
    ['/undescribed', 'GET /undescribed: 500 is not as described: it is not described'],
    ['/full', undefined],
    ['/any', undefined],
    ['/default', undefined],
    ['/slow', undefined],
  ])('issue 34: a status from 500 on: %s: %s', async (path, message) => {
    const fails = () => json({ error: 'broken' }, 500)
    const slow = { '~passes': true, describes: { statuses: [500] } } as const
    const app = createApp()
      .get('/throws', described, () => {
        throw new Error('broken')
      })
      .get('/undescribed', fails)
      .get('/full', describeRoute({ responses: { 200: Named, 500: { description: 'Full' } } }), fails)
      .get('/any', describeRoute({ responses: { '5XX': { description: 'Any' } } }), fails)
      .get('/default', describeRoute({ responses: { default: { description: 'Any' } } }), fails)
      .get(
        '/slow',
        Object.assign((_: unknown, next: () => Response | Promise<Response>) => next(), slow),
        fails,
      )
    const asked = testClient(app).request(path)
    if (message) await expect(asked).rejects.toThrow(new Error(message))
    else expect((await asked).status).toBe(500)
  })

  test('the answer can still be read', async () => {
    expect(await (await testClient(makeApp()).request('/fits')).json()).toEqual({ name: 'Ada' })
  })

  test.each<[string, (app: ReturnType<typeof makeApp>) => Promise<unknown>]>([
    ['check: false', (app) => testClient(app, { check: false }).request('/misspelt')],
    ['a check of its own', (app) => testClient(app, { check: () => {} }).request('/misspelt')],
    ['HEAD', (app) => testClient(app).request('/misspelt', { method: 'HEAD' })],
    ['a function has no routes to look at', (app) => testClient(app.fetch).request('/misspelt')],
    [
      'paths that are rewritten',
      (app) => testClient(app.use(methodOverride({ header: 'x-method' }))).request('/misspelt'),
    ],
  ])('not checked: %s', async (_, ask) => {
    expect(await ask(makeApp())).toBeInstanceOf(Response)
  })

  test('below a base path, in a mounted application, and for routes that were added later', async () => {
    const app = makeApp({ basePath: '/v1' })
    const visitor = testClient(app)
    await expect(visitor.request('/v1/misspelt')).rejects.toThrow('GET /v1/misspelt')
    app.get('/later', described, () => json({}))
    await expect(visitor.request('/v1/later')).rejects.toThrow('GET /v1/later')
    await expect(testClient(createApp().mount('/in', makeApp())).request('/in/misspelt')).rejects.toThrow(
      'GET /in/misspelt',
    )
  })

  test('below a base path: its root is checked, and what is outside is not', async () => {
    const app = createApp({ basePath: '/v1' }).get('/', described, () => json({ nam: 'Ada' }))
    app.get('/x', describeRoute({ responses: { 404: Named } }), () => json({}))
    await expect(testClient(app).request('/v1')).rejects.toThrow('GET /v1: 200 is not as described')
    for (const path of ['/zz/x', '/v10/x']) expect((await testClient(app).request(path)).status).toBe(404)
  })

  test('a plan is checked as well', async () => {
    const plan = pipe(
      blank,
      route('GET', '/', described, () => json({})),
    )
    const visitor = testClient({ fetch: toFetch(plan), plan })
    await expect(visitor.request('/')).rejects.toThrow('GET /: 200 is not as described: name: Required')
  })

  test.each([['yes'], [true], [{}]])('check: %j is refused', (check) => {
    expect(() => testClient(() => new Response(), { check: check as never })).toThrow(
      'testClient: check: expected a function or false',
    )
  })
})
