import { describe, expect, test } from 'vitest'
import { at } from '../../src/kernel/scope.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { regenerateSession } from '../../src/session.ts'
import { cookieSession } from '../../src/stores/cookie-session.ts'
import { memorySession } from '../../src/stores/memory-session.ts'
import { doors } from '../harness.ts'

const secret = 'one secret that every cookie here shares'

/** A browser before an application with a session for all paths, and another one below /admin. */
const browse = (door: (typeof doors)[number][1], outer: object = {}, inner: object = {}) => {
  const fetch = door({
    use: [
      session({ secret, cookie: { name: 'guest' }, ...outer }),
      (ctx, next) => {
        ctx.state.session.visits = Number(ctx.state.session.visits ?? 0) + 1
        return next()
      },
      at('/admin/*', session({ secret, cookie: { name: 'admin' }, ...inner })),
    ],
    routes: [
      ['GET', '/', (ctx) => json(ctx.state.session)],
      [
        'GET',
        '/admin/login',
        (ctx) => {
          regenerateSession(ctx)
          ctx.state.session.isAdmin = true
          return json(ctx.state.session)
        },
      ],
      ['GET', '/admin/', (ctx) => json(ctx.state.session)],
    ],
  })
  const jar = new Map<string, string>()
  return async (path: string): Promise<unknown> => {
    const cookie = Array.from(jar, (pair) => pair.join('=')).join('; ')
    const response = await fetch(new Request(`http://localhost${path}`, { headers: { cookie } }))
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(line)!
      jar.set(name!, value!)
    }
    return response.json()
  }
}

describe.each(doors)('F12: two sessions of one request keep their data apart, through %s', (_, door) => {
  test.each([
    ['in stores', {}, {}],
    ['sealed', { store: cookieSession() }, { store: cookieSession() }],
    ['one sealed, one in a store', { store: memorySession() }, { store: cookieSession() }],
  ])('%s', async (_, outer, inner) => {
    const ask = browse(door, outer, inner)
    expect(await ask('/')).toEqual({ visits: 1 })
    expect(await ask('/admin/login')).toEqual({ isAdmin: true })
    expect(await ask('/')).toEqual({ visits: 3 })
    expect(await ask('/admin/')).toEqual({ isAdmin: true })
    expect(await ask('/')).toEqual({ visits: 5 })
  })

  test('a guest without data gets no cookie from the session behind it', async () => {
    const fetch = door({
      use: [session({ secret, cookie: { name: 'guest' } }), session({ secret, cookie: { name: 'admin' } })],
      routes: [['GET', '/', (ctx) => json(Object.assign(ctx.state.session, { isAdmin: true }))]],
    })
    const lines = (await fetch('/')).headers.getSetCookie()
    expect(lines.map((line) => line.split('=')[0])).toEqual(['admin'])
  })

  test('a session that is registered twice is one session: nothing that was written before the second is lost', async () => {
    const ask = browse(door, {}, { cookie: { name: 'guest' } })
    expect(await ask('/admin/')).toEqual({ visits: 1 })
    expect(await ask('/admin/login')).toEqual({ visits: 2, isAdmin: true })
    expect(await ask('/')).toEqual({ visits: 3, isAdmin: true })
  })
})
