import { describe, expectTypeOf, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Middleware } from '../../src/internal/types/context.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at, group } from '../../src/kernel/scope.ts'
import { pipe } from '../../src/pipe.ts'
import { text } from '../../src/respond/text.ts'
import { createApp as createTiny } from '../../src/tiny.ts'

interface User {
  readonly id: string
}
declare const plain: () => Middleware
declare const session: () => Middleware<{ session: Map<string, string> }>
declare const bearer: <U = User>() => Middleware<{ user: U }>
declare const admin: () => Middleware<{ admin: true }, { user: User }>

describe('P3: what a middleware of a route needs must be there before it', () => {
  test('createApp and tiny', () => {
    const app = createApp<unknown, {}>()
    app.get('/', bearer(), admin(), (ctx) => ctx.json(ctx.state.admin satisfies true))
    app.get('/', plain(), bearer(), plain(), admin(), (ctx) => ctx.json(ctx.state.admin satisfies true))
    app.use(bearer()).get('/', admin(), (ctx) => ctx.json(ctx.state.admin satisfies true))
    // @ts-expect-error the user is missing
    app.get('/', admin(), (ctx) => ctx.json(1))
    // @ts-expect-error the user comes too late
    app.get('/', admin(), bearer(), (ctx) => ctx.json(1))
    // @ts-expect-error the user has another type
    app.get('/', bearer<string>(), admin(), (ctx) => ctx.json(1))
    // @ts-expect-error the user is missing
    createTiny<unknown, {}>().get('/', session(), admin(), (ctx) => ctx.json(1))
    app.group('/a', (routes) => {
      // @ts-expect-error the user is missing
      routes.get('/', admin(), (ctx) => ctx.json(1))
    })
  })

  test('route() of the pipe door', () => {
    pipe(
      blank,
      route('GET', '/', bearer(), admin(), (ctx) => text(`${ctx.state.admin satisfies true}`)),
    )
    pipe(
      blank,
      use(bearer()),
      route('GET', '/', admin(), (ctx) => text(`${ctx.state.admin satisfies true}`)),
      group('/a', (inner) =>
        pipe(
          inner,
          use(admin()),
          route('GET', '/', (ctx) => text(`${ctx.state.admin satisfies true}`)),
        ),
      ),
    )
    pipe(
      blank,
      use(session()),
      // @ts-expect-error the user is missing
      route('GET', '/', admin(), () => text('')),
    )
    pipe(
      blank,
      // @ts-expect-error the user comes too late
      route('GET', '/', admin(), bearer(), () => text('')),
    )
  })

  test('an application in statements cannot know, and accepts', () => {
    createApp().get('/', admin(), (ctx) => ctx.json(ctx.state.admin satisfies true))
  })
})

describe('P3: use(a, b) and use(path, a, b)', () => {
  test('each sees what stands before it', () => {
    createApp<unknown, {}>()
      .use(session(), bearer(), admin())
      .get('/', (ctx) => {
        expectTypeOf(ctx.state.session).toEqualTypeOf<Map<string, string>>()
        expectTypeOf(ctx.state.user).toEqualTypeOf<User>()
        expectTypeOf(ctx.state.admin).toEqualTypeOf<true>()
        return text('')
      })
    createTiny<unknown, {}>()
      .use('/admin/*', bearer(), admin())
      .get('/', (ctx) => text(`${ctx.state.admin satisfies true}`))
    pipe(
      blank,
      use(bearer(), plain(), admin()),
      route('GET', '/', (ctx) => text(ctx.state.user.id)),
    )
    pipe(blank, use(bearer()), use(at('/admin/*', admin())))
  })

  test('a missing one is an error where it is missing', () => {
    // @ts-expect-error the user is missing
    createApp<unknown, {}>().use(admin())
    // @ts-expect-error the user is missing
    createApp<unknown, {}>().use('/x', admin())
    // @ts-expect-error the user comes too late
    createApp<unknown, {}>().use(admin(), bearer())
    // @ts-expect-error the user comes too late
    createTiny<unknown, {}>().use('/x', session(), admin(), bearer())
    // @ts-expect-error a chain that declares state knows that the user is missing
    createApp().use(session()).use(admin())
    pipe(
      blank,
      use(session()),
      // @ts-expect-error the user is missing
      use(admin()),
    )
    pipe(
      blank,
      // @ts-expect-error the user comes too late
      use(admin(), bearer()),
    )
    pipe(
      blank,
      // @ts-expect-error the user is missing
      use(at('/x', admin())),
    )
  })
})
