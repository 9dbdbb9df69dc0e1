import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsrfOptions, csrf, maskCsrfToken } from '../../src/middleware/csrf.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { destroySession, regenerateSession } from '../../src/session.ts'
import { doors } from '../harness.ts'

const HOUR = 3_600_000

describe.each(doors)('csrf through %s', (_, door) => {
  interface Sending {
    readonly method?: string
    readonly headers?: Record<string, string>
    readonly cookie?: string
    readonly url?: string
    readonly act?: (ctx: any) => unknown
    readonly body?: unknown
  }
  /** A browser before an application; `withSession` puts a session with a user before csrf. */
  const browse = (options: Partial<CsrfOptions> = {}, withSession = true) => {
    let act: (ctx: any) => unknown = () => {}
    let parsed: unknown
    const fetch = door({
      use: [
        ...(withSession ? [session({ secret: 'session secret' })] : []),
        (ctx, next) => {
          ctx.state.body = parsed
          return next()
        },
        csrf({ secret: 'one secret', ...options }),
      ],
      routes: [
        [
          '*',
          '/',
          (ctx) => {
            act(ctx)
            return json({ token: ctx.state.csrfToken })
          },
        ],
      ],
    })
    const jar = new Map<string, string>()
    const send = async (sending: Sending = {}) => {
      act = sending.act ?? (() => {})
      parsed = sending.body
      const cookie = sending.cookie ?? [...jar].map((pair) => pair.join('=')).join('; ')
      const headers = { ...(cookie && { cookie }), ...sending.headers }
      const response = await fetch(
        new Request(sending.url ?? 'http://localhost/', { method: sending.method ?? 'GET', headers }),
      )
      const lines = response.headers.getSetCookie()
      for (const line of lines) {
        const [, name, value] = /^([^=]*)=([^;]*)/.exec(line)!
        if (line.includes('Max-Age=0')) jar.delete(name!)
        else jar.set(name!, value!)
      }
      const body = await response.json()
      return { response, status: response.status, body, lines, token: body.token as string, code: body.code as string }
    }
    const post = (token: string | undefined, more: Sending = {}) =>
      send({
        method: 'POST',
        ...more,
        headers: { ...(token !== undefined && { 'x-csrf-token': token }), ...more.headers },
      })
    const login = () => send({ act: (ctx) => Object.assign(ctx.state.session, { user: 1 }) })
    return { send, post, login, jar }
  }

  test('methods and origins that are added to the lists later are not trusted', async () => {
    const safeMethods = ['GET']
    const origins = ['https://admin.example']
    const { login, send, post } = browse({ safeMethods, origins })
    await login()
    const { token } = await send()
    safeMethods.push('POST')
    origins.push('https://evil.example')
    expect(await post(undefined)).toMatchObject({ status: 403, code: 'csrf_missing' })
    const headers = { origin: 'https://evil.example' }
    expect(await post(token, { headers })).toMatchObject({ status: 403, code: 'csrf_invalid' })
  })

  test('SPEC 2.5: the token of a page passes in the header', async () => {
    const { login, send, post } = browse()
    await login()
    const { token } = await send()
    expect((await post(token)).status).toBe(200)
  })

  test('MC2, MC3, L4: 32 characters of base64url in state, also on unsafe requests', async () => {
    const { send, post } = browse()
    const { token } = await send()
    expect(token).toMatch(/^[\w-]{32}$/)
    expect((await post(token)).token).toBe(token)
  })

  test.each([16, 33, 64])('MC3: tokenLength %i', async (tokenLength) => {
    expect((await browse({ tokenLength }).send()).token).toHaveLength(tokenLength)
  })

  test('MC4, L5: the cookie is the token, its expiry in an hour, and a signature', async () => {
    const { send, jar } = browse({ now: () => 1000 })
    const { token } = await send()
    const [first, expires, signature] = jar.get('_csrf')!.split('.')
    expect({ first, expires }).toEqual({ first: token, expires: `${1000 + HOUR}` })
    expect(signature).toMatch(/^[\w-]{43}$/)
  })

  test.each([
    ['http', {}, 'http://localhost/', '_csrf=; Path=/; HttpOnly; SameSite=Lax'],
    ['https', {}, 'https://localhost/', '_csrf=; Path=/; HttpOnly; Secure; SameSite=Lax'],
    ['another name', { cookieName: 'x' }, 'http://localhost/', 'x=; Path=/; HttpOnly; SameSite=Lax'],
    [
      'a name that only holds the prefix',
      { cookieName: 'x__Host-csrf' },
      'http://localhost/',
      'x__Host-csrf=; Path=/; HttpOnly; SameSite=Lax',
    ],
    [
      'a host cookie',
      { cookieName: '__Host-csrf' },
      'http://localhost/',
      '__Host-csrf=; Path=/; HttpOnly; Secure; SameSite=Lax',
    ],
    ['scripts may read it', { cookie: { httpOnly: false } }, 'http://localhost/', '_csrf=; Path=/; SameSite=Lax'],
    ['secure off', { cookie: { secure: false } }, 'https://localhost/', '_csrf=; Path=/; HttpOnly; SameSite=Lax'],
    ['strict', { cookie: { sameSite: 'strict' } }, 'http://localhost/', '_csrf=; Path=/; HttpOnly; SameSite=Strict'],
    ['none', { cookie: { sameSite: 'none' } }, 'http://localhost/', '_csrf=; Path=/; HttpOnly; Secure; SameSite=None'],
  ] as [string, Partial<CsrfOptions>, string, string][])(
    'MC6: the cookie with %s',
    async (_, options, url, expected) => {
      const { lines } = await browse(options).send({ url })
      expect(lines[0]!.replace(/=[^;]*/, '=')).toBe(expected)
    },
  )

  describe('P15: cookie and Cache-Control: private', () => {
    const serve = (read: boolean) => {
      const fetch = door({
        use: [
          csrf({ secret: 'a secret of thirty-two characters', now: () => time, ignore: (ctx) => ctx.path === '/hook' }),
        ],
        routes: [['*', '*', (ctx) => json(read ? ctx.state.csrfToken : 'a stylesheet')]],
      })
      let time = 0
      const ask = async (method = 'GET', headers = {}, path = '/') => {
        const response = await fetch(new Request(`http://localhost${path}`, { method, headers }))
        const { headers: fields } = response
        return {
          status: response.status,
          body: await response.json(),
          cookies: fields.getSetCookie(),
          control: fields.get('cache-control'),
          vary: fields.get('vary'),
        }
      }
      return { ask, at: (now: number) => (time = now) }
    }
    const nothing = { cookies: [], control: null, vary: null }

    test.each(['GET', 'OPTIONS'])('%s of a page that does not read the token has neither', async (method) => {
      expect(await serve(false).ask(method)).toMatchObject({ status: 200, ...nothing })
    })

    test('a response that reads the token has both, and with a valid cookie only private', async () => {
      const { ask, at } = serve(true)
      const first = await ask()
      expect(first).toMatchObject({ control: 'private', vary: 'Cookie' })
      expect(first.cookies).toHaveLength(1)
      const cookie = first.cookies[0]!.split(';')[0]!
      expect(await ask('GET', { cookie })).toMatchObject({
        body: first.body,
        cookies: [],
        control: 'private',
        vary: 'Cookie',
      })
      at(HOUR / 2 + 1)
      expect((await ask('GET', { cookie })).cookies).toHaveLength(1)
    })

    test('a form that is accepted renews the cookie in the second half of its life', async () => {
      const page = serve(true)
      const { body, cookies } = await page.ask()
      const headers = { cookie: cookies[0]!.split(';')[0]!, 'x-csrf-token': body }
      const { ask, at } = serve(false)
      expect(await ask('POST', headers)).toMatchObject({ status: 200, cookies: [], control: 'private' })
      at(HOUR / 2 + 1)
      expect((await ask('POST', headers)).cookies).toHaveLength(1)
      expect((await ask('GET', headers)).cookies).toHaveLength(0)
    })

    test('a refusal and a request that needs no token have neither', async () => {
      const { ask } = serve(false)
      expect(await ask('POST')).toMatchObject({ status: 403, ...nothing })
      expect(await ask('POST', {}, '/hook')).toMatchObject({ status: 200, ...nothing })
      expect(await ask('POST', { authorization: 'Bearer x' })).toMatchObject({ status: 200, ...nothing })
    })

    test('MC3: the token stays the same however often it is read', async () => {
      const seen: string[] = []
      const fetch = door({
        use: [csrf({ secret: 'a secret of thirty-two characters' })],
        routes: [
          ['GET', '/', (ctx) => json(seen.push(ctx.state.csrfToken, ctx.state.csrfToken, { ...ctx.state }.csrfToken))],
        ],
      })
      await fetch('/')
      expect(new Set(seen).size).toBe(1)
    })
  })

  test('an answer with a new token is private', async () => {
    const { response } = await browse().send()
    expect({ vary: response.headers.get('vary'), 'cache-control': response.headers.get('cache-control') }).toEqual({
      vary: 'Cookie',
      'cache-control': 'private',
    })
  })

  test('MC5: a valid cookie is kept until half of its life has passed; then the token lives on', async () => {
    let time = 0
    const { send, post } = browse({ now: () => time })
    const { token } = await send()
    time = HOUR / 2
    expect((await send()).lines).toEqual([])
    time++
    const renewed = await send()
    expect({ linesLength: renewed.lines.length, token: renewed.token }).toEqual({ linesLength: 1, token })
    time = HOUR + HOUR / 2
    expect((await post(token)).status).toBe(200)
  })

  test('MC4: a token of a clock in fractions of milliseconds is accepted', async () => {
    const { send, post } = browse({ now: () => 1_700_000_000_000.123 })
    expect((await post((await send()).token)).status).toBe(200)
  })

  test('MC5: a new session id brings a new token, and the old one is refused', async () => {
    const { login, send, post } = browse()
    await login()
    const { token } = await send()
    await send({ act: (ctx) => regenerateSession(ctx) })
    expect(await post(token)).toMatchObject({ status: 403, code: 'csrf_invalid' })
    const fresh = await send()
    expect(fresh.token).not.toBe(token)
    expect((await post(fresh.token)).status).toBe(200)
    await send({ act: (ctx) => destroySession(ctx) })
    expect(await post(fresh.token)).toMatchObject({ status: 403, code: 'csrf_invalid' })
  })

  test('the token of the very page that began the session passes', async () => {
    const { login, post } = browse()
    const { token } = await login()
    expect((await post(token)).status).toBe(200)
  })

  test('a token from before the session is not carried over to it, on a page or by a login', async () => {
    const { send, login, post, jar } = browse()
    const { token } = await send()
    const begun = await login()
    expect({ token: begun.token, setsCookie: begun.lines.some((line) => line.startsWith('_csrf')) }).toEqual({
      token,
      setsCookie: false,
    })
    expect(await post(token)).toMatchObject({ status: 403, code: 'csrf_invalid' })
    const fresh = (await send()).token
    expect(fresh).not.toBe(token)
    await send({ method: 'POST', headers: { 'x-csrf-token': fresh }, act: (ctx) => regenerateSession(ctx) })
    expect(await post(fresh)).toMatchObject({ status: 403, code: 'csrf_invalid' })
    expect(jar.size).toBe(2)
  })

  test('nor is it by a login that falls into the second half of its life', async () => {
    let time = 0
    const { send, login, post } = browse({ now: () => time })
    await login()
    const { token } = await send()
    time = HOUR / 2 + 1
    const renewed = await post(token, { act: (ctx) => regenerateSession(ctx) })
    expect(renewed.lines.filter((line) => line.startsWith('_csrf'))).toHaveLength(1)
    expect(await post(token)).toMatchObject({ status: 403, code: 'csrf_invalid' })
  })

  test('MC2: expired by the millisecond', async () => {
    let time = 0
    const { send, post, jar } = browse({ now: () => time, expirationTime: 1000 })
    const { token } = await send()
    const cookie = `_csrf=${jar.get('_csrf')}`
    time = 999
    expect((await post(token, { cookie })).status).toBe(200)
    time = 1000
    expect(await post(token, { cookie })).toMatchObject({
      status: 403,
      body: { error: 'Invalid CSRF token', code: 'csrf_expired' },
    })
  })

  test('MC7: 403 with the error and why', async () => {
    const { send, post } = browse()
    await send()
    expect(await post(undefined)).toMatchObject({
      status: 403,
      body: { error: 'Invalid CSRF token', code: 'csrf_missing' },
    })
    expect(await post('wrong')).toMatchObject({
      status: 403,
      body: { error: 'Invalid CSRF token', code: 'csrf_invalid' },
    })
  })

  test('a refusal sets no cookie, else another site could replace the token of an open page', async () => {
    expect((await browse().post('x')).lines).toEqual([])
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE', 'get', 'QUERY'])(
    'hazard method list: %s needs a token',
    async (method) => {
      const { send } = browse()
      await send()
      // Fetch writes "get" in upper case; any other method stays as it is
      expect((await send({ method })).status).toBe(method === 'get' ? 200 : 403)
    },
  )

  test.each(['GET', 'HEAD', 'OPTIONS'])('MC2: %s needs none', async (method) => {
    const { send } = browse()
    await expect(send({ method }).catch(() => ({ status: 200 }))).resolves.toMatchObject({ status: 200 })
  })

  test('hazard method list: an override header changes nothing', async () => {
    expect((await browse().post(undefined, { headers: { 'x-http-method-override': 'GET' } })).status).toBe(403)
  })

  test('MC2: safeMethods may be others', async () => {
    const { send } = browse({ safeMethods: ['GET', 'POST'] })
    expect((await send({ method: 'POST' })).status).toBe(200)
    expect((await send({ method: 'OPTIONS' })).status).toBe(403)
  })

  test('MC4: the whole cookie value passes as well, and another header name', async () => {
    const { send, post, jar } = browse({ headerName: 'X-XSRF-Token' })
    await send()
    const value = jar.get('_csrf')!
    expect((await post(undefined, { headers: { 'x-xsrf-token': value } })).status).toBe(200)
    expect((await post(value)).status).toBe(403)
  })

  test.each([
    ['the field of a form', '_csrf', (token: string) => ({ _csrf: token }), 200],
    ['another field name', 'token', (token: string) => ({ token }), 200],
    ['a field that is a list', '_csrf', (token: string) => ({ _csrf: [token] }), 403],
    ['a body that is text', '_csrf', (token: string) => token, 403],
    ['an inherited field', 'toString', () => ({}), 403],
    ['no body', '_csrf', () => undefined, 403],
  ])('MC8: %s', async (_, fieldName, bodyOf, status) => {
    const { send, post } = browse({ fieldName })
    const { token } = await send()
    expect((await post(undefined, { body: bodyOf(token) })).status).toBe(status)
  })

  test('MC8: ignore lets a request pass', async () => {
    const { send } = browse({ ignore: (ctx) => ctx.header('x-webhook') === '1' })
    expect((await send({ method: 'POST', headers: { 'x-webhook': '1' } })).status).toBe(200)
    expect((await send({ method: 'POST' })).status).toBe(403)
  })

  test('MC8: a request with a bearer token and without cookies needs none and gets no cookie', async () => {
    const { send, post } = browse()
    const bearer = { authorization: 'Bearer abc' }
    expect(await post(undefined, { headers: bearer })).toMatchObject({ status: 200, lines: [] })
    await send()
    expect((await post(undefined, { headers: bearer })).status).toBe(403)
    expect((await post(undefined, { headers: { authorization: 'Basic abc' }, cookie: '' })).status).toBe(403)
  })

  describe('attacks', () => {
    test.each<[string, (value: string) => string, string]>([
      ['an unsigned cookie', (value) => value.split('.')[0]!, 'csrf_invalid'],
      [
        'a cookie with another token',
        (value) => `${'A'.repeat(32)}.${value.split('.').slice(1).join('.')}`,
        'csrf_invalid',
      ],
      ['a cookie with another expiry', (value) => value.replace(/\.\d+\./, '.9999999999999.'), 'csrf_invalid'],
      ['a truncated signature', (value) => value.slice(0, -1), 'csrf_invalid'],
      ['a lengthened signature', (value) => `${value}A`, 'csrf_invalid'],
      ['no signature', (value) => value.slice(0, value.lastIndexOf('.')), 'csrf_invalid'],
      ['a malformed escape', () => '%E0%A4%A', 'csrf_invalid'],
      ['an empty cookie', () => '', 'csrf_missing'],
      ['60 kB', () => 'x.'.repeat(30_000), 'csrf_invalid'],
    ])('MC4: %s', async (_, forge, code) => {
      const { send, post, jar } = browse()
      await send()
      const forged = forge(jar.get('_csrf')!)
      const presented = forged.split('.')[0] || 'x'
      expect(await post(presented, { cookie: `_csrf=${forged}` })).toMatchObject({ status: 403, code })
    })

    test('OWASP naive double submit: cookie and header that agree with each other are not enough', async () => {
      const token = 'A'.repeat(32)
      const { post } = browse()
      expect((await post(token, { cookie: `_csrf=${token}` })).status).toBe(403)
    })

    test('CVE-2023-27495, OWASP #1110, #1558: a pair that the attacker got with a session of his own is refused in another', async () => {
      const victim = browse()
      await victim.login()
      const attacker = browse()
      await attacker.login()
      const { token } = await attacker.send()
      const planted = `session=${victim.jar.get('session')}; _csrf=${attacker.jar.get('_csrf')}`
      expect(await victim.post(token, { cookie: planted })).toMatchObject({ status: 403, code: 'csrf_invalid' })
    })

    test('hazard cookie tossing: a pair from before the login is refused after it', async () => {
      const { send, post, login, jar } = browse()
      const { token } = await send()
      const planted = jar.get('_csrf')
      await login()
      await send()
      const cookie = `_csrf=${planted}; session=${jar.get('session')}`
      expect(await post(token, { cookie })).toMatchObject({ status: 403, code: 'csrf_invalid' })
    })

    test('MC1 hazard per-process tokens: another process with the same secret accepts, one with another refuses', async () => {
      const options = { getSessionId: () => 'session 1' }
      const first = browse(options)
      const { token } = await first.send()
      const cookie = `_csrf=${first.jar.get('_csrf')}`
      expect((await browse(options).post(token, { cookie })).status).toBe(200)
      expect((await browse({ ...options, secret: 'another' }).post(token, { cookie })).status).toBe(403)
      expect((await browse({ ...options, secret: ['new', 'one secret'] }).post(token, { cookie })).status).toBe(200)
      expect((await browse({ getSessionId: () => 'session 2' }).post(token, { cookie })).status).toBe(403)
    })

    test('a session id with line breaks reaches into no other session', async () => {
      const { send, jar } = browse({ getSessionId: () => 'a\nb' })
      const { token } = await send()
      const cookie = `_csrf=${jar.get('_csrf')}`
      for (const id of ['a', 'b', 'a\n', '\nb', 'ab']) {
        expect((await browse({ getSessionId: () => id }).post(token, { cookie })).status).toBe(403)
      }
    })

    test('a signature of a cookie is not valid for a token: the same secret for both does no harm', async () => {
      const { send, post, jar } = browse({ secret: 'session secret' })
      await send({ act: (ctx) => Object.assign(ctx.state.session, { user: 1 }) })
      const [id, signature] = jar.get('session')!.split('.')
      const cookie = `session=${jar.get('session')}; _csrf=${id}.9999999999999.${signature}`
      expect((await post(id!, { cookie })).status).toBe(403)
    })

    test('no presented text but the token passes', async () => {
      const { send, post } = browse()
      const { token } = await send()
      const near = fc.oneof(
        fc.string({ unit: fc.constantFrom(...'ABCabc019-_.'), maxLength: 70 }),
        fc.nat(31).map((at) => token.slice(0, at)),
        fc.nat(31).map((at) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`),
      )
      await fc.assert(
        fc.asyncProperty(near, async (presented) => {
          expect((await post(presented)).status).toBe(403)
        }),
        { numRuns: 300 },
      )
    })
  })

  describe('MC4: the page that asks', () => {
    test.each<[string, Record<string, string>, Partial<CsrfOptions>, number, number]>([
      ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }, {}, 200, 200],
      ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }, {}, 200, 200],
      ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }, {}, 403, 403],
      ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }, {}, 403, 403],
      [
        'Sec-Fetch-Site outweighs a matching Origin',
        { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
        {},
        403,
        403,
      ],
      ['our Origin', { origin: 'http://localhost' }, {}, 200, 200],
      ['our Origin behind a proxy that ends TLS', { origin: 'https://localhost' }, {}, 200, 200],
      ['another Origin', { origin: 'http://evil.example' }, {}, 403, 403],
      ['another port', { origin: 'http://localhost:81' }, {}, 403, 403],
      ['an Origin that ends like ours', { origin: 'http://evil-localhost' }, {}, 403, 403],
      ['an Origin that begins like ours', { origin: 'http://localhost.evil.example' }, {}, 403, 403],
      ['another scheme', { origin: 'chrome-extension://localhost' }, {}, 403, 403],
      ['Origin null belongs to a session or to nobody', { origin: 'null' }, {}, 200, 403],
      [
        'a listed Origin',
        { origin: 'https://admin.example', 'sec-fetch-site': 'same-site' },
        { origins: ['https://admin.example'] },
        200,
        200,
      ],
      ['our Referer', { referer: 'http://localhost/form?x' }, {}, 200, 200],
      ['another Referer', { referer: 'http://evil.example/http://localhost/' }, {}, 403, 403],
      ['no word about it: no browser', {}, {}, 200, 200],
    ])('%s', async (_, headers, options, bound, unbound) => {
      const inSession = browse(options)
      await inSession.login()
      expect((await inSession.post((await inSession.send()).token, { headers })).status).toBe(bound)
      const without = browse(options, false)
      expect((await without.post((await without.send()).token, { headers })).status).toBe(unbound)
    })
  })

  test('hazard BREACH: a masked token looks different each time and always passes', async () => {
    const { send, post } = browse()
    const { token } = await send()
    const masked = Array.from({ length: 20 }, () => maskCsrfToken(token))
    expect(new Set(masked).size).toBe(20)
    for (const each of masked) {
      expect(each).toMatch(/^[\da-f]{128}$/)
      expect((await post(each)).status).toBe(200)
    }
    expect((await post(maskCsrfToken('A'.repeat(32)))).status).toBe(403)
  })

  test('getSessionId may be asynchronous', async () => {
    const { send, post } = browse({ getSessionId: async () => 'x' }, false)
    expect((await post((await send()).token)).status).toBe(200)
  })
})

test.each([
  [{}, 'secret'],
  [{ secret: '' }, 'secret'],
  [{ secret: [] }, 'secret'],
  [{ secret: 's', tokenLength: 15 }, 'got 15'],
  [{ secret: 's', tokenLength: 32.5 }, 'got 32.5'],
  [{ secret: 's', expirationTime: 0 }, 'got 0'],
  [{ secret: 's', expirationTime: Number.NaN }, 'got NaN'],
  [{ secret: 's', cookieName: 'a b' }, 'csrf: cookie: name: expected a name without spaces and separators, got "a b"'],
  [
    { secret: 's', cookieName: '__Host-a', cookie: { secure: false } },
    'csrf: cookie: secure: expected true for __Host-a, got false',
  ],
  [{ secret: 's', origins: ['example.com'] }, 'got "example.com"'],
  [{ secret: 's', origins: ['https://example.com/'] }, 'got "https://example.com/"'],
])('MC1: the options %j are refused when made', (options, message) => {
  const make = () => csrf(options as unknown as CsrfOptions)
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})
