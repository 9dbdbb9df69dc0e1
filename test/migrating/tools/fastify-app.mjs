import fastify from 'fastify'

/** An error of this application, as many have one. */
class OutOfStock extends Error {
  statusCode = 409
}

/** An application of Fastify 5 with what most of them have. test/migrating/fastify-port.ts is the same one here. */
export const fastifyApp = () => {
  const items = new Map([[1, { id: 1, name: 'pen' }]])
  const app = fastify({ bodyLimit: 1_000 })

  app.decorate('shop', { name: 'north' })
  app.decorateRequest('user', null)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-app', 'shop')
  })
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-route', request.routeOptions.url ?? 'none')
    return payload
  })
  app.setErrorHandler((error, _request, reply) => {
    if (error.validation) return reply.code(400).send({ error: 'invalid' })
    const status = error.statusCode ?? 500
    return reply.code(status).send({ error: status === 500 ? 'It is our fault' : error.message })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Nothing here' }))

  const members = async (request, reply) => {
    if (request.headers['x-key'] !== 'k') return reply.code(401).send({ error: 'No key' })
    request.user = 'ann'
  }

  app.register(
    async (list) => {
      list.addHook('onRequest', async (_request, reply) => {
        reply.header('x-list', 'yes')
      })
      list.get(
        '/',
        {
          schema: {
            querystring: {
              type: 'object',
              properties: { page: { type: 'integer', minimum: 1, default: 1 }, sort: { enum: ['id', 'name'] } },
            },
          },
        },
        async ({ query }) => ({ ...query, items: [...items.values()] }),
      )
      list.post(
        '/',
        {
          schema: {
            body: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
          },
        },
        async (request, reply) => {
          const item = { id: items.size + 1, name: request.body.name }
          items.set(item.id, item)
          reply.code(201).header('location', `/items/${item.id}`)
          return item
        },
      )
      list.get(
        '/:id',
        { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } } } },
        async (request, reply) => items.get(request.params.id) ?? reply.code(404).send({ error: 'Nothing here' }),
      )
      list.delete('/:id', { preHandler: members }, async (request, reply) => {
        items.delete(Number(request.params.id))
        return reply.header('x-by', request.user).code(204).send()
      })
      list.post('/:id/buy', async () => {
        throw new OutOfStock('Out of stock')
      })
    },
    { prefix: '/items' },
  )

  app.get('/shop', async function () {
    return this.shop
  })
  app.get('/text', async () => 'plain')
  app.get('/page', async (_request, reply) => reply.type('text/html').send('<b>page</b>'))
  app.get('/bytes', async () => Buffer.from('abc'))
  app.get('/old', async (_request, reply) => reply.redirect('/text', 301))
  app.get('/moved', async (_request, reply) => reply.redirect('/text'))
  app.get('/fails', async () => {
    throw new Error('secret')
  })
  app.get('/files/*', async (request) => request.params)
  app.get('/echo', async (request) => ({ method: request.method, url: request.url, host: request.hostname }))
  app.get('/two/:a/:b', async (request) => request.params)
  app.get('/status', async (_request, reply) => reply.code(403).send({ error: 'no' }))
  app.put('/both', async () => 'put')
  app.route({ method: ['GET', 'POST'], url: '/many', handler: async (request) => request.method })
  return app
}
