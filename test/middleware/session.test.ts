import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SessionData, SessionStore } from '../../src/internal/session/session-store.ts'
import { type SessionOptions, session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import {
  destroySession,
  mergeSessions,
  regenerateSession,
  sessionId,
  setSessionMaxAge,
  touchSession,
} from '../../src/session.ts'
import { cookieSession } from '../../src/stores/cookie-session.ts'
import { memorySession } from '../../src/stores/memory-session.ts'
import { doors } from '../harness.ts'

/** A store that writes down what is asked of it. */
const spyStore = (inner: SessionStore = memorySession()): SessionStore & { readonly calls: string[] } => {
  const calls: string[] = []
  const spied = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        calls.push(name)
        return method(...args)
      },
    ]),
  )
  return { ...(spied as unknown as SessionStore), calls }
}

/** A store of the least that SPEC asks for. */
const plainStore = (): SessionStore & { readonly map: Map<string, SessionData> } => {
  const map = new Map<string, SessionData>()
  return {
    map,
    get: async (id) => map.get(id),
    set: async (id, data) => map.set(id, data),
    destroy: async (id) => map.delete(id),
  }
}

afterEach(() => vi.restoreAllMocks())

describe.each(doors)('session through %s', (_, door) => {
  type Handler = (ctx: any) => unknown
  /** A browser of one cookie jar before one application; `act` is what the next request's handler does. */
  const browse = (options: Partial<SessionOptions> = {}) => {
    let act: Handler = () => {}
    const fetch = door({
      use: [session({ secret: 'one secret', ...options })],
      routes: [
        [
          '*',
          '/',
          async (ctx) => {
            const answer = await act(ctx)
            return answer instanceof Response ? answer : json(ctx.state.session)
          },
        ],
      ],
      onError: (error) => text(String(error), 500),
    })
    const jar = new Map<string, string>()
    const send = async (
      handler: Handler = () => {},
      cookie = [...jar].map((pair) => pair.join('=')).join('; '),
      url = 'http://localhost/',
    ) => {
      act = handler
      const response = await fetch(new Request(url, cookie ? { headers: { cookie } } : {}))
      const lines = response.headers.getSetCookie()
      for (const line of lines) {
        const [, name, value] = /^([^=]*)=([^;]*)/.exec(line)!
        if (line.includes('Max-Age=0')) jar.delete(name!)
        else jar.set(name!, value!)
      }
      return { response, lines, status: response.status, body: await response.text() }
    }
    return { send, jar }
  }
  const put =
    (key: string, value: unknown): Handler =>
    (ctx) => {
      ctx.state.session[key] = value
    }

  test('SPEC 2.5: what one request writes the next one reads', async () => {
    const { send } = browse()
    const first = await send(put('user', 7))
    expect(first.lines).toHaveLength(1)
    expect((await send()).body).toBe('{"user":7}')
  })

  test('MN1: the id is signed and has 192 random bits', async () => {
    const { send, jar } = browse()
    await send(put('a', 1))
    expect(jar.get('session')).toMatch(/^[\w-]{32}\.[\w-]{43}$/)
  })

  test('MN2: the default attributes', async () => {
    const { lines } = await browse().send(put('a', 1))
    expect(lines[0]!.replace(/=[^;]*/, '=')).toBe('session=; Path=/; HttpOnly; SameSite=Lax')
  })

  test.each<[string, SessionOptions['cookie'], string, string]>([
    ['another name', { name: 'sid' }, 'http://localhost/', 'sid=; Path=/; HttpOnly; SameSite=Lax'],
    ['readable by scripts', { httpOnly: false }, 'http://localhost/', 'session=; Path=/; SameSite=Lax'],
    ['secure', { secure: true }, 'http://localhost/', 'session=; Path=/; HttpOnly; Secure; SameSite=Lax'],
    ['auto over https', { secure: 'auto' }, 'https://localhost/', 'session=; Path=/; HttpOnly; Secure; SameSite=Lax'],
    ['auto over http', { secure: 'auto' }, 'http://localhost/', 'session=; Path=/; HttpOnly; SameSite=Lax'],
    ['strict', { sameSite: 'strict' }, 'http://localhost/', 'session=; Path=/; HttpOnly; SameSite=Strict'],
    ['a maximum age', { maxAge: 60 }, 'http://localhost/', 'session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=60'],
    [
      'path and domain',
      { path: '/app', domain: 'a.b' },
      'http://localhost/',
      'session=; Path=/app; Domain=a.b; HttpOnly; SameSite=Lax',
    ],
    [
      'a host cookie',
      { name: '__Host-s', secure: true },
      'http://localhost/',
      '__Host-s=; Path=/; HttpOnly; Secure; SameSite=Lax',
    ],
  ])('MN2: the cookie with %s', async (_, cookie, url, expected) => {
    const { lines } = await browse({ cookie: cookie! }).send(put('a', 1), '', url)
    expect(lines[0]!.replace(/=[^;]*/, '=')).toBe(expected)
  })

  test('MN2: SameSite=None forces Secure, and says so', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { lines } = await browse({ cookie: { sameSite: 'none' } }).send(put('a', 1))
    expect(lines[0]).toContain('; Secure; SameSite=None')
    expect(warn).toHaveBeenCalledOnce()
  })

  test('MN3, L6: maxAge reaches the store as seconds, 24 hours by default', async () => {
    const ttls: unknown[] = []
    const store = { ...plainStore(), set: async (_: string, __: SessionData, ttl?: number) => ttls.push(ttl) }
    await browse({ store }).send(put('a', 1))
    await browse({ store, cookie: { maxAge: 60 } }).send(put('a', 1))
    expect(ttls).toEqual([86_400, 60])
  })

  test('MN5: five anonymous requests write nothing, read nothing and set no cookie', async () => {
    const store = spyStore()
    const { send } = browse({ store })
    for (let count = 0; count < 5; count++) expect((await send()).lines).toEqual([])
    expect(store.calls).toEqual([])
  })

  test('MN5: reading a session writes nothing', async () => {
    const store = spyStore()
    const { send } = browse({ store })
    await send(put('a', 1))
    expect((await send()).lines).toEqual([])
    expect(store.calls).toEqual(['set', 'get'])
  })

  test('MN4: a change deep inside is noticed', async () => {
    const { send } = browse()
    await send(put('cart', { items: [{ id: 1 }] }))
    await send((ctx) => ctx.state.session.cart.items.push({ id: 2 }) && undefined)
    expect((await send()).body).toBe('{"cart":{"items":[{"id":1},{"id":2}]}}')
  })

  test('MN4: a change that is undone does not count', async () => {
    const store = spyStore()
    const { send } = browse({ store })
    await send(put('a', 1))
    await send((ctx) => {
      ctx.state.session.a = 2
      ctx.state.session.a = 1
    })
    expect(store.calls).toEqual(['set', 'get'])
  })

  test('MN4: a session may be replaced as a whole, and a removed key is gone', async () => {
    const { send } = browse()
    await send(put('a', 1))
    await send((ctx) => {
      ctx.state.session = { b: 2 }
    })
    expect((await send()).body).toBe('{"b":2}')
  })

  test('MN5: rolling refreshes cookie and store with every request', async () => {
    const store = spyStore()
    const { send } = browse({ store, rolling: true, cookie: { maxAge: 60 } })
    await send(put('a', 1))
    expect((await send()).lines[0]).toContain('Max-Age=60')
    expect(store.calls).toEqual(['set', 'get', 'touch'])
  })

  test('MN5: rolling writes again where the store knows no touch', async () => {
    const store = spyStore(plainStore())
    const { send } = browse({ store, rolling: true })
    await send(put('a', 1))
    await send()
    expect(store.calls).toEqual(['set', 'get', 'set'])
  })

  test('MN4: touchSession refreshes once', async () => {
    const store = spyStore()
    const { send } = browse({ store, cookie: { maxAge: 60 } })
    await send(put('a', 1))
    expect((await send((ctx) => touchSession(ctx))).lines).toHaveLength(1)
    expect((await send()).lines).toEqual([])
    expect(store.calls).toEqual(['set', 'get', 'touch', 'get'])
  })

  test('a change refreshes the cookie as it refreshes the store, so neither forgets before the other', async () => {
    const { send } = browse({ cookie: { maxAge: 60 } })
    await send(put('a', 1))
    expect((await send(put('a', 2))).lines[0]).toContain('Max-Age=60')
  })

  describe('NA19: a session with a lifetime of its own', () => {
    const ageOf = (line: string | undefined): string | undefined => /; Max-Age=(\d+)/.exec(line ?? '')?.[1]
    const ttls: unknown[] = []
    const counting = (inner: Required<SessionStore> = memorySession()): SessionStore => {
      const counted = (ttl: unknown) => {
        ttls.push(ttl)
        return inner
      }
      return {
        ...inner,
        set: (id, data, ttl) => counted(ttl).set(id, data, ttl),
        replace: (id, data, ttl, expected) => counted(ttl).replace(id, data, ttl, expected),
        touch: (id, ttl) => counted(ttl).touch(id, ttl),
      }
    }
    const kinds: [string, () => any, boolean][] = [
      ['memorySession', counting, true],
      ['cookieSession', () => cookieSession(), false],
      ['a store of the least', plainStore, false],
    ]
    afterEach(() => void ttls.splice(0))

    test.each(kinds)('%s: it is kept, until it is set again or the session is destroyed', async (_, store, tells) => {
      const { send } = browse({ store: store(), cookie: { maxAge: 100 } })
      const login = (maxAge: number | undefined) => (ctx: any) => {
        regenerateSession(ctx)
        ctx.state.session.user = 7
        setSessionMaxAge(ctx, maxAge)
      }
      const steps: [string, Handler][] = [
        ['login', login(1_000)],
        ['change', put('a', 1)],
        ['touch', (ctx) => touchSession(ctx)],
        ['read', () => {}],
        ['shorter', (ctx) => setSessionMaxAge(ctx, 50)],
        ['not remembered', login(undefined)],
        ['change of that', put('a', 2)],
        [
          'after a logout',
          (ctx) => {
            destroySession(ctx)
            ctx.state.session.b = 1
          },
        ],
      ]
      const seen: Record<string, unknown> = {}
      for (const [name, step] of steps) {
        const { lines, body } = await send(step)
        seen[name] = [lines.length > 0, ageOf(lines[0])]
        expect(body).not.toContain('maxAge')
      }
      expect(seen).toEqual({
        login: [true, '1000'],
        change: [true, '1000'],
        touch: [true, '1000'],
        read: [false, undefined],
        shorter: [true, '50'],
        'not remembered': [true, undefined],
        // The cookie of a browser's session stays as it is, unless it holds the data
        'change of that': [store === kinds[1]![1], undefined],
        'after a logout': [true, '100'],
      })
      if (tells) expect(ttls).toEqual([1_000, 1_000, 1_000, 50, 86_400, 86_400, 100])
    })

    test('data cannot set it, and merging does not see it', async () => {
      const merged: SessionData[] = []
      const store = memorySession()
      const { send } = browse({
        store,
        cookie: { maxAge: 100 },
        onConflict: (loaded, mine, current) => {
          merged.push(loaded, mine, current)
          return mergeSessions(loaded, mine, current)
        },
      })
      await send(put('~maxAge', 9))
      expect(ageOf((await send(put('a', 1))).lines[0])).toBe('100')
      await send((ctx) => setSessionMaxAge(ctx, 500))
      await send(async (ctx) => {
        await store.set(sessionId(ctx)!, { b: 2, '~maxAge': 500 }, 60)
        ctx.state.session.c = 3
      })
      expect(merged).toEqual([{ a: 1 }, { a: 1, c: 3 }, { b: 2 }])
      const last = await send(put('d', 4))
      expect({ body: last.body, maxAge: ageOf(last.lines[0]) }).toEqual({ body: '{"b":2,"c":3,"d":4}', maxAge: '500' })
    })

    test.each([0, -1, 1.5, Number.NaN, '60'])('%j is refused', async (maxAge) => {
      const { body } = await browse().send((ctx) => setSessionMaxAge(ctx, maxAge as never))
      expect(body).toContain('setSessionMaxAge: maxAge: expected a whole number of seconds from 1')
    })
  })

  describe('attacks', () => {
    test.each<[string, (value: string) => string]>([
      ['a forged id', () => `${'A'.repeat(32)}.${'A'.repeat(43)}`],
      ['an unsigned id', (value) => value.split('.')[0]!],
      ['an id with another signature', (value) => `${'B'.repeat(32)}.${value.split('.')[1]}`],
      ['a truncated signature', (value) => value.slice(0, -1)],
      ['a truncated id', (value) => value.slice(1)],
      ['a signature with a character more', (value) => `${value}A`],
      ['a malformed escape', () => '%E0%A4%A'],
      ['nothing', () => ''],
      ['a dot', () => '.'],
      ['60 kB', () => 'x'.repeat(60_000)],
      ['an inherited name', () => '__proto__'],
    ])('MN1 MN6 MN8: %s is an absent session, and is not adopted', async (_, forge) => {
      const { send, jar } = browse()
      await send(put('user', 1))
      const forged = `session=${forge(jar.get('session')!)}`
      const { body, status, lines } = await send(put('b', 2), forged)
      expect({ status, body }).toEqual({ status: 200, body: '{"b":2}' })
      expect(lines[0]!.split(';')[0]).not.toBe(forged)
    })

    test('MN1: a session of another secret is not valid', async () => {
      const store = memorySession()
      const theirs = browse({ store, secret: 'another' })
      await theirs.send(put('user', 1))
      const { body } = await browse({ store }).send(() => {}, `session=${theirs.jar.get('session')}`)
      expect(body).toBe('{}')
    })

    test('MN1: a rotated secret still opens, the newest signs', async () => {
      const store = memorySession()
      const old = browse({ store, secret: 'old' })
      await old.send(put('user', 1))
      const cookie = `session=${old.jar.get('session')}`
      expect((await browse({ store, secret: ['new', 'old'] }).send(() => {}, cookie)).body).toBe('{"user":1}')
      expect((await browse({ store, secret: ['new'] }).send(() => {}, cookie)).body).toBe('{}')
    })

    test('MN6: a rightly signed id of a session that is gone is not adopted', async () => {
      const { send, jar } = browse()
      await send(put('user', 1))
      const cookie = `session=${jar.get('session')}`
      await send((ctx) => destroySession(ctx))
      const { body, lines } = await send(put('user', 2), cookie)
      expect(body).toBe('{"user":2}')
      expect(lines[0]!.startsWith(cookie)).toBe(false)
    })

    test('MN6: fixation: the id from before the login opens nothing after it', async () => {
      const { send, jar } = browse()
      await send(put('cart', 1))
      const planted = `session=${jar.get('session')}`
      const login = await send((ctx) => {
        regenerateSession(ctx)
        ctx.state.session.user = 7
      })
      expect(login.lines).toHaveLength(1)
      expect((await send()).body).toBe('{"cart":1,"user":7}')
      expect((await send(() => {}, planted)).body).toBe('{}')
    })

    test('an expired session is not valid', async () => {
      let time = 1_000_000
      const { send } = browse({ store: memorySession({ now: () => time }), cookie: { maxAge: 60 } })
      await send(put('user', 1))
      time += 59_999
      expect((await send()).body).toBe('{"user":1}')
      time += 1
      expect((await send()).body).toBe('{}')
    })

    test('prototype keys are data, and harmless', async () => {
      const { send } = browse()
      await send((ctx) => {
        ctx.state.session = JSON.parse('{"__proto__":{"admin":true},"constructor":1}')
      })
      const { body } = await send((ctx) => json([ctx.state.session.admin ?? null, Object.keys(ctx.state.session)]))
      expect(body).toBe('[null,["__proto__","constructor"]]')
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
    })
  })

  describe('races', () => {
    /** Two requests with the session that `browse` has, the second inside the first. */
    const race = async (options: Partial<SessionOptions>, outer: Handler, inner: Handler) => {
      const { send, jar } = browse(options)
      await send((ctx) => {
        ctx.state.session = { user: 1, a: 0, b: 0 }
      })
      const cookie = `session=${jar.get('session')}`
      let nested: Awaited<ReturnType<typeof send>> | undefined
      const first = await send(async (ctx) => {
        nested = await send(inner, cookie)
        outer(ctx)
      }, cookie)
      const after = await send(() => {}, cookie)
      return { first, nested: nested!, after }
    }

    test('hazard resurrection: a request that is slower than the logout does not bring the session back', async () => {
      const { first, after } = await race({}, put('a', 1), (ctx) => destroySession(ctx))
      expect(first.lines).toEqual([])
      expect(after.body).toBe('{}')
    })

    test('hazard resurrection: neither does one that regenerates', async () => {
      const { first, after } = await race(
        {},
        (ctx) => regenerateSession(ctx),
        (ctx) => destroySession(ctx),
      )
      expect(first.lines).toEqual([])
      expect(after.body).toBe('{}')
    })

    test('hazard resurrection: nor one that only read, or rolled', async () => {
      expect(
        (
          await race(
            {},
            () => {},
            (ctx) => destroySession(ctx),
          )
        ).after.body,
      ).toBe('{}')
      expect(
        (
          await race(
            { rolling: true },
            () => {},
            (ctx) => destroySession(ctx),
          )
        ).after.body,
      ).toBe('{}')
    })

    test('MN7: the later writer wins by default', async () => {
      expect((await race({}, put('a', 1), put('b', 1))).after.body).toBe('{"user":1,"a":1,"b":0}')
    })

    test('hazard lost update: with mergeSessions both writes stay', async () => {
      const { after } = await race({ onConflict: mergeSessions }, put('a', 1), put('b', 1))
      expect(JSON.parse(after.body)).toEqual({ user: 1, a: 1, b: 1 })
    })

    test('MN7: with onConflict a logout still wins', async () => {
      const { after } = await race({ onConflict: mergeSessions }, put('a', 1), (ctx) => destroySession(ctx))
      expect(after.body).toBe('{}')
    })

    test('hazard lost update: twenty at once each add a key, and none is lost', async () => {
      const { send, jar } = browse({ onConflict: mergeSessions })
      await send(put('user', 1))
      const cookie = `session=${jar.get('session')}`
      let ready = 0
      let open: () => void = () => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const store = memorySession()
      const many = door({
        use: [session({ secret: 's', store, onConflict: mergeSessions })],
        routes: [
          [
            'GET',
            '/:key',
            async (ctx) => {
              if (ctx.params.key !== 'user') {
                ready++
                if (ready === 20) open()
                await gate
              }
              ctx.state.session[ctx.params.key] = 1
              return text('')
            },
          ],
          ['GET', '/', (ctx) => json(Object.keys(ctx.state.session).length)],
        ],
      })
      const line = (await many('/user')).headers.getSetCookie()[0]!.split(';')[0]!
      const at = (path: string) => many(new Request(`http://localhost${path}`, { headers: { cookie: line } }))
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => at(`/k${index}`)))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(await (await at('/')).text()).toBe('21')
      expect(cookie).toBeTruthy()
    })

    test('onConflict gives up on a store that never lets it win', async () => {
      const store: SessionStore = { ...memorySession(), get: async () => ({ a: 1 }), replace: async () => false }
      const { send, jar } = browse({ store, onConflict: mergeSessions })
      await send(put('a', 0))
      const { status, body } = await send(put('a', 2), `session=${jar.get('session')}`)
      expect({ status, body }).toEqual({ status: 500, body: expect.stringContaining('not saved after 20 conflicts') })
    })
  })

  test('MN4: destroySession forgets on the server and in the browser', async () => {
    const store = spyStore()
    const { send, jar } = browse({ store, cookie: { path: '/x', maxAge: 60 } })
    await send(put('a', 1))
    const cookie = `session=${jar.get('session')}`
    const { lines } = await send((ctx) => destroySession(ctx), cookie)
    expect(lines).toEqual(['session=; Path=/x; HttpOnly; SameSite=Lax; Max-Age=0'])
    expect(store.calls).toEqual(['set', 'get', 'destroy'])
    expect((await send(() => {}, cookie)).body).toBe('{}')
  })

  test('MN4: what is written after destroySession begins a new session', async () => {
    const { send, jar } = browse()
    await send(put('user', 1))
    const before = jar.get('session')
    await send((ctx) => {
      destroySession(ctx)
      ctx.state.session.user = 2
    })
    expect(jar.get('session')).not.toBe(before)
    expect((await send()).body).toBe('{"user":2}')
  })

  test('destroying or regenerating a session that was never kept does nothing', async () => {
    const store = spyStore()
    const { send } = browse({ store })
    expect((await send((ctx) => destroySession(ctx))).lines).toEqual([])
    expect((await send((ctx) => regenerateSession(ctx))).lines).toEqual([])
    expect(store.calls).toEqual([])
  })

  test('MN4: sessionId tells the id that is kept, also before it is', async () => {
    const { send, jar } = browse()
    const ids: unknown[] = []
    await send((ctx) => {
      ids.push(sessionId(ctx))
      ctx.state.session.a = 1
      ids.push(sessionId(ctx))
    })
    await send((ctx) => ids.push(sessionId(ctx)) && undefined)
    const kept = jar.get('session')!.split('.')[0]
    expect(ids).toEqual([undefined, kept, kept])
  })

  test.each([['text'], [7], [true], [[]], [[{ user: 1 }]], [null]])(
    'a store that returns %j has no such session: the request gets an empty one, under another id',
    async (found) => {
      const store = plainStore()
      const { send, jar } = browse({ store })
      await send(put('user', 1))
      const [before, id] = [jar.get('session'), [...store.map.keys()][0]!]
      store.map.set(id, found as never)
      expect((await send()).body).toBe('{}')
      expect((await send(put('user', 2))).body).toBe('{"user":2}')
      expect(jar.get('session')).not.toBe(before)
      expect(store.map.get(id)).toBe(found)
    },
  )

  test('the controls are no keys of the session', async () => {
    const { send } = browse()
    await send(put('a', 1))
    const keys = await send((ctx) => json([Object.keys(ctx.state.session), Object.keys(ctx.state)]))
    expect(keys.body).toBe('[["a"],["session"]]')
  })

  test.each([
    ['regenerateSession', regenerateSession],
    ['destroySession', destroySession],
    ['sessionId', sessionId],
    ['touchSession', touchSession],
  ])('%s says so when there is no session', (_, control) => {
    expect(() => control({})).toThrow('register session() before this')
  })

  test('MN8: a session is saved, and its cookie set, although the handler threw', async () => {
    const { send } = browse()
    const { status, lines } = await send((ctx) => {
      ctx.state.session.failures = 1
      throw new Error('no')
    })
    expect({ status, linesLength: lines.length }).toEqual({ status: 500, linesLength: 1 })
    expect((await send()).body).toBe('{"failures":1}')
  })

  test('MN8: an immutable response gets its cookie', async () => {
    const { send } = browse()
    const { status, lines } = await send((ctx) => {
      ctx.state.session.a = 1
      return Response.redirect('http://localhost/next')
    })
    expect({ status, linesLength: lines.length }).toEqual({ status: 302, linesLength: 1 })
  })

  test.each([
    ['an untouched new session leaves caching alone', [() => {}], null, null],
    ['a cookie is private and varies', [put('a', 1)], 'Cookie', 'private'],
    ['an answer out of a session varies', [put('a', 1), () => {}], 'Cookie', null],
    [
      'the handler decides on caching',
      [(ctx: any) => put('a', 1)(ctx) ?? new Response('', { headers: { 'cache-control': 'no-store' } })],
      'Cookie',
      'no-store',
    ],
  ] as [string, Handler[], string | null, string | null][])('MN9: %s', async (_, handlers, vary, caching) => {
    const { send } = browse()
    let last: Awaited<ReturnType<typeof send>> | undefined
    for (const handler of handlers) last = await send(handler)
    expect({
      vary: last!.response.headers.get('vary'),
      'cache-control': last!.response.headers.get('cache-control'),
    }).toEqual({ vary, 'cache-control': caching })
  })

  describe('when the store fails', () => {
    const failing = (method: string, inner: SessionStore = memorySession()) => {
      const broken = { on: false }
      const store = {
        ...inner,
        [method]: (...args: [never, never, never]) =>
          broken.on
            ? Promise.reject(new Error(`${method} failed`))
            : (inner as never as Record<string, (...args: unknown[]) => unknown>)[method]!(...args),
      } as SessionStore
      return { store, broken }
    }

    test.each([
      ['get', () => {}],
      ['replace', put('a', 2)],
      ['destroy', (ctx: any) => destroySession(ctx)],
      ['destroy', (ctx: any) => regenerateSession(ctx)],
      ['set', (ctx: any) => regenerateSession(ctx)],
    ] as [string, Handler][])('by default a failing %s is answered with 500', async (method, handler) => {
      const { store, broken } = failing(method)
      const { send } = browse({ store })
      await send(put('a', 1))
      broken.on = true
      expect(await send(handler)).toMatchObject({ status: 500, body: `Error: ${method} failed`, lines: [] })
    })

    test('passOnStoreError: the request finds an empty session, of which nothing is kept', async () => {
      const { store, broken } = failing('get')
      const { send } = browse({ store, passOnStoreError: true })
      await send(put('a', 1))
      broken.on = true
      expect(await send(put('b', 2))).toMatchObject({ status: 200, body: '{"b":2}', lines: [] })
      broken.on = false
      expect((await send()).body).toBe('{"a":1}')
    })

    test.each([
      ['rejects', async () => Promise.reject(new Error('store failed'))],
      [
        'throws',
        () => {
          throw new Error('store failed')
        },
      ],
    ] as [string, () => never][])('passOnStoreError: a function for the store that %s', async (_, store) => {
      expect(await browse({ store, passOnStoreError: true }).send(put('a', 1))).toMatchObject({
        status: 200,
        lines: [],
      })
      expect(await browse({ store }).send(put('a', 1))).toMatchObject({ status: 500, body: 'Error: store failed' })
    })

    test.each([undefined, null, {}])('a function for the store that returns %s is an error', async (given) => {
      expect(await browse({ store: () => given as never }).send(put('a', 1))).toMatchObject({
        status: 500,
        body: `TypeError: session: store: expected a function that returns a store, got ${typeof given === 'object' ? '"object"' : 'undefined'}`,
      })
    })

    test('passOnStoreError: a save that fails is dropped, without a cookie', async () => {
      const { store, broken } = failing('set')
      broken.on = true
      const { send } = browse({ store, passOnStoreError: true })
      expect(await send(put('a', 1))).toMatchObject({ status: 200, lines: [] })
    })

    test('passOnStoreError: a logout that fails is an error all the same', async () => {
      const { store, broken } = failing('destroy')
      const { send } = browse({ store, passOnStoreError: true })
      await send(put('a', 1))
      broken.on = true
      expect((await send((ctx) => destroySession(ctx))).status).toBe(500)
    })

    test('data that JSON cannot hold is answered with 500, not with a crash', async () => {
      const { send } = browse()
      const circle: Record<string, unknown> = {}
      circle.self = circle
      expect((await send((ctx) => put('a', circle)(ctx) ?? text('ok'))).status).toBe(500)
    })
  })

  test('SPEC 2.5: a store of get, set and destroy is enough', async () => {
    const store = plainStore()
    const { send } = browse({ store })
    await send(put('a', 1))
    await send(put('b', 2))
    expect((await send()).body).toBe('{"a":1,"b":2}')
    await send((ctx) => destroySession(ctx))
    expect(store.map.size).toBe(0)
  })

  test('a store may come with the request, as bindings do', async () => {
    const stores = { one: memorySession(), two: memorySession() }
    const fetch = door({
      use: [session({ secret: 's', store: (ctx) => ctx.env.store })],
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            ctx.state.session.count = (ctx.state.session.count ?? 0) + 1
            return json(ctx.state.session.count)
          },
        ],
      ],
    })
    const first = await fetch('/', { store: stores.one })
    const headers = { cookie: first.headers.getSetCookie()[0]!.split(';')[0]! }
    const again = (store: SessionStore) => fetch(new Request('http://localhost/', { headers }), { store })
    expect(await (await again(stores.one)).text()).toBe('2')
    expect(await (await again(stores.two)).text()).toBe('1')
  })

  test('two sessions with names of their own live side by side', async () => {
    const fetch = door({
      use: [session({ secret: 's', cookie: { name: 'a' } }), session({ secret: 's', cookie: { name: 'b' } })],
      routes: [['GET', '/', (ctx) => put('x', 1)(ctx) ?? text('')]],
    })
    expect((await fetch('/')).status).toBe(200)
  })
})

test.each([
  [{}, 'secret'],
  [{ secret: '' }, 'secret'],
  [{ secret: [] }, 'secret'],
  [{ secret: ['a', ''] }, 'secret'],
  [{ secret: 's', cookie: { maxAge: 0 } }, 'session: cookie: maxAge: expected a whole number of seconds from 1, got 0'],
  [{ secret: 's', cookie: { maxAge: 1.5 } }, 'got 1.5'],
  [
    { secret: 's', cookie: { name: 'a b' } },
    'session: cookie: name: expected a name without spaces and separators, got "a b"',
  ],
  [{ secret: 's', cookie: { name: '__Host-a' } }, 'session: cookie: secure: expected true for __Host-a'],
  [
    { secret: 's', cookie: { name: '__Host-a', secure: 'auto' } },
    'session: cookie: secure: expected true for __Host-a',
  ],
  [{ secret: 's', cookie: { path: 'x' } }, 'session: cookie: path: '],
])('MN1: the options %j are refused when made', (options, message) => {
  const make = () => session(options as unknown as SessionOptions)
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})

test('an error about a secret does not say it', () => {
  expect(() => session({ secret: ['hunter2', ''] })).toThrow(/^(?!.*hunter2)/)
})

test.each([
  ['another key was added', { a: 1 }, { a: 1, b: 1 }, { a: 1, c: 1 }, { a: 1, b: 1, c: 1 }],
  ['a key was removed here', { a: 1, b: 1 }, { a: 1 }, { a: 2, b: 1 }, { a: 2 }],
  ['a key was removed there', { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }, { a: 1 }, { a: 1, c: 1 }],
  ['both changed a key: this request says', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }],
  ['a deep change', { a: { x: 1 } }, { a: { x: 2 } }, { a: { x: 1 }, b: 1 }, { a: { x: 2 }, b: 1 }],
])('mergeSessions: %s', (_, loaded, mine, current, expected) => {
  expect(mergeSessions(loaded, mine, current)).toEqual(expected)
})

test('mergeSessions keeps a key named __proto__ a key', () => {
  const merged = mergeSessions({}, JSON.parse('{"__proto__":{"admin":true}}'), {})
  expect(Object.keys(merged)).toEqual(['__proto__'])
  expect((merged as { admin?: unknown }).admin).toBeUndefined()
})
