import {
  blank,
  json,
  mount,
  pipe,
  route,
  text,
  toFetch,
  use,
  validateBody,
  validateParams,
  validateQuery,
  z,
} from '../../src/index.ts'
import type { Context, Middleware } from '../../src/internal/types/context.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { at, basePath } from '../../src/kernel/scope.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { requestId } from '../../src/middleware/request-id.ts'
import { session } from '../../src/middleware/session.ts'
import { validate } from '../../src/pipe/validate.ts'
import { readJson } from '../../src/read/json.ts'

// P1, P2: programs as newcomers write them, for the pipe door: nothing is `any`

/** 0 extends 1 & T only for `any`. */
type IsAny<T> = 0 extends 1 & T ? true : false
/** The value; a compile error if its type is `any`. */
declare const known: <T>(value: T, ...no: IsAny<T> extends true ? ['the type is any'] : []) => T
const S = z.object({ name: z.string() })
export const p1 = pipe(
  blank,
  route('GET', '/', (ctx) => {
    known(ctx)
    known(ctx.params)
    return text('')
  }),
  toFetch,
)
known(p1)
export const p2 = pipe(
  blank,
  use(requestId()),
  route('GET', '/u/:id', (ctx) => {
    known(ctx.params.id)
    known(ctx.state.requestId)
    return text(ctx.params.id)
  }),
  toFetch,
)
export const p3 = pipe(
  blank,
  use(async (ctx, next) => {
    known(ctx)
    known(next)
    known(ctx.header('a'))
    onResponse(ctx, (r) => {
      known(r)
      r.headers.set('a', 'b')
    })
    return next()
  }),
  route('POST', '/', validateBody(S), (ctx) => {
    known(ctx.state.validated)
    return json(ctx.state.validated.name)
  }),
  toFetch,
)
pipe(
  blank,
  // @ts-expect-error typo
  route('POST', '/', validateBody(S), (ctx) => json(ctx.state.validated.nmae)),
  toFetch,
)
pipe(
  blank,
  // @ts-expect-error unknown state
  route('GET', '/', (ctx) => json(ctx.state.user)),
  toFetch,
)
export const p4 = pipe(
  blank,
  use(at('/admin/*', bearerAuth({ verify: () => ({ id: 1 }) }))),
  route('GET', '/admin/x', () => text('')),
  basePath('/api'),
  toFetch,
)
export const p5 = pipe(
  blank,
  use(bearerAuth({ verify: async () => ({ id: 1 }) })),
  route('GET', '/x', (ctx) => {
    known(ctx.state.user)
    return json(ctx.state.user.id)
  }),
  toFetch,
)
export const p6 = pipe(
  blank,
  route('POST', '/', async (ctx) => {
    const b = await readJson<{ a: number }>(ctx)
    known(b)
    const v = await validate(ctx, S)
    known(v)
    known(v.name)
    return json(b.a)
  }),
  toFetch,
)
const sub = pipe(
  blank,
  route('GET', '/s/:id', (ctx) => {
    known(ctx.params.id)
    return text('')
  }),
)
known(sub)
export const p7 = pipe(blank, mount('/sub', sub), toFetch)
export const p8 = pipe(
  blank,
  use(session({ secret: 's' })),
  route('GET', '/:id', validateParams(z.object({ id: z.coerce.number() })), validateQuery(S), (ctx) => {
    known(ctx.state.validated)
    known(ctx.state.session)
    return json(1)
  }),
  toFetch,
)
interface User {
  id: number
}
const auth: Middleware<{ user: User }> = (ctx, next) => {
  known(ctx)
  ctx.state.user = { id: 1 }
  return next()
}
const needs: Middleware<{}, { user: User }> = (ctx, next) => {
  known(ctx.state.user.id)
  return next()
}
export const p9 = pipe(
  blank,
  use(auth, needs),
  route('GET', '/', (ctx) => json(ctx.state.user.id)),
  toFetch,
)
export const h = (ctx: Context<{ user: User }>) => json(ctx.state.user.id)
export const p10 = pipe(blank, use(auth), route('GET', '/', h), toFetch)
// @ts-expect-error missing
pipe(blank, route('GET', '/', h), toFetch)
export const p12 = pipe(
  blank,
  route('GET', '/', () => text('')),
  (plan) =>
    toFetch(plan, {
      onError: (error, ctx) => {
        known(ctx)
        return text(String(error), 500)
      },
      notFound: (ctx) => {
        known(ctx)
        return text('')
      },
    }),
)
