import { H3, handleCors, serve as listen } from 'h3'

const cases = {
  text: (app) => app.get('/', () => 'hello world'),
  json: (app) => app.get('/', () => ({ message: 'hello', ok: true, n: 1 })),
  param: (app) =>
    app.get('/users/:id', (event) => ({ id: event.context.params.id, q: event.url.searchParams.get('q') })),
  post: (app) =>
    app.post('/', async (event) => {
      const { name, email, age } = await event.req.json()
      if (typeof name !== 'string' || typeof email !== 'string' || !email.includes('@') || typeof age !== 'number')
        throw new Error('bad')
      return { name, email, age }
    }),
  headers: (app) => {
    app.use((event) => {
      handleCors(event, { origin: '*' })
      const { headers } = event.res
      headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
      headers.set('x-frame-options', 'SAMEORIGIN')
      headers.set('x-content-type-options', 'nosniff')
      headers.set('x-xss-protection', '1; mode=block')
      headers.set('referrer-policy', 'no-referrer')
    })
    cases.text(app)
  },
}

export const serve = (name, port) => {
  const app = new H3()
  cases[name](app)
  listen(app, { port, hostname: '127.0.0.1', silent: true })
}
