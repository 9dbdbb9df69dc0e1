import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { acceptsLanguages } from '../../src/accepts.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { type CacheOptions, cache } from '../../src/middleware/cache.ts'
import { compression } from '../../src/middleware/compression.ts'
import { etag } from '../../src/middleware/etag.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { language } from '../../src/middleware/language.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { memoryCache } from '../../src/stores/memory-cache.ts'
import { doors, gate, lateIf } from '../harness.ts'

const silently = async <T>(work: () => Promise<T>): Promise<T> => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    return await work()
  } finally {
    log.mockRestore()
  }
}

describe.each(doors)('cache through %s', (_, door) => {
  /** An application that counts what it makes, under a clock that stands still. */
  const site = (
    make: (ctx: any, count: number) => any,
    options: CacheOptions = {},
    more: { before?: any[]; after?: any[] } = {},
  ) => {
    const state = { count: 0, time: 1_700_000_000_000 }
    const pages = cache({ now: () => state.time, store: memoryCache({ now: () => state.time }), ...options })
    const fetch = door({
      use: [...(more.before ?? []), pages, ...(more.after ?? [])],
      routes: [['*', '/*', (ctx: any) => make(ctx, ++state.count)]],
    })
    const pending: Promise<unknown>[] = []
    const execution = { waitUntil: (promise: Promise<unknown>) => void pending.push(promise) }
    const ask = async (headers: Record<string, string> = {}, method = 'GET', path = '/') => {
      const response = await fetch(new Request(`http://localhost${path}`, { method, headers }), {}, execution)
      const body = await response.text()
      return { status: response.status, body, age: response.headers.get('age'), headers: response.headers }
    }
    return { state, ask, pages, settle: () => Promise.all(pending.splice(0)) }
  }
  const fresh = (fields: Record<string, string> = { 'cache-control': 'max-age=60' }, status = 200) =>
    site((_, count) => text(`${count}`, status, fields))
  const bodies = async (ask: any, ...all: any[]): Promise<string[]> => {
    const seen: string[] = []
    for (const one of all.length ? all : [{}, {}]) seen.push((await ask(one)).body)
    return seen
  }

  test.each<[string, Record<string, string>, number, boolean]>([
    ['max-age', { 'cache-control': 'max-age=60' }, 200, true],
    ['s-maxage goes before max-age', { 'cache-control': 'max-age=0, s-maxage=60' }, 200, true],
    ['s-maxage of 0', { 'cache-control': 'max-age=60, s-maxage=0' }, 200, false],
    ['Expires', { expires: new Date(1_700_000_060_000).toUTCString() }, 200, true],
    ['Expires in the past', { expires: new Date(1_600_000_000_000).toUTCString() }, 200, false],
    ['Expires that is no date', { expires: '0' }, 200, false],
    [
      'max-age goes before Expires',
      { 'cache-control': 'max-age=0', expires: 'Thu, 01 Jan 2099 00:00:00 GMT' },
      200,
      false,
    ],
    ...['-60', '+60', '1e3', '60s', ''].map(
      (life) =>
        [`max-age=${life}`, { 'cache-control': `max-age=${life}` }, 200, false] as [
          string,
          Record<string, string>,
          number,
          boolean,
        ],
    ),
    [
      'max-age without a value goes before Expires',
      { 'cache-control': 'max-age', expires: 'Thu, 01 Jan 2099 00:00:00 GMT' },
      200,
      false,
    ],
    ['Pragma', { pragma: 'No-Cache', expires: 'Thu, 01 Jan 2099 00:00:00 GMT' }, 200, false],
    ['nothing', {}, 200, false],
    ['no-store', { 'cache-control': 'no-store, max-age=60' }, 200, false],
    ['no-cache', { 'cache-control': 'no-cache, max-age=60' }, 200, false],
    ['private', { 'cache-control': 'private, max-age=60' }, 200, false],
    ['a life that is no number', { 'cache-control': 'max-age=soon' }, 200, false],
    ['Pragma: no-cache', { expires: new Date(1_700_000_060_000).toUTCString(), pragma: 'no-cache' }, 200, false],
    ['Pragma beside Cache-Control', { 'cache-control': 'max-age=60', pragma: 'no-cache' }, 200, true],
    ['capitals', { 'cache-control': 'Max-Age=60, PUBLIC' }, 200, true],
    ['a quoted life', { 'cache-control': 'max-age="60"' }, 200, true],
    ['Set-Cookie', { 'cache-control': 'max-age=60', 'set-cookie': 'a=1' }, 200, false],
    ['Set-Cookie of a public answer', { 'cache-control': 'public, max-age=60', 'set-cookie': 'a=1' }, 200, true],
    ['Vary: *', { 'cache-control': 'max-age=60', vary: '*' }, 200, false],
    ['an age that is over', { 'cache-control': 'max-age=60', age: '60' }, 200, false],
    ['an age', { 'cache-control': 'max-age=60', age: '59' }, 200, true],
    ['404', { 'cache-control': 'max-age=60' }, 404, true],
    ['500', { 'cache-control': 'max-age=60' }, 500, false],
    ['206', { 'cache-control': 'max-age=60' }, 206, false],
    ['events', { 'cache-control': 'max-age=60', 'content-type': 'text/event-stream' }, 200, false],
    ['events in capitals', { 'cache-control': 'max-age=60', 'content-type': 'Text/Event-Stream' }, 200, false],
    [
      'a type that only contains that of events',
      { 'cache-control': 'max-age=60', 'content-type': 'x-text/event-stream' },
      200,
      true,
    ],
  ])('MX2: %s', async (_, fields, status, kept) => {
    expect(await bodies(fresh(fields, status).ask)).toEqual(kept ? ['1', '1'] : ['1', '2'])
  })

  test('MX2: an answer is fresh for its seconds and not for one more, and tells its age', async () => {
    const { ask, state } = fresh()
    expect((await ask()).age).toBe(null)
    state.time += 59_999
    expect(await ask()).toMatchObject({ body: '1', age: '59' })
    state.time += 1
    expect(await ask()).toMatchObject({ body: '2', age: null })
  })

  test('MX2: Set-Cookie of a public response reaches only its client', async () => {
    const { ask } = fresh({ 'cache-control': 'public, max-age=60', 'set-cookie': 'a=1' })
    expect((await ask()).headers.getSetCookie()).toEqual(['a=1'])
    expect((await ask()).headers.getSetCookie()).toEqual([])
  })

  test('MX2: a cookie that a middleware behind sets keeps the answer out', async () => {
    const { ask } = site(
      (_, count) => text(`${count}`, 200, { 'cache-control': 'max-age=60' }),
      {},
      {
        after: [
          (ctx: any, next: any) => {
            onResponse(ctx, ['set-cookie', 'session=1'])
            return next()
          },
        ],
      },
    )
    expect(await bodies(ask)).toEqual(['1', '2'])
  })

  test('MX2: Authorization: neither kept nor answered from what was kept, unless it is public', async () => {
    const secret = { authorization: 'Bearer x' }
    expect(await bodies(fresh().ask, secret, secret, {}, secret, {})).toEqual(['1', '2', '3', '4', '3'])
    expect(await bodies(fresh({ 'cache-control': 'public, max-age=60' }).ask, secret, secret, {})).toEqual([
      '1',
      '1',
      '1',
    ])
  })

  describe('MX2: what middleware in front does to the response of one client is not stored', () => {
    const named =
      (edit: (response: Response, name: string) => Response | Promise<Response>) => async (ctx: any, next: any) => {
        const response = await next()
        const name = ctx.header('x-name')
        return name === null ? response : edit(response, name)
      }
    const setField = named((response, name) => {
      response.headers.append('x-for', name)
      return response
    })
    const writeBody = named(async (response, name) => text(`${name}: ${await response.text()}`))
    const behind = (ctx: any, next: any) => {
      onResponse(ctx, ['x-behind', 'list'])
      onResponse(ctx, async (response) => response.headers.set('x-later', 'function'))
      return next()
    }

    test.each([
      [
        'a field',
        setField,
        [
          { body: '1', for: 'Ann' },
          { body: '1', for: null },
          { body: '1', for: 'Bob' },
        ],
      ],
      [
        'a body',
        writeBody,
        [
          { body: 'Ann: 1', for: null },
          { body: '1', for: null },
          { body: 'Bob: 1', for: null },
        ],
      ],
    ])('%s', async (_title, before, expected) => {
      const { ask } = site((_, count) => text(`${count}`), { maxAge: 60 }, { before: [before], after: [behind] })
      const seen: unknown[] = []
      for (const name of ['Ann', '', 'Bob']) {
        const { body, headers } = await ask(name ? { 'x-name': name } : {})
        seen.push({ body, for: headers.get('x-for') })
        if (body === '1')
          expect({ 'x-behind': headers.get('x-behind'), 'x-later': headers.get('x-later') }).toEqual({
            'x-behind': 'list',
            'x-later': 'function',
          })
      }
      expect(seen).toEqual(expected)
    })
  })

  test('MX2: an edit behind the cache that fails is an error, and nothing is stored', async () => {
    const broken = (ctx: any, next: any) => {
      onResponse(ctx, ['x-behind', 'list'])
      onResponse(ctx, () => {
        throw new Error('no')
      })
      return next()
    }
    await silently(async () => {
      const { ask } = site((_, count) => text(`${count}`), { maxAge: 60 }, { after: [broken] })
      const [first, second] = [await ask(), await ask()]
      expect({ firstStatus: first.status, secondStatus: second.status, secondAge: second.age }).toEqual({
        firstStatus: 500,
        secondStatus: 500,
        secondAge: null,
      })
      expect(first.headers.get('x-behind')).toBe('list')
    })
  })

  test('MX2: a response that comes after middleware in front has responded is not stored', async () => {
    const [begun, end] = [gate(), gate()]
    const varying = (ctx: any, next: any) => {
      onResponse(ctx, ['vary', 'x-name'])
      return next()
    }
    const { ask, state } = site(
      async (_, count) => {
        begun.open()
        if (count === 1) await end.opened
        return text(`${count}`)
      },
      { maxAge: 60 },
      { before: [lateIf(begun.opened)], after: [varying] },
    )
    expect((await ask({ 'x-late': '1' })).status).toBe(503)
    end.open()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await bodies(ask, {}, {}, { 'x-name': 'a' })).toEqual(['2', '2', '3'])
    expect(state.count).toBe(3)
  })

  describe('MX2: what is stored', () => {
    /** A store that tells what was stored, with the lifetime. */
    const recording = () => {
      const sets: [key: string, entry: any, ttl: number][] = []
      const memory = memoryCache({ now: () => 1_700_000_000_000 })
      const set = (key: string, entry: any, ttl: number): unknown => {
        sets.push([key, entry, ttl])
        return memory.set(key, entry, ttl)
      }
      return { sets, store: { ...memory, set } }
    }

    test('one entry for a response without Vary, for the rest of its life', async () => {
      const { sets, store } = recording()
      const { ask } = site(() => text('a', 200, { 'cache-control': 'max-age=60', age: '10' }), { store })
      await ask()
      expect(sets.map(([key, { vary }, ttl]) => ({ key, vary, ttl }))).toEqual([
        { key: 'http://localhost/', vary: [], ttl: 50 },
      ])
    })

    test('an entry that points to variants lives as long as the longest of them', async () => {
      const { sets, store } = recording()
      const { ask, state } = site(
        (_, count) => text('a', 200, { 'cache-control': `max-age=${count === 1 ? 600 : 60}`, vary: 'X-A, x-a' }),
        { store },
      )
      await ask({ 'x-a': '1' })
      state.time += 100_000
      await ask({ 'x-a': '2' })
      expect(
        sets.map(([key, { status, fields, vary, tags }, ttl]) => ({
          firstLetter: key[0],
          status,
          fields: fields.length,
          vary,
          tags,
          ttl,
        })),
      ).toEqual([
        { firstLetter: 'h', status: 0, fields: 1, vary: ['x-a'], tags: [], ttl: 600 },
        { firstLetter: '\n', status: 200, fields: expect.any(Number), vary: ['x-a'], tags: [], ttl: 600 },
        { firstLetter: 'h', status: 0, fields: 1, vary: ['x-a'], tags: [], ttl: 500 },
        { firstLetter: '\n', status: 200, fields: expect.any(Number), vary: ['x-a'], tags: [], ttl: 60 },
      ])
    })
  })

  test('MX2: variants stay reachable when others come later, whatever the order of the names', async () => {
    const { ask, state } = site((_, count) =>
      text(`${count}`, 200, { 'cache-control': 'max-age=60', vary: count % 2 ? 'x-a, x-b' : 'x-b,x-a' }),
    )
    const [one, two] = [{ 'x-a': '1' }, { 'x-a': '2' }]
    const seen: string[] = []
    for (const headers of [one, two, one, two]) {
      seen.push((await ask(headers)).body)
      state.time += 1000
    }
    expect(seen).toEqual(['1', '2', '1', '2'])
  })

  test('MX2: a response that depends on more than the one before it is not sent to others', async () => {
    const { ask } = site((_, count) =>
      text(`${count}`, 200, { 'cache-control': 'max-age=60', vary: count === 1 ? 'x-a' : 'x-a, x-b' }),
    )
    const [first, second, third] = [{ 'x-a': '1' }, { 'x-a': '2', 'x-b': '1' }, { 'x-a': '2', 'x-b': '2' }]
    expect(await bodies(ask, first, second, third, second)).toEqual(['1', '2', '3', '2'])
  })

  test('MX2: fields that only begin or end as those of a connection are kept', async () => {
    const fields = { 'x-age': '1', 'age-of': '2', 'x-te': '3', 'proxy-status': 'a', 'cache-control': 'max-age=60' }
    const { ask } = site(() => text('a', 200, fields))
    await ask()
    const { headers } = await ask()
    const names = ['x-age', 'age-of', 'x-te', 'proxy-status']
    expect(names.map((name) => headers.get(name))).toEqual(['1', '2', '3', null])
  })

  test('MX2: a stored response has the Date of its making, or its own', async () => {
    const own = new Date(1_699_999_970_000).toUTCString()
    const without = fresh()
    await without.ask()
    without.state.time += 30_000
    const made = await without.ask()
    expect({ date: made.headers.get('date'), age: made.age }).toEqual({
      date: new Date(1_700_000_000_000).toUTCString(),
      age: '30',
    })
    const dated = fresh({ 'cache-control': 'max-age=60', date: own })
    await dated.ask()
    const kept = await dated.ask()
    expect({ body: kept.body, date: kept.headers.get('date'), age: kept.age }).toEqual({
      body: '1',
      date: own,
      age: '30',
    })
  })

  test('MX2: a stored response that is not a 200 is sent whole, whatever the client has', async () => {
    const { ask, state } = fresh({ 'cache-control': 'max-age=60', etag: '"a"' }, 404)
    await ask()
    expect((await ask({ 'if-none-match': '"a"' })).status).toBe(404)
    expect(state.count).toBe(1)
  })

  test('MX2: If-Modified-Since is answered from the cache', async () => {
    const modified = new Date(1_600_000_000_000).toUTCString()
    const { ask, state } = fresh({ 'cache-control': 'max-age=60', 'last-modified': modified })
    await ask()
    expect((await ask({ 'if-modified-since': modified })).status).toBe(304)
    expect(state.count).toBe(1)
  })

  test.each(['public', 'public, max-age=60', 's-maxage=60', 'max-age=60', undefined])(
    'MX2: a response to a cookie that says %j',
    async (control) => {
      const says =
        control === undefined ? { expires: new Date(1_700_000_060_000).toUTCString() } : { 'cache-control': control }
      const { ask } = site((_, count) => text(`${count}`, 200, says), { maxAge: 60 })
      expect(await bodies(ask, { cookie: 'a=1' }, { cookie: 'a=2' })).toEqual(['1', '1'])
    },
  )

  test('MX2: a header that `tags` takes away is neither sent nor stored', async () => {
    const tags = (_: any, { headers }: Response) => {
      const names = headers.get('x-tags')!.split(',')
      headers.delete('x-tags')
      return names
    }
    const fields = { 'cache-control': 'max-age=60', 'x-tags': 'a,b' }
    const { ask } = site((_, count) => text(`${count}`, 200, fields), { tags })
    for (const _ of [1, 2]) {
      const { body, headers } = await ask()
      expect({ body, tags: headers.get('x-tags') }).toEqual({ body: '1', tags: null })
    }
  })

  test('MX2: keys with a line break have places of their own', async () => {
    const { ask } = site((_, count) => text(`${count}`), { maxAge: 60, key: (ctx) => `\n${ctx.path}` })
    const seen = [await ask({}, 'GET', '/a'), await ask({}, 'GET', '/b'), await ask({}, 'GET', '/a')]
    expect(seen.map(({ body }) => body)).toEqual(['1', '2', '1'])
  })

  test('MX2: a store that fails is reported for each use, and no two addresses share a response', async () => {
    const fail = async () => {
      throw new Error('down')
    }
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { ask } = site((ctx) => text(ctx.path), {
      maxAge: 60,
      store: { get: fail, set: fail, delete: fail, purge: fail },
    })
    const seen = await Promise.all([ask({}, 'GET', '/a'), ask({}, 'GET', '/b')])
    expect(seen.map(({ body }) => body)).toEqual(['/a', '/b'])
    expect(log).toHaveBeenCalledTimes(4)
    log.mockClear()
    const { ask: fine } = fresh()
    await fine()
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
  })

  test.each<[string, CacheOptions, Record<string, string>]>([
    ['staleWhileRevalidate', { maxAge: 60, staleWhileRevalidate: 600 }, {}],
    ['staleWhileRevalidate alone', { staleWhileRevalidate: 600 }, {}],
    ['staleIfError', { maxAge: 60, staleIfError: 600 }, {}],
    ['staleWhileRevalidate, with max-age=0', { staleWhileRevalidate: 600 }, { 'cache-control': 'max-age=0' }],
    ['staleIfError, with Expires: 0', { staleIfError: 600 }, { expires: '0' }],
    ['its own stale-while-revalidate', { maxAge: 60 }, { 'cache-control': 'stale-while-revalidate=600' }],
    ['its own stale-if-error', { maxAge: 60 }, { 'cache-control': 'stale-if-error=600' }],
  ])('F1, MX2: a response to a cookie is sent to nobody else because of %s', async (_, options, fields) => {
    const make = (ctx: any, count: number) => {
      if (count > 1) throw new Error('down')
      return text(`page of ${ctx.header('cookie')}`, 200, fields)
    }
    const { ask } = site(make, options)
    expect((await ask({ cookie: 'ada' })).body).toBe('page of ada')
    await silently(async () => expect((await ask()).status).toBe(500))
  })

  test.each([302, 303, 307, 404])(
    'F1, MX2: stale lifetimes of the options keep no %i without headers',
    async (status) => {
      const make = (_: any, count: number) => text('', status, { location: `/?state=${count}` })
      const { ask } = site(make, { maxAge: 60, staleWhileRevalidate: 600, staleIfError: 600 })
      expect({
        location: (await ask()).headers.get('location'),
        locationAgain: (await ask()).headers.get('location'),
      }).toEqual({
        location: '/?state=1',
        locationAgain: '/?state=2',
      })
    },
  )

  test('MX2: the default lifetime applies only to requests without a cookie', async () => {
    const { ask } = site((_, count) => text(`${count}`), { maxAge: 60 })
    const cookie = { cookie: 'session=1' }
    expect(await bodies(ask, cookie, {}, {}, cookie)).toEqual(['1', '2', '2', '3'])
    expect(await bodies(fresh().ask, cookie, cookie, {})).toEqual(['1', '1', '1'])
  })

  test('MX2: the default life is not for errors', async () => {
    expect(await bodies(site((_, count) => text(`${count}`, 404), { maxAge: 60 }).ask)).toEqual(['1', '2'])
  })

  test('MX2: Vary keeps an answer for each value, and HEAD is served from GET', async () => {
    const { ask } = fresh({ 'cache-control': 'max-age=60', vary: 'Accept-Language, X-A' })
    const languages = ['en', 'de', 'en', 'de'].map((language) => ({ 'accept-language': language }))
    expect(await bodies(ask, ...languages, {}, {})).toEqual(['1', '2', '1', '2', '3', '3'])
    expect(await ask({ 'accept-language': 'de' }, 'HEAD')).toMatchObject({ status: 200, body: '', age: '0' })
  })

  const selective = (first: string) => ({ 'accept-language': first, 'api-version': first, 'x-tenant': first })
  const tenant = (ctx: any, next: any) => {
    ctx.state.chosen = ctx.header('x-tenant')
    onResponse(ctx, ['x-other', 'vary', 'vary', 'X-Tenant'])
    return next()
  }
  const chosenBy = (key: string) => (ctx: any, next: any) => {
    ctx.state.chosen = ctx.state[key]
    return next()
  }
  test.each<[string, any[], string, string]>([
    ['language', [language({ supported: ['de', 'fr'] }), chosenBy('language')], 'de', 'fr'],
    ['apiVersion', [apiVersion({ versions: ['1', '2'] }), chosenBy('apiVersion')], '1', '2'],
    [
      'accepts',
      [
        (ctx: any, next: any) => {
          ctx.state.chosen = acceptsLanguages(ctx, ['de', 'fr'])
          return next()
        },
      ],
      'de',
      'fr',
    ],
    ['a list of the application', [tenant], 'a', 'b'],
  ])('MX2: %s chooses in front of the cache: a variant each', async (_, before, one, other) => {
    const { ask } = site((ctx, count) => text(`${ctx.state.chosen} ${count}`), { maxAge: 60 }, { before })
    const expected = [`${one} 1`, `${other} 2`, `${one} 1`, `${other} 2`]
    expect(await bodies(ask, ...[one, other, one, other].map(selective))).toEqual(expected)
  })

  test('MX2: a middleware in front of the cache that sends Vary: * keeps answers out', async () => {
    const before = [
      (ctx: any, next: any) => {
        onResponse(ctx, ['vary', '*'])
        return next()
      },
    ]
    expect(await bodies(site((_, count) => text(`${count}`), { maxAge: 60 }, { before }).ask)).toEqual(['1', '2'])
  })

  test.each<[string, (time: number) => string]>([
    ['the place of a variant as it was once', (time) => `hello\n${time}\naccept-language: fr`],
    ['the place of a variant', (time) => `\n${JSON.stringify(['hello', time, ['accept-language', 'fr']])}`],
    ['the same with a line break more', (time) => `\n\n${JSON.stringify(['hello', time, ['accept-language', 'fr']])}`],
  ])('MX2: a key like %s does not answer for another key', async (_, keyOf) => {
    const { ask, state } = site(
      (ctx, count) => text(`${ctx.query.get('q')} ${count}`, 200, { vary: 'Accept-Language' }),
      { maxAge: 60, key: (ctx) => ctx.query.get('q') ?? undefined },
    )
    const hello = (accepted: string) => ask({ 'accept-language': accepted }, 'GET', '/?q=hello')
    const bad = keyOf(state.time)
    await hello('de')
    expect((await ask({ 'accept-language': 'x' }, 'GET', `/?q=${encodeURIComponent(bad)}`)).body).toBe(`${bad} 2`)
    expect(await hello('fr')).toMatchObject({ status: 200, body: 'hello 3' })
    expect((await ask({ 'accept-language': 'x' }, 'GET', `/?q=${encodeURIComponent(bad)}`)).body).toBe(`${bad} 2`)
    expect(await hello('fr')).toMatchObject({ status: 200, body: 'hello 3' })
  })

  test.each<[string, any]>([
    ['a status that is none', { status: 99 }],
    ['no fields', { fields: null }],
    ['a field with a line break', { fields: [['x-a', 'a\nb']] }],
    ['no lifetime', { life: undefined }],
    ['a pointer to variants without names', { status: 0, vary: null }],
    ['a pointer in the place of a variant', { status: 0, vary: ['x-a'] }],
  ])('MX2: an entry of the store with %s is not used', async (_, broken) => {
    const whole = { status: 200, fields: [], body: new Uint8Array(), time: 1_700_000_000_000, vary: [], tags: [] }
    const life = { fresh: 60, whileRevalidate: 0, ifError: 60, age: 0 }
    const store = { get: () => ({ ...whole, life, ...broken }), set() {}, delete() {}, purge() {} } as any
    await silently(async () => {
      const { ask } = site((_, count) => text(`${count}`), { maxAge: 60, store })
      expect(await ask()).toMatchObject({ status: 200, body: '1' })
      expect(await ask({}, 'HEAD')).toMatchObject({ status: 200, body: '' })
    })
  })

  test.each<[string, boolean, any, number]>([
    ['in front of the cache, read', true, (ctx: any) => text(ctx.state.cspNonce), 2],
    ['behind the cache, read', false, (ctx: any) => text(ctx.state.cspNonce), 2],
    [
      'behind the cache, read while the page is rendered',
      false,
      (ctx: any) => {
        const pull = (controller: any) => {
          controller.enqueue(new TextEncoder().encode(ctx.state.cspNonce))
          controller.close()
        }
        return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
      },
      2,
    ],
    ['in front of the cache, not read', true, () => text('page'), 1],
    ['behind the cache, not read', false, () => text('page'), 1],
  ])('MX2: a nonce of helmet %s', async (_, outside, page, expected) => {
    const guard = [helmet({ contentSecurityPolicy: { nonce: true } })]
    const { ask, state } = site(page, { maxAge: 60 }, outside ? { before: guard } : { after: guard })
    for (const answer of [await ask(), await ask()]) {
      const policy = answer.headers.get('content-security-policy')
      if (expected === 2) expect(policy).toContain(`'nonce-${answer.body}'`)
    }
    expect(state.count).toBe(expected)
  })

  test('MX2: HEAD keeps nothing', async () => {
    const { ask } = fresh()
    await ask({}, 'HEAD')
    expect((await ask()).body).toBe('2')
  })

  test('MX2: a query is part of the address', async () => {
    const { ask } = fresh()
    expect({ a: (await ask({}, 'GET', '/?a')).body, b: (await ask({}, 'GET', '/?b')).body }).toEqual({ a: '1', b: '2' })
  })

  test('MX2: an unsafe method that succeeds makes its address forgotten, and one that fails does not', async () => {
    const { ask } = site((ctx, count) =>
      ctx.method === 'GET'
        ? text(`${count}`, 200, { 'cache-control': 'max-age=60', vary: 'X-A' })
        : text('', ctx.method === 'PUT' ? 400 : 200),
    )
    expect((await ask()).body).toBe('1')
    await ask({}, 'PUT')
    expect((await ask()).body).toBe('1')
    await ask({}, 'DELETE')
    expect((await ask()).body).toBe('4')
  })

  test('MX2: a range goes past the cache', async () => {
    expect(await bodies(fresh().ask, {}, { range: 'bytes=0-0' }, {})).toEqual(['1', '2', '1'])
  })

  test('MX2: a kept answer with a tag is a 304 to who has it', async () => {
    const { ask } = fresh({ 'cache-control': 'max-age=60', etag: '"a"', 'x-own': '1' })
    await ask()
    const again = await ask({ 'if-none-match': 'W/"a"' })
    expect(again).toMatchObject({ status: 304, body: '', age: '0' })
    expect({ 'x-own': again.headers.get('x-own'), 'content-type': again.headers.has('content-type') }).toEqual({
      'x-own': '1',
      'content-type': false,
    })
  })

  test('MX2: etag before the cache makes 304s of what is kept', async () => {
    const { ask } = site(
      (_, count) => json({ count }, 200, { 'cache-control': 'max-age=60' }),
      {},
      { before: [etag()] },
    )
    await ask()
    const tag = (await ask()).headers.get('etag')!
    expect((await ask({ 'if-none-match': tag })).status).toBe(304)
  })

  test.each(['before', 'after'])('MX2: compression %s the cache', async (place) => {
    const long = 'shrinks '.repeat(500)
    const { ask, state } = site(
      (_, count) => text(`${count} ${long}`, 200, { 'cache-control': 'max-age=60' }),
      {},
      { [place]: [compression()] },
    )
    const gzip = { 'accept-encoding': 'gzip' }
    const [one, two, plain] = [await ask(gzip), await ask(gzip), await ask()]
    expect([one, two, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'gzip', null])
    expect(plain.body).toContain(long)
    expect(state.count).toBe(place === 'before' ? 1 : 2)
  })

  test('MX2: one request makes the answer while 1,000 wait', async () => {
    let open: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { ask, state } = site(async (_, count) => {
      await gate
      return text(`${count}`, 200, { 'cache-control': 'max-age=60' })
    })
    const all = Array.from({ length: 1000 }, () => ask())
    await vi.waitFor(() => expect(state.count).toBe(1))
    open()
    expect(new Set((await Promise.all(all)).map(({ body }) => body))).toEqual(new Set(['1']))
    expect(state.count).toBe(1)
  })

  test('MX2: requests that wait for a response that is not stored run the handler themselves', async () => {
    const { ask, state } = site(async (_, count) => text(`${count}`))
    const all = await Promise.all(Array.from({ length: 10 }, () => ask()))
    expect({ size: new Set(all.map(({ body }) => body)).size, count: state.count }).toEqual({ size: 10, count: 10 })
  })

  test('MX2: a response that never comes delays others for at most waitMs', async () => {
    const { ask } = site((_, count) => (count === 1 ? new Promise(() => {}) : text(`${count}`)), { waitMs: 20 })
    void ask()
    expect((await ask()).body).toBe('2')
  })

  test('MX2: staleWhileRevalidate sends what is stale at once, and makes it again once', async () => {
    const { ask, state, settle } = site((_, count) => text(`${count}`, 200, { 'cache-control': 'max-age=60' }), {
      staleWhileRevalidate: 100,
    })
    await ask()
    state.time += 159_000
    expect((await Promise.all([ask(), ask(), ask()])).map(({ body, age }) => `${body} ${age}`)).toEqual(
      Array(3).fill('1 159'),
    )
    await settle()
    expect({ count: state.count, response: await ask() }).toMatchObject({ count: 2, response: { body: '2', age: '0' } })
    state.time += 159_000
    expect((await ask()).body).toBe('2')
    await settle()
    expect((await ask()).body).toBe('3')
    state.time += 160_000
    expect((await ask()).body).toBe('4')
  })

  test('MX2: a refresh asks for the whole response, whatever the client has of it', async () => {
    const seen: string[][] = []
    const { ask, state, settle } = site((ctx) => {
      seen.push([...ctx.request.headers.keys()])
      return text('x', 200, { 'cache-control': 'max-age=60, stale-while-revalidate=100' })
    })
    await ask()
    state.time += 61_000
    await ask({
      'if-match': '"x"',
      'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT',
      'if-none-match': '"x"',
      'content-language': 'de',
      'content-type': 'text/plain',
      'x-if-match': '1',
      'transfer-encoding-x': '1',
    })
    await settle()
    expect(seen[1]).toEqual(['transfer-encoding-x', 'x-if-match'])
  })

  test('MX2: a stale response is sent before its refresh begins, which has a waitUntil on every platform', async () => {
    const order: string[] = []
    let time = 1_700_000_000_000
    const fetch = door({
      use: [cache({ now: () => time, store: memoryCache({ now: () => time }) })],
      routes: [
        [
          'GET',
          '/',
          (ctx: any) => {
            order.push('made')
            ctx.execution?.waitUntil(Promise.resolve())
            return text(`${order.length}`, 200, { 'cache-control': 'max-age=60, stale-while-revalidate=100' })
          },
        ],
      ],
    })
    const ask = async () => {
      const response = await fetch(new Request('http://localhost/'))
      order.push('sent')
      return response.text()
    }
    expect(await ask()).toBe('1')
    time += 61_000
    expect(await ask()).toBe('1')
    expect(order).toEqual(['made', 'sent', 'sent'])
    await vi.waitFor(() => expect(order).toHaveLength(4))
    expect(await ask()).toBe('4')
  })

  test('MX2: after waitMs, later requests wait for the next one, and no timer is left', async () => {
    const gates: (() => void)[] = []
    const { ask, state } = site(
      async (_, count) => {
        if (count !== 2) await new Promise<void>((resolve) => void gates.push(resolve))
        return text(`${count}`, 200, count === 3 ? { 'cache-control': 'max-age=60' } : {})
      },
      { waitMs: 12_345 },
    )
    const timers = new Map<unknown, () => void>()
    const { setTimeout: set, clearTimeout: clear } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      const timer = set(run, ms)
      if (ms === 12_345) timers.set(timer, run)
      return timer
    }) as typeof setTimeout)
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      timers.delete(timer)
      clear(timer)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const first = ask()
    await vi.waitFor(() => expect(gates).toHaveLength(1))
    const second = ask()
    timers.values().next().value!()
    expect((await second).body).toBe('2')
    const third = ask()
    await vi.waitFor(() => expect(gates).toHaveLength(2))
    gates[0]!()
    expect((await first).body).toBe('1')
    const fourth = ask()
    await new Promise((resolve) => set(resolve))
    gates[1]!()
    expect({ third: (await third).body, fourth: (await fourth).body, state: state.count, timers: timers.size }).toEqual(
      { third: '3', fourth: '3', state: 3, timers: 0 },
    )
  })

  test('MX2: stale-while-revalidate of a response goes before the option', async () => {
    for (const [says, option, at, body] of [
      ['max-age=60, stale-while-revalidate=100', 0, 159, '1'],
      ['max-age=60, stale-while-revalidate=100', 0, 160, '2'],
      ['max-age=60, stale-while-revalidate=10', 100, 70, '2'],
    ] as const) {
      const { ask, state, settle } = site((_, count) => text(`${count}`, 200, { 'cache-control': says }), {
        staleWhileRevalidate: option,
      })
      await ask()
      state.time += at * 1000
      expect((await ask()).body).toBe(body)
      await settle()
    }
  })

  test.each(['must-revalidate', 'proxy-revalidate', 's-maxage=60'])(
    'MX2: %s sends nothing stale',
    async (directive) => {
      const { ask, state } = site(
        (_, count) => text(`${count}`, count === 2 ? 500 : 200, { 'cache-control': `max-age=60, ${directive}` }),
        { staleWhileRevalidate: 100, staleIfError: 100 },
      )
      await ask()
      state.time += 61_000
      expect((await ask()).status).toBe(500)
    },
  )

  test('MX2: staleIfError sends what is stale in place of an error, for so long', async () => {
    const { ask, state } = site((_, count) => {
      if (count > 1) throw new Error('down')
      return text('good', 200, { 'cache-control': 'max-age=60, stale-if-error=100' })
    })
    await ask()
    state.time += 159_000
    await silently(async () => {
      expect(await ask()).toMatchObject({ status: 200, body: 'good', age: '159' })
      state.time += 1000
      expect((await ask()).status).toBe(500)
    })
  })

  /** A store without a clock of its own, which works in its own time. */
  const slowStore = (later: () => Promise<unknown>, failing = false) => {
    const entries = new Map<string, any>() // any: entries are those of the cache
    return {
      get: (key: string) => entries.get(key),
      async set(key: string, entry: unknown) {
        await later()
        if (failing) throw new Error('store is full')
        entries.set(key, entry)
      },
      async delete(key: string) {
        await later()
        entries.delete(key)
      },
      purge: () => {},
    }
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

  test('MX2: who has got an answer finds it in the store, and who has changed something does not', async () => {
    const { ask } = site((_, count) => text(`${count}`, 200, { 'cache-control': 'max-age=60' }), {
      store: slowStore(turn),
    })
    expect(await bodies(ask)).toEqual(['1', '1'])
    expect((await ask({}, 'POST')).body).toBe('2')
    expect((await ask()).body).toBe('3')
  })

  test('MX2: those who wait share the answer even where the store cannot keep it', async () => {
    const { ask, state } = site(
      async (_, count) => {
        await turn()
        return text(`${count}`, 200, { 'cache-control': 'max-age=60' })
      },
      { store: slowStore(turn, true) },
    )
    await silently(async () => {
      expect((await Promise.all(Array.from({ length: 20 }, () => ask()))).map(({ body }) => body)).toEqual(
        Array(20).fill('1'),
      )
    })
    expect(state.count).toBe(1)
  })

  test('MX2: those who wait for an error share the stale answer in its place', async () => {
    const { ask, state } = site(async (_, count) => {
      await turn()
      return text(`${count}`, count > 1 ? 503 : 200, { 'cache-control': 'max-age=60, stale-if-error=100' })
    })
    await ask()
    state.time += 61_000
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(Array(20).fill({ status: 200, body: '1' }))
    expect(state.count).toBe(2)
  })

  test('MX2: what is too old even for an error is not sent, whatever the store still has', async () => {
    const { ask, state } = site(
      (_, count) => text(`${count}`, count > 1 ? 503 : 200, { 'cache-control': 'max-age=60, stale-if-error=100' }),
      { store: slowStore(async () => {}) },
    )
    await ask()
    state.time += 159_000
    expect((await ask()).status).toBe(200)
    state.time += 1000
    expect((await ask()).status).toBe(503)
  })

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['a request with credentials does not wait for one without', {}, { authorization: 'Bearer a' }],
    ['a request does not wait for one with credentials', { authorization: 'Bearer a' }, {}],
  ])('MX2: %s', async (_, first, second) => {
    const gates: (() => void)[] = []
    const { ask, state } = site(
      async (_, count) => {
        if (count === 1) await new Promise<void>((resolve) => void gates.push(resolve))
        return text(`${count}`, 200, { 'cache-control': 'max-age=60' })
      },
      { waitMs: 2_000_000_000 },
    )
    const blocked = ask(first)
    await vi.waitFor(() => expect(gates).toHaveLength(1))
    expect((await ask(second)).body).toBe('2')
    gates[0]!()
    expect({ body: (await blocked).body, count: state.count }).toEqual({ body: '1', count: 2 })
  })

  test('MX2: a key of undefined goes past the cache, and OPTIONS removes nothing', async () => {
    const { ask } = site((_, count) => text(`${count}`, 200, { 'cache-control': 'max-age=60' }), {
      key: (ctx) => (ctx.path === '/past' ? undefined : ctx.path),
    })
    const past = [await ask({}, 'GET', '/past'), await ask({}, 'GET', '/past')]
    expect(past.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 200, body: '1' },
      { status: 200, body: '2' },
    ])
    expect({
      body: (await ask()).body,
      optionsBody: (await ask({}, 'OPTIONS')).body,
      bodyAfterOptions: (await ask()).body,
    }).toEqual({ body: '3', optionsBody: '4', bodyAfterOptions: '3' })
  })

  test('MX2: the platform is asked to wait for what others may wait for, and for a renewal', async () => {
    const { ask, state, settle } = site((_, count) =>
      text(`${count}`, 200, { 'cache-control': 'max-age=60, stale-while-revalidate=100' }),
    )
    await ask()
    expect((await settle()).length).toBe(1)
    await ask()
    expect((await settle()).length).toBe(0)
    state.time += 61_000
    await ask()
    expect((await settle()).length).toBeGreaterThan(0)
    expect(state.count).toBe(2)
  })

  test('MX2: a body of 1 MiB is stored unless a limit is given, and one byte more is not', async () => {
    for (const [size, count] of [
      [1_048_576, 1],
      [1_048_577, 2],
    ] as const) {
      const { ask, state } = site(() => text('x'.repeat(size), 200, { 'cache-control': 'max-age=60' }))
      expect((await ask()).body.length + (await ask()).body.length).toBe(2 * size)
      expect(state.count).toBe(count)
    }
  })

  test('MX2: the error that a stale response replaces is cancelled', async () => {
    let cancelled = 0
    const broken = () => new ReadableStream({ cancel: () => void cancelled++ })
    const { ask, state } = site((_, count) =>
      count > 1
        ? new Response(broken(), { status: 503 })
        : text('good', 200, { 'cache-control': 'max-age=60, stale-if-error=100' }),
    )
    await ask()
    state.time += 61_000
    expect({ response: await ask(), cancelled }).toMatchObject({
      response: { status: 200, body: 'good' },
      cancelled: 1,
    })
  })

  test('MX2: purge forgets what has a tag, and what was begun before it', async () => {
    let open: () => void = () => {}
    const { ask, pages, state } = site(
      async (ctx, count) => {
        if (ctx.path === '/slow')
          await new Promise<void>((resolve) => {
            open = resolve
          })
        return text(`${count}`, 200, { 'cache-control': 'max-age=60' })
      },
      { tags: (ctx) => [ctx.path, 'all'] },
    )
    await ask({}, 'GET', '/a')
    await ask({}, 'GET', '/b')
    await pages.purge('/a')
    expect({ a: (await ask({}, 'GET', '/a')).body, b: (await ask({}, 'GET', '/b')).body }).toEqual({ a: '3', b: '2' })
    const slow = ask({}, 'GET', '/slow')
    await vi.waitFor(() => expect(state.count).toBe(4))
    await pages.purge('all')
    open()
    expect((await slow).body).toBe('4')
    expect((await ask({}, 'GET', '/b')).body).toBe('5')
    const again = ask({}, 'GET', '/slow')
    await vi.waitFor(() => expect(state.count).toBe(6))
    open()
    expect((await again).body).toBe('6')
  })

  test.each([
    [10, '1'],
    [9, '2'],
  ])('MX2: with a limit of %i bytes, of a body of ten the next answer is %s', async (limit, second) => {
    const { ask } = site((_, count) => text(`${count}`.padEnd(10), 200, { 'cache-control': 'max-age=60' }), { limit })
    expect((await bodies(ask)).map((body) => body.trim())).toEqual(['1', second])
  })

  test('MX2: a stream is kept when it has ended, and passes whole when it is too long', async () => {
    const make = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (let part = 0; part < 10; part++) controller.enqueue(new TextEncoder().encode('0123456789'))
            controller.close()
          },
        }),
        { headers: { 'cache-control': 'max-age=60' } },
      )
    for (const [limit, count] of [
      [100, 1],
      [99, 2],
      [15, 2],
    ] as const) {
      const { ask, state } = site(make, { limit })
      expect(await bodies(ask)).toEqual(['0123456789'.repeat(10), '0123456789'.repeat(10)])
      expect(state.count).toBe(count)
    }
  })

  test('MX2: a body that fails is sent as far as it came, and not stored', async () => {
    let count = 0
    const fetch = door({
      use: [cache({ maxAge: 60 })],
      routes: [
        [
          'GET',
          '/',
          () => {
            count++
            let parts = 0
            return new Response(
              new ReadableStream({
                pull(controller) {
                  if (++parts < 3) controller.enqueue(Uint8Array.of(parts))
                  else controller.error(new Error('broken'))
                },
              }),
            )
          },
        ],
      ],
    })
    for (const _ of [1, 2]) {
      const reader = (await fetch(new Request('http://localhost/'))).body!.getReader()
      expect([await reader.read(), await reader.read()].map(({ value }) => value)).toEqual([
        Uint8Array.of(1),
        Uint8Array.of(2),
      ])
      await expect(reader.read()).rejects.toThrow('broken')
    }
    expect(count).toBe(2)
  })

  test('MX2: 204 is kept', async () => {
    const { ask, state } = site(() => new Response(null, { status: 204, headers: { 'cache-control': 'max-age=60' } }))
    expect({ status: (await ask()).status, statusAgain: (await ask()).status, count: state.count }).toEqual({
      status: 204,
      statusAgain: 204,
      count: 1,
    })
  })

  test.each(['no-cache', 'no-store', 'max-age=0', 'min-fresh=99', 'only-if-cached, no-cache'])(
    'MX2: a request with %s gets the stored answer: clients cannot go past the cache',
    async (directive) => {
      const { ask } = site((_, count) => text(`${count}`, 200, { 'cache-control': 'max-age=60' }))
      await ask()
      expect((await ask({ 'cache-control': directive })).body).toBe('1')
    },
  )

  test('MX2: a store that fails lets every answer through', async () => {
    const broken = () => Promise.reject(new Error('store is down'))
    const store = { get: broken, set: broken, delete: broken, purge: broken }
    const { ask } = site((_, count) => text(`${count}`, 200, { 'cache-control': 'max-age=60' }), { store })
    await silently(async () => {
      expect(await bodies(ask)).toEqual(['1', '2'])
      expect((await ask({}, 'POST')).status).toBe(200)
    })
  })

  test('MX2: a handler that always gives the same response is not disturbed', async () => {
    const shared = text('same', 200, { 'cache-control': 'max-age=60' })
    const { ask, state } = site(() => shared)
    await ask()
    state.time += 60_000
    expect((await ask()).body).toBe('same')
  })
})

test.each<[string, object]>([
  ['cache: maxAge: expected a whole number of seconds from 0, got "1h"', { maxAge: '1h' }],
  ['cache: staleIfError: expected a whole number of seconds from 0, got -1', { staleIfError: -1 }],
  ['cache: waitMs: expected a whole number of milliseconds from 1 to 2147483647, got 0', { waitMs: 0 }],
  ['cache: tags: expected a list or a function, got "a"', { tags: 'a' }],
  ['cache: store: expected a store of sluice/stores, got {}', { store: {} }],
  ['cache: ttl: unknown option', { ttl: 1 }],
])('MX2: %s', (message, options) => expect(() => cache(options as never)).toThrow(message))
