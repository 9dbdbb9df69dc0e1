import { node } from '@elysiajs/node'
import { Elysia, t } from 'elysia'

const cases = {
  text: (app) => app.get('/', () => 'hello world'),
  json: (app) => app.get('/', () => ({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', ({ params, query }) => ({ id: params.id, q: query.q })),
  post: (app) =>
    app.post('/', ({ body }) => body, {
      body: t.Object({ name: t.String(), email: t.String({ format: 'email' }), age: t.Number() }),
    }),
  headers: (app) =>
    app
      .headers({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-frame-options': 'SAMEORIGIN',
        'x-content-type-options': 'nosniff',
        'x-xss-protection': '1; mode=block',
        'referrer-policy': 'no-referrer',
        'access-control-allow-origin': '*',
      })
      .get('/', () => 'hello world'),
}

export const serve = (name, port) => {
  const app = new Elysia({ adapter: node() })
  cases[name](app)
  app.listen({ port, hostname: '127.0.0.1' })
}
