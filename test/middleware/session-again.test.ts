import { expect, test } from 'vitest'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

test.each(doors)(
  'a session that comes back after another keeps what it had, and what it gets, through %s',
  async (_, door) => {
    const secret = 'a secret of more than thirty-two bytes'
    const a = session({ secret, cookie: { name: 'a' } })
    const b = session({ secret, cookie: { name: 'b' } })
    const put = (name: string) => (ctx: any, next: any) => {
      ctx.state.session[name] = 1
      return next()
    }
    const fetch = door({
      use: [a, put('first'), b, put('other'), a, put('second')],
      routes: [['GET', '/', (ctx: any) => json(ctx.state.session)]],
    })
    const response = await fetch(new Request('http://localhost/'))
    expect(response.headers.getSetCookie().map((line) => line[0])).toHaveLength(2)
    expect(await response.json()).toEqual({ first: 1, second: 1 })
  },
)
