import { Hono } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { stream, streamSSE } from 'hono/streaming'
import * as v from 'valibot'
import { BLOCKS } from '../rows.mjs'

const EVENT = { data: 'x'.repeat(64) }
const BLOCK = new Uint8Array(65_536)
const SECRET = 'a secret of thirty-two bytes or more'

const User = v.object({ name: v.string(), email: v.pipe(v.string(), v.email()), age: v.number() })

const cases = {
  text: (app) => app.get('/', (c) => c.text('hello world')),
  json: (app) => app.get('/', (c) => c.json({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', (c) => c.json({ id: c.req.param('id'), q: c.req.query('q') })),
  post: (app) => app.post('/', async (c) => c.json(v.parse(User, await c.req.json()))),
  typed: (app) => app.post('/', async (c) => c.json(v.parse(User, await c.req.json()), 201)),
  guarded: (app) => cases.typed(app.use(secureHeaders()).use(cors())),
  headers: (app) => {
    app.use(secureHeaders()).use(cors())
    cases.text(app)
  },
  session: (app) => {
    const sessions = new Map()
    app.get('/login', async (c) => {
      const id = crypto.randomUUID()
      sessions.set(id, { user: 'Ann' })
      await setSignedCookie(c, 'session', id, SECRET, { httpOnly: true })
      return c.text('in')
    })
    app.get('/', async (c) => c.text(sessions.get(await getSignedCookie(c, SECRET, 'session'))?.user ?? 'nobody'))
  },
  sse: (app) => {
    const listeners = new Set()
    app.get('/events', (c) =>
      streamSSE(c, async (events) => {
        listeners.add(events)
        await new Promise((resolve) => events.onAbort(resolve))
        listeners.delete(events)
      }),
    )
    app.get('/publish', (c) => {
      for (const events of listeners) events.writeSSE(EVENT)
      return c.text('sent')
    })
  },
  large: (app) => app.post('/', async (c) => c.json((await c.req.json()).length)),
  stream: (app) =>
    app.get('/', (c) =>
      stream(c, async (out) => {
        for (let count = 0; count < BLOCKS; count++) await out.write(BLOCK)
      }),
    ),
}

/** The `fetch` of a row, on any runtime. */
export const appOf = (name) => {
  const app = new Hono()
  cases[name](app)
  return app
}

export const serve = async (name, port) => {
  const { serve: listen } = await import('@hono/node-server')
  listen({ fetch: appOf(name).fetch, port, hostname: '127.0.0.1' })
}
