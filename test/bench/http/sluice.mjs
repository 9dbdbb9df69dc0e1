import { createApp } from '../../../dist/index.js'
import { cors } from '../../../dist/middleware/cors.js'
import { helmet } from '../../../dist/middleware/helmet.js'
import { rateLimiter } from '../../../dist/middleware/rate-limiter.js'
import { json } from '../../../dist/respond/json.js'
import { text } from '../../../dist/respond/text.js'
import * as z from '../../../dist/z.js'

const cases = {
  text: (app) => app.get('/', () => text('hello world')),
  json: (app) => app.get('/', () => json({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', (ctx) => json({ id: ctx.params.id, q: ctx.query.get('q') })),
  post: (app) => {
    const schema = z.object({ name: z.string(), email: z.string().email(), age: z.number() })
    return app.post('/', async (ctx) => json(await ctx.validate(schema)))
  },
  headers: (app) =>
    app
      .use(helmet())
      .use(cors())
      .get('/', () => text('hello world')),
  limit: (app) =>
    app
      .use(helmet())
      .use(cors())
      .use(rateLimiter({ max: 1e9, windowMs: 60_000 }))
      .get('/', () => text('hello world')),
}

export const serve = (name, port) => cases[name](createApp()).listen({ port, hostname: '127.0.0.1' })
