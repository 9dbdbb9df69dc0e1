import { describe, expect, test } from 'vitest'
import { getSignedCookie, setSignedCookie } from '../../src/cookie.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { cookieSession } from '../../src/stores/cookie-session.ts'
import { memorySession } from '../../src/stores/memory-session.ts'
import { doors } from '../harness.ts'

const secret = 'one secret that every cookie here shares'

const valueOf = (response: Response, name: string): string =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))!
    .split(';')[0]!
    .slice(name.length + 1)

describe.each(doors)('F12: what is made for one cookie is worth nothing in another, through %s', (_, door) => {
  describe.each([
    ['sealed', () => cookieSession()],
    ['in a store', () => memorySession()],
  ])('a session %s', (_, makeStore) => {
    const store = makeStore()
    const appOf = (name: string) =>
      door({
        use: [session({ secret, store, cookie: { name } })],
        routes: [
          ['POST', '/', (ctx) => json(Object.assign(ctx.state.session, { user: name }))],
          ['GET', '/', (ctx) => json(ctx.state.session)],
        ],
      })

    test.each([
      ['guest', 'guest', { user: 'guest' }],
      ['guest', 'admin', {}],
      ['guest', 'gues', {}],
    ])('the cookie %s under the name %s', async (made, read, expected) => {
      const value = valueOf(await appOf(made)(new Request('http://localhost/', { method: 'POST' })), made)
      const response = await appOf(read)(new Request('http://localhost/', { headers: { cookie: `${read}=${value}` } }))
      expect(await response.json()).toEqual(expected)
    })
  })

  test('a signed cookie is no session, and a session no signed cookie, of the same name', async () => {
    const store = memorySession()
    const fetch = door({
      use: [session({ secret, store })],
      routes: [
        [
          'POST',
          '/sign',
          async (ctx) => {
            await setSignedCookie(ctx, 'session', ctx.header('x-value'), secret)
            return json(1)
          },
        ],
        ['POST', '/login', (ctx) => json(Object.assign(ctx.state.session, { user: 1 }))],
        [
          'GET',
          '/',
          async (ctx) =>
            json({ session: ctx.state.session, signed: (await getSignedCookie(ctx, 'session', secret)) ?? null }),
        ],
      ],
    })
    const ask = async (value: string): Promise<unknown> =>
      (await fetch(new Request('http://localhost/', { headers: { cookie: `session=${value}` } }))).json()

    const session1 = valueOf(await fetch(new Request('http://localhost/login', { method: 'POST' })), 'session')
    expect(await ask(session1)).toEqual({ session: { user: 1 }, signed: null })
    const [id] = session1.split('.') as [string]
    const signed = valueOf(
      await fetch(new Request('http://localhost/sign', { method: 'POST', headers: { 'x-value': id } })),
      'session',
    )
    expect(await ask(signed)).toEqual({ session: {}, signed: id })
  })

  test('a token of csrf is refused under another cookie name', async () => {
    const appOf = (cookieName: string) =>
      door({
        use: [csrf({ secret, cookieName })],
        routes: [
          ['GET', '/', (ctx) => json(ctx.state.csrfToken)],
          ['POST', '/', () => json(1)],
        ],
      })
    const page = await appOf('one')('/')
    const token = await page.json()
    const post = async (name: string): Promise<number> => {
      const headers = { cookie: `${name}=${valueOf(page, 'one')}`, 'x-csrf-token': token }
      return (await appOf(name)(new Request('http://localhost/', { method: 'POST', headers }))).status
    }
    expect({ sameName: await post('one'), otherName: await post('two') }).toEqual({ sameName: 200, otherName: 403 })
  })
})
