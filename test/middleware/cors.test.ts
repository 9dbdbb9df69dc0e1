import { createServer } from 'node:http'
import npmCors from 'cors'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { HttpError } from '../../src/errors/http-error.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { type CorsOptions, cors } from '../../src/middleware/cors.ts'
import { text } from '../../src/respond/text.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'

const A = 'https://a.example'
const B = 'https://b.example'
const request = (method: string, headers: Record<string, string> = {}, path = '/'): Request =>
  new Request(`http://localhost${path}`, { method, headers })
const preflight = (headers: Record<string, string> = {}): Request =>
  request('OPTIONS', { origin: A, 'access-control-request-method': 'PUT', ...headers }, '/none')

/** The fields of CORS, their prefix cut, and Vary, whose order means nothing. */
const fieldsOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    [...response.headers]
      .filter(([name]) => name.startsWith('access-control-') || name === 'vary')
      .map(([name, value]) => [
        name.replace('access-control-', ''),
        name === 'vary' ? value.split(', ').sort().reverse().join(', ') : value,
      ]),
  )

describe.each(doors)('cors through %s', (_, door) => {
  const serve = (options?: CorsOptions, make: (ctx: any) => Response | Promise<Response> = () => text('x')) =>
    door({ use: [cors(options)], routes: [['*', '/', make]] })

  test.each<[string, CorsOptions | undefined, string | undefined, Record<string, string>]>([
    ['MO1: everybody by default', undefined, A, { 'allow-origin': '*' }],
    ['MO1: everybody, without an origin too', { origin: '*' }, undefined, { 'allow-origin': '*' }],
    ['MO1: one origin is sent as it is', { origin: A }, B, { 'allow-origin': A, vary: 'Origin' }],
    ['MO1: a listed origin', { origin: [A, B] }, B, { 'allow-origin': B, vary: 'Origin' }],
    ['MO1: an origin that is not listed', { origin: [A] }, B, { vary: 'Origin' }],
    ['MO1: an empty list', { origin: [] }, A, { vary: 'Origin' }],
    ['MO4: no origin where a list decides', { origin: [A] }, undefined, { vary: 'Origin' }],
    ['MO1: a suffix of a listed origin', { origin: [A] }, `${A}.evil.test`, { vary: 'Origin' }],
    ['MO1: a prefix of a listed origin', { origin: [A] }, 'https://a.exampl', { vary: 'Origin' }],
    ['MO1: another scheme', { origin: [A] }, 'http://a.example', { vary: 'Origin' }],
    ['MO1: another port', { origin: [A] }, `${A}:8443`, { vary: 'Origin' }],
    ['MO1: another case', { origin: [A] }, 'https://A.example', { vary: 'Origin' }],
    ['MO1: two origins in one field', { origin: [A] }, `${A}, ${B}`, { vary: 'Origin' }],
    ['MO1: a pattern', { origin: /^https:\/\/\w+\.example$/ }, B, { 'allow-origin': B, vary: 'Origin' }],
    ['MO1: a pattern in a list', { origin: [A, /^https:\/\/b\./] }, B, { 'allow-origin': B, vary: 'Origin' }],
    ['MO1: a pattern that does not match', { origin: /^https:\/\/a\.example$/ }, `${A}.evil.test`, { vary: 'Origin' }],
    ['MO1: a function that says yes', { origin: () => true }, A, { 'allow-origin': A, vary: 'Origin' }],
    ['MO1: a function that says no', { origin: () => false }, A, { vary: 'Origin' }],
    ['MO1: a function that says nothing', { origin: () => undefined }, A, { vary: 'Origin' }],
    ['MO1: a function that says null', { origin: () => null }, A, { vary: 'Origin' }],
    ['MO1: a function that names another', { origin: () => B }, A, { 'allow-origin': B, vary: 'Origin' }],
    ['MO1: a promise of yes', { origin: async () => true }, A, { 'allow-origin': A, vary: 'Origin' }],
    ['MO1: a promise of no', { origin: async () => false }, A, { vary: 'Origin' }],
    [
      'MO1: the function sees the request',
      { origin: (o, ctx) => (ctx.path === '/' ? o : false) },
      A,
      { 'allow-origin': A, vary: 'Origin' },
    ],
    [
      'MO2: credentials',
      { origin: [A], credentials: true },
      A,
      { 'allow-origin': A, 'allow-credentials': 'true', vary: 'Origin' },
    ],
    ['MO2: no credentials for the others', { origin: [A], credentials: true }, B, { vary: 'Origin' }],
    [
      'MO2: exposed headers',
      { exposedHeaders: ['X-A', 'X-B'] },
      A,
      { 'allow-origin': '*', 'expose-headers': 'X-A,X-B' },
    ],
    ['MO7: null is not in a list', { origin: [A] }, 'null', { vary: 'Origin' }],
    ['MO7: null matches no pattern', { origin: [/.*/] }, 'null', { vary: 'Origin' }],
    ['MO7: null is listed', { origin: ['null'] }, 'null', { 'allow-origin': 'null', vary: 'Origin' }],
  ])('%s', async (_, options, origin, expected) => {
    const response = await serve(options)(request('GET', origin === undefined ? {} : { origin }))
    expect(await response.text()).toBe('x')
    expect(fieldsOf(response)).toEqual(expected)
  })

  const INNER = {
    'access-control-allow-origin': '*',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'x-inner',
  }
  test.each<[string, (ctx: any) => Response, object]>([
    ['a helper', () => text('x', 200, INNER), { 'expose-headers': 'x-inner' }],
    ['the platform', () => new Response('x', { headers: INNER }), { 'expose-headers': 'x-inner' }],
    [
      'an edit',
      (ctx) => {
        onResponse(ctx, ['access-control-allow-origin', B])
        return text('x')
      },
      {},
    ],
    [
      'an error',
      () => {
        throw new HttpError(404, 'none', { headers: INNER })
      },
      { 'expose-headers': 'x-inner' },
    ],
    ['an inner cors', (ctx) => cors({ origin: '*' })(ctx, () => text('x')) as Response, {}],
  ])('NA13: what %s allows is replaced', async (_, make, kept) => {
    const one = { origin: [A], credentials: true }
    const asked = async (options: CorsOptions, origin: string) =>
      fieldsOf(await serve(options, make)(request('GET', { origin })))
    expect({
      allowed: await asked(one, A),
      refused: await asked(one, B),
      exposing: await asked({ ...one, exposedHeaders: ['x-own'] }, A),
    }).toEqual({
      allowed: { 'allow-origin': A, 'allow-credentials': 'true', vary: 'Origin', ...kept },
      refused: { vary: 'Origin', ...kept },
      exposing: { 'allow-origin': A, 'allow-credentials': 'true', 'expose-headers': 'x-own', vary: 'Origin' },
    })
  })

  test.each<[string, CorsOptions | undefined, Record<string, string>, Record<string, string>]>([
    [
      'MO2, MO3: defaults',
      undefined,
      {},
      {
        'allow-origin': '*',
        'allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        vary: 'Access-Control-Request-Headers',
      },
    ],
    [
      'MO2: asked headers are allowed',
      { methods: ['PUT'] },
      { 'access-control-request-headers': 'x-a, x-b' },
      {
        'allow-origin': '*',
        'allow-methods': 'PUT',
        'allow-headers': 'x-a, x-b',
        vary: 'Access-Control-Request-Headers',
      },
    ],
    [
      'MO2: fixed headers are sent whatever is asked',
      { methods: ['PUT'], allowedHeaders: ['X-C'] },
      { 'access-control-request-headers': 'x-a' },
      { 'allow-origin': '*', 'allow-methods': 'PUT', 'allow-headers': 'X-C' },
    ],
    [
      'MO2: an empty list allows none',
      { methods: ['PUT'], allowedHeaders: [] },
      { 'access-control-request-headers': 'x-a' },
      { 'allow-origin': '*', 'allow-methods': 'PUT' },
    ],
    [
      'MO2: no methods beyond the simple ones',
      { methods: [], allowedHeaders: ['x-a'] },
      {},
      { 'allow-origin': '*', 'allow-headers': 'x-a' },
    ],
    [
      'MO2: maxAge 0 is sent',
      { maxAge: 0, methods: ['PUT'], allowedHeaders: ['x-a'] },
      {},
      { 'allow-origin': '*', 'allow-methods': 'PUT', 'allow-headers': 'x-a', 'max-age': '0' },
    ],
    [
      'MO4: both Vary names where both decide',
      { origin: [A], credentials: true, maxAge: 600, methods: ['PUT'] },
      { 'access-control-request-headers': 'x-a' },
      {
        'allow-origin': A,
        'allow-credentials': 'true',
        'allow-methods': 'PUT',
        'allow-headers': 'x-a',
        'max-age': '600',
        vary: 'Origin, Access-Control-Request-Headers',
      },
    ],
  ])('a preflight, %s', async (_, options, headers, expected) => {
    const handler = vi.fn(() => text('x'))
    const fetch = door({ use: [cors(options)], routes: [['*', '/none', handler]] })
    const response = await fetch(preflight(headers))
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 204, text: '' })
    expect(fieldsOf(response)).toEqual(expected)
    expect(handler).not.toHaveBeenCalled()
  })

  test('MO1: a preflight of an origin that is not allowed names it nowhere', async () => {
    const response = await serve({ origin: [A] })(preflight({ origin: B }))
    expect(response.status).toBe(204)
    expect(fieldsOf(response)['allow-origin']).toBeUndefined()
    expect(fieldsOf(response).vary).toContain('Origin')
  })

  test.each<[string, Record<string, string>]>([
    ['without both fields', {}],
    ['without a method', { origin: A }],
    ['without an origin', { 'access-control-request-method': 'PUT' }],
  ])('MO3: OPTIONS %s reaches its route', async (_, headers) => {
    for (const options of [undefined, { origin: A }, { origin: [A] }]) {
      const response = await serve(options)(request('OPTIONS', headers))
      expect(await response.text()).toBe('x')
    }
  })

  test('MO3: another method with the fields of a preflight reaches its route', async () => {
    const response = await serve()(request('POST', { origin: A, 'access-control-request-method': 'PUT' }))
    expect(await response.text()).toBe('x')
  })

  test('MO4: Vary is added to what the handler says', async () => {
    const own = await serve({ origin: [A] }, () => text('x', 200, { vary: 'Accept' }))(request('GET', { origin: A }))
    expect(own.headers.get('vary')).toBe('Accept, Origin')
    const star = await serve({ origin: [A] }, () => text('x', 200, { vary: '*' }))(request('GET', { origin: A }))
    expect(star.headers.get('vary')).toBe('*')
  })

  test('MO6: errors, unmatched paths, short-circuits and frozen responses have the headers', async () => {
    const fetch = door({
      use: [cors(), (ctx, next) => (ctx.path === '/stop' ? text('no', 403) : next())],
      routes: [
        ['GET', '/error', () => Promise.reject(new Error('secret'))],
        ['GET', '/redirect', () => Response.redirect('http://localhost/', 302)],
      ],
      onError: () => text('sorry', 500),
    })
    for (const [path, status] of [
      ['/error', 500],
      ['/none', 404],
      ['/stop', 403],
      ['/redirect', 302],
    ] as const) {
      const response = await fetch(request('GET', { origin: A }, path))
      expect({
        path,
        status: response.status,
        'access-control-allow-origin': response.headers.get('access-control-allow-origin'),
      }).toEqual({ path, status, 'access-control-allow-origin': '*' })
    }
  })

  test('one request never sees the headers of another, in any order of responses', async () => {
    const delay = (asked: string): Promise<void> =>
      new Promise((resolve) => setTimeout(resolve, 10 - Number(asked.slice(8, 9))))
    const origin = async (asked: string): Promise<boolean> => {
      await delay(asked)
      return asked !== 'https://3.example'
    }
    const fetch = door({ use: [cors({ origin, credentials: true })], routes: [['GET', '/', () => text('x')]] })
    const origins = [1, 2, 3, 4, 2, 1].map((host) => `https://${host}.example`)
    const answers = await Promise.all(origins.map((origin) => fetch(request('GET', { origin }))))
    expect(answers.map((response) => response.headers.get('access-control-allow-origin'))).toEqual(
      origins.map((origin) => (origin === 'https://3.example' ? null : origin)),
    )
  })

  test('a global pattern answers every request the same', async () => {
    const fetch = serve({ origin: /example$/g })
    for (let turn = 0; turn < 4; turn++)
      expect((await fetch(request('GET', { origin: A }))).headers.get('access-control-allow-origin')).toBe(A)
  })

  test('MO5: everybody with credentials: the star without them, and one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const fetch = serve({ credentials: true })
    for (let turn = 0; turn < 3; turn++)
      expect(fieldsOf(await fetch(request('GET', { origin: A })))).toEqual({ 'allow-origin': '*' })
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test.each<[string, CorsOptions]>([
    ['the star without credentials', {}],
    ['credentials for one origin', { origin: A, credentials: true }],
  ])('MO5: no warning for %s', (_, options) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    cors(options)
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  test('MO5: a function opts into reflection', async () => {
    const response = await serve({ origin: (origin) => origin, credentials: true })(request('GET', { origin: B }))
    expect(fieldsOf(response)).toEqual({ 'allow-origin': B, 'allow-credentials': 'true', vary: 'Origin' })
  })

  test.each([undefined, { origin: [A] }, { origin: /^https:\/\/\w+$/ }])(
    'with %j, 60 kB of Origin and of asked headers are answered in linear time',
    (options) =>
      expectLinear(
        60_000,
        (size) => 'x-a,'.repeat(size / 4),
        async (long) => {
          const request = preflight({ origin: `https://${long}`, 'access-control-request-headers': long })
          expect((await serve(options)(request)).status).toBe(204)
        },
      ),
  )
})

test('an origin rule that is synchronous keeps the answer synchronous', () => {
  const app = createApp()
    .use(cors({ origin: [A] }))
    .get('/', () => text('x'))
  expect(app.fetch(request('GET', { origin: A }))).not.toBeInstanceOf(Promise)
})

test.each<[string, CorsOptions, string]>([
  ['an origin with a path', { origin: `${A}/` }, 'cors: origin'],
  ['an origin that splits the message', { origin: `${A}\r\nx: y` }, 'cors: origin'],
  ['a star within a list', { origin: ['*'] }, 'cors: origin'],
  ['a method with a space', { methods: ['GET POST'] }, 'cors: methods'],
  ['a header with a line end', { allowedHeaders: ['x-a\n'] }, 'cors: allowedHeaders'],
  ['an exposed header with a tab', { exposedHeaders: ['x\ta'] }, 'cors: exposedHeaders'],
  ['a maxAge that is no number', { maxAge: Number.NaN }, 'cors: maxAge'],
])('%s is refused when made', (_, options, field) => {
  expect(() => cors(options)).toThrow(TypeError)
  expect(() => cors(options)).toThrow(field)
})

describe('answers like npm cors, over real sockets', () => {
  const cases: [string, CorsOptions][] = [
    ['defaults', {}],
    ['one origin', { origin: A }],
    ['a list', { origin: [A, B] }],
    ['a pattern', { origin: /^https:\/\/a\./ }],
    [
      'all options',
      {
        origin: [A],
        methods: ['GET', 'PUT'],
        allowedHeaders: ['x-a'],
        exposedHeaders: ['x-b'],
        credentials: true,
        maxAge: 5,
      },
    ],
  ]
  test.each(cases)('%s: preflight and simple request', async (_, options) => {
    const handle = await createApp()
      .use(cors(options))
      .get('/', () => text('x'))
      .listen(0)
    const answer = npmCors(options as never)
    const peer = createServer((incoming, outgoing) =>
      answer(incoming as never, outgoing as never, () => outgoing.end('x')),
    )
    await new Promise<void>((resolve) => peer.listen(0, resolve))
    const urls = [`http://localhost:${handle.port}/`, `http://localhost:${(peer.address() as { port: number }).port}/`]
    try {
      const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-a' }
      for (const init of [{ headers: { origin: A } }, { method: 'OPTIONS', headers: { origin: A, ...asked } }]) {
        const [own, theirs] = await Promise.all(urls.map((url) => fetch(url, init)))
        expect(own!.status).toBe(theirs!.status)
        expect(fieldsOf(own!)).toEqual(fieldsOf(theirs!))
      }
    } finally {
      await handle.close()
      peer.closeAllConnections()
      await new Promise((resolve) => peer.close(resolve))
    }
  })
})
