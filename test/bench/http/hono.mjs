import { serve as listen } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import * as v from 'valibot'

const cases = {
  text: (app) => app.get('/', (c) => c.text('hello world')),
  json: (app) => app.get('/', (c) => c.json({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', (c) => c.json({ id: c.req.param('id'), q: c.req.query('q') })),
  post: (app) => {
    const schema = v.object({ name: v.string(), email: v.pipe(v.string(), v.email()), age: v.number() })
    app.post('/', async (c) => c.json(v.parse(schema, await c.req.json())))
  },
  headers: (app) => {
    app.use(secureHeaders()).use(cors())
    cases.text(app)
  },
}

export const serve = (name, port) => {
  const app = new Hono()
  cases[name](app)
  listen({ fetch: app.fetch, port, hostname: '127.0.0.1' })
}
