import { describe, expectTypeOf, test } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import type { Context, Handler, Middleware } from '../../src/index.ts'
import type { Middleware as AnyMiddleware } from '../../src/internal/types/context.ts'
import { compose } from '../../src/kernel/compose.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at } from '../../src/kernel/scope.ts'
import { compression } from '../../src/middleware/compression.ts'
import { cors } from '../../src/middleware/cors.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { logger } from '../../src/middleware/logger.ts'
import { securityHeaders } from '../../src/middleware/security-headers.ts'
import { pipe } from '../../src/pipe.ts'
import { text } from '../../src/respond/text.ts'
import { createApp as createTiny } from '../../src/tiny.ts'

interface User {
  readonly id: string
}
declare const session: () => AnyMiddleware<{ session: Map<string, string> }>
declare const bearer: () => AnyMiddleware<{ user: User }>

describe('P2: a chain that declares state knows its keys', () => {
  test('createApp: strict from the first middleware that declares a key', () => {
    createApp()
      .use(session())
      .get('/', (ctx) => {
        // @ts-expect-error misspelt
        ctx.state.sesion
        return text('')
      })
    createApp()
      .use(cors(), logger())
      .get('/', (ctx) => {
        expectTypeOf(ctx.state.anything).toBeAny()
        return text('')
      })
  })

  test('createApp<Env, {}>() and tiny are strict from the start', () => {
    createApp<{ KEY: string }, {}>().get('/', (ctx) => {
      expectTypeOf(ctx.state).toEqualTypeOf<{}>()
      expectTypeOf(ctx.env).toEqualTypeOf<{ KEY: string }>()
      // @ts-expect-error nothing adds it
      ctx.state.user
      return text('')
    })
    createTiny<{ KEY: string }, {}>()
      .use(bearer())
      .get('/', (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        expectTypeOf(ctx.env.KEY).toEqualTypeOf<string>()
        // @ts-expect-error misspelt
        ctx.state.usr
        return ctx.text('')
      })
  })

  test('middleware that is written inline sees the environment of the application', () => {
    type Env = { KEY: string }
    const key = (env: Env): string => {
      expectTypeOf(env).toEqualTypeOf<Env>()
      return env.KEY
    }
    createApp<Env, {}>()
      .use((ctx, next) => {
        expectTypeOf(ctx.env).toEqualTypeOf<Env>()
        // @ts-expect-error misspelt
        ctx.env.KYE
        return next()
      })
      .use(
        '/a/*',
        bearer(),
        (ctx, next) => (key(ctx.env) ? next() : text('')),
        (ctx, next) => {
          expectTypeOf(ctx.env).toEqualTypeOf<Env>()
          return next()
        },
      )
      .group('/b', (routes) =>
        routes.get(
          '/',
          (ctx, next) => {
            expectTypeOf(ctx.env).toEqualTypeOf<Env>()
            return next()
          },
          (ctx) => text(key(ctx.env)),
        ),
      )
    createTiny<Env, {}>().post(
      '/',
      (ctx, next) => {
        expectTypeOf(ctx.env).toEqualTypeOf<Env>()
        return next()
      },
      () => text(''),
    )
  })

  test('a route of a group has the parameters of its prefixes', () => {
    const app = createApp()
      .group('/:org', (routes) =>
        routes
          .get('/', (ctx) => {
            expectTypeOf(ctx.params).toEqualTypeOf<{ readonly org: string }>()
            return text('')
          })
          .group('teams/:team', (inner) =>
            inner.use(bearer()).get('/users/:id', bearer(), (ctx) => {
              expectTypeOf(ctx.params).toEqualTypeOf<{
                readonly org: string
                readonly team: string
                readonly id: string
              }>()
              // @ts-expect-error misspelt
              ctx.params.tem
              return text('')
            }),
          ),
      )
      .get('/:id', (ctx) => {
        expectTypeOf(ctx.params).toEqualTypeOf<{ readonly id: string }>()
        return text('')
      })
    app.group('/:org', (routes) => {
      const path: string = '/x'
      routes.get(path, (ctx) => {
        expectTypeOf(ctx.params).toEqualTypeOf<Record<string, string>>()
        return text('')
      })
    })
    createTiny().group('/:org/', (routes) => routes.all('/*', (ctx) => text(ctx.params.org + ctx.params['*'])))
  })

  test('pipe is strict from the start', () => {
    pipe(
      blank,
      // @ts-expect-error nothing adds it
      route('GET', '/', (ctx) => text(ctx.state.user)),
      toFetch,
    )
    pipe(
      blank,
      use(session()),
      use((ctx, next) => {
        expectTypeOf(ctx.state.session).toEqualTypeOf<Map<string, string>>()
        // @ts-expect-error misspelt
        ctx.state.sesion
        return next()
      }),
      use(at('/admin/*', bearer()), cors()),
      route('GET', '/', (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        expectTypeOf(ctx.state.session).toEqualTypeOf<Map<string, string>>()
        // @ts-expect-error misspelt
        return text(ctx.state.usr)
      }),
      toFetch,
    )
  })

  test('middleware that declares nothing leaves a strict chain strict', () => {
    const plain: Middleware = (ctx, next) => {
      ctx.state.anything = 1
      return next()
    }
    createApp<unknown, {}>()
      .use(cors())
      .use(helmet())
      .use(logger(), compression())
      .use('/a/*', securityHeaders())
      .use(plain)
      .use((_, next) => next())
      .get('/', plain, (ctx) => {
        // @ts-expect-error nobody declared it
        ctx.state.anything
        return text('')
      })
  })

  test('a group knows what is around it, and keeps what it adds to itself', () => {
    const app = createApp<unknown, {}>().use(session())
    app.group('/a', (routes) => {
      routes.use(bearer()).get('/', (ctx) => {
        expectTypeOf(ctx.state.session).toEqualTypeOf<Map<string, string>>()
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        return ctx.html('')
      })
    })
    // @ts-expect-error only the group adds it
    app.get('/', (ctx) => ctx.json(ctx.state.user))
  })
})

describe('P2: an application in statements stays loose, as those of SPEC are', () => {
  test('what `use` added is readable without a declaration', () => {
    const app = createApp({ basePath: '/api' })
    app.use(session())
    app.use('/admin/*', bearer())
    app.get('/', (ctx) => {
      expectTypeOf(ctx.state.session).toBeAny()
      return ctx.json({ user: ctx.state.user.id })
    })
    app.group('/x', (routes) => {
      routes.use(bearer())
      routes.get('/:id', (ctx) => text(ctx.state.user.name + ctx.params.id))
    })
  })

  test('middleware and handlers typed by the bare names read and write any key', () => {
    const auth: Middleware = async (ctx, next) => {
      if (!ctx.header('authorization')) return ctx.json({ error: 'Unauthorized' }, 401)
      ctx.state.user = { id: 1 }
      return next()
    }
    const show: Handler = (ctx) => ctx.json({ user: ctx.state.user.id })
    const list = (ctx: Context): Response => ctx.json(ctx.state.user)
    const app = createApp()
    app.use(auth)
    app.get('/a', auth, show)
    app.get('/b', list)
    createApp<unknown, {}>().use(bearer()).get('/a', auth, show).get('/b', list)
  })

  test('compose takes middleware that declares state or needs it', () => {
    const needs: AnyMiddleware<{ admin: true }, { user: User }> = (_, next) => next()
    compose([cors(), session(), bearer(), needs, (_, next) => next()], (ctx) => {
      expectTypeOf(ctx.state.session).toBeAny()
      expectTypeOf(ctx.method).toEqualTypeOf<string>()
      return text('')
    })
  })

  test('a function that takes an application takes every application', () => {
    const register = (app: App): void => {
      app.use(session())
      app.get('/', (ctx) => ctx.json(ctx.state.user))
    }
    register(createApp())
    register(createApp<{ KEY: string }, {}>())
    register(createApp().use(session()))
    register(createApp<{ KEY: string }, {}>().use(session()).use(bearer()))
  })
})
