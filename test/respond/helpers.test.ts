import { describe, expect, test, vi } from 'vitest'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { redirect } from '../../src/respond/redirect.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'

/** H4: a platform may spell the type of a text in its own way. */
const typeOf = (response: Response): string | null =>
  response.headers.get('content-type')?.replace('plain;charset=UTF', 'plain; charset=utf') ?? null

describe('status and fields', () => {
  test.each([
    ['H1: json(data)', () => json({ a: 1 }), 200, {}],
    ['H1: json(data, status)', () => json({ a: 1 }, 201), 201, {}],
    ['H1: json(data, status, record)', () => json({ a: 1 }, 201, { 'X-A': 'b' }), 201, { 'x-a': 'b' }],
    ['H1: json(data, status, Headers)', () => json({ a: 1 }, 201, new Headers({ 'x-a': 'b' })), 201, { 'x-a': 'b' }],
    [
      'H1: json(data, status, pairs)',
      () =>
        json({ a: 1 }, 201, [
          ['x-a', 'b'],
          ['x-a', 'c'],
        ]),
      201,
      { 'x-a': 'b, c' },
    ],
    ['H1: json(data, status, a Map)', () => json({ a: 1 }, 201, new Map([['x-a', 'b']]) as never), 201, { 'x-a': 'b' }],
    ['H1: json(data, options)', () => json({ a: 1 }, { status: 202, headers: { 'x-a': 'b' } }), 202, { 'x-a': 'b' }],
    [
      'H1: json(data, options) with Headers',
      () => json({ a: 1 }, { headers: new Headers({ 'x-a': 'b' }) }),
      200,
      { 'x-a': 'b' },
    ],
    ['H1: json(data, {})', () => json({ a: 1 }, {}), 200, {}],
    [
      'H1: the third argument counts before the options',
      () => json({ a: 1 }, { status: 203, headers: { 'x-a': 'no' } }, { 'x-a': 'b' }),
      203,
      { 'x-a': 'b' },
    ],
    ['text(content, status)', () => text('{"a":1}', 418), 418, {}],
    ['html(markup, options)', () => html('{"a":1}', { status: 201, statusText: 'Made' }), 201, {}],
    ['a field that is a number', () => json({ a: 1 }, 200, { 'x-a': 1 as never }), 200, { 'x-a': '1' }],
    ['space around a value is cut', () => json({ a: 1 }, 200, { 'x-a': ' \t b ' }), 200, { 'x-a': 'b' }],
  ])('%s', async (_, make, status, fields) => {
    const response = make()
    expect(response).toBeInstanceOf(Response)
    expect(response.status).toBe(status)
    for (const [name, value] of Object.entries(fields)) expect(response.headers.get(name)).toBe(value)
    expect(await response.text()).toBe('{"a":1}')
  })

  test('the reason phrase is kept', () => expect(html('', { statusText: 'Fine' }).statusText).toBe('Fine'))

  test.each([
    ['H4: json', () => json({}), 'application/json'],
    ['H4: text', () => text(''), 'text/plain; charset=utf-8'],
    ['H4: html', () => html(''), 'text/html; charset=utf-8'],
    ['H4: stream', () => stream([]), 'application/octet-stream'],
    [
      'H2: lower case wins',
      () => json({}, 200, { 'content-type': 'application/problem+json' }),
      'application/problem+json',
    ],
    [
      'H2: upper case wins',
      () => json({}, 200, { 'CONTENT-TYPE': 'application/problem+json' }),
      'application/problem+json',
    ],
    ['H2: in Headers', () => text('', 200, new Headers({ 'Content-Type': 'text/csv' })), 'text/csv'],
    ['H2: in pairs', () => html('', 200, [['Content-Type', 'text/x']]), 'text/x'],
    ['H2: in options', () => html('', { headers: { 'Content-Type': 'text/x' } }), 'text/x'],
    ['H6: of a stream', () => stream([], { 'Content-Type': 'text/csv' }), 'text/csv'],
  ])('%s', (_, make, type) => expect(typeOf(make())).toBe(type))

  test.each([
    ['a list', { 'set-cookie': ['a=1', 'b=2; Path=/'] }, ['a=1', 'b=2; Path=/']],
    ['a list, other case', { 'Set-Cookie': ['a=1', 'b=2'] }, ['a=1', 'b=2']],
    ['a string', { 'set-cookie': 'a=1' }, ['a=1']],
    [
      'pairs',
      [
        ['set-cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
      ['a=1', 'b=2'],
    ],
    [
      'a comma in a value',
      { 'set-cookie': ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=2'] },
      ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=2'],
    ],
    ['an empty list', { 'set-cookie': [] }, []],
  ])('H3: Set-Cookie as %s is one line an item', (_, headers, expected) => {
    expect(json({}, 200, headers as never).headers.getSetCookie()).toEqual(expected)
    expect(stream([], headers as never).headers.getSetCookie()).toEqual(expected)
  })

  test('H3: Headers with several cookies keep them', () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    expect(json({}, { headers }).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test.each([
    ['undefined', undefined, 'null'],
    ['a function', () => {}, 'null'],
    ['null', null, 'null'],
    ['zero', 0, '0'],
    ['a string', 'a', '"a"'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['toJSON', { toJSON: () => 1 }, '1'],
  ])('H4: json of %s', async (_, data, expected) => expect(await json(data).text()).toBe(expected))

  test.each([
    [
      'a circle',
      (() => {
        const a: any = {}
        a.a = a
        return a
      })(),
    ],
    ['a bigint', 1n],
  ])('json of %s is a TypeError', (_, data) => {
    expect(() => json(data)).toThrow(TypeError)
  })

  test.each([204, 205, 304])('R38: %s drops body and type', async (status) => {
    for (const response of [
      json({ a: 1 }, status),
      text('x', status),
      html('x', { status }),
      stream(['x'], { status }),
    ]) {
      expect({
        status: response.status,
        body: response.body,
        type: typeOf(response),
        text: await response.text(),
      }).toEqual({
        status,
        body: null,
        type: null,
        text: '',
      })
    }
  })

  test.each([0, 99, 101, 199, 600, 1000, Number.NaN, -1])('a status of %s is a RangeError', (status) => {
    expect(() => json({}, status)).toThrow(RangeError)
    expect(() => text('', { status })).toThrow(RangeError)
  })

  test.each([
    ['CR LF in a value', { 'x-a': 'b\r\nx-c: d' }],
    ['LF in a value', { 'x-a': 'b\nc' }],
    ['NUL in a value', { 'x-a': 'b\0c' }],
    ['CR LF in one of a list', { 'set-cookie': ['a=1', 'b=2\r\nx: y'] }],
    ['a character past one byte', { 'x-a': '☃' }],
    ['a space in a name', { 'x a': 'b' }],
    ['a colon in a name', { 'x:a': 'b' }],
    ['CR LF in a name', { 'x\r\na': 'b' }],
    ['an empty name', { '': 'b' }],
  ])('%s is a TypeError', (_, headers) => {
    expect(() => json({}, 200, headers)).toThrow(TypeError)
    expect(() =>
      text('').headers.set(Object.keys(headers)[0]!, String(Object.values(headers)[0]).replace(/^a=1,/, '')),
    ).toThrow(TypeError)
  })

  test('a reason phrase with a line break is a TypeError', () => {
    expect(() => json({}, { statusText: 'OK\r\nx: y' })).toThrow(TypeError)
  })
})

describe('redirect', () => {
  test.each([
    ['H5: 302 by default', ['/next'], 302, '/next'],
    ['H5: relative', ['../x?y=1#z', 303], 303, '../x?y=1#z'],
    ['H5: absolute', ['https://example.com/', 308], 308, 'https://example.com/'],
    ['H5: a URL object', [new URL('https://example.com/é')], 302, 'https://example.com/%C3%A9'],
    ['H5: what is not ASCII is escaped', ['/é ☃'], 302, '/%C3%A9%20%E2%98%83'],
    ['H5: what is escaped stays', ['/a%20b'], 302, '/a%20b'],
  ])('%s', (_, [url, status], expected, location) => {
    const response = redirect(url as string, status as number | undefined)
    expect({ status: response.status, location: response.headers.get('location'), body: response.body }).toEqual({
      status: expected,
      location,
      body: null,
    })
  })

  test.each([301, 302, 303, 307, 308])('H5: %s', (status) => expect(redirect('/', status).status).toBe(status))
  test.each([200, 300, 304, 305, 306, 309, 400, Number.NaN])('H5: %s is a RangeError', (status) => {
    expect(() => redirect('/', status)).toThrow(RangeError)
  })
  test.each(['/\r\nx: y', '/\n', '/\r', '/\0'])('H5: %j is a TypeError', (url) =>
    expect(() => redirect(url)).toThrow(TypeError),
  )
  test('a lone surrogate does not throw what is no TypeError', () => {
    expect(redirect('/\ud800').headers.get('location')).toBe('/%EF%BF%BD')
  })
})

test('a redirect without a URL is refused', () => {
  expect(() => redirect(undefined as never)).toThrow(new TypeError('redirect: url: expected a URL, got undefined'))
  expect(() => redirect(null as never)).toThrow(new TypeError('redirect: url: expected a URL, got null'))
})

describe('stream', () => {
  const encode = (word: string) => new TextEncoder().encode(word)
  const readable = (...chunks: unknown[]) =>
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
  async function* later(...chunks: any[]) {
    for (const chunk of chunks) {
      await Promise.resolve()
      yield chunk
    }
  }

  test.each([
    ['a stream of bytes', () => readable(encode('a'), encode('b'))],
    ['a stream of strings', () => readable('a', 'b')],
    ['a list', () => ['a', encode('b')]],
    ['an async generator', () => later('a', encode('b'))],
    [
      'a generator',
      () =>
        (function* () {
          yield 'a'
          yield 'b'
        })(),
    ],
  ])('H6: %s, given or made by a function', async (_, make: () => any) => {
    expect(await stream(make()).text()).toBe('ab')
    expect(await stream(make).text()).toBe('ab')
  })

  test.each([
    ['a promise', async () => ['a']],
    ['a promise that rejects', async () => Promise.reject(new Error('upstream away'))],
    ['an async function that expects a writer, as in Hono', async (writer: any) => writer.write('x')],
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['an object', {}],
  ])('%s is refused, and no rejection is unhandled', async (_, source: any) => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const refused = /^stream: source: expected a stream or an iterable, not a promise of one, got /
    expect(() => stream(source)).toThrow(refused)
    expect(() => stream(typeof source === 'function' ? source({}) : source)).toThrow(refused)
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('H6: strings are UTF-8', async () => expect(await stream(['é', '☃']).text()).toBe('é☃'))

  test.each([
    ['fields', { 'x-a': 'b' }, 200],
    ['Headers', new Headers({ 'x-a': 'b' }), 200],
    ['pairs', [['x-a', 'b']], 200],
    ['options', { status: 206, headers: { 'x-a': 'b' } }, 206],
    ['options with fields only', { headers: { 'x-a': 'b' } }, 200],
    ['options with Headers', { headers: new Headers({ 'x-a': 'b' }) }, 200],
    ['options with pairs', { headers: [['x-a', 'b']] }, 200],
  ])('H6: the second argument as %s', (_, init, status) => {
    const response = stream(['x'], init as never)
    expect({ status: response.status, 'x-a': response.headers.get('x-a') }).toEqual({ status, 'x-a': 'b' })
  })

  test('H6: fields that are named status and headers are fields', () => {
    const response = stream(['x'], { status: 'ok', headers: 'many' } as never)
    expect({
      status: response.status,
      'status-field': response.headers.get('status'),
      headers: response.headers.get('headers'),
    }).toEqual({
      status: 200,
      'status-field': 'ok',
      headers: 'many',
    })
  })

  test('H6: nothing is pulled before the first read, and then one chunk at a time', async () => {
    let made = 0
    const response = stream(function* () {
      for (;;) yield String(made++)
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(made).toBe(0)
    const reader = response.body!.getReader()
    await reader.read()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(made).toBeLessThanOrEqual(3)
    await reader.cancel()
  })

  test('H6: cancelling ends a generator', async () => {
    const ended = vi.fn()
    const response = stream(async function* () {
      try {
        for (;;) yield 'x'
      } finally {
        ended()
      }
    })
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    expect(ended).toHaveBeenCalledOnce()
  })

  test('H6: cancelling a stream cancels its source, with the reason', async () => {
    const cancel = vi.fn()
    await stream(new ReadableStream({ cancel })).body!.cancel('gone')
    expect(cancel).toHaveBeenCalledExactlyOnceWith('gone')
  })

  test('H6: an iterator without return() can be cancelled', async () => {
    const source = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 'x' }) }) }
    await expect(stream(source as Iterable<string>).body!.cancel()).resolves.toBeUndefined()
  })

  test.each([
    [
      'a generator',
      async function* () {
        yield 'a'
        throw new Error('broken')
      },
    ],
    [
      'a sync one',
      function* () {
        yield 'a'
        throw new Error('broken')
      },
    ],
    [
      'a stream',
      () =>
        new ReadableStream({
          pull() {
            throw new Error('broken')
          },
        }),
    ],
  ])('H6: %s that fails fails the response', async (_, make: () => any) => {
    await expect(stream(make).text()).rejects.toThrow('broken')
  })

  test('H8: a plain Response is one', async () => expect(await new Response('x').text()).toBe('x'))
})

test.each([
  ['404', 404],
  ['404.5', 404],
])('H1: the status %j of JavaScript is %i, as in Fetch and on other runtimes', (given, status) => {
  expect({ asArgument: json(1, given as never).status, asOption: json(1, { status: given as never }).status }).toEqual({
    asArgument: status,
    asOption: status,
  })
})

test.each(['abc', '', null, true])('H1: the status %j is refused', (given) => {
  expect(() => json(1, given as never)).toThrow()
})
