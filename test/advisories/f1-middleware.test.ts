import { describe, expect, test } from 'vitest'
import type { SessionData } from '../../src/internal/session/session-store.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { cors } from '../../src/middleware/cors.ts'
import { deprecation } from '../../src/middleware/deprecation.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { securityHeaders } from '../../src/middleware/security-headers.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const TAGS = Array.from({ length: 40 }, (_, index) => `v${index}x`)
const secret = 'a secret of thirty-two characters'
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))

describe.each(doors)('F1: nothing of one request reaches another, through %s', (_, door) => {
  test('cors: each visitor reads its own origin, though the rule is asynchronous', async () => {
    const fetch = door({
      use: [
        cors({
          credentials: true,
          origin: async (origin) => {
            await later()
            return origin
          },
        }),
      ],
      routes: [['GET', '/', () => later().then(() => json(1))]],
    })
    const seen = await Promise.all(
      TAGS.map(async (tag) => {
        const response = await fetch(
          new Request('http://localhost/', { headers: { origin: `https://${tag}.example` } }),
        )
        return response.headers.get('access-control-allow-origin')
      }),
    )
    expect(seen).toEqual(TAGS.map((tag) => `https://${tag}.example`))
  })

  test('constant lists stay as they were made: a thousand requests later the answer is the first one', async () => {
    const fetch = door({
      use: [
        cors({ origin: ['https://a.example'], credentials: true, exposedHeaders: ['x-a'] }),
        helmet(),
        securityHeaders(),
        apiVersion({ versions: ['1'] }),
        deprecation({ since: new Date(0) }),
        rateLimiter({ max: 1e6, windowMs: 1000, now: () => 0, keyGenerator: (ctx) => ctx.header('x-tag')! }),
      ],
      routes: [['GET', '/', (ctx) => json(1, 200, { 'set-cookie': `who=${ctx.header('x-tag')}`, vary: 'Accept' })]],
    })
    const ask = async (tag: string): Promise<string> => {
      const headers = { origin: 'https://a.example', 'x-tag': tag }
      return JSON.stringify([...(await fetch(new Request('http://localhost/', { headers }))).headers])
    }
    const first = await ask('first')
    await Promise.all(Array.from({ length: 1000 }, (_, index) => ask(`other${index}`)))
    expect(await ask('last')).toBe(first.replaceAll('first', 'last'))
  })

  test('session: a store that gives every request the same object shares nothing between them', async () => {
    const map = new Map<string, SessionData>()
    const fetch = door({
      use: [
        session({
          secret,
          store: {
            get: (id) => map.get(id),
            set: (id, data) => map.set(id, data),
            destroy: (id) => map.delete(id),
          },
        }),
      ],
      routes: [
        [
          'GET',
          '/',
          async (ctx) => {
            const tag = ctx.header('x-tag')
            ctx.state.session.last = { tag }
            await later()
            return json([tag, ctx.state.session.last.tag])
          },
        ],
      ],
    })
    const ask = (tag: string, cookie = ''): Promise<Response> =>
      fetch(new Request('http://localhost/', { headers: { 'x-tag': tag, ...(cookie && { cookie }) } }))
    const cookie = (await ask('first')).headers.getSetCookie()[0]!.split(';')[0]!
    const seen = await Promise.all(TAGS.map(async (tag) => (await ask(tag, cookie)).json()))
    expect(seen).toEqual(TAGS.map((tag) => [tag, tag]))
  })

  test('session: what a handler does to its session after the answer does not reach the store', async () => {
    const map = new Map<string, SessionData>()
    let kept: any
    const fetch = door({
      use: [
        session({
          secret,
          store: { get: (id) => map.get(id), set: (id, data) => map.set(id, data), destroy: (id) => map.delete(id) },
        }),
      ],
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            kept = ctx.state.session
            kept.user = 'ada'
            return json(1)
          },
        ],
      ],
    })
    await fetch('/')
    kept.user = 'eve'
    expect([...map.values()]).toEqual([{ user: 'ada' }])
  })
})
