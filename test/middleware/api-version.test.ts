import { describe, expect, test } from 'vitest'
import { type ApiVersionOptions, apiVersion } from '../../src/middleware/api-version.ts'
import { deprecation } from '../../src/middleware/deprecation.ts'
import { versioned } from '../../src/middleware/versioned.ts'
import { json } from '../../src/respond/json.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'

const versions = ['1', '2', '2024-11-01']

describe.each(doors)('apiVersion through %s', (_, door) => {
  const ask = async (
    options: Partial<ApiVersionOptions>,
    path: string,
    headers: Record<string, string> = {},
    basePath?: string,
  ) => {
    const echo = (ctx: any): Response =>
      json({
        version: ctx.state.apiVersion,
        path: ctx.path,
        original: ctx.state.originalPath ?? null,
        id: ctx.params.id ?? null,
      })
    const fetch = door({
      use: [apiVersion({ versions, default: '1', ...options })],
      routes: [
        ['GET', '/', echo],
        ['GET', '/users', echo],
        ['GET', '/users/:id', echo],
        ['GET', '/videos', echo],
        ['GET', '/video2', echo],
      ],
      ...(basePath && { basePath }),
    })
    const response = await fetch(new Request(`http://localhost${path}`, { headers }))
    return {
      status: response.status,
      body: await response.json(),
      version: response.headers.get('api-version'),
      vary: response.headers.get('vary'),
    }
  }

  test.each<[string, Partial<ApiVersionOptions>, string, Record<string, string>, string]>([
    ['MA1, MA2: the header api-version by default', {}, '/users', { 'api-version': '2' }, '2'],
    ['MA1: another header', { header: 'X-Version' }, '/users', { 'x-version': '2' }, '2'],
    ['MA1: the parameter version', { strategy: 'query' }, '/users?version=2', {}, '2'],
    ['MA1: another parameter', { strategy: 'query', queryParam: 'v' }, '/users?v=2', {}, '2'],
    ['MA1: of two parameters the first', { strategy: 'query' }, '/users?version=2&version=1', {}, '2'],
    ['MA5: no header', {}, '/users', {}, '1'],
    ['MA5: an empty header', {}, '/users', { 'api-version': '' }, '1'],
    ['MA5: no parameter', { strategy: 'query' }, '/users', { 'api-version': '2' }, '1'],
    ['MA5: no path', { strategy: 'path' }, '/users', {}, '1'],
    ['MA5: no Accept', { strategy: 'accept' }, '/users', {}, '1'],
    ['MA5: without a default the first', { default: undefined as never }, '/users', {}, '1'],
    [
      'MA4: the form of the contract',
      { strategy: 'accept' },
      '/users',
      { accept: 'application/vnd.api+json;version=2' },
      '2',
    ],
    [
      'MA4: spaces and quotes',
      { strategy: 'accept' },
      '/users',
      { accept: 'text/html , application/vnd.api+json ; version="2"' },
      '2',
    ],
    ['MA4: the name holds it', { strategy: 'accept' }, '/users', { accept: 'application/vnd.shop.v2+json' }, '2'],
    [
      'MA4: a date in the name',
      { strategy: 'accept' },
      '/users',
      { accept: 'application/vnd.shop.v2024-11-01+json' },
      '2024-11-01',
    ],
    [
      'MA4: the most wanted',
      { strategy: 'accept' },
      '/users',
      { accept: 'application/vnd.api+json;version=1;q=0.1, application/vnd.api+json;version=2;q=0.9' },
      '2',
    ],
    [
      'MA4: one that is served before one that is not',
      { strategy: 'accept' },
      '/users',
      { accept: 'application/vnd.api+json;version=9, application/vnd.api+json;version=2;q=0.1' },
      '2',
    ],
    [
      'MA4: one that is refused does not count',
      { strategy: 'accept' },
      '/users',
      { accept: 'application/vnd.api+json;version=2;q=0' },
      '1',
    ],
    [
      'MA4: other types have versions of their own',
      { strategy: 'accept' },
      '/users',
      { accept: 'application/openmetrics-text;version=1.0.0, */*' },
      '1',
    ],
    [
      'MA4: a name that begins with v is no version',
      { strategy: 'accept' },
      '/users',
      { accept: 'application/vnd.visa+json' },
      '1',
    ],
  ])('%s', async (_, options, path, headers, expected) => {
    expect(await ask(options as ApiVersionOptions, path, headers)).toMatchObject({
      status: 200,
      body: { version: expected, path: '/users', original: null, id: null },
      version: expected,
    })
  })

  test.each<[string, string, string, string, string | null]>([
    ['MA3: the route is found without the version', '/v2/users', '2', '/users', '/v2/users'],
    ['MA3: a date', '/v2024-11-01/users', '2024-11-01', '/users', '/v2024-11-01/users'],
    ['MA3: nothing but the version', '/v2', '2', '/', '/v2'],
    ['MA3: nothing but the version and a slash', '/v2/', '2', '/', '/v2/'],
    ['MA3: a path that only begins with v', '/videos', '1', '/videos', null],
    ['MA3: a path with v and a digit behind it', '/video2', '1', '/video2', null],
    ['MA3: no version', '/users', '1', '/users', null],
  ])('%s', async (_, path, version, rewritten, original) => {
    expect(await ask({ strategy: 'path' }, path)).toMatchObject({
      status: 200,
      body: { version, path: rewritten, original, id: null },
      version,
    })
  })

  test('MA3: parameters of the rewritten path', async () => {
    expect((await ask({ strategy: 'path' }, '/v2/users/7')).body).toEqual({
      version: '2',
      path: '/users/7',
      original: '/v2/users/7',
      id: '7',
    })
  })

  test('MA3: the version comes after the base path, and is not a version before it', async () => {
    expect((await ask({ strategy: 'path' }, '/api/v2/users', {}, '/api')).body).toEqual({
      version: '2',
      path: '/api/users',
      original: '/api/v2/users',
      id: null,
    })
    expect((await ask({ strategy: 'path' }, '/v2/api/users', {}, '/api')).status).toBe(404)
  })

  test('MA3: by a header, a version in the path is part of the path', async () => {
    expect((await ask({}, '/v2/users')).status).toBe(404)
  })

  test('MA3: a path outside of the base path is left alone', async () => {
    const fetch = door({
      use: [apiVersion({ versions, strategy: 'path' })],
      routes: [['GET', '/users', () => json(1)]],
      basePath: '/api',
      notFound: (ctx: any) => json({ path: ctx.path }, 404),
    })
    expect(await (await fetch('/abc/v2/users')).json()).toEqual({ path: '/abc/v2/users' })
  })

  test('MA3: a segment behind the first is not a version', async () => {
    expect(await ask({ strategy: 'path' }, '/users/v2')).toMatchObject({
      status: 200,
      body: { version: '1', path: '/users/v2', original: null, id: 'v2' },
    })
  })

  test.each<[string, Partial<ApiVersionOptions>, string, Record<string, string>, number, string]>([
    ['MA6: header', {}, '/users', { 'api-version': '9' }, 400, '9'],
    ['MA6: query', { strategy: 'query' }, '/users?version=9', {}, 400, '9'],
    ['MA6: path', { strategy: 'path' }, '/v9/users', {}, 404, '9'],
    ['MA6: accept', { strategy: 'accept' }, '/users', { accept: 'application/vnd.api+json;version=9' }, 406, '9'],
    ['MA6: a key of every object', {}, '/users', { 'api-version': '__proto__' }, 400, '__proto__'],
    ['MA6: a version in another case', { versions: ['a'], default: 'a' }, '/users', { 'api-version': 'A' }, 400, 'A'],
    ['MA5: none, where one is required', { required: true }, '/users', {}, 400, ''],
    ['MA5: none in the path, where one is required', { required: true, strategy: 'path' }, '/users', {}, 400, ''],
  ])('%s is refused', async (_, options, path, headers, status, version) => {
    const answer = await ask(options, path, headers)
    expect(answer).toMatchObject({
      status,
      body: { error: 'Unsupported API version', version, supported: options.versions ?? versions },
    })
    expect(answer.version).toBeNull()
  })

  test.each<[string, Partial<ApiVersionOptions>, string | null]>([
    ['header', {}, 'api-version'],
    ['header', { header: 'X-Version' }, 'X-Version'],
    ['accept', { strategy: 'accept' }, 'Accept'],
    ['query', { strategy: 'query' }, null],
    ['path', { strategy: 'path' }, null],
  ])('MA7: Vary where a header decides: %s', async (_, options, expected) => {
    expect((await ask(options, '/users')).vary).toBe(expected)
    const refused = { 'api-version': '9', 'x-version': '9', accept: 'application/vnd.api+json;version=9' }
    expect((await ask(options, '/users', refused)).vary).toBe(expected)
  })

  test.each(['a,', ';', '"', 'application/vnd.api+json;version=9,', '\t '])(
    '60 kB of %j in Accept are answered in linear time, and not with a 5xx',
    (unit) =>
      expectLinear(
        60_000,
        (size) => `x${unit.repeat(size / unit.length)}x`,
        async (accept) => expect((await ask({ strategy: 'accept' }, '/users', { accept })).status).toBeLessThan(500),
      ),
  )

  test('a version of 60 kB in the path is answered with 404 in linear time', () =>
    expectLinear(
      60_000,
      (size) => `/v${'1'.repeat(size)}/users`,
      async (path) => expect((await ask({ strategy: 'path' }, path)).status).toBe(404),
    ))

  test('MA8: one handler for each version', async () => {
    const handler = versioned({ 1: () => json('first'), 2: async () => json('second') })
    const fetch = door({ use: [apiVersion({ versions })], routes: [['GET', '/', handler]] })
    const said = async (version: string): Promise<unknown> => {
      const response = await fetch(new Request('http://localhost/', { headers: { 'api-version': version } }))
      return { status: response.status, body: await response.json() }
    }
    expect(await said('1')).toEqual({ status: 200, body: 'first' })
    expect(await said('2')).toEqual({ status: 200, body: 'second' })
    expect(await said('2024-11-01')).toEqual({ status: 404, body: { error: 'Not Found' } })
  })

  test('MA7: what will go says so, and only that', async () => {
    const since = new Date('2026-01-01T00:00:00.9Z')
    const old = deprecation({
      since,
      sunset: new Date('2026-12-31T23:59:59Z'),
      link: 'https://docs.example/moving',
      when: (ctx) => ctx.state.apiVersion === '1',
    })
    const fetch = door({ use: [apiVersion({ versions }), old], routes: [['GET', '/', () => json(1)]] })
    const fieldsOf = async (version: string): Promise<unknown> => {
      const { headers } = await fetch(new Request('http://localhost/', { headers: { 'api-version': version } }))
      return { deprecation: headers.get('deprecation'), sunset: headers.get('sunset'), link: headers.get('link') }
    }
    expect(await fieldsOf('1')).toEqual({
      deprecation: '@1767225600',
      sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
      link: '<https://docs.example/moving>; rel="deprecation"',
    })
    expect(await fieldsOf('2')).toEqual({ deprecation: null, sunset: null, link: null })
    const bare = door({ use: [deprecation({ since })], routes: [['GET', '/', () => json(1)]] })
    expect((await bare('/')).headers.get('deprecation')).toBe('@1767225600')
    expect((await bare('/')).headers.get('sunset')).toBeNull()
  })
})

test.each<[string, () => unknown, RegExp]>([
  [
    'an unknown strategy',
    () => apiVersion({ versions, strategy: 'cookie' as never }),
    /strategy: expected .*, got "cookie"/,
  ],
  ['no versions', () => apiVersion({ versions: [] }), /versions: expected a list of versions such as "2", got \[\]/],
  ['a version that is no token', () => apiVersion({ versions: ['1', 'a b'] }), /a b/],
  ['an invalid header', () => apiVersion({ versions, header: 'x y' }), /header: .*got "x y"/],
  ['a default that is not served', () => apiVersion({ versions, default: '3' }), /default: .*got "3"/],
  ['an invalid date', () => deprecation({ since: new Date('soon') }), /since/],
  ['an invalid sunset', () => deprecation({ since: new Date(0), sunset: new Date('soon') }), /sunset/],
  ['a link that splits the field', () => deprecation({ since: new Date(0), link: 'a>\r\nx: y' }), /link/],
])('%s is refused when made', (_, make, message) => {
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})
