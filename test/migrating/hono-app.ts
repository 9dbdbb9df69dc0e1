import { zValidator } from '@hono/zod-validator'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import * as z from 'zod'

interface Variables {
  Variables: { tenant: string }
}

const timing: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.set('x-timing', '1')
}

const tenant = createMiddleware<Variables>(async (c, next) => {
  c.set('tenant', c.req.header('x-tenant') ?? 'none')
  await next()
})

const whoAmI = (c: Context<Variables>) => c.json({ method: c.req.method, path: c.req.path, tenant: c.get('tenant') })

const users = new Hono()
  .get('/', (c) => c.json({ page: c.req.query('page'), tags: c.req.queries('tag') }))
  .get('/:id', (c) => {
    const id = c.req.param('id')
    if (id === '0') throw new HTTPException(404, { message: 'No such user' })
    if (id === '1') return c.notFound()
    return c.json({ id, all: c.req.param() })
  })
  .post('/', zValidator('json', z.object({ name: z.string() })), (c) => {
    const { name } = c.req.valid('json')
    c.header('location', `/users/${name}`)
    return c.json({ name }, 201)
  })

/** An application of Hono with what most of them have. test/migrating/hono-port.ts is the same one here. */
export const honoApp = new Hono<Variables>()
honoApp.use(secureHeaders())
honoApp.use('*', timing)
honoApp.use('/who/*', tenant)
honoApp.get('/who/am', whoAmI)
honoApp.post('/echo', async (c) => c.text(await c.req.text()))
honoApp.get('/bytes', (c) => c.body('raw', 202))
honoApp.get('/cookie', (c) => {
  setCookie(c, 'seen', 'yes')
  return c.text(getCookie(c, 'seen') ?? 'never')
})
honoApp.get('/old', (c) => c.redirect('/new', 301))
honoApp.route('/users', users)
