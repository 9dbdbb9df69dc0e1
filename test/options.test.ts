import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp as makeApp } from '../src/app.ts'
import { natsChannel } from '../src/channel/nats.ts'
import { postgresChannel } from '../src/channel/postgres.ts'
import { redisChannel } from '../src/channel/redis.ts'
import { setSignedCookie } from '../src/cookie.ts'
import { checkNames, checkOption } from '../src/internal/options/check.ts'
import { signJwt } from '../src/jwt.ts'
import { apiKey } from '../src/middleware/api-key.ts'
import { basicAuth } from '../src/middleware/basic-auth.ts'
import { bearerAuth } from '../src/middleware/bearer-auth.ts'
import { bodyParser } from '../src/middleware/body-parser.ts'
import { compression } from '../src/middleware/compression.ts'
import { cors } from '../src/middleware/cors.ts'
import { csrf } from '../src/middleware/csrf.ts'
import { helmet } from '../src/middleware/helmet.ts'
import { jwt } from '../src/middleware/jwt.ts'
import { rateLimiter } from '../src/middleware/rate-limiter.ts'
import { session } from '../src/middleware/session.ts'
import { webhook } from '../src/middleware/webhook.ts'
import { text } from '../src/respond/text.ts'
import { redisCache } from '../src/stores/redis-cache.ts'
import { redisIdempotency } from '../src/stores/redis-idempotency.ts'
import { redisRateLimit } from '../src/stores/redis-rate-limit.ts'
import { redisSession } from '../src/stores/redis-session.ts'
import { sqlIdempotency } from '../src/stores/sql-idempotency.ts'
import { sqlSession } from '../src/stores/sql-session.ts'
import { createApp as makeTiny } from '../src/tiny.ts'

import { csp, type Make, ROWS, secret } from './option-rows.ts'

afterEach(() => vi.restoreAllMocks())

describe('P20: a bad option is refused in one form: the function, the option, what was expected, what came', () => {
  test('the table has at least 60 bad options', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(60)
  })

  test.each(ROWS.map(([make, options, message]) => [message, make, options] as const))(
    '%s',
    (message, make, options) => {
      let thrown: unknown
      try {
        make(options)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(TypeError)
      expect((thrown as Error).message.slice(0, message.length)).toBe(message)
      expect((thrown as Error).message).toMatch(
        // The place of a handler or a middleware is its route, or its pattern
        /^([a-zA-Z]+|[A-Z*]+ \S+|\/\S+): .*(expected .+, got .+|unknown option, (did you mean "\w+"\?|expected one of [\w, ]+))$/,
      )
    },
  )

  test('good options pass, and an option that is undefined is absent', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const made = [
      cors(Object.assign(Object.create(null), { maxAge: 1 })),
      cors({ origin: ['https://a.example:8443', 'null', /^https:\/\/b\./], maxAge: 0, credentials: true }),
      cors({ origin: 'capacitor://localhost', methods: undefined as never, maxAge: undefined as never }),
      helmet({ hsts: true, contentSecurityPolicy: { directives: { sandbox: '', scriptSrcElem: null } } }),
      helmet({
        contentSecurityPolicy: true,
        frameguard: true,
        xssFilter: '0',
        referrerPolicy: ['origin', 'no-referrer'],
      }),
      compression({ threshold: 0, compressibleTypes: ['text/*', 'application/vnd.api+json'] }),
      compression({ compressibleTypes: [] }),
      session({ secret: [secret, secret], cookie: { secure: 'auto', maxAge: 1 } }),
      rateLimiter({ max: 0, windowMs: 1, standardHeaders: false }),
    ]
    expect(made.every((one) => typeof one === 'function')).toBe(true)
  })
})

/** Some pass the secret, or a URL with a password, alone. */
const ALONE = [
  ...[session, csrf, jwt, webhook, apiKey, basicAuth, bearerAuth, sqlSession, sqlIdempotency, redisSession],
  ...[redisCache, redisIdempotency, redisRateLimit, redisChannel, postgresChannel, natsChannel],
] as readonly Make[]

describe('P20: secrets do not appear in a message', () => {
  test.each<[string, () => unknown]>([
    ['session', () => session({ secret: ['hunter2', ''] })],
    ['csrf', () => csrf({ secret: ['hunter2', 7 as never] })],
    ['basicAuth', () => basicAuth({ users: { 'ada:x': 'hunter2' } })],
    ['basicAuth, a text in place of a record', () => basicAuth({ users: 'hunter2' as never })],
    ['apiKey', () => apiKey({ hashes: ['hunter2'] })],
    ['apiKey, a text in place of a list', () => apiKey({ hashes: 'hunter2' as never })],
    ['sqlSession', () => sqlSession({ db: { url: 'postgres://ada:hunter2@db' } as never })],
    ...ALONE.map((make): [string, () => unknown] => [
      `${make.name}, a text in place of its options`,
      () => make('hunter2'),
    ]),
    ['session, its store', () => session({ secret, store: { password: 'hunter2' } as never })],
  ])('%s', (_, make) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(/^(?!.*hunter2)/)
  })

  test('signJwt, a text in place of its options', async () => {
    await expect(signJwt({}, 'hunter2' as never)).rejects.toThrow(
      'signJwt: expected an object of options, got "String"',
    )
  })

  test('setSignedCookie rejects without its secret', async () => {
    await expect(setSignedCookie({} as never, 'a', '1', ['hunter2', ''])).rejects.toThrow(
      'setSignedCookie: secret: expected a non-empty string, or a list of them, got "object"',
    )
  })
})

describe('the helper', () => {
  test.each<[unknown, string]>([
    ['text', '"text"'],
    [undefined, 'undefined'],
    [typeof undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN'],
    [12n, '12'],
    [['a', 1], '["a",1]'],
    [Symbol('x'), 'undefined'],
    ['x'.repeat(200), `"${'x'.repeat(79)}`],
  ])('%s is shown as %s', (got, shown) => {
    expect(() => checkOption(false, 'a: b', 'c', got)).toThrow(new TypeError(`a: b: expected c, got ${shown}`))
  })

  test('a value that cannot be shown is named by its type', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => checkOption(false, 'a: b', 'c', circle)).toThrow(new TypeError('a: b: expected c, got object'))
  })

  test.each([
    ['nmae', 'name'],
    ['timeout', 'timeoutMs'],
    ['nam', 'name'],
    ['ur', 'url'],
  ])('%s is refused, and %s offered', (name, nearest) => {
    expect(() => checkNames('x', JSON.parse(`{"${name}":1}`), 'name timeoutMs url')).toThrow(
      new TypeError(`x: ${name}: unknown option, did you mean "${nearest}"?`),
    )
  })
})

test.each([
  ['__proto__', 'name timeoutMs url'],
  ['limit', 'strict json'],
  ['maxAge', 'secret store'],
  ['token', 'verify realm'],
  ['ttl', 'maxAge limit'],
  ['csp', 'hsts frameguard'],
  ['path', 'root etag'],
])('%s is refused, and all names listed, because none of %s is similar', (name, names) => {
  expect(() => checkNames('x', JSON.parse(`{"${name}":1}`), names)).toThrow(
    new TypeError(`x: ${name}: unknown option, expected one of ${names.replaceAll(' ', ', ')}`),
  )
})

describe.each([
  ['createApp', makeApp],
  ['tiny', makeTiny],
])('an option that is undefined is as absent: %s', (_, make: Make) => {
  const gone = { name: undefined, path: undefined, httpOnly: undefined, sameSite: undefined, secure: undefined }
  const { name: _name, ...ofToken } = gone

  test.each<[string, Make, object, RegExp]>([
    ['session', session as Make, { secret, cookie: gone }, /^session=.*; Path=\/; HttpOnly; SameSite=Lax$/],
    ['csrf', csrf as Make, { secret, cookie: ofToken }, /^_csrf=.*; Path=\/; HttpOnly; SameSite=Lax$/],
    ['csrf over HTTPS', csrf as Make, { secret, cookieName: '__Host-c', cookie: ofToken }, /; Secure; SameSite=Lax$/],
  ])('the cookie of %s', async (_, middleware, options, cookie) => {
    const app: any = make({}) // any: both doors
    app.use(middleware(options)).get('/', (ctx: any) => {
      ctx.state.session = { token: ctx.state.csrfToken ?? 1 }
      return text('')
    })
    expect((await app.request('/')).headers.get('set-cookie')).toMatch(cookie)
  })

  test('a directive of helmet', async () => {
    const app: any = make({}) // any: both doors
    app.use(csp({ scriptSrc: undefined, imgSrc: undefined })).get('/', () => text(''))
    const policy = (await app.request('/')).headers.get('content-security-policy')
    expect(policy).toContain("img-src 'self' data:; object-src 'none'; script-src 'self';")
  })

  test.each([
    ['application/json', '{"a":"1"}'],
    ['application/x-www-form-urlencoded', 'a=1'],
  ])('bodyParser parses %s', async (type, body) => {
    const app: any = make({}) // any: both doors
    app.use((bodyParser as Make)({ json: undefined, form: undefined })).post('/', (ctx: any) => text(ctx.state.body?.a))
    const response = await app.request('/', { method: 'POST', body, headers: { 'content-type': type } })
    expect(await response.text()).toBe('1')
  })
})

test('no file below src refuses an option with its own form of message', () => {
  const others = ['middleware', 'stores', 'rate-limit'].flatMap((folder) =>
    readdirSync(new URL(`../src/${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) =>
        /badOption|[^a-zA-Z]need\(|new TypeError|throw TypeError/.test(
          readFileSync(new URL(`../src/${folder}/${file}`, import.meta.url), 'utf8'),
        ),
      ),
  )
  expect(others).toEqual([])
})
