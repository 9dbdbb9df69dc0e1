import { describe, expectTypeOf, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { SessionStore } from '../../src/internal/session/session-store.ts'
import type { Context, Middleware, Next } from '../../src/internal/types/context.ts'
import { blank, route } from '../../src/kernel/plan.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { every } from '../../src/middleware/combine.ts'
import { cors } from '../../src/middleware/cors.ts'
import { session } from '../../src/middleware/session.ts'
import { validateBody, validateQuery, validator } from '../../src/middleware/validator.ts'
import { pipe } from '../../src/pipe.ts'
import { json } from '../../src/respond/json.ts'
import { createApp as createTiny } from '../../src/tiny.ts'
import * as z from '../../src/z.ts'

interface User {
  readonly id: number
}
interface Cart {
  items: string[]
}
declare const store: SessionStore
declare const verify: (token: string) => Promise<User>
declare const step: <const Key extends string>(key: Key) => Middleware<{ [Name in Key]: number }>

const S = z.object({ name: z.string(), age: z.number() })
const Q = z.object({ page: z.string() })
type Person = { name: string; age: number }

describe('P1: middleware of a route types ctx.state of its handler', () => {
  test('createApp: a key that the schema does not have is an error', () => {
    createApp().post('/', validateBody(S), (ctx) => {
      expectTypeOf(ctx.state.validated).toEqualTypeOf<Person>()
      // @ts-expect-error misspelt
      return ctx.json(ctx.state.validated.nmae)
    })
    createApp().post('/', validator({ schema: Q, source: 'query' }), (ctx) => {
      expectTypeOf(ctx.state.valid.query).toEqualTypeOf<{ page: string }>()
      // @ts-expect-error misspelt
      return ctx.json(ctx.state.validated.pgae)
    })
  })

  test('tiny, group and route() do the same', () => {
    createTiny().post('/', validateBody(S), (ctx) => {
      expectTypeOf(ctx.state.validated).toEqualTypeOf<Person>()
      // @ts-expect-error misspelt
      return ctx.json(ctx.state.validated.nmae)
    })
    createApp().group('/a', (routes) => {
      routes.post('/', validateBody(S), (ctx) => {
        expectTypeOf(ctx.state.validated).toEqualTypeOf<Person>()
        // @ts-expect-error misspelt
        return ctx.json(ctx.state.validated.nmae)
      })
    })
    createTiny().group('/a', (routes) => {
      routes.group('/b', (inner) => {
        inner.post('/', validateBody(S), (ctx) => {
          expectTypeOf(ctx.state.validated).toEqualTypeOf<Person>()
          // @ts-expect-error misspelt
          return ctx.json(ctx.state.validated.nmae)
        })
      })
    })
    pipe(
      blank,
      route('POST', '/:id', validateBody(S), (ctx) => {
        expectTypeOf(ctx.state.validated).toEqualTypeOf<Person>()
        expectTypeOf(ctx.params).toEqualTypeOf<{ readonly id: string }>()
        // @ts-expect-error misspelt
        return json(ctx.state.validated.nmae)
      }),
    )
  })

  test('bearerAuth, session and validators stand side by side', () => {
    createApp<unknown, {}>()
      .use(cors())
      .get('/:a', session({ store, secret: 'x' }), bearerAuth({ verify }), validateQuery(Q), validateBody(S), (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        expectTypeOf(ctx.state.valid.body).toEqualTypeOf<Person>()
        expectTypeOf(ctx.state.valid.query).toEqualTypeOf<{ page: string }>()
        expectTypeOf(ctx.params).toEqualTypeOf<{ readonly a: string }>()
        // @ts-expect-error misspelt
        ctx.state.usr
        return ctx.json({})
      })
    createApp().get('/', session<Cart>({ secret: 'x' }), (ctx) => {
      expectTypeOf(ctx.state.session).toEqualTypeOf<Cart>()
      // @ts-expect-error misspelt
      return ctx.json(ctx.state.session.itmes)
    })
  })

  test('one to four steps, and in the right order; more are joined by `every`', () => {
    const app = createApp<unknown, {}>()
    app.get('/', step('a'), (ctx) => ctx.json(ctx.state.a satisfies number))
    app.get('/', step('a'), step('b'), (ctx) => ctx.json(ctx.state.b satisfies number))
    app.get('/', step('a'), step('b'), step('c'), (ctx) => ctx.json(ctx.state.c satisfies number))
    const [a, b, c, d, e] = [step('a'), step('b'), step('c'), step('d'), step('e')] as const
    app.get('/', a, b, c, d, (ctx) => {
      expectTypeOf(ctx.state.a).toEqualTypeOf<number>()
      expectTypeOf(ctx.state.d).toEqualTypeOf<number>()
      // @ts-expect-error no step adds it
      return ctx.json(ctx.state.e)
    })
    app.get('/', a, b, c, every(d, e), (ctx) => ctx.json(ctx.state.e satisfies number))
    pipe(
      blank,
      route('GET', '/', a, b, c, d, (ctx) => {
        expectTypeOf(ctx.state.d).toEqualTypeOf<number>()
        // @ts-expect-error no step adds it
        return json(ctx.state.e)
      }),
      route('GET', '/more', a, b, c, every(d, e), (ctx) => json(ctx.state.e satisfies number)),
    )
    // @ts-expect-error more than four
    app.get('/', a, b, c, d, e, () => new Response())
    // @ts-expect-error calls of use() are chained for more than four
    app.use(a, b, c, d, e)
  })
})

describe('P1: functions that are written by hand', () => {
  const withStart: Middleware<{ start: number }> = (ctx, next) => {
    ctx.state.start = 1
    return next()
  }
  const readsStart = (ctx: Context<{ start: number }>, next: Next) => (ctx.state.start > 1 ? next() : next())

  test('one with a type adds what it declares', () => {
    createApp<unknown, {}>().get('/', withStart, (ctx) => ctx.json(ctx.state.start satisfies number))
    // @ts-expect-error misspelt
    createApp<unknown, {}>().get('/', withStart, (ctx) => ctx.json(ctx.state.strat))
  })

  test('one that reads a key needs it, and adds nothing', () => {
    createApp<unknown, {}>().get('/', withStart, readsStart, (ctx) => ctx.json(ctx.state.start))
    // @ts-expect-error nothing adds `start`
    createApp<unknown, {}>().get('/', readsStart, (ctx) => ctx.json(1))
  })

  test('one without a type sees the state before it, and adds nothing', () => {
    createApp<unknown, {}>().get(
      '/:id',
      (ctx, next) => {
        expectTypeOf(ctx.method).toEqualTypeOf<string>()
        // @ts-expect-error nothing adds it
        ctx.state.start
        return next()
      },
      (ctx) => {
        // @ts-expect-error nothing adds it
        ctx.state.start
        return ctx.json(ctx.params.id)
      },
    )
    createApp<unknown, {}>().get(
      '/',
      bearerAuth({ verify }),
      (ctx, next) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        return next()
      },
      (ctx) => ctx.json(ctx.state.user),
    )
  })

  test('a handler that is named keeps its type', () => {
    const show = (ctx: Context<{ user: User }, { readonly id: string }>) => json([ctx.state.user.id, ctx.params.id])
    createApp<unknown, {}>().get('/:id', bearerAuth({ verify }), show)
    // @ts-expect-error nothing adds the user
    createApp<unknown, {}>().get('/:id', show)
    // @ts-expect-error the path has no such parameter
    createApp<unknown, {}>().get('/:name', bearerAuth({ verify }), show)
  })
})
