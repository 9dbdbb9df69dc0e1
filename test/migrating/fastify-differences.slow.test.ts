import { existsSync } from 'node:fs'
import { createApp, validateBody, validateQuery, z } from 'sluice'
import { bodyParser } from 'sluice/middleware/body-parser'
import { beforeAll, describe, vi } from 'vitest'
import { type Difference, posted, read, statusOf, testDifferences } from './differences.ts'

/** What these tests call of Fastify, which is not among the packages of this one. */
interface Fastify {
  get(path: string, ...rest: readonly unknown[]): void
  post(path: string, ...rest: readonly unknown[]): void
  addHook(name: string, hook: () => Promise<void>): void
  listen(options: object): Promise<string>
  close(): Promise<unknown>
}

const tool = new URL('./tools/node_modules/fastify/fastify.js', import.meta.url)

/** A response of an application of Fastify, over a socket. */
const asked = async (build: (app: Fastify) => void, path: string, init?: RequestInit): Promise<Response> => {
  const { default: fastify } = await import(/* @vite-ignore */ tool.href)
  const app: Fastify = fastify()
  build(app)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const response = await fetch(origin + path, init)
    return new Response(await response.arrayBuffer(), response)
  } finally {
    await app.close()
  }
}

const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const Named = z.object({ name: z.string() })
const echoed = () => createApp().post('/', validateBody(Named), (ctx) => ctx.json(ctx.state.valid.body))
const echo = (schema?: object) => (app: Fastify) =>
  app.post('/', schema ? { schema: { body: schema } } : {}, async ({ body }: { body: unknown }) => body)
const page = (path: string) => (app: Fastify) => app.get(path, async () => 'page')
const PROTO = posted('{"__proto__":{"admin":true},"name":"ann"}')

const differences: readonly Difference[] = [
  [
    'Input that does not match its schema',
    async () => ({
      there: await statusOf(asked(echo(NAMED), '/', posted('{}'))),
      here: await statusOf(echoed().request('/', posted('{}'))),
    }),
    { there: 400, here: 422 },
  ],
  [
    'Types of the query',
    async () => {
      const here = (schema: typeof Plain | typeof Coerced) =>
        read(
          createApp()
            .get('/', validateQuery(schema), (ctx) => ctx.json(ctx.state.valid.query))
            .request('/?page=7'),
        )
      const Plain = z.object({ page: z.number() })
      const Coerced = z.object({ page: z.coerce.number() })
      const querystring = { type: 'object', properties: { page: { type: 'integer' } } }
      return {
        there: await read(
          asked(
            (app) => app.get('/', { schema: { querystring } }, async ({ query }: { query: unknown }) => query),
            '/?page=7',
          ),
        ),
        here: { plain: (await here(Plain)).status, coerced: await here(Coerced) },
      }
    },
    { there: { status: 200, body: '{"page":7}' }, here: { plain: 422, coerced: { status: 200, body: '{"page":7}' } } },
  ],
  [
    'Unknown keys of a body',
    async () => {
      const more = posted('{"name":"ann","more":1}')
      return { there: await read(asked(echo(NAMED), '/', more)), here: await read(echoed().request('/', more)) }
    },
    { there: { status: 200, body: '{"name":"ann","more":1}' }, here: { status: 200, body: '{"name":"ann"}' } },
  ],
  [
    'A schema of the response',
    async () => {
      const user = { name: 'ann', password: 'secret' }
      const { describe } = await import('sluice/openapi')
      return {
        there: await read(
          asked((app) => app.get('/', { schema: { response: { 200: NAMED } } }, async () => user), '/'),
        ),
        here: await read(
          createApp()
            .get('/', describe({ responses: { 200: Named } }), (ctx) => ctx.json(user))
            .request('/'),
        ),
      }
    },
    {
      there: { status: 200, body: '{"name":"ann"}' },
      here: { status: 200, body: '{"name":"ann","password":"secret"}' },
    },
  ],
  [
    'Repeated keys of the query',
    async () => ({
      there: await read(
        asked(
          (app) => app.get('/', async ({ query }: { query: { tag: unknown } }) => ({ tag: query.tag })),
          '/?tag=a&tag=b',
        ),
      ),
      here: await read(
        createApp()
          .get('/', (ctx) => ctx.json([ctx.query.get('tag'), ctx.query.getAll('tag')]))
          .request('/?tag=a&tag=b'),
      ),
    }),
    { there: { status: 200, body: '{"tag":["a","b"]}' }, here: { status: 200, body: '["a",["a","b"]]' } },
  ],
  [
    '`__proto__` in JSON',
    async () => {
      const app = createApp()
        .post('/read', async (ctx) => ctx.json(Object.keys(await ctx.json<object>())))
        .post('/parsed', bodyParser(), (ctx) => ctx.json(Object.keys(ctx.state.body as object)))
        .post('/valid', validateBody(z.object({}).passthrough()), (ctx) => ctx.json(Object.keys(ctx.state.valid.body)))
      const keys = async (path: string) => (await read(app.request(path, PROTO))).body
      return {
        there: await statusOf(asked(echo(), '/', PROTO)),
        here: { read: await keys('/read'), parsed: await keys('/parsed'), valid: await keys('/valid') },
      }
    },
    { there: 400, here: { read: '["__proto__","name"]', parsed: '["name"]', valid: '["name"]' } },
  ],
  [
    'The media type of a body',
    async () => {
      const types = ['application/x-www-form-urlencoded', 'application/vnd.shop+json', 'application/xml']
      const bodies = ['name=ann', '{"name":"ann"}', '<name/>']
      const app = createApp()
        .post('/text', async (ctx) => ctx.text(await ctx.text()))
        .mount('/valid', echoed())
      const there: number[] = []
      const here: unknown[] = []
      for (const [at, type] of types.entries()) {
        const sent = posted(bodies[at]!, type)
        there.push(await statusOf(asked(echo(), '/', sent)))
        here.push({
          text: await statusOf(app.request('/text', sent)),
          valid: await statusOf(app.request('/valid', sent)),
        })
      }
      return { there, here }
    },
    {
      there: [415, 415, 415],
      here: [
        { text: 200, valid: 200 },
        { text: 200, valid: 200 },
        { text: 200, valid: 415 },
      ],
    },
  ],
  [
    'An error with `statusCode`',
    async () => {
      const sold = async (): Promise<never> => {
        throw Object.assign(new Error('Sold'), { statusCode: 409 })
      }
      return {
        there: await statusOf(asked((app) => app.get('/', sold), '/')),
        here: await statusOf(createApp().get('/', sold).request('/')),
      }
    },
    { there: 409, here: 500 },
  ],
  [
    'A slash at the end',
    async () => ({
      there: await statusOf(asked(page('/text'), '/text/')),
      here: {
        default: await statusOf(
          createApp()
            .get('/text', (ctx) => ctx.text(''))
            .request('/text/'),
        ),
        strict: await statusOf(
          createApp({ strict: true })
            .get('/text', (ctx) => ctx.text(''))
            .request('/text/'),
        ),
      },
    }),
    { there: 404, here: { default: 200, strict: 404 } },
  ],
  [
    'Malformed escapes',
    async () => {
      let ran = 0
      const there = await statusOf(
        asked((app) => {
          app.addHook('onRequest', async () => void ran++)
          page('/items/:id')(app)
        }, '/items/%E0%A4%A'),
      )
      const guarded = createApp()
        .use('/admin/*', (ctx) => {
          ran += 10
          return ctx.text('', 401)
        })
        .get('/items/:id', (ctx) => ctx.text(''))
      return {
        there: { status: there, ran },
        here: { status: await statusOf(guarded.request('/items/%E0%A4%A')), ran },
      }
    },
    { there: { status: 400, ran: 0 }, here: { status: 401, ran: 10 } },
  ],
  [
    'A wildcard without a rest',
    async () => ({
      there: await statusOf(asked(page('/files/*'), '/files')),
      here: await statusOf(
        createApp()
          .get('/files/*', (ctx) => ctx.text(''))
          .request('/files'),
      ),
    }),
    { there: 404, here: 200 },
  ],
  [
    'Escaped letters in a static path',
    async () => ({
      there: await statusOf(asked(page('/about'), '/%61bout')),
      here: await statusOf(
        createApp()
          .get('/about', (ctx) => ctx.text(''))
          .request('/%61bout'),
      ),
    }),
    { there: 200, here: 404 },
  ],
]

describe.skipIf(!existsSync(tool))('FX5: what differs from Fastify without an error', () => {
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  testDifferences('Fastify', differences)
})
