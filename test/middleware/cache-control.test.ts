import { describe, expect, test } from 'vitest'
import { cacheControl } from '../../src/middleware/cache-control.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

describe.each(doors)('cacheControl through %s', (_, door) => {
  test.each<[object, string]>([
    [{ maxAge: 60 }, 'max-age=60'],
    [{ maxAge: 0, public: false }, 'max-age=0'],
    [{ public: true, maxAge: 31_536_000, immutable: true }, 'public, immutable, max-age=31536000'],
    [
      { sMaxage: 9, staleWhileRevalidate: 8, staleIfError: 7 },
      's-maxage=9, stale-while-revalidate=8, stale-if-error=7',
    ],
    [{ private: true, noCache: true, mustRevalidate: true }, 'private, no-cache, must-revalidate'],
    [{ noStore: true }, 'no-store'],
    [{ noTransform: true, proxyRevalidate: true }, 'no-transform, proxy-revalidate'],
  ])('MX2: %j is %s', async (options, value) => {
    const fetch = door({ use: [cacheControl(options)], routes: [['GET', '/', () => text('x')]] })
    expect((await fetch('/')).headers.get('cache-control')).toBe(value)
    expect((await fetch('/none')).headers.has('cache-control')).toBe(false)
  })

  test.each([
    [200, 'max-age=60'],
    [304, 'max-age=60'],
    [400, null],
    [404, null],
    [500, null],
  ])('MX2: of the status %s it is %j', async (status, value) => {
    const own = () => new Response(null, { status })
    const fetch = door({ use: [cacheControl({ maxAge: 60 })], routes: [['GET', '/', own]] })
    expect((await fetch('/')).headers.get('cache-control')).toBe(value)
  })

  test('MX2: what a handler says stays', async () => {
    const own = () => text('x', 200, { 'cache-control': 'no-store' })
    const fetch = door({ use: [cacheControl({ maxAge: 60 })], routes: [['GET', '/', own]] })
    expect((await fetch('/')).headers.get('cache-control')).toBe('no-store')
  })
})

test.each<[string, object]>([
  ['cacheControl: expected at least one directive, got {}', {}],
  ['cacheControl: maxAge: expected a whole number of seconds from 0, got 1.5', { maxAge: 1.5 }],
  ['cacheControl: private: expected no private together with "public", got true', { public: true, private: true }],
  ['cacheControl: maxAge: expected no maxAge together with "noStore", got 9', { noStore: true, maxAge: 9 }],
  ['cacheControl: maxage: unknown option, did you mean "maxAge"?', { maxage: 1 }],
])('MX2: %s', (message, options) => expect(() => cacheControl(options)).toThrow(message))
