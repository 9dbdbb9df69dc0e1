import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at, mount } from '../../src/kernel/scope.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { every, except, some } from '../../src/middleware/combine.ts'
import { methodOverride } from '../../src/middleware/method-override.ts'
import { pipe } from '../../src/pipe.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

const guard = (ctx: any, next: any) => (ctx.params.id === 'mine' ? next() : text('guarded', 403))
const version = apiVersion({ strategy: 'path', versions: ['1'] })
const page = (ctx: any, next: any) => (ctx.path.startsWith('/secret/') ? text('page') : next())
const pass = (_: any, next: any) => next()

/** Guards of `/secret/:id` in front of what sets the path, and `page` behind. */
const orders: readonly (readonly [string, any[]])[] = [
  ['middleware', [['/secret/:id', guard], version, page]],
  ['middleware with a path', [['/secret/:id', guard], version, ['/secret/*', () => text('page')]]],
  ['a guard in every()', [every(at('/secret/:id', guard)), version, page]],
  [
    'a guard in every() in at()',
    [at('/*', every(except('/x', at('/v1/*', pass), at('/secret/:id', guard)))), version, page],
  ],
  ['a guard in some()', [some(at('/secret/:id', guard)), version, page]],
  ['a guard in except()', [except('/none', at('/secret/:id', guard)), version, page]],
]
const cases = doors.flatMap(([name, door]) => orders.map(([order, uses]) => [order, name, door, uses] as const))

test.each(cases)('I1, F11: %s in front of apiVersion sees the final path, %s', async (_, __, door, uses) => {
  const fetch = door({ use: uses, routes: [['GET', '/secret/:id', () => text('route')]] })
  expect({
    withVersion: (await fetch('/v1/secret/x')).status,
    withoutVersion: (await fetch('/secret/x')).status,
  }).toEqual({ withVersion: 403, withoutVersion: 403 })
  expect(await (await fetch('/v1/secret/mine')).text()).toBe('page')
})

describe.each(doors)('I1: prepare() runs before the route is looked up, through %s', (_, door) => {
  const adds = (name: string, more?: () => Promise<void>) =>
    Object.assign(
      (ctx: any, next: any) => {
        ctx.state.ran = `${ctx.state.ran ?? ''}${name}`
        return next()
      },
      {
        async prepare(ctx: any) {
          await more?.()
          ctx.path += name
        },
      },
    )
  const answer = (ctx: any): Response => text(`${ctx.path} ${ctx.state.ran}`)

  test('in order of registration, also if the first is asynchronous', async () => {
    const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
    const fetch = door({ use: [adds('/a', later), adds('/b')], routes: [['GET', '/x/a/b', answer]] })
    expect(await (await fetch('/x')).text()).toBe('/x/a/b /a/b')
  })

  test('it may set the method, and an error in it becomes a response', async () => {
    const sets = Object.assign((_: any, next: any) => next(), {
      prepare(ctx: any) {
        if (ctx.query.has('fail')) throw new Error('no')
        ctx.method = 'PUT'
      },
    })
    const fetch = door({
      use: [sets],
      routes: [['PUT', '/x', (ctx) => text(ctx.method)]],
      onError: () => text('error', 500),
    })
    expect(await (await fetch(new Request('http://localhost/x', { method: 'POST' }))).text()).toBe('PUT')
    expect(await (await fetch('/x?fail')).text()).toBe('error')
  })

  test.each([
    ['a middleware', true],
    ['a handler', false],
  ])('afterwards %s cannot set the path', async (_, isMiddleware) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const sets = (ctx: any): Response => {
      ctx.path = '/y'
      return text('set')
    }
    const fetch = door({ use: isMiddleware ? [sets] : [], routes: [['GET', '/x', sets]] })
    expect((await fetch('/x')).status).toBe(500)
    expect(log.mock.calls[0]![0]).toMatchObject({
      message: 'ctx.path: set it in prepare(), before the route is looked up',
    })
    log.mockRestore()
  })
})

/** Where `prepare()` would have a scope: it is refused when the application is written. */
test.each<[string, () => unknown, string]>([
  ['use(path)', () => createApp().use('/a/*', version), 'at'],
  ['at()', () => at('/a/*', methodOverride({ query: 'm' })), 'at'],
  ['a route', () => createApp().get('/a', version, () => text('x')), 'GET /a'],
  ['route()', () => route('GET', '/a', version, () => text('x')), 'GET /a'],
  ['a group', () => createApp().group('/a', (inner) => inner.use(version).get('/', () => text('x'))), 'mount'],
  [
    'mount',
    () =>
      createApp().mount(
        '/a',
        createApp()
          .use(version)
          .get('/', () => text('x')),
      ),
    'mount',
  ],
  [
    'mount()',
    () =>
      mount(
        '/a',
        pipe(
          blank,
          use(version),
          route('GET', '/', () => text('x')),
        ),
      ),
    'mount',
  ],
  ['every()', () => every(version), 'every'],
  ['some()', () => some(version), 'some'],
  ['except()', () => except('/a', version), 'except'],
])('I1: middleware with prepare() is refused in %s', (_, make, where) => {
  expect(make).toThrow(`${where}: expected middleware without prepare(): put it in front with use(), got `)
})
