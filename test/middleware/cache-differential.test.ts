import fc from 'fast-check'
import CachePolicy from 'http-cache-semantics'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { directivesOf, type EntryLifetime, freshnessOf, lifeOf } from '../../src/internal/cache/policy.ts'
import { cache } from '../../src/middleware/cache.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'

const NOW = 1_700_000_000_000
const date = (seconds: number): string => new Date(NOW + seconds * 1000).toUTCString()

const directive = fc.constantFrom(
  ...[
    'max-age=0',
    'max-age=10',
    'max-age=100',
    's-maxage=0',
    's-maxage=50',
    'public',
    'private',
    'no-store',
    'no-cache',
  ],
  ...['must-revalidate', 'immutable', 'no-transform', 'x-unknown=1', 'max-age="30"'],
)
const list = (one: fc.Arbitrary<string>, maxLength: number) =>
  fc.uniqueArray(one, { maxLength, selector: (text) => text.toLowerCase().split('=')[0] }).map((all) => all.join(', '))

test('MX2: what is kept, how long, and what a request gets, as npm http-cache-semantics decides', () =>
  fc.assert(
    fc.property(
      fc.record({
        control: fc.option(list(directive, 4)),
        expires: fc.option(fc.constantFrom(date(0), date(30), date(-30), '0')),
        age: fc.option(fc.constantFrom('0', '5', '40')),
        vary: fc.option(fc.constantFrom('accept', '*')),
        pragma: fc.option(fc.constantFrom('no-cache', 'x')),
        cookie: fc.option(fc.constant('a=1')),
        authorization: fc.boolean(),
        status: fc.constantFrom(
          ...[200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501],
          ...[201, 206, 304, 400, 412, 418, 500, 503],
        ),
        elapsed: fc.constantFrom(0, 4, 9, 10, 11, 49, 50, 60, 99, 100, 150),
      }),
      ({ control, expires, age, vary, pragma, cookie, authorization, status, elapsed }) => {
        const response = Object.fromEntries(
          Object.entries({
            ...{ 'cache-control': control, expires, age, vary, pragma, 'set-cookie': cookie, date: date(0) },
          }).filter(([, text]) => text !== null),
        ) as Record<string, string>
        const request: Record<string, string> = authorization ? { authorization: 'x' } : {}
        const policy = new CachePolicy(
          { url: '/', method: 'GET', headers: request },
          { status, headers: response },
          { shared: true, cacheHeuristic: 0, immutableMinTimeToLive: 0 },
        )
        ;(policy as any).now = () => NOW
        ;(policy as any)._responseTime = NOW // any: the moment that it takes for now when it is made
        const header = (name: string): string | null => response[name] ?? null
        const life: EntryLifetime | undefined = lifeOf(status, (name) => request[name] ?? null, header, {}, NOW)

        // Theirs keeps what must be asked for again, and what is public with credentials under further directives
        const says = directivesOf(control)
        fc.pre(!authorization || 'public' in says || !('s-maxage' in says || 'must-revalidate' in says))
        // Theirs also keeps a cookie that is immutable
        fc.pre(!cookie || !('immutable' in says) || 'public' in says)
        const kept = policy.storable() && !('no-cache' in says) && policy.timeToLive() > 0
        expect({ kept: life !== undefined, lifetime: life && life.fresh - life.age }).toEqual({
          kept,
          lifetime: kept ? policy.maxAge() - policy.age() : undefined,
        })
        // Theirs asks again for what must be revalidated even while it is fresh (RFC 9111 §5.2.2.2: when it is stale)
        if (!life || 'must-revalidate' in says) return
        ;(policy as any).now = () => NOW + elapsed * 1000
        const theirs = policy.satisfiesWithoutRevalidation({
          url: '/',
          method: 'GET',
          headers: request,
        })
        expect(freshnessOf(life, life.age + elapsed) === 'fresh').toBe(theirs)
      },
    ),
    { numRuns: runs(20_000) },
  ))

test('MX2: Vary: which requests one answer serves, as npm http-cache-semantics decides', () => {
  const names = ['accept', 'accept-language', 'x-a']
  const headers = fc.record(
    Object.fromEntries(names.map((name) => [name, fc.constantFrom('a', 'A', 'b', 'a, b', 'b,a', '')])),
    { requiredKeys: [] },
  )
  const vary = fc.array(fc.constantFrom(...names, 'Accept', 'X-A', '*', 'x-none'), { minLength: 1, maxLength: 3 })
  return fc.assert(
    fc.asyncProperty(vary, fc.constantFrom(',', ', ', ' , '), headers, headers, async (list, comma, first, second) => {
      const response = { 'cache-control': 'max-age=60', vary: list.join(comma) }
      const policy = new CachePolicy(
        { url: '/', method: 'GET', headers: first as Record<string, string> },
        { status: 200, headers: response },
      )
      const theirs = policy.satisfiesWithoutRevalidation({
        url: '/',
        method: 'GET',
        headers: second as Record<string, string>,
      })
      let made = 0
      const app = createApp()
        .use(cache())
        .get('/', () => text(`${++made}`, 200, response))
      for (const each of [first, second]) await app.request('/', { headers: each as Record<string, string> })
      expect(made === 1, `${response.vary} ${JSON.stringify([first, second])}`).toBe(theirs)
    }),
    { numRuns: runs(4000) },
  )
})
