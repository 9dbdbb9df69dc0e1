import { createApp } from '../../../src/app.ts'
import { csrf } from '../../../src/middleware/csrf.ts'
import { rateLimiter } from '../../../src/middleware/rate-limiter.ts'
import { session } from '../../../src/middleware/session.ts'
import { slidingWindow } from '../../../src/rate-limit/sliding-window.ts'
import { tokenBucket } from '../../../src/rate-limit/token-bucket.ts'
import { json } from '../../../src/respond/json.ts'
import { text } from '../../../src/respond/text.ts'
import { destroySession } from '../../../src/session.ts'
import { cookieSession } from '../../../src/stores/cookie-session.ts'
import { durableObjectRateLimit, rateLimitObject } from '../../../src/stores/durable-object-rate-limit.ts'
import { kvSession } from '../../../src/stores/kv-session.ts'

/** The object that the binding LIMITER counts with. */
export class Limiter extends rateLimitObject([slidingWindow, tokenBucket]) {}

const secret = 'one secret'
const limit = { max: 50, windowMs: 600_000, keyGenerator: () => 'everybody' }
const store = (ctx: any) => durableObjectRateLimit(ctx.env.LIMITER) // any: the platform's bindings

/** Everything here is made at module scope, where workerd forbids randomness and timers. */
const app = createApp()
  .get('/fixed', rateLimiter({ ...limit, store, name: 'fixed' }), () => text('ok'))
  .get('/bucket', rateLimiter({ ...limit, store, name: 'bucket', algorithm: tokenBucket }), () => text('ok'))
  .get('/sliding', rateLimiter({ ...limit, store, name: 'sliding', algorithm: slidingWindow }), () => text('ok'))
  .get('/short', rateLimiter({ ...limit, max: 2, windowMs: 1000, store, name: 'short' }), () => text('ok'))
  .get('/memory', rateLimiter(limit), () => text('ok'))
  .use('/kv', session({ secret, store: (ctx) => kvSession(ctx.env.SESSIONS) }))
  .use('/cookie', session({ secret, store: cookieSession() }))
  .use('/memory-session', session({ secret }))
  .use('/csrf', csrf({ secret }))
  .all('/csrf', (ctx) => json({ token: ctx.state.csrfToken }))

for (const path of ['/kv', '/cookie', '/memory-session'] as const) {
  app.post(path, async (ctx: any) => {
    Object.assign(ctx.state.session, await ctx.json()) // any: three sessions, one loop
    return json(ctx.state.session)
  })
  app.get(path, (ctx: any) => json(ctx.state.session))
  app.delete(path, (ctx) => {
    destroySession(ctx)
    return json({})
  })
}

export default { fetch: app.fetch }
