import { expect, test } from 'vitest'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { destroySession, sessionId } from '../../src/session.ts'
import { memorySession } from '../../src/stores/memory-session.ts'
import { doors } from '../harness.ts'

test.each(doors)('a session that comes back after another is refused by name, through %s', async (_, door) => {
  const [a, b] = ['a', 'b'].map((name) =>
    session({ secret: 'a secret of more than thirty-two bytes', cookie: { name } }),
  )
  const fetch = door({
    use: [a!, a!, b!, ['/again', a!]],
    routes: [['GET', '/*', (ctx: any) => json(Object.assign(ctx.state.session, { at: ctx.path }))]],
    onError: (error) => json(`${error}`, 500),
  })
  const bodies = ['/', '/again'].map(async (path) => (await fetch(new Request(`http://localhost${path}`))).json())
  expect(await Promise.all(bodies)).toEqual([
    { at: '/' },
    'TypeError: session: cookie: name: expected no session of another name in between, got "a"',
  ])
})

test.each(doors)(
  'MN6, F12: a logout of a session whose store is down ends no other session, through %s',
  async (_, door) => {
    const secret = 'a secret of more than thirty-two bytes'
    const inner = memorySession()
    let down = false
    const store = async () => {
      if (down) throw new Error('down')
      return inner
    }
    const fetch = door({
      use: [
        session({ secret }),
        ['/admin/*', session({ secret, store, passOnStoreError: true, cookie: { name: 'b' } })],
      ],
      routes: [
        ['POST', '/*', (ctx: any) => json(Object.assign(ctx.state.session, { [ctx.path]: 1 }))],
        ['GET', '/*', (ctx: any) => json({ session: ctx.state.session, hasId: sessionId(ctx) !== undefined })],
        ['DELETE', '/*', (ctx: any) => json(destroySession(ctx) ?? null)],
      ],
      onError: (error) => json(`${error}`, 500),
    })
    const jar = new Map<string, string>()
    const ask = async (method: string, path: string) => {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
      const response = await fetch(new Request(`http://localhost${path}`, { method, headers: { cookie } }))
      for (const line of response.headers.getSetCookie())
        jar.set(...(/^(.*?)=(.*?);/.exec(line)!.slice(1) as [string, string]))
      return response.json()
    }
    await ask('POST', '/')
    await ask('POST', '/admin/')
    down = true
    expect(await ask('GET', '/admin/')).toEqual({ session: {}, hasId: false })
    expect(await ask('DELETE', '/admin/')).toBe('Error: session: the store does not reply')
    down = false
    expect({ root: await ask('GET', '/'), admin: await ask('GET', '/admin/') }).toEqual({
      root: { session: { '/': 1 }, hasId: true },
      admin: { session: { '/admin/': 1 }, hasId: true },
    })
  },
)
