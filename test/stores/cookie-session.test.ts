import { describe, expect, test } from 'vitest'
import { csrf } from '../../src/middleware/csrf.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { destroySession, regenerateSession, sessionId } from '../../src/session.ts'
import { cookieSession } from '../../src/stores/cookie-session.ts'
import { doors } from '../harness.ts'

describe('sealing', () => {
  const store = cookieSession({ now: () => 1_000_000 })
  const seal = (data: Record<string, unknown>, secret = 's', ttl = 60) => store.seal('id', data, ttl, [secret])

  test('a sealed session can be opened, and has its id', async () => {
    const data = JSON.parse('{"text":"ä😀","__proto__":{"x":1}}')
    const opened = await store.open(await seal(data), ['s'])
    expect({ id: opened!.id, data: JSON.stringify(opened!.data) }).toEqual({ id: 'id', data: JSON.stringify(data) })
  })

  test('the data cannot be read, and no two seals are equal', async () => {
    const [one, other] = [await seal({ user: 'alice' }), await seal({ user: 'alice' })]
    expect(one).not.toBe(other)
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('alice')
  })

  test.each<[string, (value: string) => string]>([
    ['a flipped bit at the start', (value) => (value[0] === 'A' ? 'B' : 'A') + value.slice(1)],
    ['a flipped bit in the middle', (value) => value.slice(0, 30) + (value[30] === 'A' ? 'B' : 'A') + value.slice(31)],
    ['a flipped bit in the tag', (value) => value.slice(0, -3) + (value.at(-3) === 'A' ? 'B' : 'A') + value.slice(-2)],
    ['truncated', (value) => value.slice(0, -4)],
    ['lengthened', (value) => `${value}AAAA`],
    ['only a nonce', (value) => value.slice(0, 16)],
    ['empty', () => ''],
    ['no base64url', () => '%%%'],
    ['a length that base64 has not', () => 'A'.repeat(41)],
    ['60 kB', () => 'A'.repeat(60_000)],
  ])('a value that is %s does not open', async (_, forge) => {
    expect(await store.open(forge(await seal({ a: 1 })), ['s'])).toBeUndefined()
  })

  test('every single changed character is noticed', async () => {
    const value = await seal({ user: 1 })
    for (let at = 0; at < value.length - 1; at++) {
      const forged = value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1)
      expect(await store.open(forged, ['s'])).toBeUndefined()
    }
  })

  test('another secret does not open, a rotated one does', async () => {
    const value = await seal({ a: 1 }, 'old')
    expect(await store.open(value, ['new'])).toBeUndefined()
    expect((await store.open(value, ['new', 'old']))!.data).toEqual({ a: 1 })
  })

  test.each([
    ['a second before it expires', 1_059_000, true],
    ['when it expires', 1_060_000, false],
  ])('%s', async (_, now, opens) => {
    const value = await seal({ a: 1 })
    expect(!!(await cookieSession({ now: () => now }).open(value, ['s']))).toBe(opens)
  })

  test('a session that is too large is refused with both sizes; one of the maximum size is not', async () => {
    const fits = async (length: number) => (await seal({ x: 'x'.repeat(length) })).length
    expect(await fits(2750)).toBeLessThanOrEqual(3800)
    await expect(fits(2850)).rejects.toThrow(/^Session of \d{4} bytes does not fit a cookie of 3800: keep less in it/)
    await expect(cookieSession({ maxBytes: 50 }).seal('i', {}, 1, ['s'])).rejects.toThrow(RangeError)
    expect(() => cookieSession({ maxBytes: 0 })).toThrow('cookieSession: maxBytes: expected')
  })
})

describe.each(doors)('MN10: a session in the cookie through %s', (_, door) => {
  const browse = () => {
    let act: (ctx: any) => unknown = () => {}
    const fetch = door({
      use: [session({ secret: 's', store: cookieSession() }), csrf({ secret: 's' })],
      routes: [
        [
          '*',
          '/',
          (ctx) => {
            act(ctx)
            return json([ctx.state.session, sessionId(ctx) ?? null, ctx.state.csrfToken])
          },
        ],
      ],
      onError: (error) => text(String(error), 500),
    })
    const jar = new Map<string, string>()
    return async (handler: (ctx: any) => unknown = () => {}, init: RequestInit = {}) => {
      act = handler
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
      const response = await fetch(new Request('http://localhost/', { ...init, headers: { cookie, ...init.headers } }))
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]*)=([^;]*)/.exec(line)!
        if (line.includes('Max-Age=0')) jar.delete(name!)
        else jar.set(name!, value!)
      }
      const body = await response.text()
      return { status: response.status, body, parsed: response.ok ? JSON.parse(body) : [], jar }
    }
  }

  test('data lives from request to request, under one id', async () => {
    const send = browse()
    const [, first] = (await send((ctx) => Object.assign(ctx.state.session, { user: 1 }))).parsed
    const [data, second] = (await send((ctx) => Object.assign(ctx.state.session, { more: 2 }))).parsed
    expect({ data, second }).toEqual({ data: { user: 1, more: 2 }, second: first })
    expect((await send()).parsed[1]).toBe(first)
  })

  test('regenerating changes the id, destroying empties the browser', async () => {
    const send = browse()
    const [, first] = (await send((ctx) => Object.assign(ctx.state.session, { user: 1 }))).parsed
    await send((ctx) => regenerateSession(ctx))
    const [data, second] = (await send()).parsed
    expect(data).toEqual({ user: 1 })
    expect(second).not.toBe(first)
    const { jar } = await send((ctx) => destroySession(ctx))
    expect(jar.has('session')).toBe(false)
  })

  test('a CSRF token is bound to it', async () => {
    const send = browse()
    await send((ctx) => Object.assign(ctx.state.session, { user: 1 }))
    const [, , token] = (await send()).parsed
    const post = { method: 'POST', headers: { 'x-csrf-token': token } }
    expect((await send(undefined, post)).status).toBe(200)
    await send((ctx) => regenerateSession(ctx))
    expect((await send(undefined, post)).status).toBe(403)
  })

  test('data that does not fit is answered with 500 and a clear error, and the session before it stays', async () => {
    const send = browse()
    await send((ctx) => Object.assign(ctx.state.session, { user: 1 }))
    const { status, body } = await send((ctx) => Object.assign(ctx.state.session, { big: 'x'.repeat(4000) }))
    expect({ status, body }).toEqual({ status: 500, body: expect.stringContaining('does not fit a cookie') })
    expect((await send()).parsed[0]).toEqual({ user: 1 })
  })
})
