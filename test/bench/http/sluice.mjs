import { createApp } from '../../../dist/index.js'
import { rateLimiter } from '../../../dist/middleware/rate-limiter.js'
import { session } from '../../../dist/middleware/session.js'
import { validateBody } from '../../../dist/middleware/validator.js'
import { json } from '../../../dist/respond/json.js'
import { sse } from '../../../dist/respond/sse.js'
import { stream } from '../../../dist/respond/stream.js'
import { text } from '../../../dist/respond/text.js'
import { serveStatic } from '../../../dist/static.js'
import * as z from '../../../dist/z.js'
import { BLOCKS, FILES } from '../rows.mjs'
import { secured } from '../security.mjs'

const EVENT = { data: 'x'.repeat(64) }
const BLOCK = new Uint8Array(65_536)

const User = z.object({ name: z.string(), email: z.string().email(), age: z.number() })
const created = (ctx) => json(ctx.state.validated, 201)

const files = (app) => app.use(serveStatic({ root: FILES }))

const cases = {
  file1: files,
  file64: files,
  unchanged: files,
  text: (app) => app.get('/', () => text('hello world')),
  json: (app) => app.get('/', () => json({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', (ctx) => json({ id: ctx.params.id, q: ctx.query.get('q') })),
  post: (app) => app.post('/', async (ctx) => json(await ctx.validate(User))),
  typed: (app) => app.post('/', validateBody(User, { type: 'json' }), created),
  guarded: (app) => secured(app).post('/', validateBody(User, { type: 'json' }), created),
  headers: (app) => secured(app).get('/', () => text('hello world')),
  limit: (app) =>
    secured(app)
      .use(rateLimiter({ max: 1e9, windowMs: 60_000 }))
      .get('/', () => text('hello world')),
  session: (app) =>
    app
      .use(session({ secret: 'a secret of thirty-two bytes or more' }))
      .get('/login', (ctx) => {
        ctx.state.session.user = 'Ann'
        return text('in')
      })
      .get('/', (ctx) => text(ctx.state.session.user ?? 'nobody')),
  sse: (app) => {
    const listeners = new Set()
    const listen = (send) => {
      listeners.add(send)
      return () => listeners.delete(send)
    }
    app.get('/events', () => sse(listen, { heartbeatMs: 0 }))
    return app.get('/publish', () => {
      for (const send of listeners) send(EVENT)
      return text('sent')
    })
  },
  large: (app) => app.post('/', async (ctx) => json((await ctx.json()).length)),
  stream: (app) =>
    app.get('/', () =>
      stream(function* () {
        for (let count = 0; count < BLOCKS; count++) yield BLOCK
      }),
    ),
}

/** The application of a row, on any runtime. */
export const appOf = (name) => {
  const app = createApp()
  cases[name](app)
  return app
}

export const serve = (name, port) => appOf(name).listen({ port, hostname: '127.0.0.1' })
