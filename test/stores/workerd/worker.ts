import { createWorker } from '../../../src/adapter/workers.ts'
import { createApp } from '../../../src/app.ts'
import { health } from '../../../src/health.ts'
import { cache } from '../../../src/middleware/cache.ts'
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

const slowly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400))
const booting = createApp().get('/left/boot', () => text('ok'))
booting.register({ boot: slowly })
health({ readyPath: '/left/health', ready: { slow: slowly } })(app)
let hangs = true
const once = (): Promise<void> | undefined => {
  const first = hangs
  hangs = false
  return first ? slowly() : undefined
}
health({ livePath: '/live', readyPath: '/hanging', timeoutMs: 100, ready: { once } })(app)
app
  .get('/left/cache', cache({ maxAge: 60 }), async () => {
    await slowly()
    return text('ok')
  })
  .get('/left/boot', ({ request, env, execution }) => booting.fetch(request, env, execution))
  // any: workerd's binding of the worker to itself. Asks for a path, and leaves before the answer
  .get('/leave/:name', async (ctx: any) => {
    const signal = AbortSignal.timeout(100)
    await ctx.env.SELF.fetch(new URL(`/left/${ctx.params.name}`, ctx.url), { signal }).catch(() => {})
    return text('left')
  })

/** Jobs run beside requests in one isolate: what they did is asked for by a request. */
const done: string[] = []
// any: workerd's binding of the worker to itself
app
  .get('/cron/:name', async (ctx: any) => {
    const { outcome } = await ctx.env.SELF.scheduled({ scheduledTime: new Date(0), cron: ctx.params.name })
    return json({ outcome, done: done.splice(0) })
  })
  .get('/queue/:name', async (ctx: any) => {
    const bodies = ctx.query.getAll('body')
    const messages = bodies.map((body: string) => ({ id: body, timestamp: new Date(0), attempts: 1, body }))
    const { outcome, explicitAcks, retryMessages, ackAll } = await ctx.env.SELF.queue(ctx.params.name, messages)
    const again = retryMessages.map(({ msgId }: { msgId: string }) => msgId)
    return json({ outcome, acks: [...explicitAcks].sort(), again: again.sort(), ackAll, done: done.splice(0).sort() })
  })

export default createWorker<{ GREETING: string }>(app, {
  crons: {
    daily: async ({ cron, scheduledTime }, { env, waitUntil }) => {
      waitUntil(Promise.resolve().then(() => void done.push('kept')))
      done.push(`${cron} ${scheduledTime} ${env.GREETING}`)
    },
    failing: () => Promise.reject(new Error('the job has failed')),
  },
  queues: {
    mail: (message) => {
      if (message.body === 'bad') throw new Error('a bad message')
      if (message.body === 'later') message.retry({ delaySeconds: 60 })
      done.push(message.body)
    },
  },
})
