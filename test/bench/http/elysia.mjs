import { Elysia, t } from 'elysia'
import { BLOCKS } from '../rows.mjs'
import { SECURITY } from '../security.mjs'

const BLOCK = new Uint8Array(65_536)
const EVENT = new TextEncoder().encode(`data: ${'x'.repeat(64)}\n\n`)
const EVENTS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }

const User = t.Object({ name: t.String(), email: t.String({ format: 'email' }), age: t.Number() })

const cases = {
  text: (app) => app.get('/', () => 'hello world'),
  json: (app) => app.get('/', () => ({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', ({ params, query }) => ({ id: params.id, q: query.q })),
  post: (app) => app.post('/', ({ body }) => body, { body: User }),
  typed: (app) => app.post('/', ({ body, status }) => status(201, body), { body: User, parse: 'json' }),
  guarded: (app) => cases.typed(app.headers(Object.fromEntries(SECURITY))),
  headers: (app) => app.headers(Object.fromEntries(SECURITY)).get('/', () => 'hello world'),
  session: (app) => {
    const sessions = new Map()
    app.get('/login', ({ cookie: { session } }) => {
      const id = crypto.randomUUID()
      sessions.set(id, { user: 'Ann' })
      session.set({ value: id, httpOnly: true })
      return 'in'
    })
    app.get('/', ({ cookie: { session } }) => sessions.get(session.value)?.user ?? 'nobody')
  },
  sse: (app) => {
    const listeners = new Set()
    app.get('/events', () => {
      let own
      const body = new ReadableStream({
        start(controller) {
          own = controller
          listeners.add(own)
        },
        cancel: () => listeners.delete(own),
      })
      return new Response(body, { headers: EVENTS })
    })
    app.get('/publish', () => {
      for (const listener of listeners) listener.enqueue(EVENT)
      return 'sent'
    })
  },
  large: (app) => app.post('/', ({ body }) => `${body.length}`),
  stream: (app) =>
    app.get('/', async function* () {
      for (let count = 0; count < BLOCKS; count++) yield BLOCK
    }),
}

/** The application of a row; workerd allows no generated code. */
export const appOf = (name, options = {}) => {
  const signed = { cookie: { secrets: 'a secret of thirty-two bytes or more', sign: ['session'] } }
  const app = new Elysia({ ...(name === 'session' && signed), ...options })
  cases[name](app)
  return app
}

export const serve = async (name, port) => {
  const { node } = await import('@elysiajs/node')
  appOf(name, { adapter: node() }).listen({ port, hostname: '127.0.0.1' })
}
