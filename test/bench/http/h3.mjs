import { createEventStream, H3, serve as listen } from 'h3'
import { BLOCKS } from '../rows.mjs'
import { SECURITY } from '../security.mjs'

const EVENT = { data: 'x'.repeat(64) }
const BLOCK = new Uint8Array(65_536)

const readUser = async (event) => {
  const { name, email, age } = await event.req.json()
  if (typeof name !== 'string' || typeof email !== 'string' || !email.includes('@') || typeof age !== 'number')
    throw new Error('bad')
  return { name, email, age }
}

const secure = (event) => {
  for (const [name, value] of SECURITY) event.res.headers.set(name, value)
}

const cases = {
  text: (app) => app.get('/', () => 'hello world'),
  json: (app) => app.get('/', () => ({ message: 'hello', ok: true, n: 1 })),
  param: (app) =>
    app.get('/users/:id', (event) => ({ id: event.context.params.id, q: event.url.searchParams.get('q') })),
  post: (app) => app.post('/', readUser),
  typed: (app) =>
    app.post('/', (event) => {
      event.res.status = 201
      return readUser(event)
    }),
  guarded: (app) => cases.typed(app.use(secure)),
  headers: (app) => cases.text(app.use(secure)),
  sse: (app) => {
    const listeners = new Set()
    app.get('/events', (event) => {
      const events = createEventStream(event)
      listeners.add(events)
      events.onClosed(() => listeners.delete(events))
      return events.send()
    })
    app.get('/publish', () => {
      for (const events of listeners) events.push(EVENT)
      return 'sent'
    })
  },
  large: (app) => app.post('/', async (event) => (await event.req.json()).length),
  stream: (app) =>
    app.get('/', () => {
      let count = 0
      return new ReadableStream({
        pull(controller) {
          if (count++ < BLOCKS) controller.enqueue(BLOCK)
          else controller.close()
        },
      })
    }),
}

/** The application of a row, on any runtime. */
export const appOf = (name) => {
  const app = new H3()
  cases[name](app)
  return app
}

export const serve = (name, port) => listen(appOf(name), { port, hostname: '127.0.0.1', silent: true })
