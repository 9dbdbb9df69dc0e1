import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { trailingSlash } from '../../src/middleware/trailing-slash.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'

describe.each(doors)('MX8: trailingSlash through %s', (_, door) => {
  const ask = async (form: 'append' | 'trim', path: string, method = 'GET') => {
    const fetch = door({ use: [trailingSlash(form)], routes: [['*', '/*', (ctx) => text(ctx.path)]] })
    const response = await fetch(new Request(`http://localhost${path}`, { method }))
    return { status: response.status, location: response.headers.get('location') }
  }

  test.each<['append' | 'trim', string, string, number, string | null]>([
    ['trim', 'GET', '/a/', 301, '/a'],
    ['trim', 'HEAD', '/a/', 301, '/a'],
    ['trim', 'POST', '/a/', 308, '/a'],
    ['trim', 'DELETE', '/a/', 308, '/a'],
    ['trim', 'GET', '/a/b//', 301, '/a/b'],
    ['trim', 'GET', '/a/?q=1&r=/', 301, '/a?q=1&r=/'],
    ['trim', 'GET', '/a', 200, null],
    ['trim', 'GET', '/', 200, null],
    ['trim', 'GET', '/a%2F', 200, null],
    ['trim', 'GET', '//evil.example/', 301, '/evil.example'],
    ['trim', 'GET', '///evil.example//', 301, '/evil.example'],
    ['append', 'GET', '/a', 301, '/a/'],
    ['append', 'PUT', '/a?q', 308, '/a/?q'],
    ['append', 'GET', '/a/', 200, null],
    ['append', 'GET', '/', 200, null],
    ['append', 'GET', '/app.js', 200, null],
    ['append', 'GET', '/v1.2/a', 301, '/v1.2/a/'],
    ['append', 'GET', '//evil.example.', 200, null],
    ['append', 'GET', '//evil', 301, '/evil/'],
  ])('MX8: %s %s %s', async (form, method, path, status, location) => {
    expect(await ask(form, path, method)).toEqual({ status, location })
  })

  test.each<['append' | 'trim', string, number, string | null]>([
    ['trim', '/api/v2/users/', 301, '/api/v2/users'],
    ['append', '/api/v2/users', 301, '/api/v2/users/'],
    ['append', '/api/v2', 301, '/api/v2/'],
    ['trim', '/api/v2/users', 200, null],
  ])('MX8: %s %s keeps the version that apiVersion has removed from ctx.path', async (form, path, status, location) => {
    const versions = apiVersion({ strategy: 'path', versions: ['1', '2'] })
    const fetch = door({
      basePath: '/api',
      use: [versions, trailingSlash(form)],
      routes: [['GET', '/users', () => text('')]],
    })
    const response = await fetch(path)
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({ status, location })
  })
})

test('MX8: no path leads to another origin, and one redirect is enough', async () => {
  const step = { trim: trailingSlash('trim'), append: trailingSlash('append') }
  const part = fc.constantFrom('/', '\\', '.', '..', 'a', '%2f', '%5c', '@', ':', 'evil.example', '?', '#', ';')
  await fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('trim', 'append'), (parts, form) => {
      const origin = 'http://localhost'
      const locate = (url: URL): string | null => {
        const answer = step[form as 'trim']({ path: url.pathname, method: 'GET', url } as never, () => 'next' as never)
        return (answer as unknown) === 'next' ? null : (answer as Response).headers.get('location')
      }
      const url = new URL(`${origin}/${parts.join('')}`)
      const location = locate(url)
      if (location === null) return
      const target = new URL(location, url)
      expect({ href: url.href, origin: target.origin, search: target.search }).toEqual({
        href: url.href,
        origin,
        search: url.search,
      })
      expect({ href: url.href, location: locate(target) }).toEqual({ href: url.href, location: null })
    }),
    { numRuns: runs(30_000) },
  )
})

/** The redirect of one middleware, for a path that no URL parser has changed. */
const locationOf = (form: 'append' | 'trim', path: string): string | null => {
  const ctx = { path, method: 'GET', url: { pathname: path, search: '' } }
  return (trailingSlash(form)(ctx as never, () => 'next' as never) as Response).headers.get('location')
}

test.each([
  ['trim', '/\\evil.example/', '/evil.example'],
  ['trim', '\\\\evil.example/', '/evil.example'],
  ['append', '/\\evil', '/evil/'],
] as const)('MX8: a backslash at the start does not begin a host: %s %s', (form, path, location) => {
  expect(locationOf(form, path)).toBe(location)
})

test('MX8: linear in the slashes of a path', () =>
  expectLinear(
    20_000,
    (size) => `${'/'.repeat(size)}a/`,
    async (path) => locationOf('trim', path),
  ))

test('MX8: refuses another form', () => {
  expect(() => trailingSlash('remove' as never)).toThrow(
    new TypeError('trailingSlash: form: expected "append" or "trim", got "remove"'),
  )
})
