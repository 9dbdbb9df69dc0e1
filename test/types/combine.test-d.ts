import { describe, expectTypeOf, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Middleware } from '../../src/internal/types/context.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { every, except, some } from '../../src/middleware/combine.ts'
import { logger } from '../../src/middleware/logger.ts'
import { pipe } from '../../src/pipe.ts'
import { json } from '../../src/respond/json.ts'

interface User {
  readonly id: number
}
declare const auth: Middleware<{ user: User }>
declare const key: Middleware<{ user: { name: string }; key: string }>
declare const needs: Middleware<{ owner: string }, { user: User }>

describe('MX19: what combinations add', () => {
  test('every adds what all of them add', () => {
    createApp()
      .use(every(auth, bodyParser(), logger()))
      .get('/', (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        return json(ctx.state.body)
      })
    createApp<{}, {}>().get('/', every(auth, needs), (ctx) => {
      expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
      expectTypeOf(ctx.state.owner).toEqualTypeOf<string>()
      // @ts-expect-error no member adds it
      return json(ctx.state.usr)
    })
    pipe(
      blank,
      use(every(auth)),
      route('GET', '/', (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        return json(1)
      }),
    )
  })

  test('every needs what its members do not add before', () => {
    createApp<{}, {}>().use(every(auth, needs))
    createApp<{}, {}>().use(auth).use(every(needs, auth))
    // @ts-expect-error it is added too late
    createApp<{}, {}>().use(every(needs, auth))
    // @ts-expect-error it is added too late
    createApp<{}, {}>().use(except('/', needs, auth))
    // @ts-expect-error the first may have refused
    createApp<{}, {}>().use(some(auth, needs))
  })

  test('some adds what each of them adds', () => {
    createApp<{}, {}>().get('/', some(auth, auth), (ctx) => {
      expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
      return json(1)
    })
    createApp<{}, {}>().get('/', some(auth, key), (ctx) => {
      expectTypeOf(ctx.state.user).toEqualTypeOf<User | { name: string }>()
      // @ts-expect-error only one of them adds it
      return json(ctx.state.key)
    })
    createApp<{}, {}>().get('/', some(auth, logger()), (ctx) => {
      // @ts-expect-error only one of them adds it
      return json(ctx.state.user)
    })
    createApp<{}, {}>().get('/', some(every(auth, logger()), auth), (ctx) => {
      expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
      return json(1)
    })
  })

  test('what except adds is optional', () => {
    createApp()
      .use(except('/login', auth, needs))
      .get('/', (ctx) => {
        expectTypeOf(ctx.state.user).toEqualTypeOf<User | undefined>()
        // @ts-expect-error it may be absent
        return json(ctx.state.owner.length)
      })
  })

  test('a plan stays loose if nothing is declared, and functions without a type get a context', () => {
    createApp()
      .use(every(logger()), except('/a', logger()), some(logger(), logger()))
      .use(every((ctx, next) => (ctx.path ? next() : undefined)))
      .get('/', (ctx) => json(ctx.state.anything))
    const list: [Middleware, ...Middleware[]] = [auth as never]
    createApp()
      .use(every(...list))
      .get('/', (ctx) => json(ctx.state.anything))
  })

  test('what it adds may be said', () => {
    createApp<{}, {}>().get('/', except<{ user: User }>('/login', auth), (ctx) => json(ctx.state.user.id))
    // @ts-expect-error one function or more
    every()
  })
})
