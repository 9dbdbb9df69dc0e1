import { describe, expect, test } from 'vitest'
import { getCookie, setCookie } from '../../src/cookie.ts'
import { cors } from '../../src/middleware/cors.ts'
import { session } from '../../src/middleware/session.ts'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { redirect } from '../../src/respond/redirect.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

/** Responses that a module makes once and that every request returns. */
const shared: readonly (readonly [string, () => Response])[] = [
  ['json()', () => json({ ok: true })],
  ['text()', () => text('ok')],
  ['html()', () => html('<p>ok')],
  ['redirect()', () => redirect('/login')],
  ['json() with status 204', () => json(null, 204)],
  ['new Response(null)', () => new Response(null, { status: 204 })],
  ['new Response("…")', () => new Response('ok')],
  ['Response.redirect()', () => Response.redirect('http://localhost/login')],
  ['Response.json()', () => Response.json({ ok: true })],
  ['a stream', () => new Response(new Blob(['ok']).stream())],
]

const REQUESTS = 8
const TAGS = Array.from({ length: REQUESTS }, (_, index) => `visitor-${index}`)

/** Ask as several visitors at once; each answer must carry its own visitor's fields alone, or be a plain error. */
const askTogether = async (
  fetch: (request: Request) => Promise<Response>,
  method: string,
): Promise<readonly { tag: string; status: number; fields: string }[]> =>
  Promise.all(
    TAGS.map(async (tag) => {
      const response = await fetch(new Request('http://localhost/', { method, headers: { 'x-tag': tag } }))
      const fields = JSON.stringify([...response.headers])
      await response.text().catch(() => '')
      return { tag, status: response.status, fields }
    }),
  )

const strangersIn = (tag: string, fields: string): string[] =>
  TAGS.filter((other) => other !== tag && fields.includes(other))

/** Middleware that leave a visitor's name on the answer, each in another way. */
const marks: readonly (readonly [string, () => (ctx: any, next: any) => any])[] = [
  [
    'a cookie set before the handler',
    () => (ctx, next) => {
      setCookie(ctx, 'who', ctx.header('x-tag'))
      return next()
    },
  ],
  [
    'an edit of the response after next()',
    () => async (ctx, next) => {
      const response = await next()
      await new Promise((resolve) => setTimeout(resolve, 1))
      response.headers.set('x-who', ctx.header('x-tag'))
    },
  ],
  [
    'an edit of ctx.response after next()',
    () => async (ctx, next) => {
      await next()
      ctx.response.headers.append('set-cookie', `who=${ctx.header('x-tag')}`)
      await new Promise((resolve) => setTimeout(resolve, 1))
    },
  ],
]

describe.each(doors)('F1 a response that is made once and returned by many requests, %s', (_, door) => {
  describe.each(shared)('%s', (_, make) => {
    test.each(marks)('%s reaches nobody else', async (_, mark) => {
      for (const method of ['GET', 'HEAD']) {
        const constant = make()
        const before = JSON.stringify([...constant.headers])
        const fetch = door({ use: [mark()], routes: [['*', '/', () => constant]] })
        for (let round = 0; round < 3; round++) {
          for (const { tag, fields } of await askTogether(fetch, method)) expect(strangersIn(tag, fields)).toEqual([])
        }
        if (!constant.body) expect(JSON.stringify([...constant.headers])).toBe(before)
      }
    })

    test('sessions of several visitors stay apart', async () => {
      const constant = make()
      const fetch = door({
        use: [session({ secret: 's'.repeat(32) })],
        routes: [
          [
            'GET',
            '/',
            (ctx) => {
              ctx.state.session.who = ctx.header('x-tag')
              return constant
            },
          ],
        ],
      })
      const seen = new Map<string, string>()
      for (let round = 0; round < 2; round++) {
        for (const { tag, fields } of await askTogether(fetch, 'GET')) {
          const cookies = fields.match(/session=[^;"]+/g) ?? []
          expect(cookies.length).toBeLessThanOrEqual(1)
          for (const cookie of cookies) expect(seen.get(cookie) ?? tag).toBe(tag)
          for (const cookie of cookies) seen.set(cookie, tag)
        }
      }
    })
  })

  test.each(shared)('%s, stored as ctx.response and edited there, reaches nobody else', async (name, make) => {
    const constant = make()
    const before = JSON.stringify([...constant.headers])
    // The platform's bodies can be sent once; the next visitor gets a plain error
    const sentOnce = /"…"|Response\.json|stream/.test(name)
    const store = async (ctx: any, next: () => Promise<Response>): Promise<void> => {
      await next()
      ctx.response = constant
      await new Promise((resolve) => setTimeout(resolve, 1))
      ctx.response.headers.append('set-cookie', `who=${ctx.header('x-tag')}`)
    }
    const respond = (ctx: any): void => {
      ctx.response = constant
      ctx.response.headers.append('set-cookie', `who=${ctx.header('x-tag')}`)
    }
    for (const fetch of [
      door({ use: [store], routes: [['GET', '/', () => text('before')]] }),
      door({ routes: [['GET', '/', respond]] }),
    ]) {
      for (const { tag, fields, status } of await askTogether(fetch, 'GET')) {
        if (!sentOnce || status !== 500) {
          expect(status).toBe(constant.status)
          expect(fields).toContain(`who=${tag}`)
        }
        expect(strangersIn(tag, fields)).toEqual([])
      }
    }
    expect(JSON.stringify([...constant.headers])).toBe(before)
  })

  test('a text that is returned again and again does not grow', async () => {
    const constant = text('ok')
    const fetch = door({
      use: [
        cors({ origin: (origin) => origin }),
        (ctx, next) => {
          setCookie(ctx, 'n', `${Math.random()}`)
          return next()
        },
      ],
      routes: [['GET', '/', () => constant]],
    })
    for (let round = 0; round < 50; round++) {
      const response = await fetch(
        new Request('http://localhost/', { headers: { origin: `https://${round}.example` } }),
      )
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie().length).toBeLessThanOrEqual(1)
    }
    expect([...constant.headers].length).toBe(1)
  })

  test('a clone of an answered constant carries nothing of the first visitor', async () => {
    const constant = json({ ok: true }, 201)
    const fetch = door({
      use: [marks[0]![1]()],
      routes: [
        ['GET', '/', () => constant],
        ['GET', '/clone', () => (constant.bodyUsed ? json(1) : constant.clone())],
      ],
    })
    await fetch(new Request('http://localhost/', { headers: { 'x-tag': 'visitor-0' } }))
    const second = await fetch(new Request('http://localhost/clone', { headers: { 'x-tag': 'visitor-1' } }))
    expect(strangersIn('visitor-1', JSON.stringify([...second.headers]))).toEqual([])
  })

  test('a middleware that keeps a clone of what next() gives does not keep cookies', async () => {
    const kept = new Map<string, Response>()
    const fetch = door({
      use: [
        (ctx, next) => {
          setCookie(ctx, 'who', ctx.header('x-tag'))
          return next()
        },
        async (ctx: any, next: any): Promise<Response | undefined> => {
          const known = kept.get(ctx.path)
          if (known) return known.clone()
          const response = await next()
          kept.set(ctx.path, response.clone())
          return response
        },
      ],
      routes: [['GET', '/', () => json({ who: 1 })]],
    })
    for (const tag of TAGS) {
      const response = await fetch(new Request('http://localhost/', { headers: { 'x-tag': tag } }))
      expect(strangersIn(tag, JSON.stringify([...response.headers]))).toEqual([])
    }
    expect(getCookie({ header: () => 'a=1' }, 'a')).toBe('1')
  })

  test('a response object that onError or notFound reuses is not shared between requests', async () => {
    const lost = json({ error: 'lost' }, 404)
    const broken = json({ error: 'broken' }, 500)
    const fetch = door({
      use: [marks[0]![1]()],
      notFound: () => lost,
      onError: () => broken,
      routes: [
        [
          'GET',
          '/throw',
          () => {
            throw new Error('no')
          },
        ],
      ],
    })
    for (const path of ['/none', '/throw']) {
      for (const tag of TAGS) {
        const response = await fetch(new Request(`http://localhost${path}`, { headers: { 'x-tag': tag } }))
        expect(strangersIn(tag, JSON.stringify([...response.headers]))).toEqual([])
      }
    }
  })
})
