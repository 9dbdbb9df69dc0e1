import { createApp, HttpError, methodNotAllowed } from 'sluice'
import { defineEnv } from 'sluice/env'
import { health } from 'sluice/health'
import { signJwt } from 'sluice/jwt'
import { cache } from 'sluice/middleware/cache'
import { etag } from 'sluice/middleware/etag'
import { helmet } from 'sluice/middleware/helmet'
import { jwt } from 'sluice/middleware/jwt'
import { jsonFormat, logger } from 'sluice/middleware/logger'
import { rateLimiter } from 'sluice/middleware/rate-limiter'
import { requestId } from 'sluice/middleware/request-id'
import { requireScopes } from 'sluice/middleware/require-scopes'
import { validateBody } from 'sluice/middleware/validator'
import { proxy } from 'sluice/proxy'
import { serveStatic } from 'sluice/static'
import * as z from 'sluice/z'
import { whoIs } from './people.ts'

const { JWT_SECRET: secret, UPSTREAM: upstream } = defineEnv({
  JWT_SECRET: z.string().min(32),
  UPSTREAM: z.string().url().default('http://127.0.0.1:4000'),
})

/** Aborts when the server must shut down: `/readyz` fails from then on. */
export const draining = new AbortController()

const token = jwt({ algorithms: ['HS256'], secret, issuer: 'shop', audience: 'shop' })
const attempts = rateLimiter({ max: 5, windowMs: 60_000, skipSuccessfulRequests: true })
const list = cache({ maxAge: 60, staleWhileRevalidate: 600 })
const reviews = proxy(upstream, {
  timeoutMs: 2_000,
  // The upstream gets our request id, but not our token
  headers: (ctx) => ({ 'x-request-id': ctx.state.requestId, authorization: undefined }),
})
const format = jsonFormat({ fields: (ctx) => ({ user: ctx.state.jwt?.sub, headers: ctx.request.headers }) })

const Login = z.object({ name: z.string(), password: z.string().max(128) })
const Product = z.object({ name: z.string().min(1), price: z.number().positive().finite() })
const products = [{ name: 'Espresso', price: 2.5 }]
let reads = 0

export const app = createApp({ methodNotAllowed })
  .use(logger({ format, skip: ({ path }) => path === '/livez' || path === '/readyz' }))
  .use(requestId())
  .use(helmet())
  .use(etag())
  .use('/products', list)
  .use(serveStatic({ root: `${import.meta.dirname}/public` }))
  .post('/login', attempts, validateBody(Login), async (ctx) => {
    const { name, password } = ctx.state.valid.body
    const person = await whoIs(name, password)
    if (!person) throw new HttpError(401, 'Wrong name or password')
    const claims = { scope: person.scope }
    const options = { secret, subject: name, issuer: 'shop', audience: 'shop', expiresIn: 900 }
    return ctx.json({ token: await signJwt(claims, options) }, 200, { 'cache-control': 'no-store' })
  })
  .get('/me', token, (ctx) => ctx.json({ name: ctx.state.jwt.sub, scopes: ctx.state.scopes }))
  .get('/products', (ctx) => ctx.json({ products, reads: ++reads }))
  .post('/products', token, requireScopes('products:write'), validateBody(Product), (ctx) => {
    products.push(ctx.state.valid.body)
    return ctx.json({ product: ctx.state.valid.body }, 201)
  })
  .all('/reviews/*', token, reviews)

health({
  ready: { upstream: async (signal) => (await fetch(`${upstream}/livez`, { signal })).ok },
  draining: draining.signal,
})(app)
