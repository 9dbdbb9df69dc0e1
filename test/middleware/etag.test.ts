import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import fresh from 'fresh'
import { describe, expect, test, vi } from 'vitest'
import { evaluate, isSameRange } from '../../src/internal/header/conditional.ts'
import { parseHttpDate } from '../../src/internal/header/http-date.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { cache } from '../../src/middleware/cache.ts'
import { compression } from '../../src/middleware/compression.ts'
import { cors } from '../../src/middleware/cors.ts'
import { type EtagOptions, etag } from '../../src/middleware/etag.ts'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'
import { doors } from '../harness.ts'

/** `printf hello | openssl dgst -sha256 -binary | head -c 18 | basenc --base64url` */
const HELLO = '"LPJNul-wow4m6DsqxbninhsW"'
const LONG = 'a line that shrinks\n'.repeat(200)

const DAY = 'Sun, 06 Nov 1994 08:49:37 GMT'
const DAY_BEFORE = 'Sat, 05 Nov 1994 08:49:37 GMT'

describe.each(doors)('etag through %s', (_, door) => {
  const serve = (handler: (ctx: any) => any, options?: EtagOptions, more: any[] = []) =>
    door({ use: [etag(options), ...more], routes: [['*', '/', handler]] })
  const ask = (headers: Record<string, string> = {}, method = 'GET'): Request =>
    new Request('http://localhost/', { method, headers })

  test.each<[string, () => any, EtagOptions | undefined, string | null]>([
    ['text', () => text('hello'), undefined, HELLO],
    ['HTML with the same bytes', () => html('hello'), undefined, HELLO],
    ['a weak tag', () => text('hello'), { weak: true }, `W/${HELLO}`],
    ['a body of the limit', () => text('hello'), { limit: 5 }, HELLO],
    ['a body of one more byte', () => text('hello'), { limit: 4 }, null],
    ['a body of more than 1 MiB', () => text('a'.repeat(1_048_577)), undefined, null],
    ['a body of more bytes than characters', () => text('héllo'), { limit: 5 }, null],
    ['an own tag is kept', () => text('hello', 200, { etag: '"own"' }), undefined, '"own"'],
    ['a stream', () => stream(['hello']), undefined, null],
    ['a status other than 200', () => text('hello', 201), undefined, null],
    ['an error', () => text('hello', 404), undefined, null],
  ])('MX1: %s', async (_, handler, options, tag) => {
    const plain: Response = handler()
    const response = await serve(handler, options)(ask())
    expect({ status: response.status, etag: response.headers.get('etag') }).toEqual({ status: plain.status, etag: tag })
    expect((await response.text()) === (await plain.text())).toBe(true)
  })

  test('MX1: a response that cache has just stored has the tag of the stored one', async () => {
    const fetch = serve(() => text('hello'), {}, [cache({ maxAge: 60 })])
    const tags = [await fetch(ask()), await fetch(ask())].map(({ headers }) => headers.get('etag'))
    expect(tags).toEqual([HELLO, HELLO])
  })

  test('MX1: a body of 1 MiB has a tag', async () => {
    expect((await serve(() => text('a'.repeat(1_048_576)))(ask())).headers.get('etag')).toMatch(/^"[\w-]{24}"$/)
  })

  test.each(['GET', 'HEAD'])('MX1: %s with the tag is a 304', async (method) => {
    const ofTheBody = { 'content-language': 'en', 'content-range': 'bytes 0-4/5', 'accept-ranges': 'bytes' }
    const own = { 'x-own': '1', 'x-content-type-options': 'nosniff', 'content-type-of-old': 'a' }
    const headers = { 'cache-control': 'max-age=9', vary: 'X-A', ...own, ...ofTheBody }
    const response = await serve(() => text('hello', 200, headers))(ask({ 'if-none-match': HELLO }, method))
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 304, text: '' })
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'max-age=9',
      etag: HELLO,
      vary: 'X-A',
      ...own,
    })
  })

  test('MX1: a 304 has the tag of the list that is the same, else the one that is equivalent', async () => {
    const fetch = serve(() => text('hello', 200, { etag: '"own"' }))
    for (const [list, tag] of [
      ['W/"own", "own"', '"own"'],
      ['"x", W/"own"', 'W/"own"'],
      ['*', '"own"'],
    ] as const) {
      const { status, headers } = await fetch(ask({ 'if-none-match': list }))
      expect({ status, etag: headers.get('etag') }).toEqual({ status: 304, etag: tag })
    }
  })

  test('MX1: a stream without a tag is a 304 by its date, without a tag, and is cancelled', async () => {
    let cancelled = false
    const source = (async function* () {
      try {
        yield 'hello'
      } finally {
        cancelled = true
      }
    })()
    await source.next()
    const fetch = serve(() => stream(source, { headers: { 'last-modified': DAY } }))
    const { status, headers } = await fetch(ask({ 'if-modified-since': DAY }))
    expect({ status, etag: headers.get('etag'), 'last-modified': headers.get('last-modified') }).toEqual({
      status: 304,
      etag: null,
      'last-modified': DAY,
    })
    await vi.waitFor(() => expect(cancelled).toBe(true))
  })

  test('MX1: HEAD has the tag of GET but no body', async () => {
    const response = await serve(() => text('hello'))(ask({}, 'HEAD'))
    expect({ etag: response.headers.get('etag'), text: await response.text() }).toEqual({ etag: HELLO, text: '' })
  })

  test.each<[string, Record<string, string>, number]>([
    ['another tag', { 'if-none-match': '"x"' }, 200],
    ['any', { 'if-none-match': '*' }, 304],
    ['a list', { 'if-none-match': `"x", ${HELLO}` }, 304],
    ['if-match with it', { 'if-match': HELLO }, 200],
    ['if-match with any', { 'if-match': '*' }, 200],
    ['a date goes after if-none-match', { 'if-none-match': '"x"', 'if-modified-since': DAY }, 200],
    ['if-modified-since with the day of the change', { 'if-modified-since': DAY }, 304],
    ['if-modified-since with the day before', { 'if-modified-since': DAY_BEFORE }, 200],
    ['if-unmodified-since with the day of the change', { 'if-unmodified-since': DAY }, 200],
    ['if-unmodified-since with the day before', { 'if-unmodified-since': DAY_BEFORE }, 412],
    ['if-unmodified-since after if-match', { 'if-match': HELLO, 'if-unmodified-since': DAY_BEFORE }, 200],
    ['if-match with another', { 'if-match': '"x"' }, 412],
    ['if-match goes first', { 'if-match': '"x"', 'if-none-match': HELLO }, 412],
  ])('MX1: preconditions: %s', async (_, headers, status) => {
    const response = await serve(() => text('hello', 200, { 'last-modified': DAY }))(ask(headers))
    expect(response.status).toBe(status)
    if (status === 412) expect(await response.json()).toMatchObject({ error: 'Precondition Failed' })
  })

  test('MX1: a 412 has the headers of edits behind it, and nothing by which a cache could store it', async () => {
    const behind = (ctx: any, next: any) => {
      onResponse(ctx, ['x-id', '7', 'set-cookie', 'a=1', 'set-cookie', 'b=2', 'cache-control', 'public, max-age=60'])
      return next()
    }
    const described = { 'last-modified': DAY, 'content-disposition': 'attachment', 'cdn-cache-control': 'max-age=60' }
    const response = await serve(() => text('hello', 200, described), {}, [cors(), behind])(ask({ 'if-match': '"x"' }))
    expect({ status: response.status, headers: [...response.headers], body: await response.json() }).toEqual({
      status: 412,
      headers: [
        ['access-control-allow-origin', '*'],
        ['content-type', 'application/json'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-id', '7'],
      ],
      body: { error: 'Precondition Failed' },
    })
  })

  test('MX1: a strong comparison refuses a weak tag', async () => {
    expect((await serve(() => text('hello'), { weak: true })(ask({ 'if-match': `W/${HELLO}` }))).status).toBe(412)
  })

  test('MX1: a stream with an own tag is a 304, and is cancelled', async () => {
    let cancelled = false
    const source = new ReadableStream({
      cancel() {
        cancelled = true
      },
    })
    const response = await serve(() => new Response(source, { headers: { etag: '"own"' } }))(
      ask({ 'if-none-match': '"own"' }),
    )
    expect({ status: response.status, cancelled }).toEqual({ status: 304, cancelled: true })
  })

  test('MX1: a stream is not read before its client reads', async () => {
    let pulled = 0
    const source = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const response = await serve(() => new Response(source))(ask())
    expect({ status: response.status, etag: response.headers.get('etag'), pulled }).toEqual({
      status: 200,
      etag: null,
      pulled: 0,
    })
    await response.body!.cancel()
  })

  test.each(['POST', 'PUT', 'DELETE'])('MX1: %s is left alone', async (method) => {
    const response = await serve(() => text('hello'))(ask({ 'if-match': '"x"' }, method))
    expect({ status: response.status, etag: response.headers.get('etag') }).toEqual({ status: 200, etag: null })
  })

  test('MX1: a response that everybody gets is not changed', async () => {
    const shared = json({ a: 1 })
    const fetch = serve(() => shared)
    const bodies = await Promise.all([0, 1].map(async () => (await fetch(ask())).text()))
    expect({ bodies, etag: shared.headers.has('etag') }).toEqual({ bodies: ['{"a":1}', '{"a":1}'], etag: false })
  })

  test('MX1: fields of other middleware stay on a 304', async () => {
    const fetch = door({
      use: [cors({ origin: 'https://a.example' }), etag()],
      routes: [['GET', '/', () => text('hello')]],
    })
    const response = await fetch(ask({ 'if-none-match': HELLO, origin: 'https://a.example' }))
    expect({
      status: response.status,
      'access-control-allow-origin': response.headers.get('access-control-allow-origin'),
    }).toEqual({ status: 304, 'access-control-allow-origin': 'https://a.example' })
  })

  test('MX1: an edit of another middleware is in the digest if it runs before', async () => {
    const edit = (ctx: any, next: any) => {
      onResponse(ctx, () => text('hello'))
      return next()
    }
    expect((await serve(() => text('other'), {}, [edit])(ask())).headers.get('etag')).toBe(HELLO)
  })

  test.each([
    ['etag, compression', () => [etag(), compression()]],
    ['compression, etag', () => [compression(), etag()]],
  ])('MX1: in the order %s a compressed answer has a tag that is known again, or none', async (order, use) => {
    const fetch = door({ use: use(), routes: [['GET', '/', () => text(LONG)]] })
    const headers = { 'accept-encoding': 'gzip' }
    const first = await fetch(ask(headers))
    expect(first.headers.get('content-encoding')).toBe('gzip')
    const tag = first.headers.get('etag')
    expect(gunzipSync(await first.arrayBuffer()).toString()).toBe(LONG)
    // A tag of the plain bytes must not be strong on compressed ones
    if (order === 'compression, etag') expect(tag).toMatch(/^W\/"/)
    const plain = await fetch(ask())
    expect(plain.headers.get('etag')).not.toBe(tag)
    if (!tag) return
    const again = await fetch(ask({ ...headers, 'if-none-match': tag }))
    expect({ status: again.status, etag: again.headers.get('etag'), vary: again.headers.get('vary') }).toEqual({
      status: 304,
      etag: tag,
      vary: 'Accept-Encoding',
    })
    expect(again.headers.has('content-encoding')).toBe(false)
  })

  test('MX1: an own tag is weakened by compression, and known again in either order', async () => {
    for (const use of [
      [etag(), compression()],
      [compression(), etag()],
    ]) {
      const fetch = door({ use, routes: [['GET', '/', () => text(LONG, 200, { etag: '"own"' })]] })
      const headers = { 'accept-encoding': 'gzip' }
      expect((await fetch(ask(headers))).headers.get('etag')).toBe('W/"own"')
      expect((await fetch(ask({ ...headers, 'if-none-match': 'W/"own"' }))).status).toBe(304)
    }
  })
})

test.each<[string, object]>([
  ['etag: limit: expected a whole number of bytes from 0, got -1', { limit: -1 }],
  ['etag: weak: expected a boolean, got "yes"', { weak: 'yes' }],
  ['etag: weka: unknown option, did you mean "weak"?', { weka: true }],
])('MX1: %s', (message, options) => expect(() => etag(options as never)).toThrow(message))

const NEXT = Date.parse(DAY) + 999

test.each<[string, Record<string, string>, Parameters<typeof evaluate>[1], number]>([
  ['if-match with spaces around any', { 'if-match': ' * ' }, { etag: '"a"' }, 200],
  ['if-match with any, where there is no tag', { 'if-match': '*' }, {}, 200],
  ['if-match with a tag, where there is none', { 'if-match': '"a"' }, {}, 412],
  ['if-match with a part of the tag', { 'if-match': '"a' }, { etag: '"ab"' }, 412],
  ['if-none-match with spaces around any', { 'if-none-match': ' * ' }, { etag: '"a"' }, 304],
  ['if-none-match with any, where there is no tag', { 'if-none-match': '*' }, {}, 304],
  ['if-none-match with a tag, where there is none', { 'if-none-match': '"a"' }, {}, 200],
  ['a W inside of a tag is not weakness', { 'if-none-match': '"W/a"' }, { etag: '"a"' }, 200],
  ['if-modified-since, without a date of the change', { 'if-modified-since': DAY }, { etag: '"a"' }, 200],
  ['if-modified-since that is no date', { 'if-modified-since': 'x' }, { modified: NEXT }, 200],
  ['if-modified-since of the same second', { 'if-modified-since': DAY }, { modified: NEXT }, 304],
  ['if-modified-since of the second before', { 'if-modified-since': DAY }, { modified: NEXT + 1 }, 200],
  ['if-unmodified-since of the same second', { 'if-unmodified-since': DAY }, { modified: NEXT }, 200],
  ['if-unmodified-since of the second before', { 'if-unmodified-since': DAY }, { modified: NEXT + 1 }, 412],
  ['if-unmodified-since, without a date of the change', { 'if-unmodified-since': DAY }, { etag: '"a"' }, 200],
  ['if-unmodified-since that is no date', { 'if-unmodified-since': 'x' }, { modified: NEXT }, 200],
])('MX1: RFC 9110 §13: %s', (_, fields, validators, status) => {
  expect(evaluate((name) => fields[name] ?? null, validators)).toBe(status)
})

test.each<[string, string | null, Parameters<typeof isSameRange>[1], boolean]>([
  ['no field', null, {}, true],
  ['the tag with spaces around it', ' "a" ', { etag: '"a"' }, true],
  ['another tag', '"b"', { etag: '"a"' }, false],
  ['a weak tag, even the same', 'W/"a"', { etag: 'W/"a"' }, false],
  ['the second of the change', DAY, { modified: NEXT }, true],
  ['the second before', DAY, { modified: NEXT + 1 }, false],
  ['a date, where there is none', DAY, { etag: '"a"' }, false],
  ['no date, where there is none', 'x', {}, false],
])('MX15: RFC 9110 §13.1.5: if-range with %s', (_, field, validators, same) => {
  expect(isSameRange(field, validators)).toBe(same)
})

describe('MX1: 304 as npm fresh decides', () => {
  const tags = fc.constantFrom('"a"', 'W/"a"', '"b"', 'W/"b"', '"a-gzip"', '""')
  const dates = fc.constantFrom('Mon, 06 May 2024 07:08:09 GMT', 'Mon, 06 May 2024 07:08:10 GMT', 'never')

  test('for any tags and dates', () =>
    fc.assert(
      fc.property(
        fc.option(
          fc.oneof(
            fc.constant('*'),
            fc.array(tags, { minLength: 1, maxLength: 3 }).map((list) => list.join(', ')),
          ),
        ),
        fc.option(dates),
        fc.option(tags),
        fc.option(dates),
        (noneMatch, since, tag, modified) => {
          // fresh asks for a tag first and then for the date too; RFC 9110 §13.2.2 leaves the date aside
          fc.pre(noneMatch !== null || since !== null)
          fc.pre(noneMatch === null || since === null)
          fc.pre(noneMatch !== '*' || tag !== null)
          const asked: Record<string, string | null> = { 'if-none-match': noneMatch, 'if-modified-since': since }
          const ours = evaluate((name) => asked[name] ?? null, { etag: tag, modified: parseHttpDate(modified) })
          const given = (pairs: Record<string, string | null>): any =>
            Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== null))
          expect(ours === 304).toBe(fresh(given(asked), given({ etag: tag, 'last-modified': modified })))
        },
      ),
      { numRuns: runs(20_000) },
    ))
})

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 784_111_777_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 784_111_777_000],
  ['Sun Nov  6 08:49:37 1994', 784_111_777_000],
  ['1994', undefined],
  ['Sun, 06 Nov 1994 08:49:37 CET', undefined],
  ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
  ['', undefined],
  [null, undefined],
])('MX1: the date %j is %j', (text, time) => expect(parseHttpDate(text)).toBe(time))
