import '../mend-express.ts'
import npmCors from 'cors'
import { doubleCsrf } from 'csrf-csrf'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { createApp } from 'sluice'
import { deleteCookie } from 'sluice/cookie'
import { bodyParser } from 'sluice/middleware/body-parser'
import { cors } from 'sluice/middleware/cors'
import { csrf } from 'sluice/middleware/csrf'
import { beforeAll, describe, vi } from 'vitest'
import { askListener, type Difference, posted, read, statusOf, testDifferences } from './differences.ts'

/** A response of an application of Express, over a socket. */
const asked = (build: (app: Express) => unknown, path: string, init?: RequestInit): Promise<Response> => {
  const app = express()
  app.set('env', 'test')
  build(app)
  return askListener(app, path, init)
}

const FORM = posted('tag=a&tag=b', 'application/x-www-form-urlencoded')
const LARGE = posted(`["${'x'.repeat(200_000)}"]`)
const OTHER_ORIGIN = { headers: { origin: 'https://b.example' } }
const CORS = { origin: ['https://a.example'], credentials: true, exposedHeaders: ['x-a'] }
const jsonApp = (app: Express) =>
  app.use(express.json()).post('/', (request, response) => {
    response.json(request.body ?? 'ignored')
  })
const readJson = () => createApp().post('/', async (ctx) => ctx.json(await ctx.json()))
const SECRET = 'x'.repeat(32)

const differences: readonly Difference[] = [
  [
    'Upper and lower case',
    async () => ({
      there: await statusOf(asked((app) => app.get('/page', (_, response) => response.send('')), '/PAGE')),
      here: await statusOf(
        createApp()
          .get('/page', (ctx) => ctx.text(''))
          .request('/PAGE'),
      ),
    }),
    { there: 200, here: 404 },
  ],
  [
    'The order of routes',
    async () => ({
      there: await read(
        asked(
          (app) =>
            app
              .get('/:slug', (_, response) => response.send('slug'))
              .get('/about', (_, response) => response.send('about')),
          '/about',
        ),
      ),
      here: await read(
        createApp()
          .get('/:slug', (ctx) => ctx.text('slug'))
          .get('/about', (ctx) => ctx.text('about'))
          .request('/about'),
      ),
    }),
    { there: { status: 200, body: 'slug' }, here: { status: 200, body: 'about' } },
  ],
  [
    'Middleware that is added after a route',
    async () => ({
      there: await read(
        asked(
          (app) =>
            app.get('/', (_, response) => response.send('route')).use((_, response) => response.send('middleware')),
          '/',
        ),
      ),
      here: await read(
        createApp()
          .get('/', (ctx) => ctx.text('route'))
          .use((ctx) => ctx.text('middleware'))
          .request('/'),
      ),
    }),
    { there: { status: 200, body: 'route' }, here: { status: 200, body: 'middleware' } },
  ],
  [
    'Middleware with a path',
    async () => {
      const guarded = (path: string) =>
        statusOf(
          createApp()
            .use(path, (ctx) => ctx.text('', 403))
            .get('/admin/x', (ctx) => ctx.text(''))
            .request('/admin/x'),
        )
      return {
        there: await statusOf(
          asked(
            (app) =>
              app
                .use('/admin', (_, response) => response.sendStatus(403))
                .get('/admin/x', (_, response) => response.send('')),
            '/admin/x',
          ),
        ),
        here: { path: await guarded('/admin'), wildcard: await guarded('/admin/*') },
      }
    },
    { there: 403, here: { path: 200, wildcard: 403 } },
  ],
  [
    'Malformed escapes',
    async () => {
      const guarded = createApp()
        .use('/admin/*', (ctx) => ctx.text('', 401))
        .get('/items/:id', (ctx) => ctx.text(''))
      return {
        there: await statusOf(
          asked(
            (app) =>
              app
                .use('/admin', (_, response) => response.sendStatus(401))
                .get('/items/:id', (_, response) => response.send('')),
            '/items/%E0%A4%A',
          ),
        ),
        here: await statusOf(guarded.request('/items/%E0%A4%A')),
      }
    },
    { there: 400, here: 401 },
  ],
  [
    'Repeated keys of the query',
    async () => ({
      there: await read(
        asked((app) => app.get('/', (request, response) => response.json(request.query.tag)), '/?tag=a&tag=b'),
      ),
      here: await read(
        createApp()
          .get('/', (ctx) => ctx.json([ctx.query.get('tag'), ctx.query.getAll('tag')]))
          .request('/?tag=a&tag=b'),
      ),
    }),
    { there: { status: 200, body: '["a","b"]' }, here: { status: 200, body: '["a",["a","b"]]' } },
  ],
  [
    'Repeated keys of a form',
    async () => {
      const app = createApp()
        .post('/parsed', bodyParser(), (ctx) => ctx.json(ctx.state.body))
        .post('/form-data', async (ctx) => ctx.json(Object.fromEntries(await ctx.formData())))
      return {
        there: await read(
          asked(
            (app) => app.use(express.urlencoded()).post('/', (request, response) => response.json(request.body)),
            '/',
            FORM,
          ),
        ),
        here: {
          parsed: await read(app.request('/parsed', FORM)),
          formData: await read(app.request('/form-data', FORM)),
        },
      }
    },
    {
      there: { status: 200, body: '{"tag":["a","b"]}' },
      here: {
        parsed: { status: 200, body: '{"tag":["a","b"]}' },
        formData: { status: 200, body: '{"tag":"b"}' },
      },
    },
  ],
  [
    'The media type of JSON',
    async () => ({
      there: await read(asked(jsonApp, '/', posted('{"a":1}', 'text/plain'))),
      here: await read(readJson().request('/', posted('{"a":1}', 'text/plain'))),
    }),
    { there: { status: 200, body: '"ignored"' }, here: { status: 200, body: '{"a":1}' } },
  ],
  [
    'JSON that is not an object or a list',
    async () => ({
      there: await statusOf(asked(jsonApp, '/', posted('"text"'))),
      here: await read(readJson().request('/', posted('"text"'))),
    }),
    { there: 400, here: { status: 200, body: '"text"' } },
  ],
  [
    'The size of a body',
    async () => ({
      there: await statusOf(asked(jsonApp, '/', LARGE)),
      here: {
        default: await statusOf(readJson().request('/', LARGE)),
        limited: await statusOf(readJson().request('/', posted(`["${'x'.repeat(2 ** 20)}"]`))),
      },
    }),
    { there: 413, here: { default: 200, limited: 413 } },
  ],
  [
    'An error with `status`',
    async () => {
      const sold = (): never => {
        throw Object.assign(new Error('Sold'), { status: 409 })
      }
      return {
        there: await statusOf(asked((app) => app.get('/', sold), '/')),
        here: await statusOf(createApp().get('/', sold).request('/')),
      }
    },
    { there: 409, here: 500 },
  ],
  [
    '`ETag` and `OPTIONS`',
    async () => {
      const build = (app: Express) => app.get('/', (_, response) => response.send('page'))
      const here = createApp().get('/', (ctx) => ctx.text('page'))
      return {
        there: {
          etag: (await asked(build, '/')).headers.has('etag'),
          options: await statusOf(asked(build, '/', { method: 'OPTIONS' })),
        },
        here: {
          etag: (await here.request('/')).headers.has('etag'),
          options: await statusOf(here.request('/', { method: 'OPTIONS' })),
        },
      }
    },
    { there: { etag: true, options: 200 }, here: { etag: false, options: 404 } },
  ],
  [
    'The body of a redirect',
    async () => ({
      there: await read(asked((app) => app.get('/', (_, response) => response.redirect('/new')), '/')),
      here: await read(
        createApp()
          .get('/', (ctx) => ctx.redirect('/new'))
          .request('/'),
      ),
    }),
    { there: { status: 302, body: 'Found. Redirecting to /new' }, here: { status: 302, body: '' } },
  ],
  [
    'A deleted cookie',
    async () => {
      const there = await asked((app) => app.get('/', (_, response) => response.clearCookie('a').send('')), '/')
      const here = await createApp()
        .get('/', (ctx) => {
          deleteCookie(ctx, 'a')
          return ctx.text('')
        })
        .request('/')
      const named = ({ headers }: Response) => /Expires|Max-Age/g.exec(headers.getSetCookie().join())?.[0]
      return { there: named(there), here: named(here) }
    },
    { there: 'Expires', here: 'Max-Age' },
  ],
  [
    'Refusals and the error handler',
    async () => {
      const { doubleCsrfProtection } = doubleCsrf({ getSecret: () => SECRET, getSessionIdentifier: () => 'one' })
      const failed: ErrorRequestHandler = (error, _request, response, _next) => {
        response.status(error.status).send('of the handler')
      }
      const onError = () => new Response('of the handler', { status: 403 })
      const here = async (settings: object) =>
        read(
          createApp(settings)
            .use(csrf({ secret: SECRET }))
            .post('/', (ctx) => ctx.text(''))
            .request('/', { method: 'POST' }),
        )
      return {
        there: await read(
          asked(
            (app) => {
              app.use((request, _, next) => {
                request.cookies = {}
                next()
              })
              app.use(doubleCsrfProtection).use(failed)
            },
            '/',
            { method: 'POST' },
          ),
        ),
        here: { onError: await here({ onError }), onRefusal: await here({ onRefusal: onError }) },
      }
    },
    {
      there: { status: 403, body: 'of the handler' },
      here: {
        onError: { status: 403, body: '{"error":"Invalid CSRF token","code":"csrf_missing"}' },
        onRefusal: { status: 403, body: 'of the handler' },
      },
    },
  ],
  [
    '`cors` and a refused origin',
    async () => {
      const named = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control'))
      return {
        there: named(
          await asked((app) => app.use(npmCors(CORS)).get('/', (_, response) => response.send('')), '/', OTHER_ORIGIN),
        ),
        here: named(
          await createApp()
            .use(cors(CORS))
            .get('/', (ctx) => ctx.text(''))
            .request('/', OTHER_ORIGIN),
        ),
      }
    },
    { there: ['access-control-allow-credentials', 'access-control-expose-headers'], here: [] },
  ],
  [
    '`cors` and `OPTIONS`',
    async () => {
      const plain = { ...OTHER_ORIGIN, method: 'OPTIONS' }
      return {
        there: await statusOf(
          asked((app) => app.use(npmCors()).options('/', (_, response) => response.send('route')), '/', plain),
        ),
        here: await read(
          createApp()
            .use(cors())
            .options('/', (ctx) => ctx.text('route'))
            .request('/', plain),
        ),
      }
    },
    { there: 204, here: { status: 200, body: 'route' } },
  ],
]

describe('FX5: what differs from Express without an error', () => {
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  testDifferences('Express', differences)
})
