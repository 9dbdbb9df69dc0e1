import { describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { onResponse } from '../src/kernel/edits.ts'
import { routePattern } from '../src/pipe/route-pattern.ts'
import { text } from '../src/respond/text.ts'
import { doors } from './harness.ts'

describe.each(doors)('OP2: the pattern of the route through %s', (_, door) => {
  const ok = () => text('x')
  const patternOf = async (request: Request | string, more: object = {}) => {
    const seen: unknown[] = []
    const look = (ctx: any, next: any) => {
      onResponse(ctx, () => void seen.push(routePattern(ctx)))
      return next()
    }
    const routes = [
      ['GET', '/', ok],
      ['GET', '/users/:id', ok],
      ['GET', '/files/*path', ok],
      ['*', '/any', ok],
      ['GET', '/late/:id', () => text('no', 404)],
    ] as never
    await door({ use: [look], routes, ...more })(request)
    return seen
  }

  test.each([
    ['/', '/'],
    ['/users/7', '/users/:id'],
    ['/users/7?id=8', '/users/:id'],
    ['/files/a/b/c', '/files/*path'],
    ['/any', '/any'],
    ['/late/7', '/late/:id'],
    ['/none', undefined],
    ['/users/%zz', undefined],
  ])('%s is %s', async (path, expected) => {
    expect(await patternOf(path)).toEqual([expected])
  })

  test('HEAD has the pattern of GET, another method has none', async () => {
    expect(await patternOf(new Request('http://h/users/7', { method: 'HEAD' }))).toEqual(['/users/:id'])
    expect(await patternOf(new Request('http://h/users/7', { method: 'PUT' }))).toEqual([undefined])
  })

  test('the prefix of the application stands before it', async () => {
    expect(await patternOf('/api/users/7', { basePath: '/api' })).toEqual(['/api/users/:id'])
  })

  test('after prepare() it is that of the new path', async () => {
    const cut = Object.assign((_: any, next: any) => next(), {
      prepare(ctx: any) {
        ctx.path = ctx.path.replace('/v1', '')
      },
    })
    const seen: unknown[] = []
    const look = async (ctx: any, next: any) => {
      await next()
      seen.push(routePattern(ctx))
    }
    const fetch = door({ use: [look, cut], routes: [['GET', '/users/:id', ok]] })
    await fetch('/v1/users/7')
    await fetch('/v1/none')
    expect(seen).toEqual(['/users/:id', undefined])
  })
})

test('OP2: a mounted application has its prefix, and its own 404 has no pattern', async () => {
  const seen: unknown[] = []
  const inner = createApp({ notFound: () => text('lost', 404) }).get('/users/:id', (ctx) => ctx.text('x'))
  const app = createApp()
    .use(async (ctx, next) => {
      await next()
      seen.push(routePattern(ctx))
    })
    .mount('/api', inner)
  for (const path of ['/api/users/7', '/api/none']) await app.request(path)
  expect(seen).toEqual(['/api/users/:id', undefined])
})
