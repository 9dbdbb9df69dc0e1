import { describe, expectTypeOf, test } from 'vitest'
import type { AppContext, AppHandler, AppMiddleware } from '../../src/app/context.ts'
import { createApp } from '../../src/app.ts'
import { events } from '../../src/client/events.ts'
import { createClient, type Reply, unwrap } from '../../src/client.ts'
import type { Middleware } from '../../src/internal/types/context.ts'
import { blank, route } from '../../src/kernel/plan.ts'
import { validateBody, validateParams } from '../../src/middleware/validator.ts'
import { describe as describeRoute, named } from '../../src/openapi.ts'
import { pipe } from '../../src/pipe.ts'
import { json } from '../../src/respond/json.ts'
import * as z from '../../src/z.ts'

const User = named('User', z.object({ id: z.number(), born: z.date() }))
const Refusal = z.object({ error: z.string() })
interface Gone {
  error: string
}

const app = createApp()
  .get('/users', describeRoute({ summary: 'All', responses: { 200: z.array(User) } }), () => new Response('[]'))
  .get(
    '/users/:id',
    describeRoute({ responses: { 200: User, 404: { description: 'None', schema: Refusal } } }),
    (ctx) => (ctx.params.id ? ctx.json({}) : ctx.json({}, 404)),
  )
  .delete('/users/:id', describeRoute({ responses: { 204: {}, 404: Refusal } }), () => new Response(null))
  .get('/told', describeRoute({ summary: 'No answers' }), (ctx) => ctx.json({ a: 1 }))
  .get('/wide', describeRoute({ responses: { '4XX': Refusal, default: Refusal } }), (ctx) => ctx.json({ a: 1 }))
  .post('/users', describeRoute({ responses: { 201: User } }), validateBody(User), (ctx) => ctx.json({}, 201))
  .get('/prices', describeRoute({ responses: { 200: { contentType: 'text/event-stream' } } }), (ctx) =>
    ctx.sse<{ event: 'price'; data: { cents: number } }>(() => {}),
  )

const api = createClient<typeof app>({ baseUrl: 'http://a' })

const needsUser: Middleware<{ user: string }> = (ctx, next) => {
  ctx.state.user = 'ada'
  return next()
}
const showUser: AppHandler<{ user: string }, { id: string }> = (ctx) =>
  ctx.json({ user: ctx.state.user, id: ctx.params.id })

test('NF1: a description, a guard and a handler that is declared elsewhere are one route', () => {
  createApp().get('/users/:id', describeRoute({ summary: 'One' }), needsUser, showUser)
  createApp<unknown, {}>().get('/users/:id', describeRoute({ summary: 'One' }), needsUser, showUser)
  createApp<unknown, {}>().get('/users/:id', describeRoute({ summary: 'One' }), needsUser, (ctx) => {
    expectTypeOf(ctx.state.user).toEqualTypeOf<string>()
    return showUser(ctx)
  })
  createApp<unknown, {}>().get('/users/:id', describeRoute({ summary: 'One' }), (ctx) => {
    // @ts-expect-error no guard has added the user
    return showUser(ctx)
  })
})

test('NF1: a handler that is declared elsewhere must read the type that a middleware adds', () => {
  const wrong: AppHandler<{ user: number }> = (ctx) => ctx.json(ctx.state.user)
  // @ts-expect-error the user is a string
  createApp().get('/', needsUser, wrong)
  // @ts-expect-error the user is a string
  createApp().use(needsUser).get('/', wrong)
  // @ts-expect-error the user is a string
  createApp<unknown, {}>().get('/', describeRoute({ summary: 'One' }), needsUser, wrong)
})

describe('TC3: a client knows the answers that describe names', () => {
  test('by status, in the place of what the handler gives', async () => {
    expectTypeOf(unwrap(api.get('/users'))).resolves.toEqualTypeOf<{ id: number; born: string }[]>()
    const one = await api.get('/users/:id', { params: { id: 1 } })
    if (one.status === 200) expectTypeOf(one.json()).resolves.toEqualTypeOf<{ id: number; born: string }>()
    else if (one.status === 404) expectTypeOf(one.json()).resolves.toEqualTypeOf<Gone>()
    else expectTypeOf(one.json()).resolves.toBeUnknown()
    const gone = await api.delete('/users/:id', { params: { id: 1 } })
    if (gone.ok) expectTypeOf(gone.status).toEqualTypeOf<204>()
    expectTypeOf(unwrap(api.post('/users', { json: { id: 1, born: new Date() } }))).resolves.toEqualTypeOf<{
      id: number
      born: string
    }>()
  })

  test('without a schema for a status the handler says what it sends', async () => {
    expectTypeOf(unwrap(api.get('/told'))).resolves.toEqualTypeOf<{ a: number }>()
    for await (const event of events(api, '/prices')) expectTypeOf(event.json()).toEqualTypeOf<{ cents: number }>()
  })

  test('a range and the default are no statuses: the handler says what it sends', () => {
    expectTypeOf(unwrap(api.get('/wide'))).resolves.toEqualTypeOf<{ a: number }>()
  })

  test('for a status that is not described, the handler says what it sends', async () => {
    const some = createApp()
      .get('/refusal', describeRoute({ responses: { 404: Refusal } }), (ctx) => ctx.json({ a: 1 }))
      .get('/success', describeRoute({ responses: { 200: Refusal } }), (ctx) =>
        ctx.method ? ctx.json({}) : ctx.json({ taken: true }, 409),
      )
      .get('/any-status', describeRoute({ responses: { 200: Refusal } }), (ctx) => ctx.json({ a: 1 }, +ctx.path))
      .get('/neither', describeRoute({ responses: { default: Refusal } }), (ctx) => ctx.json({ a: 1 }, +ctx.path))
    const client = createClient<typeof some>()
    expectTypeOf(unwrap(client.get('/refusal'))).resolves.toEqualTypeOf<{ a: number }>()
    const answer = await client.get('/success')
    if (answer.status === 200) expectTypeOf(answer.json()).resolves.toEqualTypeOf<{ error: string }>()
    if (answer.status === 409) expectTypeOf(answer.json()).resolves.toEqualTypeOf<{ taken: boolean }>()
    expectTypeOf(unwrap(client.get('/any-status'))).resolves.toEqualTypeOf<{ error: string }>()
    // A status that only the server knows may be any, and any may have the data
    expectTypeOf(client.get('/neither')).resolves.toEqualTypeOf<Reply<{ a: number }, number>>()
  })

  test('the pipe door', () => {
    const plan = pipe(
      blank,
      route('GET', '/', describeRoute({ responses: { 200: User } }), () => json({})),
    )
    expectTypeOf(unwrap(createClient<typeof plan>().get('/'))).resolves.toEqualTypeOf<{ id: number; born: string }>()
  })

  test('a description is a middleware that adds nothing to the state', () => {
    const plain: Middleware<{}> = describeRoute({ responses: { 200: User } })
    createApp()
      .use(plain, describeRoute({ responses: { 401: Refusal } }))
      .get('/', (ctx) => ctx.json(ctx.state.anything))
    createApp<unknown, {}>()
      .use(describeRoute({ responses: { 401: Refusal } }))
      // @ts-expect-error nothing was declared
      .get('/', (ctx) => ctx.json(ctx.state.anything))
  })
})

describe('NF1: a description, guards and a handler that is declared elsewhere', () => {
  const guard: AppMiddleware<{ user: string }> = (ctx, next) => {
    ctx.state.user = 'ann'
    return next()
  }
  const Id = z.object({ id: z.string() })
  const show = (ctx: AppContext<{ user: string }>) => ctx.json({ id: 1, by: ctx.state.user })
  const find = (ctx: AppContext<{ user: string; valid: { params: { id: string } } }>) => ctx.text(ctx.state.user)

  test('compile together, in any order', async () => {
    const routes = createApp()
      .get('/a', describeRoute({ responses: { 200: User } }), guard, show)
      .get('/b', guard, describeRoute({ responses: { 200: User } }), show)
      .get('/c/:id', describeRoute({ responses: { 200: User } }), validateParams(Id), guard, find)
      .get('/d/:id', guard, validateParams(Id), find)
      .get('/e/:id', validateParams(Id), guard, find)
    const client = createClient<typeof routes>()
    expectTypeOf(unwrap(client.get('/a'))).resolves.toEqualTypeOf<{ id: number; born: string }>()
    expectTypeOf(unwrap(client.get('/b'))).resolves.toEqualTypeOf<{ id: number; born: string }>()
  })

  test('what the handler needs and nobody adds is an error at the handler', () => {
    createApp<unknown, {}>().get(
      '/a',
      describeRoute({ responses: { 200: User } }),
      // @ts-expect-error no guard adds the user
      show,
    )
  })
})
