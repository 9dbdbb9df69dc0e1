import process from 'node:process'
import { Elysia, t } from 'elysia'
import { H3 } from 'h3'
import { Hono } from 'hono'
import { cors as honoCors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import * as v from 'valibot'
import { createApp } from '../../../dist/index.js'
import { cors } from '../../../dist/middleware/cors.js'
import { helmet } from '../../../dist/middleware/helmet.js'
import * as z from '../../../dist/z.js'

/** Child process on Bun or Deno: `server.mjs <contender> <case> <port>`. */
const [contender, name, port] = process.argv.slice(2)
const local = { port: Number(port), hostname: '127.0.0.1' }
const GREETING = { message: 'hello', ok: true, n: 1 }
const type = (value) => ({ headers: { 'content-type': value } })
const SECURITY = Object.fromEntries(
  await (async () => {
    const answer = await createApp()
      .use(helmet())
      .use(cors())
      .get('/', (ctx) => ctx.text(''))
      .fetch(new Request('http://localhost/'))
    return [...answer.headers]
  })(),
)

const isUser = ({ name, email, age }) => typeof name === 'string' && /.@./.test(email) && typeof age === 'number'

/** By hand: the same bytes with nothing in between. */
const raw = {
  text: () => new Response('hello world', type('text/plain; charset=utf-8')),
  json: () => Response.json(GREETING),
  param: ({ url }) => {
    const { pathname, searchParams } = new URL(url)
    return Response.json({ id: decodeURIComponent(pathname.slice(7)), q: searchParams.get('q') })
  },
  post: async (request) => {
    const user = await request.json()
    return isUser(user) ? Response.json(user) : new Response(null, { status: 422 })
  },
  headers: () => new Response('hello world', { headers: SECURITY }),
}

const sluice = {
  text: (app) => app.get('/', (ctx) => ctx.text('hello world')),
  json: (app) => app.get('/', (ctx) => ctx.json(GREETING)),
  param: (app) => app.get('/users/:id', (ctx) => ctx.json({ id: ctx.params.id, q: ctx.query.get('q') })),
  post: (app) => {
    const User = z.object({ name: z.string(), email: z.string().email(), age: z.number() })
    app.post('/', async (ctx) => ctx.json(await ctx.validate(User)))
  },
  headers: (app) => sluice.text(app.use(helmet()).use(cors())),
}

const hono = {
  text: (app) => app.get('/', (c) => c.text('hello world')),
  json: (app) => app.get('/', (c) => c.json(GREETING)),
  param: (app) => app.get('/users/:id', (c) => c.json({ id: c.req.param('id'), q: c.req.query('q') })),
  post: (app) => {
    const User = v.object({ name: v.string(), email: v.pipe(v.string(), v.email()), age: v.number() })
    app.post('/', async (c) => c.json(v.parse(User, await c.req.json())))
  },
  headers: (app) => hono.text(app.use(secureHeaders()).use(honoCors())),
}

const h3 = {
  text: (app) => app.get('/', () => 'hello world'),
  json: (app) => app.get('/', () => GREETING),
  param: (app) =>
    app.get('/users/:id', ({ context, url }) => ({ id: context.params.id, q: url.searchParams.get('q') })),
}

const elysia = {
  text: (app) => app.get('/', () => 'hello world'),
  json: (app) => app.get('/', () => GREETING),
  param: (app) => app.get('/users/:id', ({ params, query }) => ({ id: params.id, q: query.q })),
  post: (app) =>
    app.post('/', ({ body }) => body, {
      body: t.Object({ name: t.String(), email: t.String({ format: 'email' }), age: t.Number() }),
    }),
}

const serveFetch = (fetch) =>
  globalThis.Bun ? Bun.serve({ ...local, fetch }) : Deno.serve({ ...local, onListen() {} }, (request) => fetch(request))

const contenders = {
  raw: () => serveFetch(raw[name]),
  sluice: () => {
    const app = createApp()
    sluice[name](app)
    return app.listen(local)
  },
  hono: () => {
    const app = new Hono()
    hono[name](app)
    return serveFetch(app.fetch)
  },
  h3: () => {
    const app = new H3()
    h3[name](app)
    return serveFetch((request) => app.fetch(request))
  },
  elysia: () => {
    const app = new Elysia()
    elysia[name](app)
    return globalThis.Bun ? app.listen(local) : serveFetch(app.fetch)
  },
}

await contenders[contender]()
