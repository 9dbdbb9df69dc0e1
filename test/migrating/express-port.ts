import { createApp, HttpError, type Middleware, toResponse } from 'sluice'
import { deleteCookie, setCookie } from 'sluice/cookie'
import { bodyParser } from 'sluice/middleware/body-parser'

class OutOfStock extends Error {
  readonly status = 409
}

interface Item {
  id: number
  name: string
}

/** The application of test/migrating/express-app.ts, line by line as docs/migrating.md says. */
export const expressPort = () => {
  const items = new Map<number, Item>([[1, { id: 1, name: 'pen' }]])
  const app = createApp({
    notFound: (ctx) => ctx.json({ error: 'Nothing here' }, 404),
    onError: (error, ctx) => {
      if (error instanceof OutOfStock) return ctx.json({ error: error.message }, error.status)
      const { status } = toResponse(error)
      return ctx.json({ error: status === 500 ? 'It is our fault' : (error as Error).message }, status as 400)
    },
  })

  app.use((ctx, next) => {
    ctx.onResponse(['x-app', 'shop'])
    return next()
  })
  app.use(bodyParser({ json: { limit: 1_000 } }))

  const members: Middleware = (ctx, next) => {
    if (ctx.header('x-key') !== 'k') return ctx.json({ error: 'No key' }, 401)
    ctx.state.user = 'ann'
    return next()
  }

  app.group('/items', (list) => {
    list.get('/', (ctx) => {
      const page = Number(ctx.query.get('page') ?? 1)
      return ctx.json({ page, tags: ctx.query.getAll('tag'), items: [...items.values()] })
    })
    list.post('/', (ctx) => {
      const { name } = ctx.state.body as { name?: unknown }
      if (typeof name !== 'string') return ctx.json({ error: 'name must be a string' }, 422)
      const item = { id: items.size + 1, name }
      items.set(item.id, item)
      return ctx.json(item, 201, { location: `/items/${item.id}` })
    })
    list.get('/:id', (ctx) => {
      const item = items.get(Number(ctx.params.id))
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

  app.use('/admin/*', members)
  app.get('/admin/who', (ctx) => ctx.html(ctx.state.user))
  app.post('/form', (ctx) => ctx.json(ctx.state.body))
  app.post('/login', (ctx) => {
    setCookie(ctx, 'theme', 'dark', { httpOnly: true, sameSite: 'lax' })
    return ctx.redirect('/items')
  })
  app.post('/logout', (ctx) => {
    deleteCookie(ctx, 'theme')
    return ctx.redirect('/', 303)
  })
  app.get('/page', (ctx) => ctx.html('<b>page</b>'))
  app.get('/plain', (ctx) => ctx.text('plain'))
  app.get('/style.css', () => new Response('a{}', { headers: { 'content-type': 'text/css' } }))
  app.get('/object', (ctx) => ctx.json({ a: 1 }))
  app.get('/bytes', () => new Response('abc', { headers: { 'content-type': 'application/octet-stream' } }))
  app.get('/status', (ctx) => ctx.text('Forbidden', 403))
  app.get('/empty', () => new Response(null, { status: 204 }))
  app.get('/files/*path', (ctx) => ctx.json(ctx.params))
  app.get('/old', (ctx) => ctx.redirect('/page', 301))
  app.get('/echo', (ctx) =>
    ctx.json({
      method: ctx.method,
      path: ctx.path,
      url: ctx.url.pathname + ctx.url.search,
      host: ctx.url.hostname,
    }),
  )
  app.get('/later', async (ctx) => {
    await Promise.resolve()
    return ctx.json({ later: true })
  })
  app.get('/fails', async () => {
    await Promise.resolve()
    throw new Error('secret')
  })
  app.get('/both', (ctx) => ctx.json('get')).put('/both', (ctx) => ctx.json('put'))
  app.all('/any', (ctx) => ctx.json(ctx.method))
  return app
}
