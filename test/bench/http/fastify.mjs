import { Readable } from 'node:stream'
import fastify from 'fastify'
import { BLOCKS, FILES } from '../rows.mjs'

const BLOCK = new Uint8Array(65_536)
const EVENT = `data: ${'x'.repeat(64)}\n\n`

const files = (app) => app.register(import('@fastify/static'), { root: FILES })

const schema = {
  body: {
    type: 'object',
    required: ['name', 'email', 'age'],
    properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' }, age: { type: 'number' } },
  },
}

const cases = {
  file1: files,
  file64: files,
  unchanged: files,
  text: (app) => app.get('/', (_, reply) => reply.type('text/plain; charset=utf-8').send('hello world')),
  json: (app) => app.get('/', async () => ({ message: 'hello', ok: true, n: 1 })),
  param: (app) => app.get('/users/:id', async (request) => ({ id: request.params.id, q: request.query.q })),
  post: (app) => app.post('/', { schema, handler: async (request) => request.body }),
  typed: (app) => app.post('/', { schema, handler: async (request, reply) => reply.code(201).send(request.body) }),
  guarded: async (app) => {
    await app.register(import('@fastify/helmet'), { contentSecurityPolicy: false })
    await app.register(import('@fastify/cors'))
    cases.typed(app)
  },
  headers: async (app) => {
    await app.register(import('@fastify/helmet'), { contentSecurityPolicy: false })
    await app.register(import('@fastify/cors'))
    cases.text(app)
  },
  limit: async (app) => {
    await app.register(import('@fastify/rate-limit'), { max: 1e9, timeWindow: 60_000 })
    await cases.headers(app)
  },
  session: async (app) => {
    await app.register(import('@fastify/cookie'))
    await app.register(import('@fastify/session'), {
      secret: 'a secret of thirty-two bytes or more',
      cookie: { secure: false },
      saveUninitialized: false,
    })
    app.get('/login', async (request) => {
      request.session.user = 'Ann'
      return 'in'
    })
    app.get('/', async (request) => request.session.user ?? 'nobody')
  },
  sse: (app) => {
    const listeners = new Set()
    app.get('/events', (_, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' })
      reply.raw.flushHeaders()
      listeners.add(reply.raw)
      reply.raw.on('close', () => listeners.delete(reply.raw))
    })
    app.get('/publish', async () => {
      for (const listener of listeners) listener.write(EVENT)
      return 'sent'
    })
  },
  large: (app) => app.post('/', async (request) => `${request.body.length}`),
  stream: (app) => {
    const blocks = function* () {
      for (let count = 0; count < BLOCKS; count++) yield BLOCK
    }
    app.get('/', (_, reply) => reply.type('application/octet-stream').send(Readable.from(blocks())))
  },
}

export const serve = async (name, port) => {
  const app = fastify()
  await cases[name](app)
  await app.listen({ port, host: '127.0.0.1' })
}
