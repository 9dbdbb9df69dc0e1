import { HttpError } from '../../src/errors.ts'
import {
  apiVersion,
  bodyParser,
  createApp,
  csrf,
  json,
  rateLimiter,
  session,
  text,
  validateBody,
  validateParams,
  validateQuery,
  validator,
  z,
} from '../../src/index.ts'
import { apiKey } from '../../src/middleware/api-key.ts'
import { basicAuth } from '../../src/middleware/basic-auth.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { language } from '../../src/middleware/language.ts'
import { requestId } from '../../src/middleware/request-id.ts'

// P1, P2: programs as newcomers write them, for createApp: chains, statements, groups, mounted applications, errors: nothing is `any`

/** 0 extends 1 & T only for `any`. */
type IsAny<T> = 0 extends 1 & T ? true : false
/** The value; a compile error if its type is `any`. */
declare const known: <T>(value: T, ...no: IsAny<T> extends true ? ['the type is any'] : []) => T
const S = z.object({ name: z.string(), age: z.number().optional(), tags: z.array(z.string()) })
const Q = z.object({ page: z.coerce.number().default(1) })
const P = z.object({ id: z.coerce.number() })

// hello world, chained
export const a1 = createApp()
  .get('/', (ctx) => ctx.text(known(ctx.path)))
  .get('/u/:id/*rest', (ctx) => ctx.json({ a: known(ctx.params.id), b: known(ctx.params.rest) }))

// statements, loose state
const a2 = createApp()
a2.use(session({ secret: 'x'.repeat(32) }))
a2.get('/', (ctx) => ctx.json(ctx.state.session))
a2.post('/', validateBody(S), (ctx) => {
  known(ctx.state.validated)
  return json(ctx.state.validated.name)
})
// @ts-expect-error typo
a2.post('/', validateBody(S), (ctx) => json(ctx.state.validated.nmae))
a2.post('/', bodyParser(), validator({ schema: S }), (ctx) => {
  known(ctx.state.validated.tags[0])
  return json(1)
})
a2.get('/:id', validateParams(P), validateQuery(Q), (ctx) => {
  known(ctx.state.validated)
  return json(1)
})
a2.post('/:id', validateParams(P), validateQuery(Q), validateBody(S), async (ctx) => {
  const v = await ctx.validate(S)
  known(v)
  known(v.tags)
  return ctx.json(v)
})

// inline middleware
const a3 = createApp<unknown, {}>()
a3.use(async (ctx, next) => {
  known(ctx)
  known(next)
  known(ctx.header('x'))
  known(ctx.query.get('a'))
  known(ctx.url)
  known(ctx.method)
  const r = await next()
  known(r)
  r.headers.set('x', '1')
  return r
})
a3.get(
  '/',
  async (ctx, next) => {
    known(ctx)
    return next()
  },
  (ctx) => {
    known(ctx)
    return text('')
  },
)
a3.get('/', bearerAuth({ verify: (token) => ({ id: 1, token }) }), (ctx) => {
  known(ctx.state.user)
  return json(ctx.state.user.id)
})
// @ts-expect-error typo
a3.get('/', bearerAuth({ verify: (token) => ({ id: 1, token }) }), (ctx) => json(ctx.state.user.idd))
a3.get('/', bearerAuth({ verify: async (token) => (token ? { id: 1 } : undefined) }), (ctx) => {
  known(ctx.state.user)
  return json(ctx.state.user.id)
})
a3.get('/', apiKey({ verify: async (key) => key === 'a' && { id: 1 } }), (ctx) => {
  known(ctx.state.user)
  return json(ctx.state.user.id)
})
a3.get('/', basicAuth({ users: { a: 'b' } }), (ctx) => {
  known(ctx.state.user)
  return json(1)
})
a3.get('/', requestId(), language({ supported: ['en', 'de'] }), apiVersion({ versions: ['1'] }), (ctx) => {
  known(ctx.state.requestId)
  known(ctx.state.language)
  known(ctx.state.apiVersion)
  return json(1)
})
a3.get('/', session({ secret: 's' }), csrf({ secret: 's' }), rateLimiter({ max: 1, windowMs: 1 }), (ctx) => {
  known(ctx.state.session)
  known(ctx.state.csrfToken)
  return json(1)
})

// groups
export const a4 = createApp<unknown, {}>()
  .use(requestId())
  .group('/api', (api) => {
    known(api)
    return api.use(bearerAuth({ verify: () => ({ id: 1 }) })).get('/me', (ctx) => {
      known(ctx.state.user)
      known(ctx.state.requestId)
      return json(ctx.state.user.id)
    })
  })
createApp().group('/api', (api) =>
  api.get('/:id', (ctx) => {
    known(ctx.params)
    known(ctx.params.id)
    return text(ctx.params.id)
  }),
)

// mounted apps
const admin = createApp<unknown, {}>().get('/users/:id', (ctx) => {
  known(ctx.params.id)
  return text('')
})
export const a5 = createApp()
  .mount('/admin', admin)
  .get('/', () => text('x'))
known(a5)

// error handlers
createApp({
  onError: (error, ctx) => {
    known(ctx)
    if (error instanceof HttpError) {
      known(error.status)
      return ctx.json({ error: error.message }, error.status)
    }
    return ctx.text('x', 500)
  },
  notFound: (ctx) => {
    known(ctx)
    return ctx.html('<p>')
  },
})
