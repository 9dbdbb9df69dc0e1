import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at, basePath, group, mount } from '../../src/kernel/scope.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { sanitizer } from '../../src/middleware/sanitizer.ts'
import { pipe } from '../../src/pipe.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

const guard = () => json({ error: 'Unauthorized' }, 401)
const secret = () => text('secret')
const answer = async (response: Response | Promise<Response>) => {
  const { status } = await response
  return `${status} ${await (await response).text()}`
}
const ask = (path: string): Request => new Request(`http://localhost${path}`)

describe('router, "middleware sees another path than the router": guards of a path inside groups and mounted plans', () => {
  const guarded = pipe(blank, use(at('/x/*', guard)), route('GET', '/x/y', secret), route('GET', '/z', secret))
  const app = (basePath: string) =>
    createApp({ basePath })
      .group('/admin', (admin) => admin.use('/x/*', guard).get('/x/y', secret).get('/z', secret))
      .group('/a', (outer) => {
        outer.group('/b', (inner) => inner.use('/x/*', guard).get('/x/y', secret).get('/z', secret))
      })
      .mount('/m', createApp().mount('/n', createApp().use('/x/*', guard).get('/x/y', secret).get('/z', secret)))
  const plan = pipe(
    blank,
    group('/admin', (admin) =>
      pipe(admin, use(at('/x/*', guard)), route('GET', '/x/y', secret), route('GET', '/z', secret)),
    ),
    group('/a', (outer) =>
      pipe(
        outer,
        group('/b', (inner) =>
          pipe(inner, use(at('/x/*', guard)), route('GET', '/x/y', secret), route('GET', '/z', secret)),
        ),
      ),
    ),
    mount('/m', pipe(blank, mount('/n', guarded))),
  )

  describe.each([
    ['createApp', '', app('').fetch],
    ['createApp below a basePath', '/api', app('/api').fetch],
    ['pipe', '', toFetch(plan)],
    ['pipe below a basePath', '/api', pipe(plan, basePath('/api'), toFetch)],
  ])('%s', (_, base, fetch) => {
    test.each([['/admin'], ['/a/b'], ['/m/n']])('%s', async (prefix) => {
      expect((await fetch(ask(`${base}${prefix}/x/y`))).status).toBe(401)
      expect(await answer(fetch(ask(`${base}${prefix}/z`)))).toBe('200 secret')
    })
  })
})

test.each([
  ['/s', '/v1', '/s/v1'],
  ['/s/', 'v1/', '/s/v1'],
  ['/', '/v1', '/v1'],
  ['/s', '', '/s'],
])('R2, R35: an application mounted at %s keeps its basePath %s', async (prefix, basePath, base) => {
  const inner = createApp({ basePath }).use('/x/*', guard).get('/x/y', secret).get('/z', secret)
  const app = createApp().mount(prefix, inner)
  expect(await answer(app.fetch(ask(`${base}/z`)))).toBe('200 secret')
  expect((await app.fetch(ask(`${base}/x/y`))).status).toBe(401)
  expect(app.routes().map((route) => route.path)).toEqual([`${base}/x/y`, `${base}/z`])
})

describe.each(doors)('%s', (_, door) => {
  const versions = apiVersion({ strategy: 'path', versions: ['1', '2'] })

  test.each([
    ['plain', '/files/secret/x'],
    ['a letter escaped', '/files/%73ecret/x'],
    ['all of it escaped', '/files/%73%65%63%72%65%74/x'],
    ['an escaped line break behind it', '/files/secret/%0A'],
    ['and both', '/files/%73ecret/%0Ax'],
  ])(
    'h3 GHSA-72gr-qfp7-vwhw, hono CVE-2026-47676: a guard stands before what a wildcard decodes: %s',
    async (_, path) => {
      const fetch = door({
        use: [['/files/secret/*', guard]],
        routes: [['GET', '/files/*path', (ctx) => text(ctx.params.path)]],
      })
      expect((await fetch(path)).status).toBe(401)
      expect(await answer(fetch('/files/open/%73'))).toBe('200 open/s')
    },
  )

  test('an escaped slash ends no segment, for the guard as for the router', async () => {
    const fetch = door({
      use: [['/files/:name/private', guard]],
      routes: [['GET', '/files/*path', (ctx) => text(ctx.params.path)]],
    })
    expect((await fetch('/files/a%2Fb/private')).status).toBe(401)
    expect(await answer(fetch('/files/a/b%2Fprivate'))).toBe('200 a/b%2Fprivate')
  })

  test('R35: a colon inside a segment is no parameter, for middleware as for routes', async () => {
    const fetch = door({ use: [['/users:batch', guard]], routes: [['GET', '/usersAll', () => text('all')]] })
    expect(await answer(fetch('/usersAll'))).toBe('200 all')
    expect((await fetch('/users:batch')).status).toBe(401)
  })

  test.each([
    ['before', [['/admin/*', guard], versions]],
    ['after', [versions, ['/admin/*', guard]]],
  ] as const)('MA3: a guard that is registered %s apiVersion stands before the path that is routed', async (_, use) => {
    const fetch = door({
      use,
      routes: [
        ['GET', '/admin/users', secret],
        ['GET', '/users', () => text('open')],
      ],
    })
    expect((await fetch('/admin/users')).status).toBe(401)
    expect((await fetch('/v2/admin/users')).status).toBe(401)
    expect(await answer(fetch('/v2/users'))).toBe('200 open')
  })

  test.each([
    ['before', (count: unknown) => [['/admin/*', count], versions]],
    ['after', (count: unknown) => [versions, ['/admin/*', count]]],
  ])('MA3: middleware of a path that is registered %s apiVersion runs once', async (_, order) => {
    let runs = 0
    const count = (_: unknown, next: () => unknown) => {
      runs++
      return next()
    }
    const fetch = door({ use: order(count) as never, routes: [['GET', '/admin/users', secret]] })
    expect(await answer(fetch('/v2/admin/users'))).toBe('200 secret')
    expect(runs).toBe(1)
    expect(await answer(fetch('/admin/users'))).toBe('200 secret')
    expect(runs).toBe(2)
  })

  test('MA3: a path outside basePath is not moved into it', async () => {
    const fetch = door({ basePath: '/api', use: [versions], routes: [['GET', '/users', () => text('users')]] })
    expect(await answer(fetch('/api/v2/users'))).toBe('200 users')
    expect((await fetch('/foo/v2/users')).status).toBe(404)
    expect((await fetch('/foo/v9/users')).headers.get('api-version')).toBe('1')
  })

  test.each([
    ['/api', 200],
    ['/api/v2', 200],
    ['/api/v2/', 404],
    ['/api/', 404],
  ])('MA3, R3: strict, with a basePath: %s', async (path, status) => {
    const fetch = door({ basePath: '/api', strict: true, use: [versions], routes: [['GET', '/', () => text('root')]] })
    expect((await fetch(path)).status).toBe(status)
  })

  test('MS2: parameters are clean in the recommended order, where the path is rewritten after the sanitizer', async () => {
    const fetch = door({
      use: [sanitizer(), versions],
      routes: [['GET', '/s/:q', (ctx) => text(ctx.params.q)]],
    })
    expect(await answer(fetch('/s/%3Cb%3Ex'))).toBe('200 x')
    expect(await answer(fetch('/v2/s/%3Cb%3Ex'))).toBe('200 x')
  })

  test('R37: an object with a status is no Response: 500, and nothing of it is sent', async () => {
    const fetch = door({ routes: [['GET', '/', () => ({ status: 201, users: ['Ada'] })]] })
    expect(await answer(fetch('/'))).toBe('500 {"error":"Internal Server Error"}')
    const inside = door({
      use: [(_, next) => next()],
      routes: [['GET', '/', () => ({ status: 201, users: ['Ada'] })]],
    })
    expect(await answer(inside('/'))).toBe('500 {"error":"Internal Server Error"}')
  })
})
