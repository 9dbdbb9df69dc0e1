import { assertType, describe, expectTypeOf, test } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import type { Middleware } from '../../src/internal/types/context.ts'
import { type AppFetch, toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at, group, mount } from '../../src/kernel/scope.ts'
import { pipe } from '../../src/pipe.ts'
import { readJson } from '../../src/read/json.ts'
import { json, type TypedResponse } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'

interface User {
  readonly id: string
}
declare const session: () => Middleware<{ session: Map<string, string> }>
declare const authentication: () => Middleware<{ user: User }, { session: Map<string, string> }>
declare const plain: () => Middleware

describe('params', () => {
  test('R24: are named by the path', () => {
    createApp().get('/users/:id/posts/:post', (ctx) => {
      expectTypeOf(ctx.params).toEqualTypeOf<{ readonly id: string; readonly post: string }>()
      // @ts-expect-error the path has no such parameter
      ctx.params.name
      return text(ctx.params.id)
    })
    pipe(
      blank,
      route('GET', '/users/:id', (ctx) => text(ctx.params.id)),
    )
    pipe(
      blank,
      // @ts-expect-error the path has no such parameter
      route('GET', '/users/:id', (ctx) => text(ctx.params.name)),
    )
  })

  test('R25, R26: wildcards', () => {
    createApp().get('/files/*path', (ctx) => {
      expectTypeOf(ctx.params).toEqualTypeOf<{ readonly path: string }>()
      return text('')
    })
    createApp().all('*', (ctx) => {
      expectTypeOf(ctx.params).toEqualTypeOf<{ readonly '*': string }>()
      return text('')
    })
    createApp().get('/plain', (ctx) => {
      expectTypeOf(ctx.params).toEqualTypeOf<{}>()
      return text('')
    })
  })

  test('R39: a parameter that may be absent, and one with a pattern', () => {
    createApp().get('/posts/:id{[0-9]+}/:page{\\d?}?/:more?', (ctx) => {
      expectTypeOf(ctx.params.id).toEqualTypeOf<string>()
      expectTypeOf(ctx.params.page).toEqualTypeOf<string | undefined>()
      expectTypeOf(ctx.params.more).toEqualTypeOf<string | undefined>()
      // @ts-expect-error the path has no such parameter
      ctx.params.name
      return text('')
    })
    createApp().get('/:lang{en?|de}', (ctx) => {
      expectTypeOf(ctx.params.lang).toEqualTypeOf<string>()
      return text('')
    })
  })

  test('a path that is not known is any name', () => {
    createApp().get('/x' as string, (ctx) => {
      expectTypeOf(ctx.params).toEqualTypeOf<Record<string, string>>()
      return text('')
    })
  })
})

describe('state', () => {
  test('X6: accumulates through use, createApp', () => {
    createApp()
      .use(plain())
      .use(session())
      .use(authentication())
      .get('/', (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        expectTypeOf(ctx.state.session).toEqualTypeOf<Map<string, string>>()
        // @ts-expect-error nothing adds it
        ctx.state.other
        return text(ctx.state.user.id)
      })
  })

  test('X6: accumulates through use, pipe', () => {
    const fetch = pipe(
      blank,
      use(plain()),
      use(session()),
      use(at('/admin/*', authentication())),
      route('GET', '/', (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        return text(ctx.state.user.id)
      }),
      toFetch,
    )
    expectTypeOf(fetch).toExtend<AppFetch>()
  })

  test('a missing prerequisite is a compile error, at the use that lacks it', () => {
    // @ts-expect-error the session is missing
    createApp<unknown, {}>().use(authentication())
    // @ts-expect-error the session comes too late
    createApp<unknown, {}>().use(authentication()).use(session())
    // @ts-expect-error the session is missing
    pipe(blank, use(authentication()))
    // @ts-expect-error the session comes too late
    pipe(blank, use(authentication()), use(session()))
  })

  test('SPEC 2.5: an application that calls use in statements reads the state without a word to the compiler', () => {
    const app = createApp()
    app.use(session())
    app.get('/', (ctx) => text(ctx.state.session.get('user')))
  })

  test('middleware of a route adds for its handler alone', () => {
    const app = createApp().use(session())
    app.get('/a', authentication(), (ctx) => {
      expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
      return text('')
    })
    app.get('/b', (ctx) => {
      // @ts-expect-error only the other route adds it
      ctx.state.user
      return text('')
    })
  })

  test('groups know what is around them', () => {
    createApp()
      .use(session())
      .group('/admin', (admin) => {
        admin.use(authentication()).get('/:id', (ctx) => {
          expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
          return text(ctx.params.id)
        })
      })
    pipe(
      blank,
      use(session()),
      group('/admin', (admin) =>
        pipe(
          admin,
          use(authentication()),
          route('GET', '/', (ctx) => text(ctx.state.user.id)),
        ),
      ),
      mount('/sub', blank),
      toFetch,
    )
  })
})

describe('context', () => {
  test('X9: ctx.json reads without arguments and answers with them', () => {
    createApp().post('/', async (ctx) => {
      expectTypeOf(ctx.json()).toEqualTypeOf<Promise<unknown>>()
      expectTypeOf(ctx.json<User>()).toEqualTypeOf<Promise<User>>()
      expectTypeOf(ctx.json({ a: 1 })).toEqualTypeOf<TypedResponse<{ a: number }, 200>>()
      expectTypeOf(ctx.json({ a: 1 }, 201, { 'x-a': 'b' })).toEqualTypeOf<TypedResponse<{ a: number }, 201>>()
      expectTypeOf(ctx.json({ a: 1 }, { status: 201 })).toEqualTypeOf<TypedResponse<{ a: number }, 201>>()
      expectTypeOf(ctx.json({ a: 1 })).toExtend<Response>()
      expectTypeOf(ctx.text()).toEqualTypeOf<Promise<string>>()
      expectTypeOf(ctx.text('x')).toEqualTypeOf<Response>()
      return ctx.html('')
    })
  })

  test('through pipe there are no response methods, only reading', () => {
    pipe(
      blank,
      route('POST', '/', async (ctx) => {
        expectTypeOf(readJson(ctx)).toEqualTypeOf<Promise<unknown>>()
        // @ts-expect-error import html instead
        ctx.html('')
        // @ts-expect-error import json instead
        ctx.json({ a: 1 })
        return json({})
      }),
    )
  })

  test('X5: Env is a type parameter', () => {
    createApp<{ KEY: string }>().get('/', (ctx) => {
      expectTypeOf(ctx.env).toEqualTypeOf<{ KEY: string }>()
      return text(ctx.env.KEY)
    })
  })

  test('X13: validate gives what the schema gives', () => {
    createApp().post('/', async (ctx) => {
      const standard = {} as {
        readonly '~standard': {
          readonly validate: (value: unknown) => unknown
          readonly types?: { readonly output: User } | undefined
        }
      }
      expectTypeOf(await ctx.validate(standard)).toEqualTypeOf<User>()
      return text('')
    })
  })

  test('X8: header is a string or null', () => {
    createApp().get('/', (ctx) => {
      expectTypeOf(ctx.header('a')).toEqualTypeOf<string | null>()
      expectTypeOf(ctx.response).toEqualTypeOf<Response | undefined>()
      expectTypeOf(ctx.url).toEqualTypeOf<URL>()
      expectTypeOf(ctx.query).toEqualTypeOf<URLSearchParams>()
      return text('')
    })
  })
})

describe('registration', () => {
  test('a handler answers', () => {
    // @ts-expect-error a handler returns a response
    createApp().get('/', () => 'text')
    pipe(
      blank,
      // @ts-expect-error a handler returns a response
      route('GET', '/', () => undefined),
    )
    createApp().get('/', async () => text(''))
  })

  test('R9: fetch takes a request, and perhaps env and execution', () => {
    const app = createApp<{ KEY: string }>()
    assertType<Response | Promise<Response>>(app.fetch(new Request('http://a')))
    assertType<Response | Promise<Response>>(app.fetch(new Request('http://a'), { KEY: '' }, { waitUntil: () => {} }))
    // @ts-expect-error env is typed
    app.fetch(new Request('http://a'), { KEY: 1 })
  })

  test('R11: registration keeps the type, but for the routes', () => {
    let app = createApp().use(session())
    app = app.get('/', () => text(''))
    expectTypeOf(app.get('/', () => text(''))).toExtend<App<{ session: Map<string, string> }>>()
  })

  test('pipe takes twelve arguments; longer plans are parts that are mounted or grouped', () => {
    const step = route('GET', '/', () => text(''))
    const fetch = pipe(blank, step, step, step, step, step, step, step, step, step, step, toFetch)
    expectTypeOf(fetch).toExtend<AppFetch>()
  })
})
