import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { HttpError } from '../../src/errors/http-error.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at, basePath, group, mount } from '../../src/kernel/scope.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { basicAuth } from '../../src/middleware/basic-auth.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { every, except, some } from '../../src/middleware/combine.ts'
import { pipe } from '../../src/pipe.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { createApp as createTinyApp } from '../../src/tiny.ts'
import { doors } from '../harness.ts'

const pass =
  (name: string, log: string[] = []) =>
  async (ctx: any, next: any) => {
    log.push(name)
    ctx.state[name] = true
    return next()
  }
const refuses =
  (name: string, status: number, log: string[] = []) =>
  () => {
    log.push(name)
    return text(name, status)
  }
const throws = (status: number) => () => {
  throw new HttpError(status, 'thrown')
}

describe.each(doors)('MX19: combine through %s', (_, door) => {
  const ask = async (step: any, path = '/', more: object = {}) => {
    const fetch = door({ use: [step], routes: [['GET', '/*', (ctx) => json(Object.keys(ctx.state))]], ...more })
    const response = await fetch(path)
    return { status: response.status, body: await response.text() }
  }

  test.each<[string, any, { status: number; body: string }]>([
    ['the first passes', some(pass('a'), refuses('b', 403)), { status: 200, body: '["a"]' }],
    ['the second passes', some(refuses('a', 401), pass('b')), { status: 200, body: '["b"]' }],
    ['the first throws', some(throws(401), pass('b')), { status: 200, body: '["b"]' }],
    ['none passes: the last answers', some(refuses('a', 401), refuses('b', 403)), { status: 403, body: 'b' }],
    ['none passes: the last throws', some(refuses('a', 401), throws(403)), { status: 403, body: '{"error":"thrown"}' }],
    ['every: all pass', every(pass('a'), pass('b')), { status: 200, body: '["a","b"]' }],
    ['every: one refuses', every(pass('a'), refuses('b', 403), pass('c')), { status: 403, body: 'b' }],
    [
      'some of every',
      some(every(pass('a'), refuses('b', 403)), every(pass('c'), pass('d'))),
      { status: 200, body: '["a","c","d"]' },
    ],
    ['every of some', every(some(refuses('a', 401), pass('b')), pass('c')), { status: 200, body: '["b","c"]' }],
  ])('MX19: %s', async (_, step, expected) => {
    expect(await ask(step)).toEqual(expected)
  })

  test.each<[string, (...middleware: any[]) => unknown]>([
    ['some', some],
    ['every', every],
    ['except', (...middleware) => (except as any)('/x', ...middleware)],
  ])('MX19: %s refuses middleware with prepare(), which would not run', (name, combine) => {
    const early = Object.assign(function early() {}, { prepare() {} })
    expect(() => combine(pass('a'), early)).toThrow(
      `${name}: expected middleware without prepare(): put it in front with use(), got "early"`,
    )
  })

  test('MX19: a guard of some that refuses is the answer only if no later one passes', async () => {
    expect(await ask(some(refuses('a', 401), refuses('b', 402), pass('c')))).toEqual({ status: 200, body: '["c"]' })
    expect(await ask(some(throws(401), throws(402), throws(403)))).toEqual({ status: 403, body: '{"error":"thrown"}' })
  })

  test.each([
    ['/app', 200],
    ['/app/', 200],
    ['/app/open', 200],
    ['/app/open/', 200],
    ['/app/shut', 403],
    ['/app/app/open', 403],
  ])('MX19: except below a base path: %s gives %i', async (path, status) => {
    const step = except(['/', '/open'], refuses('a', 403))
    expect(
      (
        await ask(step, path, {
          basePath: '/app',
          routes: [
            ['GET', '/*', () => text('x')],
            ['GET', '/', () => text('x')],
          ],
        })
      ).status,
    ).toBe(status)
  })

  test('MX19: the handler runs once, and its error is not taken for a refusal', async () => {
    let ran = 0
    const log: string[] = []
    const routes = [
      [
        'GET',
        '/',
        () => {
          ran++
          throw new HttpError(409, 'mine')
        },
      ],
    ]
    expect(await ask(some(pass('a', log), pass('b', log)), '/', { routes })).toEqual({
      status: 409,
      body: '{"error":"mine"}',
    })
    expect({ ran, log }).toEqual({ ran: 1, log: ['a'] })
  })

  test('MX19: a real pair: a token or a password', async () => {
    const step = some(
      bearerAuth({ verify: (token) => token === 't' && { id: 1 } }),
      basicAuth({ users: { ada: 'pw' } }),
    )
    const fetch = door({ use: [step], routes: [['GET', '/', (ctx) => json(ctx.state.user)]] })
    const asked = async (authorization: string) => {
      const response = await fetch(new Request('http://localhost/', { headers: { authorization } }))
      return { status: response.status, body: await response.json() }
    }
    expect(await asked('Bearer t')).toEqual({ status: 200, body: { id: 1 } })
    expect(await asked(`Basic ${btoa('ada:pw')}`)).toEqual({ status: 200, body: { name: 'ada' } })
    expect(await asked('Bearer x')).toEqual({ status: 401, body: { error: 'Unauthorized' } })
  })

  test('MX19: the unread body of a refusal is cancelled', async () => {
    let cancelled = false
    const stream = new ReadableStream({
      cancel() {
        cancelled = true
      },
    })
    expect((await ask(some(() => new Response(stream, { status: 401 }), pass('b')))).status).toBe(200)
    expect(cancelled).toBe(true)
  })

  const guard = refuses('guarded', 401)
  test.each<[string, any, string, number]>([
    ['an exempt path', '/login', '/login', 200],
    ['an exempt path with a slash behind', '/login', '/login/', 200],
    ['another path', '/login', '/login2', 401],
    ['a path below', '/login', '/login/x', 401],
    ['another case', '/login', '/LOGIN', 401],
    ['a wildcard', '/public/*', '/public/a/b', 200],
    ['a wildcard itself', '/public/*', '/public', 200],
    ['several', ['/login', '/public/*'], '/public/a', 200],
    ['a parameter', '/users/:id/avatar', '/users/7/avatar', 200],
    ['an escaped slash is no slash', '/public/*', '/public%2Fsecret', 401],
    ['many escaped slashes', '/public/*', `/x${'%2f'.repeat(20)}`, 401],
    ['an escaped letter', '/login', '/%6cogin', 401],
    ['a malformed escape', '/:id', '/%', 401],
    ['two slashes', '/public/*', '//public/a', 401],
    ['a function', (ctx: any) => ctx.query.has('open'), '/?open', 200],
    ['a function that says no', (ctx: any) => ctx.query.has('open'), '/', 401],
  ])('MX19: except: %s', async (_, exempt, path, status) => {
    expect((await ask(except(exempt, guard), path)).status).toBe(status)
  })

  test('MX19: except is below the base path', async () => {
    const fetch = door({ basePath: '/api', use: [except('/open', guard)], routes: [['GET', '/*', () => text('x')]] })
    expect({
      open: (await fetch('/api/open')).status,
      other: (await fetch('/api/other')).status,
      outside: (await fetch('/open')).status,
    }).toEqual({ open: 200, other: 401, outside: 401 })
  })

  test('MX19: several inner middleware run in their order', async () => {
    expect(await ask(except('/x', pass('a'), pass('b')))).toEqual({ status: 200, body: '["a","b"]' })
    expect(await ask(except('/x', pass('a'), pass('b')), '/x')).toEqual({ status: 200, body: '[]' })
  })
})

const shut = at('/secret/*', () => text('guarded', 403))
const secret = () => text('secret')

/** The combinations of a guard with a path, and the applications in which that path moves below `/api`. */
const combined: readonly (readonly [string, any])[] = [
  ['every', every(pass('a'), shut)],
  ['some', some(shut)],
  ['except', except('/api/secret/open', shut)],
  ['every of except', every(except('/nothing', shut))],
  ['at of every', at('/*', every(pass('a'), shut))],
]
const inner = (guard: any): any => pipe(blank, use(guard), route('GET', '/secret/:id', secret))
const moved: readonly (readonly [string, (guard: any) => (request: Request) => any])[] = [
  ['basePath of a plan', (guard) => pipe(inner(guard), basePath('/api'), toFetch)],
  ['mount of a plan', (guard) => pipe(blank, mount('/api', inner(guard)), toFetch)],
  [
    'group of a plan',
    (guard) =>
      pipe(
        blank,
        group('/api', () => inner(guard)),
        toFetch,
      ),
  ],
  ['basePath', (guard) => createApp({ basePath: '/api' }).use(guard).get('/secret/:id', secret).fetch],
  ['basePath of tiny', (guard) => createTinyApp({ basePath: '/api' }).use(guard).get('/secret/:id', secret).fetch],
  ['mount', (guard) => createApp().mount('/api', createApp().use(guard).get('/secret/:id', secret)).fetch],
  ['group', (guard) => createApp().group('/api', (app) => app.use(guard).get('/secret/:id', secret)).fetch],
  ['a route', (guard) => createApp().group('/api', (app) => app.get('/secret/:id', guard, secret)).fetch],
]
const cells = combined.flatMap(([name, guard]) => moved.map(([place, build]) => [name, place, build(guard)] as const))

test.each(cells)('F11, MX19: a guard with a path in %s moves with %s', async (_, __, fetch) => {
  expect((await fetch(new Request('http://localhost/api/secret/x'))).status).toBe(403)
})

test.each(combined)('F11, MX19: %s runs for a rewritten path that a guard in it covers', async (_, guard) => {
  const use = [guard, apiVersion({ strategy: 'path', versions: ['1'] })]
  for (const [, door] of doors) {
    const fetch = door({ use, routes: [['GET', '/*', secret]] })
    expect((await fetch('/v1/secret/x')).status).toBe(403)
    expect((await fetch('/v1/other')).status).toBe(200)
  }
})

test.each<[string, () => unknown, string]>([
  ['nothing', () => (some as any)(), 'some: middleware: expected one function or more, got []'],
  ['a text', () => every('a' as never), 'every: middleware: expected a function, got "a"'],
  ['no middleware', () => (except as any)('/a'), 'except: middleware: expected one function or more, got []'],
])('MX19: refuses %s', (_, make, message) => {
  expect(make).toThrow(new TypeError(message))
})

test('MX19: except refuses an invalid pattern', () => {
  expect(() => except('/a*b', () => text('x'))).toThrow(TypeError)
})
