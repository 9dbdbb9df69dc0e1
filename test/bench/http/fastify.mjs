import fastify from 'fastify'

const cases = {
  text: (app) => app.get('/', (_, reply) => reply.type('text/plain; charset=utf-8').send('hello world')),
  json: (app) => app.get('/', async () => ({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', async (request) => ({ id: request.params.id, q: request.query.q })),
  post: (app) =>
    app.post('/', {
      schema: {
        body: {
          type: 'object',
          required: ['name', 'email', 'age'],
          properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' }, age: { type: 'number' } },
        },
      },
      handler: async (request) => request.body,
    }),
  headers: async (app) => {
    await app.register(import('@fastify/helmet'))
    await app.register(import('@fastify/cors'))
    cases.text(app)
  },
  limit: async (app) => {
    await app.register(import('@fastify/rate-limit'), { max: 1e9, timeWindow: 60_000 })
    await cases.headers(app)
  },
}

export const serve = async (name, port) => {
  const app = fastify()
  await cases[name](app)
  await app.listen({ port, host: '127.0.0.1' })
}
