import type { Context, Handler, Middleware } from '../../src/index.ts'
import { cors, createApp, helmet, json, logger, text, validateBody, validateHeaders, z } from '../../src/index.ts'

// P1, P2: programs as newcomers write them, for createApp: own middleware, handlers in other files, validation, lists: nothing is `any`

/** 0 extends 1 & T only for `any`. */
type IsAny<T> = 0 extends 1 & T ? true : false
/** The value; a compile error if its type is `any`. */
declare const known: <T>(value: T, ...no: IsAny<T> extends true ? ['the type is any'] : []) => T

const a2 = createApp()
const a3 = createApp<unknown, {}>()
// custom middleware as a const with types
interface User {
  id: number
  role: 'admin' | 'user'
}
const auth: Middleware<{ user: User }> = async (ctx, next) => {
  known(ctx)
  ctx.state.user = { id: 1, role: 'admin' }
  return next()
}
const needsUser: Middleware<{}, { user: User }> = (ctx, next) => {
  known(ctx.state.user)
  return ctx.state.user.role === 'admin' ? next() : text('no', 403)
}
export const handler: Handler = (ctx) => {
  known(ctx)
  return text('')
}
a3.get('/', auth, needsUser, (ctx) => {
  known(ctx.state.user.role)
  return json(ctx.state.user)
})
// @ts-expect-error missing prerequisite
a3.get('/', needsUser, () => text(''))
const requireRole =
  (role: User['role']): Middleware<{}, { user: User }> =>
  (ctx, next) =>
    ctx.state.user.role === role ? next() : text('no', 403)
a3.get('/', auth, requireRole('admin'), (ctx) => json(ctx.state.user.id))

// a handler in its own file
export const show = (ctx: Context) => {
  known(ctx.params)
  known(ctx.params.id)
  return ctx.json({ id: ctx.params.id })
}
a2.get('/x/:id', show)
a3.get('/x/:id', show)
export const show2 = (ctx: Context<{ user: User }>) => ctx.json(ctx.state.user.id)
a3.get('/x/:id', auth, show2)

// env
createApp<{ DB: { q(sql: string): Promise<number[]> } }>().get('/', async (ctx) => {
  known(ctx.env)
  known(ctx.env.DB)
  const r = await ctx.env.DB.q('')
  known(r)
  return ctx.json(r)
})

// validate with refusals, transform, union
a3.post('/', validateBody(z.union([z.object({ a: z.literal(1) }), z.object({ b: z.string() })])), (ctx) => {
  known(ctx.state.validated)
  return json(ctx.state.validated)
})
a3.post('/', validateBody(z.object({ d: z.string().transform((s) => new Date(s)) })), (ctx) => {
  known(ctx.state.validated.d)
  ctx.state.validated.d.getTime()
  return json(1)
})
a3.post('/', validateHeaders(z.object({ 'x-a': z.string() })), (ctx) => {
  known(ctx.state.validated['x-a'])
  return json(1)
})
// read bodies
a3.post('/', async (ctx) => {
  const a = await ctx.json<{ a: 1 }>()
  known(a)
  const f = await ctx.formData()
  known(f)
  known(f.get('a'))
  const t = await ctx.text()
  known(t)
  return ctx.json(a)
})
// state across use
export const a12 = createApp()
  .use(auth)
  .use(async (ctx, next) => {
    known(ctx.state.user)
    return next()
  })
  .get('/', (ctx) => {
    known(ctx.state)
    known(ctx.state.user)
    return json(ctx.state.user.id)
  })
createApp()
  .use('/admin/*', auth, needsUser)
  .get('/', () => json(1))
createApp()
  .use(cors(), helmet(), logger(), auth)
  .get('/', (ctx) => {
    known(ctx.state.user)
    return json(ctx.state.user.id)
  })
// helper that adds routes
const addRoutes = (app: ReturnType<typeof createApp>) => {
  app.get('/h', (ctx) => {
    known(ctx)
    return text('')
  })
}
addRoutes(createApp())
// list of middleware
const list: Middleware[] = [cors(), helmet()]
createApp()
  .use(...(list as [Middleware]))
  .get('/', (ctx) => {
    known(ctx)
    return text('')
  })
// sse & stream
createApp().get('/', (ctx) =>
  ctx.sse(async (send) => {
    known(send)
    known(send.signal)
    await send({ data: 1 })
  }),
)
createApp().get('/', (ctx) =>
  ctx.stream(async function* () {
    yield 'a'
  }),
)
