import express, { type ErrorRequestHandler, type RequestHandler } from 'express'

/** An error of this application, as many have one. */
class OutOfStock extends Error {
  readonly status = 409
}

interface Item {
  id: number
  name: string
}

/** An application of Express 5 with what most of them have. test/migrating/express-port.ts is the same one here. */
export const expressApp = (): express.Express => {
  const items = new Map<number, Item>([[1, { id: 1, name: 'pen' }]])
  const app = express()

  app.use((_request, response, next) => {
    response.set('x-app', 'shop')
    next()
  })
  app.use(express.json({ limit: 1_000 }))
  app.use(express.urlencoded({ extended: false }))

  const members: RequestHandler = (request, response, next) => {
    if (request.get('x-key') !== 'k') {
      response.status(401).json({ error: 'No key' })
      return
    }
    response.locals.user = 'ann'
    next()
  }

  const list = express.Router()
  list.get('/', (request, response) => {
    const page = Number(request.query.page ?? 1)
    response.json({ page, tags: [request.query.tag ?? []].flat(), items: [...items.values()] })
  })
  list.post('/', (request, response) => {
    const { name } = request.body as { name?: unknown }
    if (typeof name !== 'string') {
      response.status(422).json({ error: 'name must be a string' })
      return
    }
    const item = { id: items.size + 1, name }
    items.set(item.id, item)
    response.status(201).location(`/items/${item.id}`).json(item)
  })
  list.get('/:id', (request, response, next) => {
    const item = items.get(Number(request.params.id))
    if (item) response.json(item)
    else next()
  })
  list.delete('/:id', members, (request, response) => {
    items.delete(Number(request.params.id))
    response.set('x-by', response.locals.user).sendStatus(204)
  })
  list.post('/:id/buy', () => {
    throw new OutOfStock('Out of stock')
  })
  app.use('/items', list)

  app.use('/admin', members)
  app.get('/admin/who', (_request, response) => void response.send(response.locals.user))
  app.post('/form', (request, response) => void response.json(request.body))
  app.post('/login', (_request, response) => {
    response.cookie('theme', 'dark', { httpOnly: true, sameSite: 'lax' }).redirect('/items')
  })
  app.post('/logout', (_request, response) => void response.clearCookie('theme').redirect(303, '/'))
  app.get('/page', (_request, response) => void response.send('<b>page</b>'))
  app.get('/plain', (_request, response) => void response.type('text').send('plain'))
  app.get('/style.css', (_request, response) => void response.type('css').send('a{}'))
  app.get('/object', (_request, response) => void response.send({ a: 1 }))
  app.get('/bytes', (_request, response) => void response.send(Buffer.from('abc')))
  app.get('/status', (_request, response) => void response.sendStatus(403))
  app.get('/empty', (_request, response) => void response.status(204).end())
  app.get('/files/*path', (request, response) => void response.json(request.params))
  app.get('/old', (_request, response) => void response.redirect(301, '/page'))
  app.get('/echo', (request, response) => {
    response.json({ method: request.method, path: request.path, url: request.originalUrl, host: request.hostname })
  })
  app.get('/later', async (_request, response) => {
    await Promise.resolve()
    response.json({ later: true })
  })
  app.get('/fails', async () => {
    await Promise.resolve()
    throw new Error('secret')
  })
  app
    .route('/both')
    .get((_request, response) => void response.json('get'))
    .put((_request, response) => void response.json('put'))
  app.all('/any', (request, response) => void response.json(request.method))

  app.use((_request, response) => void response.status(404).json({ error: 'Nothing here' }))
  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    const { status = 500, message, expose } = error
    response.status(status).json({ error: status === 500 || expose === false ? 'It is our fault' : message })
  }
  app.use(failed)
  return app
}
