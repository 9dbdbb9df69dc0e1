import { describe, expectTypeOf, test } from 'vitest'
import { fromNodeMiddleware } from '../../src/from-node-middleware.ts'
import {
  type App,
  type Context,
  compression,
  cors,
  createApp,
  csrf,
  logger,
  type Middleware,
  type RateLimitStore,
  rateLimiter,
  type SessionStore,
  session,
  validateBody,
  validateQuery,
  validator,
} from '../../src/index.ts'
import type { metrics } from '../../src/metrics.ts'
import { apiKey } from '../../src/middleware/api-key.ts'
import { basicAuth } from '../../src/middleware/basic-auth.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { cache } from '../../src/middleware/cache.ts'
import { except } from '../../src/middleware/combine.ts'
import { deprecation } from '../../src/middleware/deprecation.ts'
import { type IdempotencyStore, idempotency } from '../../src/middleware/idempotency.ts'
import { loadShedding } from '../../src/middleware/load-shedding.ts'
import { jsonFormat } from '../../src/middleware/logger.ts'
import { requestId } from '../../src/middleware/request-id.ts'
import { serverTiming } from '../../src/middleware/server-timing.ts'
import { blank, type Middleware as PipeMiddleware, pipe, route, text, toFetch, use } from '../../src/pipe.ts'
import { proxy } from '../../src/proxy.ts'
import { createApp as createTiny } from '../../src/tiny.ts'
import { tracing } from '../../src/tracing.ts'
import * as z from '../../src/z.ts'

const S = z.object({ a: z.string() })

/** An interface, which has no index signature. */
interface Tenant {
  tenant: string
}
interface Bindings {
  KV: { readonly sessions: SessionStore }
}
declare const store: IdempotencyStore
declare const hits: RateLimitStore
declare const meter: Parameters<typeof metrics>[0]['meter']
declare const signIn: Middleware<{ user: { name: string } }>
declare const step: Middleware<{ step: string }>

/** An application that knows its state and its environment. */
declare const app: App<Tenant, Bindings, never>
/** Takes the context of that application, and nothing that knows less. */
declare const tenantOf: (ctx: Context<Tenant, Record<string, string>, Bindings>) => string

describe('NF2: callbacks of options get the context of the application', () => {
  test('of guards and of what tells clients apart', () => {
    app
      .use(apiKey({ verify: (key, ctx) => key + tenantOf(ctx) }))
      .use(basicAuth({ verify: (name, password, ctx) => name + password + tenantOf(ctx) }))
      .use(bearerAuth({ verify: (token, ctx) => token + tenantOf(ctx) }))
      .use(bearerAuth({ optional: true, verify: (token, ctx) => token + tenantOf(ctx) }))
      .use(csrf({ secret: '', getSessionId: (ctx) => tenantOf(ctx), ignore: (ctx) => tenantOf(ctx) === '' }))
      .use(except((ctx) => tenantOf(ctx) === '', signIn))
      .use(cors({ origin: (origin, ctx) => tenantOf(ctx) === origin }))
      .use(idempotency({ store, scope: (ctx) => tenantOf(ctx) }))
      .use(session({ secret: '', store: (ctx) => (tenantOf(ctx) ? ctx.env.KV.sessions : ctx.env.KV.sessions) }))
      .use(
        rateLimiter({
          windowMs: 1,
          max: 1,
          keyGenerator: (ctx) => tenantOf(ctx),
          skip: (ctx) => tenantOf(ctx) === '',
          store: (ctx) => (tenantOf(ctx) ? hits : hits),
        }),
      )
  })

  test('of what watches requests', () => {
    app
      .use(logger({ skip: (ctx) => tenantOf(ctx) === '', format: (_, ctx) => tenantOf(ctx) }))
      .use(logger({ format: jsonFormat({ fields: (ctx) => ({ tenant: tenantOf(ctx) }) }) }))
      .use(tracing({ trust: (ctx) => tenantOf(ctx) === '' }))
      .use(requestId({ trust: (ctx) => tenantOf(ctx) === '', create: (ctx) => tenantOf(ctx) }))
      .use(serverTiming({ enabled: (ctx) => tenantOf(ctx) === '' }))
      .use(loadShedding({ maxConcurrent: 1, skip: (ctx) => tenantOf(ctx) === '' }))
  })

  test('of what works on responses', () => {
    app
      .use(cache({ key: (ctx) => tenantOf(ctx), tags: (ctx) => [tenantOf(ctx)] }))
      .use(compression({ filter: (ctx) => tenantOf(ctx) === '' }))
      .use(deprecation({ since: new Date(), when: (ctx) => tenantOf(ctx) === '' }))
      .use(fromNodeMiddleware((_, __, next) => next(), { keep: (_, ctx) => tenantOf(ctx) }))
      .all('/a/*', proxy('http://127.0.0.1', { headers: (ctx) => ({ 'x-tenant': tenantOf(ctx) }) }))
  })

  test('with what middleware before has added, to the application and to the route', () => {
    app
      .use(signIn)
      .use(cache({ key: (ctx) => ctx.state.user.name + ctx.state.tenant }))
      .get('/a', step, cache({ key: (ctx) => ctx.state.user.name + ctx.state.step }), (ctx) =>
        ctx.text(ctx.state.user.name + ctx.state.step),
      )
    createApp()
      .use(cache({ key: (ctx) => ctx.state.anything }))
      .use(signIn)
      .group('/b', (routes) => routes.use(cache({ key: (ctx) => ctx.state.user.name })))
    pipe(
      blank,
      use(cache({ key: (ctx) => ctx.state.anything })),
      route('GET', '/', cache({ key: (ctx) => ctx.state.anything }), () => text('')),
      toFetch,
    )
  })

  test('what nobody has declared is an error', () => {
    // @ts-expect-error misspelt
    app.use(cache({ key: (ctx) => ctx.state.tennant }))
    // @ts-expect-error misspelt
    app.use(session({ secret: '', store: (ctx) => ctx.env.KW.sessions }))
    // @ts-expect-error added by nobody
    app.get('/', cache({ key: (ctx) => ctx.state.user }), signIn, (ctx) => ctx.text(''))
  })

  test('`onError` of a validator has the methods of its door', () => {
    app
      .post(
        '/a',
        validateBody(S, { onError: (issues, ctx) => ctx.json({ issues, of: ctx.state.tenant }, 422) }),
        (ctx) => ctx.text(ctx.state.validated.a),
      )
      .use(validator({ schema: S, source: 'query', onError: (_, ctx) => ctx.stream([ctx.state.tenant]) }))
      .get('/b', (ctx) => ctx.text(ctx.state.valid.query.a))
    createTiny().post('/', validateQuery(S, { onError: (_, ctx) => ctx.html('') }), (ctx) =>
      ctx.text(ctx.state.validated.a),
    )
    // @ts-expect-error the smaller door has no container
    createTiny().post('/', validateBody(S, { onError: (_, ctx) => ctx.text(ctx.container) }), (ctx) => ctx.text(''))
    pipe(
      blank,
      // @ts-expect-error a plan has no methods
      route('POST', '/', validateBody(S, { onError: (_, ctx) => ctx.json(1) }), () => text('')),
      toFetch,
    )
  })

  test('declared elsewhere, one says which context it needs', () => {
    const own = validateBody(S, { onError: (issues, ctx: Context) => ctx.json(issues) })
    createApp().post('/', own, (ctx) => {
      expectTypeOf(ctx.state.validated).toEqualTypeOf<{ a: string }>()
      return ctx.text('')
    })
    // @ts-expect-error the smaller door has no container
    createTiny().post('/', own, (ctx) => ctx.text(''))
    createTiny().post('/', validateBody(S), (ctx) => ctx.text(ctx.state.validated.a))
    const byTenant = cache({ key: (ctx: Context<Tenant>) => ctx.state.tenant })
    app.use(byTenant).get('/', byTenant, (ctx) => ctx.text(ctx.state.tenant))
    // @ts-expect-error without a tenant
    createApp<Bindings, { user: string }>().use(byTenant)
  })

  test('declared elsewhere without a type, it may read anything, and fits everywhere', () => {
    const loose = cache({ key: (ctx) => ctx.state.anything + ctx.env.anything + ctx.header('a') })
    const typed: Middleware = rateLimiter({ windowMs: 1, max: 1, keyGenerator: (ctx) => ctx.state.a + ctx.env.b })
    const piped: PipeMiddleware = cache({ key: (ctx) => ctx.state.a + ctx.env.b })
    app.use(loose, typed, piped)
    createApp().use(loose, typed, piped)
    pipe(blank, use(loose, piped), toFetch)
  })
})
