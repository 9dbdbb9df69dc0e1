import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizePattern } from '../src/internal/route/pattern.ts'
import { createSegmentRouter } from '../src/internal/route/segments.ts'
import { at } from '../src/kernel/scope.ts'
import { createRouter, type RouterEntry } from '../src/router.ts'
import { parseTarget } from '../src/runtime/platform/target.ts'
import { anyText } from './any-text.ts'
import { runs } from './fuzz.ts'
import { expectLinear } from './growth.ts'

/** How specific a pattern is, segment by segment: compared as text, the smaller wins. */
const rank = (pattern: string): string =>
  pattern
    .replace(/\/$/, '')
    .split('/')
    .slice(1)
    .map((part) => (part === '*' ? '3' : part[0] === '*' ? '2' : part[0] === ':' ? '1' : '0'))
    .join('')

/** The contract in the plainest form: try every pattern as a regular expression, take the most specific, the first of equals. */
const model = (patterns: readonly string[], path: string): string | undefined => {
  const short = path.length > 2 ? path.replace(/\/$/, '') : path
  const found: [string, number, string][] = []
  patterns.forEach((pattern, index) => {
    const trimmed = pattern.length > 1 ? pattern.replace(/\/$/, '') : pattern
    const names: string[] = []
    const source = trimmed.replace(/\/([:*])([^/]*)|[^/]/g, (text, kind, name) => {
      if (!kind) return text.replace(/[^\w]/g, '\\$&')
      names.push(name || '*')
      return kind === ':' ? '/([^/]+)' : name ? '/([^/].*)' : '(?:/(.*))?'
    })
    const regex = new RegExp(`^${source}$`)
    const last = trimmed.split('/').at(-1)!
    const match =
      regex.exec(short) &&
      (last[0] === '*' && !(last === '*' && regex.exec(short)![names.length] === undefined)
        ? regex.exec(path)
        : regex.exec(short))
    if (!match) return
    const values = names.map((name, at) => [
      name,
      decode(match[at + 1] ?? '', last[0] === '*' && at === names.length - 1),
    ])
    found.push([rank(trimmed), index, `${pattern} ${JSON.stringify(Object.entries(Object.fromEntries(values)))}`])
  })
  return found.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]))[0]?.[2]
}
const decode = (text: string, wild: boolean): string =>
  decodeURIComponent(wild ? text.replace(/%(2f)/gi, '%25$1') : text)

const word = fc.constantFrom('a', 'b', 'ab', 'abc', 'team', 'test', 'te', 'x.y', 'v1')
const segment = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: fc.constantFrom(':p', ':q', ':r', ':__proto__') },
)
const pattern = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom('', '', '', '/', '/*', '/*rest'))
  .map(([parts, end]) => `/${parts.join('/')}${end === '/' && !parts.length ? '' : end}`.replace(/^\/\//, '/'))
  .filter((text) => {
    try {
      return normalizePattern(text) === text
    } catch {
      return false
    }
  })
const piece = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'a%2Fb', '%41', '%25', 'c%C3%A9', '*', ':p', 'tes', 'abcd', '__proto__', '%2f'),
  },
)
const pathname = fc
  .tuple(fc.array(piece, { maxLength: 5 }), fc.boolean())
  .map(([parts, slash]) => `/${parts.join('/')}${slash ? '/' : ''}`)

test('R36: random paths over random route sets: the tree says what a list of regular expressions says', () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 12 }),
      fc.array(pathname, { minLength: 40, maxLength: 40 }),
      (patterns, paths) => {
        const router = createRouter(patterns.map((path) => ({ method: 'GET', path, value: path })))
        for (const path of paths) {
          const match = router.find('GET', path)
          const found = match && `${match.value} ${JSON.stringify(Object.entries(match.params ?? {}))}`
          if (found !== model(patterns, path)) expect(`${path}: ${found}`).toBe(`${path}: ${model(patterns, path)}`)
        }
      },
    ),
    { numRuns: runs(5_000) },
  )
}, 60_000)

test('R24: no path makes the router throw anything but a URIError', () => {
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 8 }), anyText({ maxLength: 60 }), (patterns, text) => {
      const router = createRouter(patterns.map((path) => ({ method: 'GET', path, value: path })))
      try {
        router.find('GET', `/${text}`)
      } catch (error) {
        expect(error).toBeInstanceOf(URIError)
      }
    }),
    { numRuns: runs(20_000) },
  )
}, 60_000)

test('middleware of a path sees every path that a route of the same pattern matches', () => {
  fc.assert(
    fc.property(pattern, pathname, (path, asked) => {
      const matched = createRouter([{ method: 'GET', path, value: 1 }]).find('GET', asked) !== undefined
      let ran = false
      at(path, () => {
        ran = true
      })({ path: asked } as never, () => undefined as never)
      if (matched) expect({ path, asked, ran }).toEqual({ path, asked, ran: true })
    }),
    { numRuns: runs(20_000) },
  )
})

test('srvx CVE-2026-33732: the path of any target is the one that the URL has', () => {
  const character = fc.oneof(
    fc.constantFrom(
      '/',
      '.',
      '%',
      '2',
      'e',
      'E',
      '\\',
      '?',
      '#',
      ':',
      '@',
      '"',
      "'",
      '<',
      '^',
      '`',
      '{',
      '|',
      '[',
      ']',
      ' ',
      'é',
      '\t',
      '~',
      '*',
      '&',
      ';',
    ),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 20 }), (parts) => {
      const target = `/${parts.join('')}`
      const url = new URL(`http://h${target}`)
      const found = parseTarget(target)!
      const whole = new URL(`http://h${found.rest}`)
      expect({ path: found.path, pathname: whole.pathname, search: whole.search }).toEqual({
        path: url.pathname,
        pathname: url.pathname,
        search: url.search,
      })
    }),
    { numRuns: runs(50_000) },
  )
})

test('R36: a lookup in 10,000 routes costs what one in 100 does', () => {
  const routes = (count: number): RouterEntry<number>[] =>
    Array.from({ length: count }, (_, n) => ({ method: 'GET', path: `/${(n * 7919) % 9973}/r${n}/:id`, value: n }))
  const time = (count: number): number => {
    const { find } = createRouter(routes(count))
    const paths = Array.from({ length: 100 }, (_, n) => `/${(n * 7919) % 9973}/r${n}/7`)
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 15; round++) {
      const start = performance.now()
      for (let turn = 0; turn < 50; turn++) for (const path of paths) find('GET', path)
      best = Math.min(best, performance.now() - start)
    }
    return best
  }
  time(100)
  // A list would take 100 times as long
  expect(time(10_000) / time(100)).toBeLessThan(20)
})

test('a hostile path of 100,000 characters is looked up in linear time', async () => {
  const { find } = createRouter(
    ['/a/:b/:c/:d/x', '/:a/b/:c/:d/y', '/:a/:b/*c', '/a/*', '/*r'].map((path) => ({
      method: 'GET',
      path,
      value: path,
    })),
  )
  for (const [head, unit] of [
    ['/', 'a/'],
    ['', '/'],
    ['/', '%41'],
    ['/a/', 'b'],
  ] as const) {
    await expectLinear(
      100_000,
      (size) => head + unit.repeat(size / unit.length),
      (path) => find('GET', path),
    )
  }
})

test('a table a method: a client cannot make the router keep more', () => {
  const router = createRouter([
    { method: 'GET', path: '/', value: 1 },
    { method: '*', path: '/all', value: 2 },
  ])
  for (let n = 0; n < 1000; n++) expect(router.find(`M${n}`, '/all')?.value).toBe(2)
  expect([...router.methods].sort()).toEqual(['*', 'GET', 'HEAD'])
})

test.each([
  ['by radix tree', createRouter],
  ['by segments', createSegmentRouter],
])('an empty method finds the first registered route of any method, %s', (_, create) => {
  const router = create([
    { method: 'PUT', path: '/a/:id', value: 'put' },
    { method: 'GET', path: '/a/:name', value: 'get' },
    { method: '*', path: '/b', value: 'any' },
  ])
  expect(router.find('', '/a/7')).toEqual({ value: 'put', params: { id: '7' } })
  expect(router.find('', '/b')?.value).toBe('any')
  expect(router.find('', '/c')).toBeUndefined()
})

describe.each([
  ['by radix tree', createRouter],
  ['by segments', createSegmentRouter],
])('a router %s', (_, create) => {
  test('gives each method its own route, whatever order they were registered in', () => {
    const router = create([
      { method: 'POST', path: '/a/:id', value: 'post' },
      { method: 'GET', path: '/a/:id', value: 'get' },
    ])
    expect({
      get: router.find('GET', '/a/7')?.value,
      post: router.find('POST', '/a/7')?.value,
      put: router.find('PUT', '/a/7')?.value,
    }).toEqual({ get: 'get', post: 'post', put: undefined })
  })

  test('has no route for a segment without its slash', () => {
    expect(create([{ method: 'GET', path: '/a/:id', value: 'get' }]).find('GET', 'a')).toBeUndefined()
  })
})
