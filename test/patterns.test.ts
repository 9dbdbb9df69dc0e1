import fc from 'fast-check'
import { checkSync } from 'recheck'
import { describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { createClient } from '../src/client.ts'
import { isLinear } from '../src/internal/route/linear.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank, type Plan, type PlannedRoute } from '../src/kernel/plan.ts'
import { mount } from '../src/kernel/scope.ts'
import { openapi } from '../src/openapi.ts'
import { pipe } from '../src/pipe.ts'
import { json } from '../src/respond/json.ts'
import { patternRoute, patterns } from '../src/router/patterns.ts'
import { createRouter as createSegments } from '../src/router/segments.ts'
import { createRouter } from '../src/router.ts'
import { createApp as createTiny } from '../src/tiny.ts'
import { runs } from './fuzz.ts'
import { expectLinear } from './growth.ts'

/** An answer that tells which path it was registered with. */
const say = (path: string) => (ctx: any) => json({ route: path, params: ctx.params }) // any: the doors' contexts differ

const doors: [string, (paths: readonly string[]) => (request: Request) => Response | Promise<Response>][] = [
  [
    'createApp',
    (paths) => paths.reduce((app, path) => app.get(path, say(path)), createApp<any, any>({ patterns }) as any).fetch,
  ],
  [
    'tiny',
    (paths) => paths.reduce((app, path) => app.get(path, say(path)), createTiny<any, any>({ patterns }) as any).fetch,
  ],
  [
    'pipe',
    (paths) =>
      toFetch(paths.reduce((plan, path) => patternRoute('GET', path, say(path))(plan as never), blank as Plan)),
  ],
  [
    'a mounted plan',
    (paths) =>
      createApp().mount(
        '/',
        paths.reduce((plan, path) => patternRoute('GET', path, say(path))(plan as never), blank as Plan),
      ).fetch,
  ],
]

describe.each(doors)('R39: %s', (_, door) => {
  test.each([
    ['an absent parameter', ['/animals/:type?'], '/animals', { route: '/animals/:type?', params: {} }],
    ['a present parameter', ['/animals/:type?'], '/animals/cat', { route: '/animals/:type?', params: { type: 'cat' } }],
    ['an absent parameter at the root', ['/:type?'], '/', { route: '/:type?', params: {} }],
    ['a present parameter at the root', ['/:type?'], '/cat', { route: '/:type?', params: { type: 'cat' } }],
    ['a second one, both absent', ['/a/:b?/:c?'], '/a', { route: '/a/:b?/:c?', params: {} }],
    ['a second one, the last absent', ['/a/:b?/:c?'], '/a/1', { route: '/a/:b?/:c?', params: { b: '1' } }],
    ['a second one, both present', ['/a/:b?/:c?'], '/a/1/2', { route: '/a/:b?/:c?', params: { b: '1', c: '2' } }],
    ['a pattern that matches', ['/u/:id{[0-9]+}'], '/u/42', { route: '/u/:id{[0-9]+}', params: { id: '42' } }],
    ['a pattern matches the whole value', ['/u/:id{[0-9]+}'], '/u/42x', 404],
    ['a pattern matches the whole value, from its start', ['/u/:id{[0-9]+}'], '/u/x42', 404],
    ['a choice is whole, too', ['/:lang{en|de}'], '/ende', 404],
    [
      'two patterns',
      ['/p/:d{[0-9]+}/:t{[a-z]+}'],
      '/p/7/x',
      { route: '/p/:d{[0-9]+}/:t{[a-z]+}', params: { d: '7', t: 'x' } },
    ],
    ['a pattern that may be absent, absent', ['/p/:n{[0-9]+}?'], '/p', { route: '/p/:n{[0-9]+}?', params: {} }],
    ['a pattern that may be absent, not matching', ['/p/:n{[0-9]+}?'], '/p/x', 404],
    [
      'an escaped value is compared decoded',
      ['/u/:id{[0-9]+}'],
      '/u/%34',
      { route: '/u/:id{[0-9]+}', params: { id: '4' } },
    ],
    ['an escape does not get around a pattern', ['/f/:name{[^.]+}'], '/f/%2e%2e', 404],
    ['a malformed escape', ['/u/:id{[0-9]+}'], '/u/%zz', 400],
    [
      'a character of two code units is one',
      ['/:a{.}'],
      '/%F0%9F%98%80',
      { route: '/:a{.}', params: { a: '\u{1f600}' } },
    ],
    ['static before a pattern', ['/u/:id{[a-z]+}', '/u/me'], '/u/me', { route: '/u/me', params: {} }],
    [
      'a pattern before a plain parameter',
      ['/u/:any', '/u/:id{[0-9]+}'],
      '/u/7',
      { route: '/u/:id{[0-9]+}', params: { id: '7' } },
    ],
    ['else the plain parameter', ['/u/:id{[0-9]+}', '/u/:any'], '/u/x', { route: '/u/:any', params: { any: 'x' } }],
    ['else the wildcard', ['/u/:id{[0-9]+}', '/u/*rest'], '/u/x', { route: '/u/*rest', params: { rest: 'x' } }],
    [
      'of two patterns the first',
      ['/:a{[0-9]+}', '/:b{[0-9a-f]+}'],
      '/7',
      { route: '/:a{[0-9]+}', params: { a: '7' } },
    ],
    [
      'of two patterns the one that matches',
      ['/:a{[0-9]+}', '/:b{[0-9a-f]+}'],
      '/f',
      { route: '/:b{[0-9a-f]+}', params: { b: 'f' } },
    ],
    ['back to the plain parameter', ['/:a{[0-9]+}/x', '/:b/y'], '/7/y', { route: '/:b/y', params: { b: '7' } }],
    [
      'one pattern, two routes below',
      ['/:a{[0-9]+}/:b', '/:c{[0-9]+}/x'],
      '/7/x',
      { route: '/:c{[0-9]+}/x', params: { c: '7' } },
    ],
    [
      'a name of the prototype',
      ['/:constructor{[0-9]+}/:toString'],
      '/7/x',
      { route: '/:constructor{[0-9]+}/:toString', params: { constructor: '7', toString: 'x' } },
    ],
  ])('%s', async (_, paths, asked, expected) => {
    const response = await door(paths)(new Request(`http://localhost${asked}`))
    expect(response.status === 200 ? await response.json() : response.status).toEqual(expected)
  })

  test.each([
    ['a parameter that may be absent in the middle', '/a/:b?/c'],
    ['a text that may be absent', '/a?'],
    ['one before a wildcard', '/a/:b?/*'],
    ['one before a parameter', '/a/:b?/:c'],
    ['nested quantifiers', '/:a{(x+)+}'],
    ['a group', '/:a{(x|y)}'],
    ['look-ahead', '/:a{(?=x)x}'],
    ['a back reference', '/:a{[ab]\\1}'],
    ['an anchor', '/:a{^x$}'],
    ['two repetitions of the same', '/:a{x+x+y}'],
    ['a repetition of what comes after it', '/:a{[a-z]+[a-z0-9]+}'],
    ['a repetition with something absent between', '/:a{x*y?x*z}'],
    ['a class that is reversed', '/:a{[z-a]}'],
    ['a repetition that is reversed', '/:a{x{3,2}}'],
    ['a slash', '/:a{x/y}'],
    ['nothing', '/:a{}'],
    ['a pattern behind a text', '/x:a{[0-9]+}/:b{(x+)+}'],
  ])('refuses %s', (_, path) => {
    expect(() => door([path])).toThrow(/^path: .*expected .*got "/)
    expect(() => door([path])).toThrow(TypeError)
  })
})

test.each<[string, any, string]>([
  ['a number', 7, 'path: expected a string, got 7'],
  [
    'a parameter that may be absent in the middle',
    '/a/:b-c?/d',
    'path: expected parameters that may be absent at the end only, got "/a/:b-c?/d"',
  ],
])('R39: says what is wrong with %s', (_, path, message) => {
  expect(() => patternRoute('GET', path, () => json(1))).toThrow(new TypeError(message))
})

test('R39: without the capability such a path is refused', () => {
  for (const path of ['/u/:id?', '/u/:id{[0-9]+}']) expect(() => createApp().get(path, say(path))).toThrow(TypeError)
})

test('R39: patterns work in groups, below prefixes and in the list of routes', async () => {
  const app = createApp({ patterns, basePath: '/api' }).group('/:org', (org) =>
    org.get('/u/:id{[0-9]+}?', say('group')),
  )
  expect(app.routes().map(({ path, duplicate }) => ({ path, duplicate }))).toEqual([
    { path: '/api/:org/u', duplicate: false },
    { path: '/api/:org/u/:id{[0-9]+}', duplicate: false },
  ])
  expect(await (await app.request('/api/x/u/7')).json()).toEqual({ route: 'group', params: { org: 'x', id: '7' } })
  expect((await app.request('/api/x/u/y')).status).toBe(404)
  const twice = createApp({ patterns }).get('/:a{x}', say('')).get('/:b{y}', say('')).get('/:c{x}', say(''))
  expect(twice.routes().map(({ duplicate }) => duplicate)).toEqual([false, false, true])
  const below = pipe(blank, mount('/:org', pipe(blank, patternRoute('GET', '/:id{[0-9]+}', say('mount')))), toFetch)
  expect((await below(new Request('http://localhost/x/y'))).status).toBe(404)
})

test('OA4: the document has a path for each, and the pattern in the schema', () => {
  const app = createApp({ patterns }).get('/u/:id{[0-9]+}?', say('')).get('/:lang{en|de}', say(''))
  const { paths } = openapi(app, { info: { title: 'x', version: '1' } }) as any // any: JSON
  expect(Object.keys(paths)).toEqual(['/u', '/u/{id}', '/{lang}'])
  expect(paths['/u'].get.parameters).toBeUndefined()
  expect(paths['/u/{id}'].get.parameters[0]).toMatchObject({
    name: 'id',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  })
  expect(paths['/{lang}'].get.parameters[0].schema.pattern).toBe('^(?:en|de)$')
})

test('TC2: the client fills patterns, and leaves out what may be absent', async () => {
  const app = createApp({ patterns }).get('/u/:id{[0-9]+}/:page?', (ctx) => ctx.json(ctx.params))
  const api = createClient<typeof app>({ fetch: app.fetch })
  expect(await (await api.get('/u/:id{[0-9]+}/:page?', { params: { id: 7 } })).json()).toEqual({ id: '7' })
  expect(await (await api.get('/u/:id{[0-9]+}/:page?', { params: { id: 7, page: 2 } })).json()).toEqual({
    id: '7',
    page: '2',
  })
})

const segment = fc.constantFrom('a', 'b7', '7', ':p', ':q{[0-9]+}', ':r{[a-z]+}', ':s{[a-z0-9]+}', ':t{[ab].*}')
const pathOf = fc
  .tuple(fc.uniqueArray(segment, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/*rest'))
  .map(([parts, end]) => `/${parts.join('/')}${end}`)
const asked = fc
  .array(fc.constantFrom('a', 'b', '7', 'b7', 'A', '77', 'ab', '%38'), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`)

test.each([
  ['radix', createRouter],
  ['segments', createSegments],
])(
  'R39: random paths over random patterns: the tree of %s says what a list of regular expressions says',
  (_, create) => {
    fc.assert(
      fc.property(
        fc.array(pathOf, { minLength: 1, maxLength: 8 }),
        fc.array(asked, { minLength: 20, maxLength: 20 }),
        (paths, requests) => {
          const placed = placesOf(paths)
          const entries = paths.flatMap((path) =>
            (patterns('GET', path, [say('')]) as PlannedRoute[]).map((one) => ({ ...one, value: path })),
          )
          const router = create(entries)
          for (const request of requests) {
            const found = paths
              .filter((path) => regexOf(path).test(decodeURIComponent(request)))
              .map((path, index) => [rankAt(path, placed), index, path] as const)
              .sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j))[0]?.[2]
            expect({ paths, request, value: router.find('GET', request)?.value }).toEqual({
              paths,
              request,
              value: found,
            })
          }
        },
      ),
      { numRuns: runs(1_000) },
    )
  },
)

/** For each place of the tree the patterns that were met there, in order. */
const placesOf = (paths: readonly string[]): Map<string, string[]> => {
  const places = new Map<string, string[]>()
  for (const path of paths) {
    let at = ''
    for (const part of path.split('/').slice(1)) {
      const source = part.slice(part.indexOf('{'))
      const known = places.get(at) ?? []
      if (part.includes('{') && !known.includes(source)) places.set(at, [...known, source])
      at += `/${part.replace(/^:[\w-]+/, ':')}`
    }
  }
  return places
}

/** How specific a path is, segment by segment: compared as text, the smaller wins. */
const rankAt = (path: string, places: ReadonlyMap<string, string[]>): string => {
  let at = ''
  return path
    .split('/')
    .slice(1)
    .map((part) => {
      const tested = part.includes('{') ? places.get(at)!.indexOf(part.slice(part.indexOf('{'))) : 0
      at += `/${part.replace(/^:[\w-]+/, ':')}`
      return part[0] === '*' ? '3' : part[0] !== ':' ? '0' : part.includes('{') ? `1${tested}` : '2'
    })
    .join('')
}

const regexOf = (path: string): RegExp =>
  new RegExp(
    `^${path.replace(/:\w+(?:\{([^/]+)\})?/g, (_, source = '[^/]+') => `(?:${source.replaceAll('.', '[^/]')})`).replace('*rest', '.+')}$`,
  )

test('R36: what is accepted as linear is linear, says recheck', () => {
  const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '\\d', '\\w', '.', '-', '\\.', '[a-z0-9]')
  const times = fc.constantFrom('', '', '+', '*', '?', '{2}', '{1,3}', '{2,}')
  const source = fc
    .array(
      fc
        .array(
          fc.tuple(atom, times).map((both) => both.join('')),
          { minLength: 1, maxLength: 5 },
        )
        .map((row) => row.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((choices) => choices.join('|'))
    .filter(isLinear)
  fc.assert(
    fc.property(source, (text) => {
      const { status } = checkSync(`^(?:${text})$`, 'u', { timeout: 10_000 })
      expect({ text, status }).toEqual({ text, status: 'safe' })
    }),
    { numRuns: Math.min(60, runs(60)) },
  )
}, 120_000)

test.each([
  { source: '\\d{2}\\d{12}\\d+', linear: true },
  { source: '\\d{12}[0-9]{2}', linear: true },
  { source: '\\d{1,3}\\d+', linear: false },
  { source: '\\d{2,}\\d+', linear: false },
  { source: '\\d?\\d+', linear: false },
  { source: '\\d*\\d+', linear: false },
  { source: '\\d+\\d+', linear: false },
])('R36: whether $source can be divided in one way only', ({ source, linear }) => {
  expect(isLinear(source)).toBe(linear)
})

test('R36: a hostile value of 100,000 characters is matched in linear time', async () => {
  const routes = patterns('GET', '/:a{.+\\.png}/:b{[a-z]+-[0-9]+}', [say('')])
  const { find } = createRouter(routes.map((one) => ({ ...one, value: 1 })))
  await expectLinear(
    100_000,
    (size) => `/${'.png'.repeat(size / 8)}/${'a'.repeat(size / 2)}`,
    (path) => find('GET', path),
  )
})
