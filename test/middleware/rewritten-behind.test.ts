import { expect, test } from 'vitest'
import { at } from '../../src/at.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { every, except, some } from '../../src/middleware/combine.ts'
import { text } from '../../src/respond/text.ts'
import { rewrite } from '../../src/rewrite.ts'
import { doors } from '../harness.ts'

const guard = (ctx: any, next: any) => (ctx.params.id === 'mine' ? next() : text('guarded', 403))
const version = apiVersion({ strategy: 'path', versions: ['1'] })
const page = (ctx: any, next: any) => (ctx.path.startsWith('/secret/') ? text('page') : next())

const pass = (_: any, next: any) => next()
const shut = at('/secret/:id', guard)

/** Middleware in its order, `page` behind `version`. */
const orders: readonly (readonly [string, any[]])[] = [
  ['middleware', [['/secret/:id', guard], version, page]],
  ['middleware with a path', [['/secret/:id', guard], version, ['/secret/*', () => text('page')]]],
  ['a guard in a combination', [every(at('/secret/:id', guard)), version, page]],
  ['a guard beside one that ran', [every(at('/secret/:id', guard), at('/v1/*', pass)), version, page]],
  [
    'a guard beside one that ran, nested',
    [at('/*', every(except('/x', at('/v1/*', pass), shut)) as any), version, page],
  ],
  ['a guard that is combined with it', [every(at('/secret/:id', guard), version), page]],
  ['every', [['/secret/:id', guard], every(version, page)]],
  ['except', [['/secret/:id', guard], except('/login', version, page)]],
  ['all in one', [every(shut, every(pass, version), page)]],
  ['every in at', [['/secret/:id', guard], ['/v1/*', every(version, page)], page]],
  ['some, with a member that accepts', [['/secret/:id', guard], some(version, pass), page]],
  ['some, whose member is that alone', [['/secret/:id', guard], some(() => text('no', 401), version), page]],
  ['a combination with a path', [['/secret/:id', guard], at('/*', every(version, page))]],
  ['a combination in a combination', [['/secret/:id', guard], every(every(version), page)]],
  ['a combination with an exemption', [['/secret/:id', guard], except('/none', version, page)]],
  ['a combination with its own guard', [every(at('/secret/:id', guard), version, page)]],
  [
    'a combination of a guard and apiVersion, with an exemption',
    [except('/none', at('/secret/:id', guard), version), page],
  ],
  [
    'a guard in at, beside one with a path',
    [at('/secret/*', every(at('/secret/none', pass), guard) as any), version, page],
  ],
  ['two combinations', [every(at('/secret/:id', guard)), every(version, page)]],
  ['an alternative', [['/secret/:id', guard], some(() => text('no', 401), every(version, page))]],
  ['the alternative behind one that refused', [['/secret/:id', guard], some(every(version, page), pass), page]],
]
const cases = doors.flatMap(([name, door]) => orders.map(([order, use]) => [order, name, door, use] as const))

test.each(cases)('F11: %s behind apiVersion sees a path after its guards in front, %s', async (_, __, door, use) => {
  const fetch = door({ use, routes: [['GET', '/secret/:id', () => text('route')]] })
  expect([(await fetch('/v1/secret/x')).status, (await fetch('/secret/x')).status]).toEqual([403, 403])
  expect(await (await fetch('/v1/secret/mine')).text()).toBe('page')
})

const moves = (from: string, to: string) =>
  Object.assign(
    (ctx: any, next: any) => {
      if (ctx.path === from) ctx.path = to
      return next()
    },
    { rewrites: rewrite },
  )
const refuse = () => text('no', 401)

/** Middleware in front of a handler that answers with its path. Only `/secret` is guarded. */
const paths: readonly (readonly [string, any[], string])[] = [
  [
    'the next alternative sets back what one that refused has set',
    [['/secret', refuse], some(every(moves('/open', '/secret'), refuse), moves('/secret', '/open'))],
    '/open /open',
  ],
  [
    'a middleware that runs late sets the path too',
    [['/secret', refuse], at('/b', moves('/b', '/secret')), moves('/open', '/b'), (ctx: any) => text(ctx.path)],
    'no',
  ],
  [
    'a combination that runs late sets it, in front of a guard',
    [at('/b', every(moves('/b', '/secret'), pass)), ['/secret', refuse], moves('/open', '/b')],
    'no',
  ],
]

const setting = doors.flatMap(([name, door]) =>
  paths.map(([what, use, answer]) => [what, name, door, use, answer] as const),
)

test.each(setting)('F11: a guard and the route see the same path if %s, %s', async (_, __, door, use, answer) => {
  const routes = ['/open', '/b', '/secret'].map((path) => ['GET', path, (ctx: any) => text(`${path} ${ctx.path}`)])
  const fetch = door({ use: use as any, routes: routes as any })
  expect(await (await fetch('/open')).text()).toBe(answer)
})
