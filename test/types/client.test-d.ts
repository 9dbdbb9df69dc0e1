import { describe, expectTypeOf, test } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { memoryChannel } from '../../src/channel/memory.ts'
import { createChannel } from '../../src/channel.ts'
import { events } from '../../src/client/events.ts'
import { socket } from '../../src/client/socket.ts'
import type { RoutesOf } from '../../src/client.ts'
import { type Client, createClient, type Reply, unwrap } from '../../src/client.ts'
import type {
  Data,
  Middleware,
  RequestInput,
  ResponsesByStatus,
  TypedResponse,
} from '../../src/internal/types/context.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { basePath, group, mount } from '../../src/kernel/scope.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { validateBody, validateHeaders, validateQuery } from '../../src/middleware/validator.ts'
import { describe as describeRoute } from '../../src/openapi.ts'
import { pipe } from '../../src/pipe.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { createApp as createTiny } from '../../src/tiny.ts'
import { webSocket } from '../../src/websocket.ts'
import * as z from '../../src/z.ts'

interface User {
  readonly id: number
  readonly name: string
}
declare const verify: (token: string) => User
declare const find: (id: string) => User | undefined

const NewUser = z.object({ name: z.string(), age: z.number().optional() })
const Page = z.object({ page: z.coerce.number().optional(), tag: z.array(z.string()).optional() })

const app = createApp()
  .get('/', (ctx) => ctx.text('home'))
  .get('/users/:id', (ctx) => {
    const user = find(ctx.params.id)
    return user ? ctx.json(user) : ctx.json({ error: 'Not Found', since: new Date() }, 404)
  })
  .get('/users', validateQuery(Page), async (ctx) => ctx.json([{ page: ctx.state.validated.page }]))
  .post('/users', bearerAuth({ verify }), validateBody(NewUser), (ctx) =>
    ctx.json({ id: 1, ...ctx.state.validated }, 201),
  )
  .put('/files/*path', validateHeaders(z.object({ 'x-key': z.string() })), (ctx) => ctx.json({ path: ctx.params.path }))
  .delete('/users/:id', (ctx) => (ctx.params.id ? ctx.json({ gone: true }) : new Response(null, { status: 204 })))
  .get('/prices', (ctx) =>
    ctx.sse<{ event: 'price'; data: { cents: number } } | { data: string }>((send) => {
      send({ event: 'price', data: { cents: 1 } })
    }),
  )

const api = createClient<typeof app>({ baseUrl: 'http://a' })

describe('TC1: the type of an application knows its routes', () => {
  test('statements add nothing', () => {
    const plain = createApp()
    plain.get('/a', () => text(''))
    expectTypeOf<RoutesOf<typeof plain>>().toBeNever()
    // @ts-expect-error no route is known
    createClient<typeof plain>().get('/a')
  })

  test('a group and a mounted application stand below their prefix', () => {
    const inner = createTiny()
      .get('/', () => json('list'))
      .post('/:id', () => json('made', 201))
    const outer = createApp()
      .group('/admin', (routes) =>
        routes.get('/a', (ctx) => ctx.json('a')).group('/b', (below) => below.get('/c', () => json(1))),
      )
      .group('/statements', (routes) => {
        routes.get('/x', () => text(''))
      })
      .mount('/inner', inner)
      .get('/last', () => json(true))
    const outside = createClient<typeof outer>()
    expectTypeOf(unwrap(outside.get('/admin/a'))).resolves.toEqualTypeOf<string>()
    expectTypeOf(unwrap(outside.get('/admin/b/c'))).resolves.toEqualTypeOf<number>()
    expectTypeOf(unwrap(outside.get('/inner'))).resolves.toEqualTypeOf<string>()
    expectTypeOf(unwrap(outside.post('/inner/:id', { params: { id: 'x' } }))).resolves.toEqualTypeOf<string>()
    expectTypeOf(unwrap(outside.get('/last'))).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error a group of statements adds nothing
    outside.get('/statements/x')
    // @ts-expect-error only below the prefix
    outside.get('/a')
  })

  test('the pipe door', () => {
    const plan = pipe(
      blank,
      use(bearerAuth({ verify })),
      route('GET', '/me', (ctx) => json(ctx.state.user)),
      route('POST', '/users', validateBody(NewUser), (ctx) => json({ made: ctx.state.validated.name }, 201)),
      group('/deep', (inner) =>
        pipe(
          inner,
          route('GET', '/:id', (ctx) => json(ctx.params.id)),
        ),
      ),
      mount(
        '/m',
        pipe(
          blank,
          route('DELETE', '/', () => json(null)),
        ),
      ),
    )
    const client = createClient<typeof plan>()
    expectTypeOf(unwrap(client.get('/me'))).resolves.toEqualTypeOf<User>()
    expectTypeOf(unwrap(client.post('/users', { json: { name: 'a' } }))).resolves.toEqualTypeOf<{ made: string }>()
    expectTypeOf(unwrap(client.get('/deep/:id', { params: { id: 1 } }))).resolves.toEqualTypeOf<string>()
    expectTypeOf(unwrap(client.delete('/m'))).resolves.toEqualTypeOf<null>()
    const fetch = pipe(plan, basePath('/v1'), toFetch)
    expectTypeOf(unwrap(createClient<typeof fetch>().get('/v1/me'))).resolves.toEqualTypeOf<User>()
  })

  test('an application whose routes are not known takes every path', () => {
    const any: Client<any> = createClient<App>()
    any.get('/whatever', { params: { id: 1 } })
  })

  test('a middleware may say what it takes, and what is answered', () => {
    const described =
      (): Middleware<ResponsesByStatus<{ 200: Data<User>; 409: { schema: typeof NewUser } }>> => (_, next) =>
        next()
    const paged: Middleware<{ page: number } & RequestInput<{ query: { page: string } }>> = (_, next) => next()
    const own = createApp<unknown, {}>().get('/', paged, described(), (ctx) => ctx.json(ctx.state.page))
    const client = createClient<typeof own>()
    expectTypeOf(unwrap(client.get('/', { query: { page: '1' } }))).resolves.toEqualTypeOf<User>()
    // @ts-expect-error the page is missing
    client.get('/')
  })

  test('an inline function does not hide what the others take', () => {
    const own = createApp().post(
      '/',
      (_, next) => next(),
      validateBody(NewUser),
      () => json(1),
    )
    createClient<typeof own>().post('/', { json: { name: 'a' } })
    // @ts-expect-error a body is needed
    createClient<typeof own>().post('/')
  })
})

describe('TC2, TC3: calls, and what comes back by status', () => {
  test('params, query, body, form and fields', async () => {
    api.get('/')
    api.get('/', { signal: AbortSignal.timeout(1), headers: { 'x-a': undefined }, query: { anything: [1, 'a'] } })
    api.get('/users', { query: { page: 2, tag: ['a'] } })
    api.get('/users')
    api.post('/users', { json: { name: 'a' } })
    api.post('/users', { form: { name: 'a' } })
    api.post('/users', { form: new FormData() })
    api.put('/files/*path', { params: { path: 'a/b' }, headers: { 'x-key': 'k' }, json: { any: 1 } })
  })

  test('the status tells the data', async () => {
    const response = await api.get('/users/:id', { params: { id: 1 } })
    if (response.status === 200) expectTypeOf(response.json()).resolves.toEqualTypeOf<User>()
    else if (response.status === 404)
      expectTypeOf(response.json()).resolves.toEqualTypeOf<{ error: string; since: string }>()
    else expectTypeOf(response.json()).resolves.toBeUnknown()
    if (response.ok) expectTypeOf(response.json()).resolves.toEqualTypeOf<User>()
    const created = await api.post('/users', { json: { name: 'a' } })
    if (created.ok) expectTypeOf(created.status).toEqualTypeOf<201>()
    // What stands before a handler may refuse, although it only says what it makes
    if (created.status === 422) expectTypeOf(created.json()).resolves.toBeUnknown()
    expectTypeOf(api.get('/')).resolves.toEqualTypeOf<Reply<unknown, number>>()
    expectTypeOf(unwrap(api.delete('/users/:id', { params: { id: 1 } }))).resolves.toEqualTypeOf<{ gone: boolean }>()
  })

  test('NC9: what may be undefined may be missing in JSON', async () => {
    interface Row {
      id: number
      name: string | undefined
      at?: Date
      tags: (string | undefined)[]
      deep: { a: string | undefined; b: unknown; c: null }
      // any: data without a type stays so
      any: any
    }
    const own = createApp().get('/', (ctx) => ctx.json({} as Row))
    expectTypeOf(unwrap(createClient<typeof own>().get('/'))).resolves.toEqualTypeOf<{
      id: number
      name?: string | undefined
      at?: string
      tags: (string | undefined)[]
      deep: { a?: string | undefined; b: unknown; c: null }
      any: any
    }>()
  })

  test('NC3: null where the schema takes it, in a query, a form and fields', () => {
    const Maybe = z.object({ a: z.string().nullish(), b: z.array(z.string()).nullable() })
    const own = createApp()
      .get('/q', validateQuery(Maybe), (ctx) => ctx.json(ctx.state.validated))
      .get('/h', validateHeaders(z.object({ 'x-a': z.string().nullish() })), (ctx) => ctx.text(''))
      .post('/f', validateBody(Maybe), (ctx) => ctx.json(ctx.state.validated))
    const client = createClient<typeof own>()
    client.get('/q', { query: { a: null, b: null } })
    client.get('/h', { headers: { 'x-a': null } })
    client.post('/f', { form: { a: null, b: null } })
    api.get('/', { query: { anything: null }, headers: { 'x-a': null } })
  })

  test('every success, refusals in general, and what has no type', async () => {
    interface Odd {
      readonly kept: undefined
      run(): void
      readonly any: unknown
    }
    const own = createApp()
      .get('/206', (ctx) => ctx.json('part', 206))
      .get('/301', (ctx) => ctx.json('moved', 301))
      .get('/any', (ctx) => ctx.json({ a: 1 }, +ctx.path))
      .get('/odd', (ctx) => ctx.json({} as Odd))
      .get('/untyped', (ctx) => ctx.json({} as unknown, 201))
    const client = createClient<typeof own>()
    expectTypeOf(unwrap(client.get('/206'))).resolves.toEqualTypeOf<string>()
    expectTypeOf(unwrap(client.get('/301'))).resolves.toBeNever()
    const any = await client.get('/any')
    expectTypeOf(any).toEqualTypeOf<Reply<{ a: number }, number>>()
    expectTypeOf(any.ok).toEqualTypeOf<boolean>()
    if (any.ok) expectTypeOf(any.status).toEqualTypeOf<number>()
    expectTypeOf(unwrap(client.get('/any'))).resolves.toEqualTypeOf<{ a: number }>()
    expectTypeOf(unwrap(client.get('/odd'))).resolves.toEqualTypeOf<{
      readonly kept?: undefined
      run: never
      readonly any: unknown
    }>()
    const untyped = await client.get('/untyped')
    if (untyped.ok) expectTypeOf(untyped.status).toEqualTypeOf<201>()
    expectTypeOf(unwrap(client.get('/untyped'))).resolves.toBeUnknown()
  })

  test('a HEAD has no data', async () => {
    expectTypeOf(unwrap(api.head('/users/:id', { params: { id: 1 } }))).resolves.toBeUndefined()
    const response = await api.head('/users/:id', { params: { id: 1 } })
    if (response.status === 404) expectTypeOf(response.json()).resolves.toBeUndefined()
    expectTypeOf(api.head('/')).resolves.toEqualTypeOf<Reply<undefined, number>>()
  })

  test('a status that is only a number', async () => {
    const status = 200 as number
    const A = z.object({ a: z.string() })
    const own = createApp()
      .get('/schema', describeRoute({ responses: { [status]: A } }), () => text(''))
      .get('/words', describeRoute({ responses: { [status]: { description: '' } } }), (ctx) => ctx.json({ a: '' }))
      .get('/sent', describeRoute({ responses: { 200: { description: '' } } }), (ctx) => ctx.json({ a: '' }, status))
    const client = createClient<typeof own>()
    expectTypeOf(unwrap(client.get('/schema'))).resolves.toEqualTypeOf<{ a: string }>()
    expectTypeOf(unwrap(client.get('/words'))).resolves.toEqualTypeOf<{ a: string }>()
    expectTypeOf(unwrap(client.get('/sent'))).resolves.toEqualTypeOf<{ a: string }>()
  })

  test('where only refusals have a type, the data of a success is unknown', async () => {
    const Refusal = z.object({ error: z.string() })
    const own = createApp()
      .get('/described', describeRoute({ responses: { 404: Refusal } }), (ctx) => ctx.text('a'))
      .get('/handler', (ctx) => (ctx.method ? ctx.json({ error: '' }, 404) : ctx.text('a')))
      .get('/never', (ctx) => ctx.json({ error: '' }, 404))
    const client = createClient<typeof own>()
    expectTypeOf(unwrap(client.get('/described'))).resolves.toBeUnknown()
    expectTypeOf(unwrap(client.get('/handler'))).resolves.toBeUnknown()
    expectTypeOf(unwrap(client.get('/never'))).resolves.toBeNever()
    const response = await client.get('/described')
    if (response.status === 404) expectTypeOf(response.json()).resolves.toEqualTypeOf<{ error: string }>()
  })

  test('json and ctx.json keep data and status, and are responses', () => {
    expectTypeOf(json({ a: 1 }, 201)).toEqualTypeOf<TypedResponse<{ a: number }, 201>>()
    const plain: Response = json({ a: 1 }, { status: 404 })
    return plain
  })
})

test('TC5: events are typed by what the route sends', async () => {
  for await (const event of events(api, '/prices')) {
    if (event.event === 'price') expectTypeOf(event.json()).toEqualTypeOf<{ cents: number }>()
    else {
      // A text is sent as it is, so that it cannot be parsed
      expectTypeOf(event.json()).toEqualTypeOf<never>()
      expectTypeOf(event.data).toEqualTypeOf<string>()
    }
  }
  // Every event may have an id, without naming it in each type
  createApp().get('/', (ctx) =>
    ctx.sse<{ event: 'a'; data: number } | { data: string }>((send) => {
      send({ event: 'a', data: 1, id: '1', retry: 5 })
      send({ data: '', id: '2' })
      // @ts-expect-error another type
      send({ event: 'a', data: true, id: '1' })
    }),
  )
  // @ts-expect-error no such path
  events(api, '/price')
  const mixed = createApp().get('/', (ctx) =>
    ctx.method
      ? ctx.sse<{ event: 'a'; data: number }>(() => {})
      : ctx.json({ events: { event: 'b', data: true } } as const, 503),
  )
  for await (const event of events(createClient<typeof mixed>(), '/')) expectTypeOf(event.event).toEqualTypeOf<'a'>()
})

test('CH3: the stream of a channel tells its events to the route, with the gap', async () => {
  const orders = createChannel<{ total: number; at: Date }>(memoryChannel())
  const toEvent = ({ total }: { total: number }) => ({ event: 'order' as const, data: { total } })
  const live = createApp()
    .get('/plain', (ctx) => ctx.sse(orders.stream(ctx, 'orders')))
    .get('/named', (ctx) => ctx.sse(orders.stream(ctx, 'orders', { toEvent })))
  const api = createClient<typeof live>()
  for await (const event of events(api, '/plain')) {
    expectTypeOf(event.event).toEqualTypeOf<'message' | 'gap'>()
    if (event.event === 'message') expectTypeOf(event.json()).toEqualTypeOf<{ total: number; at: string }>()
    else expectTypeOf(event.json()).toEqualTypeOf<never>()
  }
  for await (const event of events(api, '/named')) {
    if (event.event === 'order') expectTypeOf(event.json()).toEqualTypeOf<{ total: number }>()
    else expectTypeOf(event.event).toEqualTypeOf<'gap'>()
  }
  // @ts-expect-error An event of another type
  orders.stream({ header: () => null }, 'orders', { toEvent: (order: { sum: number }) => ({ data: order.sum }) })
})

test('WS3: a socket is typed by the schemas of its route', () => {
  const Said = z.object({ text: z.string(), size: z.number().default(1) })
  const Heard = z.object({ at: z.date(), text: z.string() })
  const live = createApp()
    .get(
      '/rooms/:room',
      webSocket((ctx) => ({ message: (one, { text }) => one.send(ctx.params.room + text) }), {
        messages: Said,
        sends: Heard,
      }),
    )
    .get(
      '/raw',
      webSocket(() => ({ message: (one, message) => one.send(message) })),
    )
    .get('/plain', (ctx) => ctx.json(1))
  const client = createClient<typeof live>()
  const chat = socket(client, '/rooms/:room', { params: { room: 1 }, query: { after: 1 }, retryMs: 5 })
  expectTypeOf(chat.sendJson).parameter(0).toEqualTypeOf<{ text: string; size?: number | undefined }>()
  expectTypeOf(chat.next()).resolves.toExtend<{ value: { json(): { at: string; text: string } } | undefined }>()
  const raw = socket(client, '/raw')
  expectTypeOf(raw.sendJson).parameter(0).toBeUnknown()
  expectTypeOf(raw.send).parameter(0).toEqualTypeOf<string | Uint8Array>()
  // @ts-expect-error the text is missing
  chat.sendJson({})
  // @ts-expect-error no such path
  socket(client, '/room')
  // @ts-expect-error the parameter is missing
  socket(client, '/rooms/:room')
  // @ts-expect-error a handshake has no body
  socket(client, '/raw', { json: {} })
  const any: Client<any> = createClient<App>()
  socket(any, '/whatever', { params: { id: 1 } }).sendJson({ any: 1 })
})

describe('TC9: wrong calls do not compile', () => {
  test('paths, parameters, query, body, fields', () => {
    // @ts-expect-error no such path
    api.get('/usrs')
    // @ts-expect-error no such path for this method
    api.post('/users/:id', { params: { id: 1 } })
    // @ts-expect-error the parameter is missing
    api.get('/users/:id')
    // @ts-expect-error another parameter
    api.get('/users/:id', { params: { idd: 1 } })
    // @ts-expect-error a wrong query
    api.get('/users', { query: { tag: [1] } })
    // @ts-expect-error a wrong body
    api.post('/users', { json: { name: 1 } })
    // @ts-expect-error a misspelt key
    api.post('/users', { json: { name: 'a', agee: 1 } })
    // @ts-expect-error a field is missing
    api.put('/files/*path', { params: { path: 'a' } })
    // @ts-expect-error GET has no body
    api.get('/users', { json: {} })
  })
})
