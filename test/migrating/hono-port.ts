import { type Context, createApp, HttpError, type Middleware, validateBody, z } from 'sluice'
import { getCookie, setCookie } from 'sluice/cookie'
import { helmet } from 'sluice/middleware/helmet'

const timing: Middleware = (ctx, next) => {
  ctx.onResponse(['x-timing', '1'])
  return next()
}

const tenant: Middleware<{ tenant: string }> = (ctx, next) => {
  ctx.state.tenant = ctx.header('x-tenant') ?? 'none'
  return next()
}

const whoAmI = (ctx: Context<{ tenant: string }>) =>
  ctx.json({ method: ctx.method, path: ctx.path, tenant: ctx.state.tenant })

const users = createApp()
  .get('/', (ctx) => {
    const tags = ctx.query.getAll('tag')
    return ctx.json({ page: ctx.query.get('page') ?? undefined, tags: tags.length ? tags : undefined })
  })
  .get('/:id', (ctx) => {
    const { id } = ctx.params
    if (id === '0') throw new HttpError(404, 'No such user')
    if (id === '1') throw new HttpError(404)
    return ctx.json({ id, all: ctx.params })
  })
  .post('/', validateBody(z.object({ name: z.string() })), (ctx) => {
    const { name } = ctx.state.valid.body
    return ctx.json({ name }, 201, { location: `/users/${name}` })
  })

/** The application of test/migrating/hono-app.ts, line by line as docs/migrating.md says. */
export const honoPort = createApp()
  .use(helmet())
  .use(timing)
  .get('/who/am', tenant, whoAmI)
  .post('/echo', async (ctx) => ctx.text(await ctx.text()))
  .get('/bytes', () => new Response('raw', { status: 202 }))
  .get('/cookie', (ctx) => {
    setCookie(ctx, 'seen', 'yes')
    return ctx.text(getCookie(ctx, 'seen') ?? 'never')
  })
  .get('/old', (ctx) => ctx.redirect('/new', 301))
  .mount('/users', users)
