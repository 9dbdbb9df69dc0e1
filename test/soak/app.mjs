import { createHash } from 'node:crypto'
import { createApp } from 'sluice/app'
import { Container, scoped } from 'sluice/container'
import { toResponse } from 'sluice/errors'
import { apiKey } from 'sluice/middleware/api-key'
import { apiVersion } from 'sluice/middleware/api-version'
import { basicAuth } from 'sluice/middleware/basic-auth'
import { bearerAuth } from 'sluice/middleware/bearer-auth'
import { bodyParser } from 'sluice/middleware/body-parser'
import { compression } from 'sluice/middleware/compression'
import { cors } from 'sluice/middleware/cors'
import { csrf } from 'sluice/middleware/csrf'
import { deprecation } from 'sluice/middleware/deprecation'
import { helmet } from 'sluice/middleware/helmet'
import { logger } from 'sluice/middleware/logger'
import { rateLimiter } from 'sluice/middleware/rate-limiter'
import { requestScope } from 'sluice/middleware/request-scope'
import { sanitizer } from 'sluice/middleware/sanitizer'
import { securityHeaders } from 'sluice/middleware/security-headers'
import { session } from 'sluice/middleware/session'
import { trustedProxy } from 'sluice/middleware/trusted-proxy'
import { validator } from 'sluice/middleware/validator'
import { versioned } from 'sluice/middleware/versioned'
import { readBytes } from 'sluice/read/bytes'
import { html } from 'sluice/respond/html'
import { json } from 'sluice/respond/json'
import { sse } from 'sluice/respond/sse'
import { stream } from 'sluice/respond/stream'
import { text } from 'sluice/respond/text'
import { redisRateLimit } from 'sluice/stores/redis-rate-limit'
import { redisSession } from 'sluice/stores/redis-session'
import * as z from 'sluice/z'
import { blockOf, SECRET } from './facts.mjs'

const User = z.object({ name: z.string(), email: z.string().email(), age: z.number() })

/**
 * The application of the soak: all of src/middleware, sessions and counts in Redis. A Redis that is away fails at once,
 * and one that is slow because the machine is busy must not cost a session: hence the long time limit.
 */
export const createSoakApp = (send, counts) => {
  const services = new Container()
  const open = () => {
    counts.scopes++
    return { unit: true }
  }
  scoped(services, 'unit', open, () => {
    counts.scopes--
  })
  const app = createApp({
    onError: (error) => (error.message === 'on purpose' ? json({ error: 'on purpose' }, 418) : toResponse(error)),
  })
    .use(
      logger({
        format: 'json',
        log: () => {
          counts.requests++
        },
      }),
    )
    .use(trustedProxy({ trustProxy: 1 }))
    .use(requestScope(services))
    .use(helmet({ contentSecurityPolicy: { nonce: true } }))
    .use(securityHeaders())
    .use(cors({ origin: ['https://app.example'], credentials: true }))
    .use(compression())
    .use(
      rateLimiter({
        max: 1e9,
        windowMs: 60_000,
        name: 'all',
        store: redisRateLimit({ send, timeoutMs: 20_000, prefix: 'soak:limit:' }),
        passOnStoreError: true,
      }),
    )
    .use(
      session({
        secret: SECRET,
        cookie: { maxAge: 600 },
        store: redisSession({ send, timeoutMs: 20_000, prefix: 'soak:session:' }),
        rolling: true,
        passOnStoreError: true,
      }),
    )

  app.get('/text', () => text('hello world'))
  app.get('/users/:id', (ctx) => json({ id: ctx.params.id, q: ctx.query.get('q') }))
  app.get('/page', (ctx) => html(`<script nonce="${ctx.state.cspNonce}">0</script>${'<p>many words</p>'.repeat(400)}`))
  app.get('/count', (ctx) => {
    ctx.state.session.count = (ctx.state.session.count ?? 0) + 1
    return json({ count: ctx.state.session.count })
  })
  app.get('/scope', (ctx) => json(ctx.state.container.make('unit')))
  app.get('/fails', () => {
    throw new Error('on purpose')
  })

  app.post('/raw', async (ctx) => {
    const bytes = await readBytes(ctx)
    return json({ size: bytes.length, sha: createHash('sha1').update(bytes).digest('hex') })
  })
  app.post('/through', (ctx) => stream(ctx.request.body, { 'content-type': 'application/octet-stream' }))
  app.post('/users', bodyParser({ inflate: true }), sanitizer(), validator({ schema: User }), (ctx) =>
    json(ctx.state.validated, 201),
  )
  app.post('/upload', bodyParser({ form: { limit: 2_000_000 } }), (ctx) => {
    const { body } = ctx.state
    return json(Object.keys(body ?? {}))
  })
  app.get('/token', csrf({ secret: SECRET }), (ctx) => {
    ctx.state.session.form = true
    return json({ token: ctx.state.csrfToken })
  })
  app.post('/form', bodyParser(), csrf({ secret: SECRET }), (ctx) => json(ctx.state.body))

  app.get('/key', apiKey({ verify: (key) => key === 'soak-key' && { name: 'key' } }), (ctx) => json(ctx.state.user))
  app.get('/bearer', bearerAuth({ verify: (token) => token === 'soak' && { name: 'bearer' } }), (ctx) =>
    json(ctx.state.user),
  )
  app.get('/basic', basicAuth({ users: { ada: 'soak' } }), (ctx) => json(ctx.state.user))
  app.get(
    '/versions',
    apiVersion({ versions: ['1', '2'] }),
    deprecation({ since: new Date('2026-01-01') }),
    versioned({ 1: () => text('one'), 2: () => text('two') }),
  )

  app.get('/blocks/:count', (ctx) => {
    const count = Number(ctx.params.count)
    return stream(async function* () {
      counts.senders++
      try {
        for (let index = 0; index < count; index++) yield blockOf(index)
      } finally {
        counts.senders--
      }
    })
  })
  app.get('/events/:count', (ctx) =>
    sse(async (send) => {
      for (let index = 0; index < Number(ctx.params.count); index++) await send({ id: `${index}`, data: { index } })
    }),
  )
  app.get('/events', () =>
    sse(
      (send) => {
        counts.senders++
        const timer = setInterval(() => void send({ data: 'x'.repeat(2000) }), 20)
        return () => {
          counts.senders--
          clearInterval(timer)
        }
      },
      { heartbeatMs: 50 },
    ),
  )
  return app
}
