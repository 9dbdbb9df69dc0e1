import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank, route, use } from '../src/kernel/plan.ts'
import { at, basePath, group, mount } from '../src/kernel/scope.ts'
import { createHandler } from '../src/pipe/create-handler.ts'
import { listRoutes } from '../src/pipe/list-routes.ts'
import { pipe } from '../src/pipe.ts'
import { json } from '../src/respond/json.ts'
import { text } from '../src/respond/text.ts'
import { doors } from './harness.ts'

const say = (word: string) => () => text(word)
const params = (ctx: any) => json(ctx.params)
const request = (method: string, path: string): Request => new Request(`http://localhost${path}`, { method })

/** Status and body of an answer, in one line. */
const answer = async (response: Response | Promise<Response>): Promise<string> => {
  const { status } = await response
  return `${status} ${await (await response).text()}`
}

const NOT_FOUND = '404 {"error":"Not Found"}'

describe.each(doors)('%s', (_, door) => {
  test.each([
    ['GET', '/a', { status: 200, text: 'a' }],
    ['GET', '/b/c', { status: 404, text: '{"error":"Not Found","path":"/b/c"}' }],
    ['POST', '/', { status: 404, text: '{"error":"Not Found","path":"/"}' }],
  ])('E6: behind a route of `all("*")`, %s %s is answered with %j', async (method, path, expected) => {
    const fetch = door({
      routes: [
        ['GET', '/a', say('a')],
        ['*', '*', (ctx) => json({ error: 'Not Found', path: ctx.path }, 404)],
      ],
    })
    const response = await fetch(request(method, path))
    expect({ status: response.status, text: await response.text() }).toEqual(expected)
  })

  describe('basePath', () => {
    test.each([
      ['R2: a path below the prefix', '/api', '/api/x', '200 x'],
      ['R2: the prefix itself is the root route', '/api', '/api', '200 root'],
      ['R2: the prefix with a slash is the root route', '/api', '/api/', '200 root'],
      ['R2: a longer first segment is another path', '/api', '/apix', NOT_FOUND],
      ['R2: the route without its prefix', '/api', '/x', NOT_FOUND],
      ['R2: the prefix is given without a slash', 'api', '/api/x', '200 x'],
      ['R2: the prefix is given with a trailing slash', '/api/', '/api/x', '200 x'],
      ['R2: a prefix of two segments', '/api/v1', '/api/v1/x', '200 x'],
      ['R2: half of a prefix', '/api/v1', '/api/x', NOT_FOUND],
      ['R2: a prefix of one slash has no effect', '/', '/x', '200 x'],
      ['R2: a prefix is escaped as URLs are', '/é', '/%C3%A9/x', '200 x'],
      ['R2: the prefix is case-sensitive', '/api', '/API/x', NOT_FOUND],
    ])('%s', async (_, basePath, path, expected) => {
      const fetch = door({
        basePath,
        routes: [
          ['GET', '/', say('root')],
          ['GET', '/x', say('x')],
        ],
      })
      expect(await answer(fetch(path))).toBe(expected)
    })

    test('R2: outside of the prefix, notFound answers inside the global middleware', async () => {
      const mark = async (_: any, next: any) => {
        const response = await next()
        response.headers.set('x-seen', 'yes')
      }
      const fetch = door({ basePath: '/api', use: [mark], routes: [['GET', '/x', say('x')]] })
      const response = await fetch('/apiary')
      expect({ status: response.status, 'x-seen': response.headers.get('x-seen') }).toEqual({
        status: 404,
        'x-seen': 'yes',
      })
    })

    test('R2: ctx.basePath is the prefix in its one form', async () => {
      const fetch = door({ basePath: 'api/', routes: [['GET', '/', (ctx) => text(ctx.basePath)]] })
      expect(await answer(fetch('/api'))).toBe('200 /api')
    })
  })

  describe('strict', () => {
    test.each([
      ['R3: loose, slash on the request', false, '/x', '/x/', '200 hit'],
      ['R3: loose, slash on the pattern', false, '/x/', '/x', '200 hit'],
      ['R3: loose, slash on both', false, '/x/', '/x/', '200 hit'],
      ['R3: loose, two slashes are one too many', false, '/x', '/x//', NOT_FOUND],
      ['R3: loose, a parameter', false, '/u/:id', '/u/7/', '200 hit'],
      ['R3: loose, a pattern of a parameter and a slash', false, '/u/:id/', '/u/7', '200 hit'],
      ['R3: strict, the same path', true, '/x', '/x', '200 hit'],
      ['R3: strict, slash on the request', true, '/x', '/x/', NOT_FOUND],
      ['R3: strict, slash on the pattern', true, '/x/', '/x', NOT_FOUND],
      ['R3: strict, slash on both', true, '/x/', '/x/', '200 hit'],
      ['R3: strict, a parameter', true, '/u/:id', '/u/7/', NOT_FOUND],
      ['R3: strict, the root', true, '/', '/', '200 hit'],
    ])('%s', async (_, strict, pattern, path, expected) => {
      expect(await answer(door({ strict, routes: [['GET', pattern, say('hit')]] })(path))).toBe(expected)
    })
  })

  describe('matching', () => {
    test.each([
      ['R23: a literal', '/users', '/users', '200 {}'],
      ['R23: case counts', '/users', '/Users', NOT_FOUND],
      ['R23: an escaped letter is not the letter', '/x', '/%78', NOT_FOUND],
      ['R23: a pattern with a space is its escaped form', '/a b', '/a%20b', '200 {}'],
      ['R23: a pattern in Unicode is its escaped form', '/é/:id', '/%C3%A9/1', '200 {"id":"1"}'],
      ['R23: the query is no part of the path', '/users', '/users?id=7', '200 {}'],
      ['R24: one segment', '/u/:id', '/u/7', '200 {"id":"7"}'],
      ['R24: not two', '/u/:id', '/u/7/x', NOT_FOUND],
      ['R24: not none', '/u/:id', '/u', NOT_FOUND],
      ['R24: not an empty one', '/u/:id', '/u/', NOT_FOUND],
      ['R24: not an empty one between', '/u/:id/p', '/u//p', NOT_FOUND],
      ['R24: decoded', '/u/:id', '/u/caf%C3%A9', '200 {"id":"café"}'],
      ['R24: an escaped slash stays in its segment', '/u/:id', '/u/a%2Fb', '200 {"id":"a/b"}'],
      ['R24: an escaped percent is decoded once', '/u/:id', '/u/%2541', '200 {"id":"%41"}'],
      ['R24: a plus stays', '/u/:id', '/u/a+b', '200 {"id":"a+b"}'],
      ['R24: two parameters', '/u/:id/p/:page', '/u/7/p/2', '200 {"id":"7","page":"2"}'],
      ['R24: a dot is part of the value', '/f/:name', '/f/a.txt', '200 {"name":"a.txt"}'],
      ['R24: a colon in the value is plain', '/u/:id', '/u/:id', '200 {"id":":id"}'],
      ['R24: malformed, a lone percent', '/u/:id', '/u/%', '400 {"error":"Malformed path"}'],
      ['R24: malformed, no hex digits', '/u/:id', '/u/%zz', '400 {"error":"Malformed path"}'],
      ['R24: malformed, a byte that is no UTF-8', '/u/:id', '/u/%ff', '400 {"error":"Malformed path"}'],
      ['R24: malformed in a part that is not captured', '/u/:id', '/%/7', '400 {"error":"Malformed path"}'],
      ['R25: the rest', '/f/*path', '/f/a/b/c', '200 {"path":"a/b/c"}'],
      ['R25: needs a character', '/f/*path', '/f/', NOT_FOUND],
      ['R25: needs a segment', '/f/*path', '/f', NOT_FOUND],
      ['R25: decoded', '/f/*path', '/f/a%20b/c', '200 {"path":"a b/c"}'],
      ['R25: an escaped slash makes no segment', '/f/*path', '/f/a%2Fb/c', '200 {"path":"a%2Fb/c"}'],
      ['R25: malformed', '/f/*path', '/f/a/%', '400 {"error":"Malformed path"}'],
      ['R25: a slash at the end is kept', '/f/*path', '/f/a/', '200 {"path":"a/"}'],
      ['R26: bare, the root', '*', '/', '200 {"*":""}'],
      ['R26: bare, a segment', '*', '/a', '200 {"*":"a"}'],
      ['R26: bare, segments', '*', '/a/b', '200 {"*":"a/b"}'],
      ['R26: bare, doubled slashes', '*', '//a', '200 {"*":"/a"}'],
      ['R26: below a prefix, the prefix', '/p/*', '/p', '200 {"*":""}'],
      ['R26: below a prefix, with its slash', '/p/*', '/p/', '200 {"*":""}'],
      ['R26: below a prefix, more', '/p/*', '/p/a/b', '200 {"*":"a/b"}'],
      ['R26: below a prefix, not a longer segment', '/p/*', '/px', NOT_FOUND],
      ['R30: __proto__ is a name like any other', '/u/:__proto__', '/u/7', '200 {"__proto__":"7"}'],
      ['R30: constructor is a name like any other', '/u/:constructor', '/u/7', '200 {"constructor":"7"}'],
      ['R34: a doubled slash in front', '/x', '//x', NOT_FOUND],
      ['R34: a doubled slash between', '/a/b', '/a//b', NOT_FOUND],
      ['R34: two slashes are not the root', '/', '//', NOT_FOUND],
      ['R34: three slashes', '/', '///', NOT_FOUND],
    ])('%s', async (_, pattern, path, expected) => {
      expect(await answer(door({ routes: [['GET', pattern, params]] })(path))).toBe(expected)
    })

    test.each([
      ['R27: static before param', ['/:a', '/x'], '/x', '/x'],
      ['R27: param before wildcard', ['/*a', '/:b'], '/x', '/:b'],
      ['R27: named wildcard before bare', ['/*', '/*a'], '/x', '/*a'],
      ['R27: static before wildcard', ['/*a', '/x/y'], '/x/y', '/x/y'],
      ['R27: back from a static dead end to a param', ['/s/a/b', '/s/:p/c'], '/s/a/c', '/s/:p/c'],
      ['R27: back from a param to a wildcard', ['/s/:p/c', '/s/*r'], '/s/a/d', '/s/*r'],
      ['R27: back over two levels', ['/a/b/c/d', '/a/:x/c/e', '/*r'], '/a/b/c/f', '/*r'],
      ['R27: the most specific segment decides first', ['/:a/x', '/y/*r'], '/y/x', '/y/*r'],
      ['R27: a static prefix of a segment is no match', ['/ab', '/:x'], '/a', '/:x'],
      ['R27: a longer text than a static segment', ['/ab', '/:x'], '/abc', '/:x'],
      ['R27: edges that share letters', ['/team', '/test', '/te', '/:x'], '/tea', '/:x'],
      ['R27: the exact route rather than its bare wildcard', ['/p/*', '/p'], '/p', '/p'],
      ['R27: a bare wildcard below rather than one around', ['/*', '/p/*'], '/p', '/p/*'],
      ['R28: the first of two equal ones', ['/u/:id', '/u/:id'], '/u/1', '/u/:id'],
    ])('%s', async (_, patterns, path, expected) => {
      const routes = patterns.map((pattern) => ['GET', pattern, say(pattern)] as const)
      expect(await answer(door({ routes })(path))).toBe(`200 ${expected}`)
      expect(await answer(door({ routes: routes.toReversed() })(path)), 'in reverse order').toBe(`200 ${expected}`)
    })

    test('R27: a deeper wildcard without the method gives way to an outer one', async () => {
      const fetch = door({
        routes: [
          ['POST', '/a/*', say('inner')],
          ['GET', '/*', say('outer')],
        ],
      })
      expect(await answer(fetch(request('GET', '/a/b')))).toBe('200 outer')
      expect(await answer(fetch(request('POST', '/a/b')))).toBe('200 inner')
    })

    test('R28: the first registration wins', async () => {
      const fetch = door({
        routes: [
          ['GET', '/x', say('first')],
          ['GET', '/x', say('second')],
        ],
      })
      expect(await answer(fetch('/x'))).toBe('200 first')
    })

    test('R29: each route keeps its own names', async () => {
      const fetch = door({
        routes: [
          ['GET', '/u/:id', params],
          ['GET', '/u/:uid/p', params],
          ['GET', '/u/:user/p/*rest', params],
          ['POST', '/u/:key', params],
        ],
      })
      expect(await answer(fetch('/u/7'))).toBe('200 {"id":"7"}')
      expect(await answer(fetch('/u/7/p'))).toBe('200 {"uid":"7"}')
      expect(await answer(fetch('/u/7/p/q/r'))).toBe('200 {"user":"7","rest":"q/r"}')
      expect(await answer(fetch(request('POST', '/u/7')))).toBe('200 {"key":"7"}')
    })

    test('R30: no name reaches a prototype', async () => {
      const fetch = door({
        routes: [
          [
            'GET',
            '/:__proto__/:constructor/:toString',
            (ctx) => {
              expect(Object.keys(ctx.params)).toEqual(['__proto__', 'constructor', 'toString'])
              return json({ polluted: ({} as any).x ?? null, inherited: ctx.params.hasOwnProperty === undefined })
            },
          ],
        ],
      })
      expect(await answer(fetch('/x/y/z'))).toBe('200 {"polluted":null,"inherited":true}')
    })
  })

  describe('methods', () => {
    test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('R20: %s', async (method) => {
      const fetch = door({ routes: [[method, '/x', (ctx) => text('hit', 200, { 'x-method': ctx.method })]] })
      const response = await fetch(request(method, '/x'))
      expect({ status: response.status, 'x-method': response.headers.get('x-method') }).toEqual({
        status: 200,
        'x-method': method,
      })
      const other = method === 'POST' ? 'PUT' : 'POST'
      expect((await fetch(request(other, '/x'))).status).toBe(404)
    })

    test.each(['GET', 'POST', 'OPTIONS', 'PROPFIND', 'QUERY', 'X-CUSTOM', 'get-me'])(
      'R22: all() takes %s',
      async (method) => {
        const fetch = door({ routes: [['*', '/x', (ctx) => text(ctx.method)]] })
        expect(await answer(fetch(request(method, '/x')))).toBe(`200 ${method}`)
      },
    )

    test('R22: within one path the exact method wins over all, whatever the order', async () => {
      for (const routes of [
        [
          ['*', '/x', say('all')],
          ['GET', '/x', say('get')],
        ],
        [
          ['GET', '/x', say('get')],
          ['*', '/x', say('all')],
        ],
      ] as const) {
        const fetch = door({ routes })
        expect(await answer(fetch('/x'))).toBe('200 get')
        expect(await answer(fetch(request('POST', '/x')))).toBe('200 all')
      }
    })

    test('R22: a more specific path of all() wins over a less specific one of the method', async () => {
      const fetch = door({
        routes: [
          ['GET', '/:id', say('param')],
          ['*', '/x', say('all')],
        ],
      })
      expect(await answer(fetch('/x'))).toBe('200 all')
    })

    test('R31: without opting in, another method is not found', async () => {
      expect(await answer(door({ routes: [['GET', '/x', say('x')]] })(request('POST', '/x')))).toBe(NOT_FOUND)
    })

    test.each([
      ['R31, E7: 405 with what is allowed', 'POST', '/x', '405 Method Not Allowed', 'GET, HEAD, OPTIONS'],
      ['R31: every method of the path', 'PUT', '/many', '405 Method Not Allowed', 'GET, HEAD, OPTIONS, PATCH, POST'],
      ['R31: with a parameter', 'POST', '/u/7', '405 Method Not Allowed', 'GET, HEAD, OPTIONS'],
      ['R31: a path that cannot be decoded', 'POST', '/u/%', '400 {"error":"Malformed path"}', null],
      ['R31: a path without routes stays 404', 'POST', '/none', NOT_FOUND, null],
      ['R33: OPTIONS answers 204 with Allow', 'OPTIONS', '/x', '204 ', 'GET, HEAD, OPTIONS'],
      ['R33: OPTIONS of a path without routes stays 404', 'OPTIONS', '/none', NOT_FOUND, null],
      ['R31: all() leaves nothing to refuse', 'PUT', '/all', '200 all', null],
    ])('%s', async (_, method, path, expected, allow) => {
      const fetch = door({
        methodNotAllowed: true,
        routes: [
          ['GET', '/x', say('x')],
          ['GET', '/u/:id', say('u')],
          ['GET', '/many', say('m')],
          ['POST', '/many', say('m')],
          ['PATCH', '/many', say('m')],
          ['*', '/all', say('all')],
        ],
      })
      const response = await fetch(request(method, path))
      expect(response.headers.get('allow')?.split(', ').sort().join(', ') ?? null).toBe(allow)
      if (response.status === 405) expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await answer(response)).toBe(expected)
    })

    test('R33: without opting in, OPTIONS is not found', async () => {
      expect(await answer(door({ routes: [['GET', '/x', say('x')]] })(request('OPTIONS', '/x')))).toBe(NOT_FOUND)
    })

    test.each([
      [
        'R32: HEAD of a GET route has its status and fields and no body',
        [['GET', '/x', () => text('body', 201, { 'x-a': 'b' })]],
        '201 ',
        'b',
      ],
      [
        'R32: an explicit head wins',
        [
          ['GET', '/x', say('get')],
          ['HEAD', '/x', () => text('', 202, { 'x-a': 'head' })],
        ],
        '202 ',
        'head',
      ],
      ['R32: HEAD of all()', [['*', '/x', () => text('body', 200, { 'x-a': 'all' })]], '200 ', 'all'],
      [
        'R32: GET before all()',
        [
          ['*', '/x', () => text('', 299)],
          ['GET', '/x', () => text('body', 200, { 'x-a': 'get' })],
        ],
        '200 ',
        'get',
      ],
      [
        'R32: an explicit head has no body either',
        [['HEAD', '/x', () => text('body', 200, { 'x-a': 'b' })]],
        '200 ',
        'b',
      ],
    ] as const)('%s', async (_, routes, expected, field) => {
      const response = await door({ routes: routes as any })(request('HEAD', '/x'))
      expect(response.headers.get('x-a')).toBe(field)
      expect(response.body).toBeNull()
      expect(await answer(response)).toBe(expected)
    })

    test('R32: HEAD of a route with parameters, and of an async one', async () => {
      const fetch = door({
        routes: [['GET', '/u/:id', async (ctx) => text(ctx.params.id, 200, { 'x-id': ctx.params.id })]],
      })
      const response = await fetch(request('HEAD', '/u/7'))
      expect({ status: response.status, 'x-id': response.headers.get('x-id'), text: await response.text() }).toEqual({
        status: 200,
        'x-id': '7',
        text: '',
      })
    })

    test('R32: HEAD of what is not found has no body', async () => {
      expect(await answer(door({})(request('HEAD', '/x')))).toBe('404 ')
    })

    test('R32: HEAD cancels the source of a stream', async () => {
      const cancelled = vi.fn()
      const fetch = door({ routes: [['GET', '/s', () => new Response(new ReadableStream({ cancel: cancelled }))]] })
      expect(await answer(fetch(request('HEAD', '/s')))).toBe('200 ')
      expect(cancelled).toHaveBeenCalledOnce()
    })
  })

  describe('notFound', () => {
    test('R4: by default 404 with a JSON body', async () => {
      const response = await door({})('/')
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await answer(response)).toBe(NOT_FOUND)
    })

    test.each([
      ['R4: sync, status kept', () => text('gone', 410), '410 gone'],
      ['R4: async', async () => text('later', 404), '404 later'],
      ['R4, E11: the context', (ctx: any) => text(`${ctx.path} ${JSON.stringify(ctx.params)}`, 404), '404 /nope {}'],
    ])('%s', async (_, notFound, expected) => {
      expect(await answer(door({ notFound })('/nope'))).toBe(expected)
    })

    test('R4: runs inside the global middleware', async () => {
      const seen: string[] = []
      const mark = async (_: any, next: any) => {
        seen.push('before')
        const response = await next()
        seen.push(`after ${response.status}`)
        return response
      }
      await door({ use: [mark], notFound: () => text('no', 404) })('/x')
      expect(seen).toEqual(['before', 'after 404'])
    })
  })

  describe('answers', () => {
    test('R12: a plain Response', async () => {
      const response = await door({
        routes: [
          ['GET', '/', () => new Response('plain', { status: 201, statusText: 'Yes', headers: { 'x-a': 'b' } })],
        ],
      })('/')
      expect({ status: response.status, statusText: response.statusText, 'x-a': response.headers.get('x-a') }).toEqual({
        status: 201,
        statusText: 'Yes',
        'x-a': 'b',
      })
      expect(await response.text()).toBe('plain')
    })

    test('R37: nothing returned is a 500, and the log names the route', async () => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const fetch = door({
        routes: [
          ['GET', '/sync/:id', () => undefined],
          ['GET', '/async', async () => undefined],
        ],
      })
      expect(await answer(fetch('/sync/1'))).toBe('500 {"error":"Internal Server Error"}')
      expect(await answer(fetch('/async'))).toBe('500 {"error":"Internal Server Error"}')
      expect(log.mock.calls.map(([error]) => error.message)).toEqual([
        expect.stringContaining('GET /sync/:id'),
        expect.stringContaining('GET /async'),
      ])
      log.mockRestore()
    })

    test.each([101, 204, 205, 304])('R38: %s has a null body', async (status) => {
      if (status === 101) return expect(() => json({}, 101)).toThrow(RangeError)
      const response = await door({ routes: [['GET', '/', () => json({ a: 1 }, status)]] })('/')
      expect({ status: response.status, body: response.body, text: await response.text() }).toEqual({
        status,
        body: null,
        text: '',
      })
      expect(response.headers.get('content-type')).toBeNull()
    })
  })

  describe('middleware of routes', () => {
    test('R35: middleware of a route runs for it alone, in order', async () => {
      const add = (word: string) => async (ctx: any, next: any) => {
        ctx.state.words = [...(ctx.state.words ?? []), word]
        return next()
      }
      const show = (ctx: any) => json(ctx.state.words ?? [])
      const fetch = door({
        use: [add('global')],
        routes: [
          ['GET', '/a', add('one'), add('two'), show],
          ['GET', '/b', show],
        ],
      })
      expect(await answer(fetch('/a'))).toBe('200 ["global","one","two"]')
      expect(await answer(fetch('/b'))).toBe('200 ["global"]')
    })

    test.each([
      ['below', '/admin/*', '/admin/x', true],
      ['the prefix itself', '/admin/*', '/admin', true],
      ['the prefix with its slash', '/admin/*', '/admin/', true],
      ['another path', '/admin/*', '/administrator', false],
      ['a doubled slash is another path', '/admin/*', '//admin/x', false],
      ['with a parameter', '/u/:id/edit', '/u/7/edit', true],
      ['with a parameter, elsewhere', '/u/:id/edit', '/u/7/show', false],
      ['with a parameter, an empty one', '/u/:id/edit', '/u//edit', false],
      ['a literal, with a trailing slash', '/x', '/x/', true],
      ['a literal with dots is no regular expression', '/a.b', '/axb', false],
      ['a literal with parentheses', '/a(b)+', '/a(b)+', true],
      ['everything', '*', '/any/thing', true],
      ['everything, the root', '*', '/', true],
      ['a parameter that cannot be decoded', '/u/:id', '/u/%', true],
    ])('R35: middleware of a path: %s', async (_, pattern, path, runs) => {
      const mark = (ctx: any, next: any) => {
        ctx.onResponse(['x-mark', 'yes'])
        return next()
      }
      const response = await door({ use: [[pattern, mark]] })(path)
      expect(response.headers.get('x-mark')).toBe(runs ? 'yes' : null)
    })

    test('R35: below a basePath, the path of middleware has the prefix too', async () => {
      const mark = () => text('marked')
      const fetch = door({ basePath: '/api', use: [['/admin/*', mark]] })
      expect(await answer(fetch('/api/admin/x'))).toBe('200 marked')
      expect((await fetch('/admin/x')).status).toBe(404)
    })
  })

  test('R36: a hundred thousand lookups in ten thousand routes take no longer than in ten', async () => {
    const make = (count: number) =>
      door({ routes: Array.from({ length: count }, (_, n) => ['GET', `/r${n}/a`, say('x')] as const) })
    const [few, many] = [make(10), make(10_000)]
    const asked = new Request('http://localhost/r7/a')
    const time = async (fetch: typeof few): Promise<number> => {
      const start = performance.now()
      for (let round = 0; round < 3_000; round++) await fetch(asked)
      return performance.now() - start
    }
    await Promise.all([few(asked), many(asked)])
    const ratios: number[] = []
    for (let round = 0; round < 7; round++) {
      const base = await time(few)
      ratios.push((await time(many)) / base)
    }
    expect(Math.min(...ratios)).toBeLessThan(10)
  })

  test('R1: unknown options are ignored', async () => {
    const fetch = door({ unknown: 1, routes: [['GET', '/', say('x')]] } as never)
    expect(await answer(fetch('/'))).toBe('200 x')
  })
})

describe('registration', () => {
  const one = (path: string) => () => route('GET', path, say('x'))

  test.each([
    ['R25: a named wildcard in the middle', '/a/*x/b'],
    ['R26: a bare wildcard in the middle', '/a/*/b'],
    ['R25: a wildcard that does not start its segment', '/a/b*'],
    ['R24: a parameter without a name', '/a/:'],
    ['R24: a name with a character that names do not have', '/a/:x.y'],
    ['R24: an optional parameter', '/a/:x?'],
    ['a query, which is no part of a path', '/a?b=1'],
    ['a fragment, which is never sent', '/a#b'],
    ['R24: a parameter with a pattern', '/a/:x(\\d+)'],
    ['R29: a name twice', '/:a/:a'],
    ['R29: a name twice, once as the rest', '/:a/x/*a'],
    ['NE7: a path without a slash in front', 'a'],
  ])('%s is refused at once, with the path in the message', (_, path) => {
    expect(one(path)).toThrow(TypeError)
    expect(one(path)).toThrow(JSON.stringify(path))
    expect(() => createApp().get(path, say('x'))).toThrow(TypeError)
  })

  test.each([
    ['/a/:id/b/:id', 'path: expected another name for the second ":id", got "/a/:id/b/:id"'],
    ['/a/*/b', 'path: expected a wildcard at the end alone, got "/a/*/b"'],
    ['a', 'path: expected a path that begins with "/", got "a"'],
    ['/a?b', 'path: expected segments such as "users" and ":id", without a query; '],
  ])('NE7: the error of %s names the fault', (path, message) => expect(one(path)).toThrow(message))

  test.each([
    ['a regular expression', /x/],
    ['a list', ['/a', '/b']],
    ['nothing', undefined],
  ])('a path that is %s is refused', (_, path) => {
    const refused = /^path: expected a pattern such as "\/users\/:id" or "\/\*", got /
    expect(one(path as never)).toThrow(refused)
    expect(() => createApp().get(path as never, say('x'))).toThrow(refused)
  })

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'x'],
    ['an object', {}],
    ['a symbol', Symbol('x')],
  ])('%s is neither handler nor middleware', (_, value) => {
    expect(() => route('GET', '/', value as never)).toThrow(TypeError)
    expect(() => route('GET', '/', value as never, say('x'))).toThrow(TypeError)
    expect(() => use(value as never)).toThrow(TypeError)
    expect(() => at('/a', value as never)).toThrow(TypeError)
    expect(() => createApp().use(value as never)).toThrow(TypeError)
  })

  test('P4: a second middleware of at() throws, because it would be dropped', () => {
    const guard = () => text('no', 403)
    const place: any = at // any: the type takes one
    expect(() => place('/a', guard, guard)).toThrow(
      new TypeError('at: middleware: expected one: write at() for each, got 2'),
    )
    // @ts-expect-error one at a time
    expect(() => use(at('/a', guard, guard))).toThrow(TypeError)
  })

  test.each(['/*', '/a/*', '/*rest'])('a prefix with a wildcard is refused: %s', (prefix) => {
    expect(() => mount(prefix, blank)).toThrow(TypeError)
    expect(() => createApp().group(prefix, () => {})).toThrow(TypeError)
    expect(() => createApp({ basePath: prefix })).toThrow(TypeError)
    expect(() => basePath(prefix)(blank)).toThrow(TypeError)
  })

  test('R11: registration chains', () => {
    const app = createApp()
    for (const name of ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'httpOptions', 'all'] as const) {
      // Each method has a type of its own, which names it in the route
      expect(app[name as 'get'](`/${name}`, say(name))).toBe(app)
    }
    expect(app.use((_, next) => next())).toBe(app)
    expect(app.group('/g', () => {})).toBe(app)
    expect(app.mount('/m', createApp())).toBe(app)
  })

  test('R21: httpOptions and options are the same', async () => {
    const app = createApp().httpOptions('/a', say('a')).options('/b', say('b'))
    expect(await answer(app.fetch(request('OPTIONS', '/a')))).toBe('200 a')
    expect(await answer(app.fetch(request('OPTIONS', '/b')))).toBe('200 b')
  })

  test('a route added after the first request is found', async () => {
    const app = createApp().get('/a', say('a'))
    expect(await answer(app.fetch(request('GET', '/b')))).toBe(NOT_FOUND)
    app.get('/b', say('b'))
    expect(await answer(app.fetch(request('GET', '/b')))).toBe('200 b')
  })

  test('R35: mount takes an application, and a plan', async () => {
    const plan = pipe(blank, route('GET', '/x', say('plan')))
    const app = createApp()
      .mount('/plan', plan)
      .mount('/app', createApp().get('/x', say('app')))
    expect(await answer(app.fetch(request('GET', '/plan/x')))).toBe('200 plan')
    expect(await answer(app.fetch(request('GET', '/app/x')))).toBe('200 app')
  })

  test('R28: routes() tells duplicates, names and middleware', () => {
    const guard = (_: unknown, next: () => any) => next()
    const app = createApp({ basePath: '/api' })
      .use(guard)
      .use('/a/*', guard)
      .get('/u/:id', guard, function show() {
        return text('')
      })
      .get('/u/:key', say('x'))
      .post('/u/:id', say('x'))
      .get('/f/*path', say('x'))
      .get('/f/*other', say('x'))
    expect(app.routes().map(({ method, path, duplicate }) => ({ method, path, duplicate }))).toEqual([
      { method: 'GET', path: '/api/u/:id', duplicate: false },
      { method: 'GET', path: '/api/u/:key', duplicate: true },
      { method: 'POST', path: '/api/u/:id', duplicate: false },
      { method: 'GET', path: '/api/f/*path', duplicate: false },
      { method: 'GET', path: '/api/f/*other', duplicate: true },
    ])
    expect(app.routes()[0]).toMatchObject({ handler: 'show' })
    expect(app.routes()[0]!.middleware.filter((name) => name.startsWith('guard'))).toHaveLength(2)
    expect(listRoutes(app.plan)[0]!.path).toBe('/u/:id')
  })

  test('lists the path of a guard that runs for some paths of a route only', () => {
    const guard = (_: unknown, next: () => any) => next()
    const inner = createApp()
    inner.use('/a/*', guard).get('/:b', say('x'))
    const app = createApp()
    app.group('/g', (routes) => routes.use('/a/*', guard).get('/:b', say('x')).get('/a/b', say('x'))).mount('/m', inner)
    expect(listRoutes(app.plan).map((route) => route.middleware)).toEqual([
      ['guard /g/a/*'],
      ['guard'],
      ['guard /m/a/*'],
    ])
  })
})

describe('group and mount', () => {
  const add = (word: string) => (ctx: any, next: any) => {
    ctx.state.words = [...(ctx.state.words ?? []), word]
    return next()
  }
  const show = (ctx: any) => json({ path: ctx.path, params: ctx.params, ran: ctx.state.words })

  const viaApp = createApp()
    .use(add('global'))
    .get('/', show)
    .group('/admin', (admin) => {
      admin.use(add('admin')).get('/', show).get('/:id', show)
      admin.group('deep/', (deep) => deep.use(add('deep')).get('/x', show))
    })
    .mount(
      '/m/:tenant',
      createApp().use(add('mounted')).use('/only/*', add('only')).get('/a/:id', show).get('/only/b', show),
    )
  const inner = pipe(
    blank,
    use(add('mounted')),
    use(at('/only/*', add('only'))),
    route('GET', '/a/:id', show),
    route('GET', '/only/b', show),
  )
  const viaPipe = pipe(
    blank,
    use(add('global')),
    route('GET', '/', show),
    group('/admin', (admin) =>
      pipe(
        admin,
        use(add('admin')),
        route('GET', '/', show),
        route('GET', '/:id', show),
        group('deep/', (deep) => pipe(deep, use(add('deep')), route('GET', '/x', show))),
      ),
    ),
    mount('/m/:tenant', inner),
    toFetch,
  )

  describe.each([
    ['createApp', viaApp.fetch],
    ['pipe', viaPipe],
  ])('%s', (_, fetch) => {
    test.each([
      ['outside', '/', { path: '/', params: {}, ran: ['global'] }],
      ['the prefix itself', '/admin', { path: '/admin', params: {}, ran: ['global', 'admin'] }],
      ['a parameter', '/admin/7', { path: '/admin/7', params: { id: '7' }, ran: ['global', 'admin'] }],
      ['nested', '/admin/deep/x', { path: '/admin/deep/x', params: {}, ran: ['global', 'admin', 'deep'] }],
      [
        'mounted, parameters of the prefix too',
        '/m/acme/a/1',
        { path: '/m/acme/a/1', params: { tenant: 'acme', id: '1' }, ran: ['global', 'mounted'] },
      ],
      [
        'mounted middleware of a path',
        '/m/acme/only/b',
        { path: '/m/acme/only/b', params: { tenant: 'acme' }, ran: ['global', 'mounted', 'only'] },
      ],
    ])('R35: %s', async (_, path, expected) => {
      expect(await (await fetch(request('GET', path))).json()).toEqual(expected)
    })

    test('R35: a boundary is a segment', async () => {
      expect((await fetch(request('GET', '/adminx'))).status).toBe(404)
    })
  })
})

describe('fetch', () => {
  test('R9: bound, so it can be handed around', async () => {
    const { fetch } = createApp().get('/', say('x'))
    expect(await answer(fetch(request('GET', '/')))).toBe('200 x')
    const served = { fetch }
    expect(await answer(served.fetch(request('GET', '/')))).toBe('200 x')
  })

  test('R10: createHandler gives what a worker exports', async () => {
    const app = createApp().get('/', say('x'))
    const handler = createHandler(app)
    expect(Object.keys(handler)).toEqual(['fetch'])
    expect(await answer(handler.fetch(request('GET', '/')))).toBe('200 x')
  })

  test('R9: sync stays sync', () => {
    const app = createApp()
      .use((_, next) => next())
      .get('/', say('x'))
    expect(app.fetch(request('GET', '/'))).toBeInstanceOf(Response)
    expect(pipe(blank, route('GET', '/', say('x')), toFetch)(request('GET', '/'))).toBeInstanceOf(Response)
  })

  test.each([
    [
      'sync',
      () => {
        throw new Error('x')
      },
    ],
    [
      'async',
      async () => {
        throw new Error('x')
      },
    ],
    [
      'undefined',
      () => {
        throw undefined
      },
    ],
    [
      'null',
      async () => {
        throw null
      },
    ],
    [
      'a symbol',
      () => {
        throw Symbol('x')
      },
    ],
    ['Response.error()', () => Response.error()],
    ['Response.error(), later', async () => Response.error()],
    ['a number', () => 1],
    ['an object without status', async () => ({})],
  ])('R9: never throws and never rejects: %s', async (_, handler: any) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const steps of [
      [],
      [
        (ctx: any, next: any) => {
          ctx.onResponse(() => {})
          return next()
        },
      ],
      [async (_: any, next: any) => next()],
    ]) {
      const fetch = doors[1]![1]({ use: steps, routes: [['GET', '/', handler]] })
      const response = await fetch('/')
      expect(response.status === 500 || response.status === 0).toBe(true)
    }
    log.mockRestore()
  })

  test('R8: listen answers where there are sockets, and explains itself where there are none', async () => {
    const listening = createApp().get('/', say('x')).listen({ port: 0, hostname: '127.0.0.1' })
    if (text('').constructor === Response) return expect(listening).rejects.toThrow(/Node, Bun or Deno/)
    const handle = await listening
    expect(handle.port).toBeGreaterThan(0)
    await handle.close()
  })

  test('R7: the container is there', () => {
    const app = createApp()
    app.container.instance('answer', 42)
    expect(app.container.make('answer')).toBe(42)
  })
})
