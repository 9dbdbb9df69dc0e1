import {
  createApp,
  HttpError,
  json,
  type Middleware,
  toResponse,
  validateBody,
  validateParams,
  validateQuery,
  z,
} from 'sluice'
import { routePattern } from 'sluice/pipe'

class OutOfStock extends Error {
  readonly statusCode = 409
}

interface Item {
  id: number
  name: string
}

/** The application of test/migrating/tools/fastify-app.mjs, line by line as docs/migrating.md says. */
export const fastifyPort = () => {
  const items = new Map<number, Item>([[1, { id: 1, name: 'pen' }]])
  const shop = { name: 'north' }
  const onError = (error: unknown): Response => {
    if (error instanceof OutOfStock) return json({ error: error.message }, error.statusCode)
    const { status } = toResponse(error)
    if (status === 422) return json({ error: 'invalid' }, 400)
    return json({ error: status === 500 ? 'It is our fault' : (error as Error).message }, status)
  }
  const app = createApp({
    bodyLimit: 1_000,
    notFound: (ctx) => ctx.json({ error: 'Nothing here' }, 404),
    onError,
    onRefusal: onError,
  })

  app.use((ctx, next) => {
    ctx.onResponse(['x-app', 'shop'])
    ctx.onResponse((response) => response.headers.set('x-route', routePattern(ctx) ?? 'none'))
    return next()
  })

  const members: Middleware = (ctx, next) => {
    if (ctx.header('x-key') !== 'k') return ctx.json({ error: 'No key' }, 401)
    ctx.state.user = 'ann'
    return next()
  }

  app.group('/items', (list) => {
    list.use((ctx, next) => {
      ctx.onResponse(['x-list', 'yes'])
      return next()
    })
    const Query = z.object({
      page: z.coerce.number().int().min(1).default(1),
      sort: z.enum(['id', 'name']).optional(),
    })
    list.get('/', validateQuery(Query), (ctx) => ctx.json({ ...ctx.state.valid.query, items: [...items.values()] }))
    list.post('/', validateBody(z.object({ name: z.string().min(1) })), (ctx) => {
      const item = { id: items.size + 1, name: ctx.state.validated.name }
      items.set(item.id, item)
      return ctx.json(item, 201, { location: `/items/${item.id}` })
    })
    list.get('/:id', validateParams(z.object({ id: z.coerce.number().int() })), (ctx) => {
      const item = items.get(ctx.state.valid.params.id)
      if (!item) throw new HttpError(404, 'Nothing here')
      return ctx.json(item)
    })
    list.delete('/:id', members, (ctx) => {
      items.delete(Number(ctx.params.id))
      return new Response(null, { status: 204, headers: { 'x-by': ctx.state.user } })
    })
    list.post('/:id/buy', () => {
      throw new OutOfStock('Out of stock')
    })
  })

  app.get('/shop', (ctx) => ctx.json(shop))
  app.get('/text', (ctx) => ctx.text('plain'))
  app.get('/page', (ctx) => ctx.html('<b>page</b>'))
  app.get('/bytes', () => new Response('abc', { headers: { 'content-type': 'application/octet-stream' } }))
  app.get('/old', (ctx) => ctx.redirect('/text', 301))
  app.get('/moved', (ctx) => ctx.redirect('/text'))
  app.get('/fails', () => {
    throw new Error('secret')
  })
  app.get('/files/*', (ctx) => ctx.json(ctx.params))
  app.get('/echo', (ctx) =>
    ctx.json({ method: ctx.method, url: ctx.url.pathname + ctx.url.search, host: ctx.url.hostname }),
  )
  app.get('/two/:a/:b', (ctx) => ctx.json(ctx.params))
  app.get('/status', (ctx) => ctx.json({ error: 'no' }, 403))
  app.put('/both', (ctx) => ctx.text('put'))
  app.get('/many', (ctx) => ctx.text(ctx.method)).post('/many', (ctx) => ctx.text(ctx.method))
  return app
}
