import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { getSignedCookie as honoSignedCookie, setSignedCookie as setHonoSignedCookie } from 'hono/cookie'
import { csrf as honoCsrf } from 'hono/csrf'
import { etag as honoEtag } from 'hono/etag'
import { HTTPException } from 'hono/http-exception'
import { jwt as honoJwt, sign } from 'hono/jwt'
import { requestId as honoRequestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { timeout as honoTimeout } from 'hono/timeout'
import { type Context, createApp, HttpError, toResponse, validateBody, z } from 'sluice'
import { getSignedCookie } from 'sluice/cookie'
import { csrf } from 'sluice/middleware/csrf'
import { etag } from 'sluice/middleware/etag'
import { helmet } from 'sluice/middleware/helmet'
import { jwt } from 'sluice/middleware/jwt'
import { requestId } from 'sluice/middleware/request-id'
import { timeout } from 'sluice/middleware/timeout'
import { patterns } from 'sluice/router/patterns'
import { beforeAll, describe, vi } from 'vitest'
import * as zod from 'zod'
import { type Difference, posted, read, statusOf, testDifferences } from './differences.ts'

const TOO_LARGE = { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) }
const SECRET = 'thirty-two bytes from a generator'
const FORM = posted('name=ann', 'application/x-www-form-urlencoded')
const SAME_ORIGIN = { ...FORM, headers: { ...FORM.headers, origin: 'http://localhost' } }

/** Both applications, with one route that tells what it was given. */
const bodyLength = {
  there: new Hono().post('/', async (c) => c.json((await c.req.text()).length)),
  here: createApp().post('/', async (ctx) => ctx.json((await ctx.text()).length)),
}
const validated = {
  there: new Hono().post('/', zValidator('json', zod.object({ name: zod.string() })), (c) =>
    c.json(c.req.valid('json')),
  ),
  here: createApp().post('/', validateBody(z.object({ name: z.string() })), (ctx) => ctx.json(ctx.state.valid.body)),
}
const about = {
  there: new Hono().get('/about', (c) => c.text('about')),
  here: createApp().get('/about', (ctx) => ctx.text('about')),
}
const never = (): Promise<never> => new Promise(() => {})
const failing = (): never => {
  throw new Error('failed')
}

const differences: readonly Difference[] = [
  [
    'The order of routes',
    async () => ({
      there: await read(
        new Hono()
          .get('/:slug', (c) => c.text('slug'))
          .get('/about', (c) => c.text('about'))
          .request('/about'),
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
    'The order of routes',
    async () => ({
      there: await read(
        new Hono()
          .all('/api/*', (c) => c.text('denied', 403))
          .get('/api/secret', (c) => c.text('secret'))
          .request('/api/secret'),
      ),
      here: {
        route: await read(
          createApp()
            .all('/api/*', (ctx) => ctx.text('denied', 403))
            .get('/api/secret', (ctx) => ctx.text('secret'))
            .request('/api/secret'),
        ),
        middleware: await read(
          createApp()
            .use('/api/*', (ctx) => ctx.text('denied', 403))
            .get('/api/secret', (ctx) => ctx.text('secret'))
            .request('/api/secret'),
        ),
      },
    }),
    {
      there: { status: 403, body: 'denied' },
      here: {
        route: { status: 200, body: 'secret' },
        middleware: { status: 403, body: 'denied' },
      },
    },
  ],
  [
    'A route that calls `next()`',
    async () => {
      const ran: string[] = []
      await new Hono()
        .get('*', (_, next) => {
          ran.push('there')
          return next()
        })
        .get('/a', (c) => c.text('a'))
        .request('/a')
      await createApp()
        .get('*', (ctx) => {
          ran.push('here')
          return ctx.text('the rest')
        })
        .get('/a', (ctx) => ctx.text('a'))
        .request('/a')
      return { there: ran.includes('there'), here: ran.includes('here') }
    },
    { there: true, here: false },
  ],
  [
    'A route that calls `next()`',
    async () => ({
      there: await read(
        new Hono()
          .get('/:id', (_, next) => next())
          .get('/*', (c) => c.text('the next route'))
          .request('/7'),
      ),
      here: await statusOf(
        createApp()
          .get('/:id', (...step: readonly unknown[]) => (step[1] as () => Promise<Response>)())
          .get('/*', (ctx) => ctx.text('the next route'))
          .request('/7'),
      ),
    }),
    { there: { status: 200, body: 'the next route' }, here: 500 },
  ],
  [
    'The middleware of a router',
    async () => {
      const [guarded, open] = [new Hono(), new Hono().get('/open', (c) => c.text('open'))]
      guarded.use('*', async (c) => c.text('denied', 403)).get('/guarded', (c) => c.text('guarded'))
      const guard = createApp()
        .use((ctx) => ctx.text('denied', 403))
        .get('/guarded', (ctx) => ctx.text('guarded'))
      const app = createApp()
        .mount('/api', guard)
        .mount(
          '/api',
          createApp().get('/open', (ctx) => ctx.text('open')),
        )
      let refused = false
      try {
        createApp().mount(
          '/api',
          createApp().use((ctx) => ctx.text('denied', 403)),
        )
      } catch {
        refused = true
      }
      const there = new Hono().route('/api', guarded).route('/api', open)
      return {
        there: {
          guarded: await statusOf(there.request('/api/guarded')),
          open: await statusOf(there.request('/api/open')),
        },
        here: {
          guarded: await statusOf(app.request('/api/guarded')),
          open: await statusOf(app.request('/api/open')),
          refused,
        },
      }
    },
    { there: { guarded: 403, open: 403 }, here: { guarded: 403, open: 200, refused: true } },
  ],
  [
    'Middleware that is added after a route',
    async () => ({
      there: await read(
        new Hono()
          .get('/', (c) => c.text('route'))
          .use(async (c) => c.text('middleware'))
          .request('/'),
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
    'Middleware and the base path',
    async () => {
      const limit = (ctx: Context): Response => ctx.text('', 429)
      const api = () => createApp({ basePath: '/api' }).get('/', (ctx) => ctx.text(''))
      const here = {
        everywhere: await statusOf(api().use(limit).request('/none')),
        below: await statusOf(api().use('/*', limit).request('/none')),
      }
      const there = new Hono().basePath('/api').use(async (c) => c.text('', 429))
      return { there: await statusOf(there.request('/none')), here }
    },
    { there: 404, here: { everywhere: 429, below: 404 } },
  ],
  [
    'A slash at the end',
    async () => ({
      there: await statusOf(about.there.request('/about/')),
      here: {
        default: await statusOf(about.here.request('/about/')),
        strict: await statusOf(
          createApp({ strict: true })
            .get('/about', (ctx) => ctx.text('about'))
            .request('/about/'),
        ),
      },
    }),
    { there: 404, here: { default: 200, strict: 404 } },
  ],
  [
    'Escaped letters in a static path',
    async () => ({
      there: await statusOf(about.there.request('/%61bout')),
      here: {
        route: await statusOf(about.here.request('/%61bout')),
        guard: await statusOf(
          createApp()
            .use('/about', (ctx) => ctx.text('denied', 403))
            .get('/:page', (ctx) => ctx.text('page'))
            .request('/%61bout'),
        ),
      },
    }),
    { there: 200, here: { route: 404, guard: 403 } },
  ],
  [
    'Malformed escapes',
    async () => ({
      there: await read(new Hono().get('/users/:id', (c) => c.text(c.req.param('id'))).request('/users/%E0%A4%A')),
      here: {
        route: await statusOf(
          createApp()
            .get('/users/:id', (ctx) => ctx.text(ctx.params.id))
            .request('/users/%E0%A4%A'),
        ),
        guard: await statusOf(
          createApp()
            .use('/admin/*', (ctx) => ctx.text('', 401))
            .get('/users/:id', (ctx) => ctx.text(ctx.params.id))
            .request('/users/%E0%A4%A'),
        ),
      },
    }),
    { there: { status: 200, body: '%E0%A4%A' }, here: { route: 400, guard: 401 } },
  ],
  [
    '`{.+}` and slashes',
    async () => ({
      there: await read(new Hono().get('/files/:path{.+}', (c) => c.text(c.req.param('path'))).request('/files/a/b')),
      here: {
        pattern: await statusOf(
          createApp({ patterns })
            .get('/files/:path{.+}', (ctx) => ctx.text(ctx.params.path))
            .request('/files/a/b'),
        ),
        rest: await read(
          createApp()
            .get('/files/*path', (ctx) => ctx.text(ctx.params.path))
            .request('/files/a/b'),
        ),
      },
    }),
    { there: { status: 200, body: 'a/b' }, here: { pattern: 404, rest: { status: 200, body: 'a/b' } } },
  ],
  [
    '`notFound` of a router',
    async () => {
      const users = new Hono().get('/', (c) => c.text('users'))
      users.notFound((c) => c.text('no such user', 404))
      const mounted = createApp({ notFound: (ctx) => ctx.text('no such user', 404) })
      mounted.get('/', (ctx) => ctx.text('users'))
      return {
        there: await read(new Hono().route('/users', users).request('/users/7')),
        here: await read(createApp().mount('/users', mounted).request('/users/7')),
      }
    },
    { there: { status: 404, body: '404 Not Found' }, here: { status: 404, body: 'no such user' } },
  ],
  [
    'The size of a body',
    async () => ({
      there: await statusOf(bodyLength.there.request('/', TOO_LARGE)),
      here: {
        default: await statusOf(bodyLength.here.request('/', TOO_LARGE)),
        raised: await statusOf(
          createApp({ bodyLimit: 2 ** 21 })
            .post('/', async (ctx) => ctx.json((await ctx.text()).length))
            .request('/', TOO_LARGE),
        ),
      },
    }),
    { there: 200, here: { default: 413, raised: 200 } },
  ],
  [
    'Malformed JSON',
    async () => ({
      there: await statusOf(new Hono().post('/', async (c) => c.json(await c.req.json())).request('/', posted('{'))),
      here: await statusOf(
        createApp()
          .post('/', async (ctx) => ctx.json(await ctx.json()))
          .request('/', posted('{')),
      ),
    }),
    { there: 500, here: 400 },
  ],
  [
    'What is absent',
    async () => {
      const absent: { there?: unknown; here?: unknown } = {}
      await new Hono()
        .get('/', (c) => {
          absent.there = { query: c.req.query('a'), header: c.req.header('a'), queries: c.req.queries('a') }
          return c.text('')
        })
        .request('/')
      await createApp()
        .get('/', (ctx) => {
          absent.here = { query: ctx.query.get('a'), header: ctx.header('a'), queries: ctx.query.getAll('a') }
          return ctx.text('')
        })
        .request('/')
      return { there: absent.there, here: absent.here }
    },
    {
      there: { query: undefined, header: undefined, queries: undefined },
      here: { query: null, header: null, queries: [] },
    },
  ],
  [
    'Repeated keys of the query',
    async () => ({
      there: await read(new Hono().get('/', (c) => c.json(c.req.query())).request('/?a=1&a=2')),
      here: await read(
        createApp()
          .get('/', (ctx) => ctx.json(Object.fromEntries(ctx.query)))
          .request('/?a=1&a=2'),
      ),
    }),
    { there: { status: 200, body: '{"a":"1"}' }, here: { status: 200, body: '{"a":"2"}' } },
  ],
  [
    'The media type of a validated body',
    async () => ({
      there: await statusOf(validated.there.request('/', FORM)),
      here: await read(validated.here.request('/', FORM)),
    }),
    { there: 400, here: { status: 200, body: '{"name":"ann"}' } },
  ],
  [
    'Input that does not match its schema',
    async () => {
      const [there, here] = [
        await validated.there.request('/', posted('{}')),
        await validated.here.request('/', posted('{}')),
      ]
      return {
        there: { status: there.status, keys: Object.keys((await there.json()) as object) },
        here: { status: here.status, keys: Object.keys((await here.json()) as object) },
      }
    },
    { there: { status: 400, keys: ['success', 'error'] }, here: { status: 422, keys: ['error', 'issues'] } },
  ],
  [
    'The body of a refusal',
    async () => ({
      there: {
        notFound: await read(new Hono().request('/')),
        thrown: await read(
          new Hono()
            .get('/', () => {
              throw new HTTPException(403, { message: 'No' })
            })
            .request('/'),
        ),
      },
      here: {
        notFound: await read(createApp().request('/')),
        thrown: await read(
          createApp()
            .get('/', () => {
              throw new HttpError(403, 'No')
            })
            .request('/'),
        ),
      },
    }),
    {
      there: {
        notFound: { status: 404, body: '404 Not Found' },
        thrown: { status: 403, body: 'No' },
      },
      here: {
        notFound: { status: 404, body: '{"error":"Not Found"}' },
        thrown: { status: 403, body: '{"error":"No"}' },
      },
    },
  ],
  [
    '`c.notFound()`',
    async () => {
      const there = new Hono().get('/', (c) => c.notFound())
      there.notFound((c) => c.text('nothing here', 404))
      there.onError((_, c) => c.text('our fault', 500))
      const notFound = () => new Response('nothing here', { status: 404 })
      const show = () => {
        throw new HttpError(404)
      }
      return {
        there: await read(there.request('/')),
        here: {
          onError: await read(
            createApp({ notFound, onError: (_, ctx) => ctx.text('our fault', 500) })
              .get('/', show)
              .request('/'),
          ),
          toResponse: await read(
            createApp({ notFound, onError: (error) => toResponse(error) })
              .get('/', show)
              .request('/'),
          ),
          byDefault: await read(createApp({ notFound }).get('/', show).request('/')),
        },
      }
    },
    {
      there: { status: 404, body: 'nothing here' },
      here: {
        onError: { status: 500, body: 'our fault' },
        toResponse: { status: 404, body: '{"error":"Not Found"}' },
        byDefault: { status: 404, body: '{"error":"Not Found"}' },
      },
    },
  ],
  [
    '`await next()` when a handler throws',
    async () => {
      const after: string[] = []
      await new Hono()
        .use(async (_, next) => {
          await next()
          after.push('there')
        })
        .get('/', failing)
        .request('/')
      const response = await createApp()
        .use(async (ctx, next) => {
          ctx.onResponse(['x-edit', 'runs'])
          const answer = await next()
          after.push('here')
          return answer
        })
        .get('/', failing)
        .request('/')
      return {
        there: after.includes('there'),
        here: { after: after.includes('here'), 'x-edit': response.headers.get('x-edit') },
      }
    },
    { there: true, here: { after: false, 'x-edit': 'runs' } },
  ],
  [
    'A header that the response has',
    async () => {
      const there = await new Hono()
        .use(async (c, next) => {
          await next()
          c.header('x-a', 'middleware')
        })
        .get('/', (c) => c.text('', 200, { 'x-a': 'handler' }))
        .request('/')
      const edited = async (edit: readonly [string, string] | ((response: Response) => void)) => {
        const app = createApp().use((ctx, next) => {
          ctx.onResponse(edit as never)
          return next()
        })
        const response = await app.get('/', (ctx) => ctx.text('', 200, { 'x-a': 'handler' })).request('/')
        return response.headers.get('x-a')
      }
      return {
        there: there.headers.get('x-a'),
        here: {
          pair: await edited(['x-a', 'middleware']),
          callback: await edited((response) => response.headers.set('x-a', 'middleware')),
        },
      }
    },
    { there: 'middleware', here: { pair: 'handler', callback: 'middleware' } },
  ],
  [
    'The fourth argument of `app.request`',
    async () => {
      const waited: string[] = []
      const execution = (name: string) => ({
        waitUntil: () => void waited.push(name),
        passThroughOnException: () => {},
        props: {},
      })
      await new Hono()
        .get('/', (c) => {
          c.executionCtx.waitUntil(Promise.resolve())
          return c.text('')
        })
        .request('/', {}, {}, execution('request'))
      const app = createApp().get('/', (ctx) => {
        ctx.waitUntil(Promise.resolve())
        return ctx.text('')
      })
      const there = [...waited]
      await (app.request as (...list: unknown[]) => Promise<Response>)('/', {}, {}, execution('request'))
      await app.fetch(new Request('http://localhost/'), {}, execution('fetch'))
      return { there, here: waited.slice(there.length) }
    },
    { there: ['request'], here: ['fetch'] },
  ],
  [
    'Tokens without `exp`',
    async () => {
      const headers = { authorization: `Bearer ${await sign({ sub: 'ann' }, SECRET, 'HS256')}` }
      const here = (more: { readonly required?: [] } = {}) =>
        statusOf(
          createApp()
            .use(jwt({ secret: SECRET, algorithms: ['HS256'], ...more }))
            .get('/', (ctx) => ctx.text(''))
            .request('/', { headers }),
        )
      const there = new Hono().use(honoJwt({ secret: SECRET, alg: 'HS256' })).get('/', (c) => c.text(''))
      return {
        there: await statusOf(there.request('/', { headers })),
        here: { byDefault: await here(), none: await here({ required: [] }) },
      }
    },
    { there: 200, here: { byDefault: 401, none: 200 } },
  ],
  [
    '`etag()`',
    async () => {
      const there = await new Hono()
        .use(honoEtag())
        .get('/', () => new Response('x'))
        .request('/')
      const here = await createApp()
        .use(etag())
        .get('/', () => new Response('x'))
        .request('/')
      return { there: there.headers.has('etag'), here: here.headers.has('etag') }
    },
    { there: true, here: false },
  ],
  [
    'Signed cookies',
    async () => {
      const there = new Hono()
        .get('/set', async (c) => {
          await setHonoSignedCookie(c, 'cart', '17', SECRET)
          return c.text('')
        })
        .get('/', async (c) => c.text(`${await honoSignedCookie(c, SECRET, 'cart')}`))
      const here = createApp().get('/', async (ctx) => ctx.text(`${await getSignedCookie(ctx, 'cart', SECRET)}`))
      const [line = ''] = (await there.request('/set')).headers.getSetCookie()
      const headers = { cookie: line.split(';')[0]! }
      return {
        there: (await read(there.request('/', { headers }))).body,
        here: (await read(here.request('/', { headers }))).body,
      }
    },
    { there: '17', here: 'undefined' },
  ],
  [
    '`requestId()`',
    async () => {
      const brought = { headers: { 'x-request-id': 'brought' } }
      const here = async (options: { trust?: true }) => {
        const app = createApp().use(requestId(options))
        const { body: id } = await read(app.get('/', (ctx) => ctx.text(ctx.state.requestId)).request('/', brought))
        return id === 'brought'
      }
      const there = new Hono().use(honoRequestId()).get('/', (c) => c.text(c.get('requestId')))
      const { body: id } = await read(there.request('/', brought))
      return { there: id === 'brought', here: { byDefault: await here({}), trust: await here({ trust: true }) } }
    },
    { there: true, here: { byDefault: false, trust: true } },
  ],
  [
    '`csrf()`',
    async () => ({
      there: await statusOf(
        new Hono()
          .use(honoCsrf())
          .post('/', (c) => c.text(''))
          .request('/', SAME_ORIGIN),
      ),
      here: await statusOf(
        createApp()
          .use(csrf({ secret: 'x'.repeat(32) }))
          .post('/', (ctx) => ctx.text(''))
          .request('/', SAME_ORIGIN),
      ),
    }),
    { there: 200, here: 403 },
  ],
  [
    '`timeout()`',
    async () => ({
      there: await statusOf(new Hono().use(honoTimeout(1)).get('/', never).request('/')),
      here: await statusOf(createApp().use(timeout(1)).get('/', never).request('/')),
    }),
    { there: 504, here: 503 },
  ],
  [
    '`secureHeaders()`',
    async () => {
      const there = await new Hono()
        .use(secureHeaders())
        .get('/', (c) => c.text(''))
        .request('/')
      const here = await createApp()
        .use(helmet())
        .get('/', (ctx) => ctx.text(''))
        .request('/')
      const name = 'content-security-policy'
      return { there: there.headers.has(name), here: here.headers.has(name) }
    },
    { there: false, here: true },
  ],
]

describe('FX5: what differs from Hono without an error', () => {
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  testDifferences('Hono', differences)
})
