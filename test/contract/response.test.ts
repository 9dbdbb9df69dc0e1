import { describe, expect, test } from 'vitest'
import { addFields, adopt, createResponse, withoutBody } from '#runtime/core'

/** The same assertions on the class of this runtime (lazy on Node) and on the platform's own. */
type Make = (body: any, status?: number, headers?: any) => Response
const classes: readonly (readonly [string, Make])[] = [
  [
    'createResponse',
    (body, status = 200, headers = {}) =>
      createResponse(body, typeof body === 'string' ? 'text/plain;charset=UTF-8' : undefined, status, headers),
  ],
  ['Response', (body, status = 200, headers = {}) => new Response(body, { status, headers })],
]
const bytes = () => new TextEncoder().encode('{"a":1}')
const streamed = () => new Response('{"a":1}').body!

describe.each(classes)('%s', (_, make) => {
  test('is a Response', () => {
    const response = make('x')
    expect(response).toBeInstanceOf(Response)
    expect(Object.prototype.toString.call(response)).toBe('[object Response]')
    expect(Object.prototype.toString.call(response.headers)).toBe('[object Headers]')
    expect(response.headers).toBeInstanceOf(Headers)
    expect({
      ok: response.ok,
      type: response.type,
      url: response.url,
      redirected: response.redirected,
      status: response.status,
      statusText: response.statusText,
    }).toEqual({ ok: true, type: 'default', url: '', redirected: false, status: 200, statusText: '' })
    expect(make('x', 404).ok).toBe(false)
    expect(make('x', 299).ok).toBe(true)
    expect((response as any).then).toBeUndefined()
  })

  test.each([
    ['a string', () => '{"a":1}'],
    ['bytes', bytes],
    ['a stream', streamed],
  ])('every reader of %s', async (_, body) => {
    expect(await make(body()).text()).toBe('{"a":1}')
    expect(await make(body()).json()).toEqual({ a: 1 })
    expect(new TextDecoder().decode(await make(body()).arrayBuffer())).toBe('{"a":1}')
    expect(await (await make(body()).blob()).text()).toBe('{"a":1}')
    const chunks: number[] = []
    for await (const chunk of make(body()).body!) chunks.push(...(chunk as Uint8Array))
    expect(chunks).toEqual([...bytes()])
  })

  test.each(['text', 'json', 'arrayBuffer', 'blob', 'formData'] as const)(
    'a body is read once: %s twice rejects with a TypeError',
    async (reader) => {
      const response = make('{"a":1}')
      expect(response.bodyUsed).toBe(false)
      await response.text()
      expect(response.bodyUsed).toBe(true)
      await expect(response[reader]()).rejects.toThrow(TypeError)
      expect(() => response.clone()).toThrow(TypeError)
    },
  )

  test('a body of nothing', async () => {
    const response = make(null)
    expect({ body: response.body, bodyUsed: response.bodyUsed }).toEqual({ body: null, bodyUsed: false })
    expect(await response.text()).toBe('')
    expect(response.bodyUsed).toBe(false)
    expect(await response.text()).toBe('')
    expect((await make(null).arrayBuffer()).byteLength).toBe(0)
    await expect(make(null).json()).rejects.toThrow(SyntaxError)
  })

  test('text that is no JSON rejects with a SyntaxError', async () => {
    await expect(make('{').json()).rejects.toThrow(SyntaxError)
  })

  test('bytes(), where the platform has it', async () => {
    const response = make('abc')
    if (response.bytes) expect([...(await response.bytes())]).toEqual([97, 98, 99])
  })

  test('a byte order mark is dropped', async () => expect(await make('\ufeffx').text()).toBe('x'))

  test('form data', async () => {
    const response = make('a=b&c=d', 200, { 'content-type': 'application/x-www-form-urlencoded' })
    expect([...(await response.formData())]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    await expect(make('x').formData()).rejects.toThrow(TypeError)
  })

  test('the type of a blob is the content type', async () => {
    expect((await make('x', 200, { 'content-type': 'text/css' }).blob()).type).toBe('text/css')
  })

  test.each([
    ['a string', () => 'body'],
    ['a stream', () => new Response('body').body!],
    ['nothing', () => null],
  ])('clone: both can be read, and their fields are apart: %s', async (_, body) => {
    const one = make(body(), 201, { 'x-a': 'b' })
    const two = one.clone()
    two.headers.set('x-a', 'changed')
    expect({ original: one.headers.get('x-a'), copy: two.headers.get('x-a'), copyStatus: two.status }).toEqual({
      original: 'b',
      copy: 'changed',
      copyStatus: 201,
    })
    expect(await Promise.all([one.text(), two.text()])).toEqual(
      await Promise.all([make(body()).text(), make(body()).text()]),
    )
  })

  test('its stream gives the whole body', async () => {
    const response = make('x')
    const { body } = response
    expect(response.body).toBe(body)
    expect(body).toBeInstanceOf(ReadableStream)
    const reader = body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('x')
    expect(response.bodyUsed).toBe(true)
    await expect(response.text()).rejects.toThrow(TypeError)
  })

  test.each([204, 205, 304])('%s has no body', (status) => expect(make(null, status).body).toBeNull())

  test('new Response around it, with its stream and its head', async () => {
    const response = make('x', 202, { 'x-a': 'b' })
    const around = new Response(response.body, response)
    expect({ status: around.status, 'x-a': around.headers.get('x-a'), text: await around.text() }).toEqual({
      status: 202,
      'x-a': 'b',
      text: 'x',
    })
  })

  test('structuredClone refuses it, or what comes out is no Response', () => {
    let copy: unknown
    try {
      copy = structuredClone(make('x'))
    } catch (error) {
      expect((error as Error).name).toBe('DataCloneError')
    }
    expect(copy instanceof Response).toBe(false)
  })

  describe('headers', () => {
    const pairs: [string, string][] = [
      ['X-B', '2'],
      ['set-cookie', 'a=1'],
      ['x-a', '1'],
      ['Set-Cookie', 'b=2'],
      ['x-b', '3'],
      ['content-type', 'text/x'],
    ]
    const headers = () => make('x', 200, pairs).headers

    test('are read whatever the case, joined, cookies apart', () => {
      expect({
        'X-A': headers().get('X-A'),
        'x-b': headers().get('x-b'),
        none: headers().get('none'),
        'set-cookie': headers().get('set-cookie'),
        hasB: headers().has('X-b'),
        hasNone: headers().has('none'),
      }).toEqual({ 'X-A': '1', 'x-b': '2, 3', none: null, 'set-cookie': 'a=1, b=2', hasB: true, hasNone: false })
      expect(headers().getSetCookie()).toEqual(['a=1', 'b=2'])
    })

    test('are sorted, in every way to walk through them', () => {
      const expected = [
        ['content-type', 'text/x'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-a', '1'],
        ['x-b', '2, 3'],
      ]
      expect([...headers()]).toEqual(expected)
      expect([...headers().entries()]).toEqual(expected)
      expect([...headers().keys()]).toEqual(expected.map(([name]) => name))
      expect([...headers().values()]).toEqual(expected.map(([, value]) => value))
      const seen: unknown[] = []
      const map = headers()
      map.forEach(function (this: unknown, value, name, given) {
        seen.push([name, value], this === seen, given === map)
      }, seen)
      expect(seen).toEqual(expected.flatMap((pair) => [pair, true, true]))
      expect([...new Headers(headers())]).toEqual(expected)
    })

    test('are set, added and deleted', () => {
      const map = headers()
      map.set('X-A', 'new')
      map.append('x-a', 'more')
      map.append('x-c', ' space ')
      map.delete('X-B')
      map.delete('none')
      map.set('set-cookie', 'c=3')
      expect({
        'x-a': map.get('x-a'),
        'x-b': map.get('x-b'),
        'x-c': map.get('x-c'),
        'set-cookie': map.getSetCookie(),
      }).toEqual({ 'x-a': 'new, more', 'x-b': null, 'x-c': 'space', 'set-cookie': ['c=3'] })
      map.append('set-cookie', 'd=4')
      map.delete('set-cookie')
      expect({ has: map.has('set-cookie'), setCookie: map.getSetCookie() }).toEqual({ has: false, setCookie: [] })
    })

    test.each([
      ['a b', 'x'],
      ['', 'x'],
      ['a:', 'x'],
      ['a\n', 'x'],
      ['é', 'x'],
      ['a', 'x\r\ny'],
      ['a', 'x\0'],
      ['a', '☃'],
    ])('%j: %j is a TypeError', (name, value) => {
      expect(() => headers().set(name, value)).toThrow(TypeError)
      expect(() => headers().append(name, value)).toThrow(TypeError)
      if (name !== 'a') {
        expect(() => headers().get(name)).toThrow(TypeError)
        expect(() => headers().has(name)).toThrow(TypeError)
        expect(() => headers().delete(name)).toThrow(TypeError)
      }
    })

    test('values are strings', () => {
      const map = headers()
      map.set('x-n', 1 as never)
      map.append('x-u', undefined as never)
      expect({ 'x-n': map.get('x-n'), 'x-u': map.get('x-u') }).toEqual({ 'x-n': '1', 'x-u': 'undefined' })
    })

    test('can be changed on a response that was made here', () => {
      const response = adopt(make('x'))
      response.headers.set('x-a', 'b')
      expect(response.headers.get('x-a')).toBe('b')
    })
  })

  test('addFields: first come stays, vary and cookies are added', () => {
    for (const read of [false, true]) {
      const made = make('x', 200, { 'x-a': 'own', vary: 'A', 'set-cookie': 'a=1' })
      if (read) made.headers.get('x-a')
      const response = addFields(made, ['x-a', 'list', 'x-b', 'list', 'vary', 'B', 'vary', 'a', 'set-cookie', 'b=2'])
      expect(response).toBe(made)
      expect({
        'x-a': response.headers.get('x-a'),
        'x-b': response.headers.get('x-b'),
        // The edge may say a name twice, which means the same
        vary: response.headers.get('vary')?.replace(/, a$/, ''),
        'set-cookie': response.headers.getSetCookie(),
      }).toEqual({ 'x-a': 'own', 'x-b': 'list', vary: 'A, B', 'set-cookie': ['a=1', 'b=2'] })
    }
  })

  test.each([
    ['a string', () => 'x'],
    ['bytes', bytes],
    ['a stream', streamed],
    ['nothing', () => null],
  ])('withoutBody of %s keeps the head', async (_, body) => {
    const bare = withoutBody(make(body(), 201, { 'x-a': 'b' }))
    expect({ status: bare.status, 'x-a': bare.headers.get('x-a'), body: bare.body, text: await bare.text() }).toEqual({
      status: 201,
      'x-a': 'b',
      body: null,
      text: '',
    })
  })

  test('withoutBody after the stream was looked at', async () => {
    const response = make('x')
    expect(response.body).toBeInstanceOf(ReadableStream)
    expect(await withoutBody(response).text()).toBe('')
  })
})

describe('F1 adopt', () => {
  test('copies a frozen response, so that its fields can be edited', () => {
    const frozen = Response.redirect('http://localhost/', 303)
    const open = adopt(frozen)
    open.headers.set('x-a', 'b')
    expect({ status: open.status, location: open.headers.get('location'), 'x-a': open.headers.get('x-a') }).toEqual({
      status: 303,
      location: 'http://localhost/',
      'x-a': 'b',
    })
    expect(frozen.headers.has('x-a')).toBe(false)
  })

  test.each([
    ['without a body', () => new Response(null, { status: 204 })],
    ['that json() made', () => createResponse('{}', 'application/json')],
    ['of bytes', () => createResponse(new Uint8Array([1]), 'application/octet-stream')],
  ])('gives each request a copy of a response %s', async (_, make) => {
    const shared = make()
    for (const value of ['1', '2']) {
      const own = adopt(shared)
      own.headers.append('set-cookie', value)
      expect(own.headers.getSetCookie()).toEqual([value])
      expect(await own.text()).toBe(await make().text())
    }
    expect(shared.headers.getSetCookie()).toEqual([])
  })

  test('gives the stream to one request: the next cannot read it', async () => {
    const response = new Response('x')
    expect(await adopt(response).text()).toBe('x')
    await expect((async () => adopt(response).text())()).rejects.toThrow(TypeError)
  })
})

test.each([
  ['a pair without a value', [['a']]],
  ['a pair with a third member', [['a', 'b', 'c']]],
])('P30: %s in a list of fields is a TypeError', (_, pairs) => {
  expect(() => createResponse(null, undefined, 200, pairs as never)).toThrow(TypeError)
})

test.each(['status', 'statusText', 'ok', 'body', 'bodyUsed', 'headers'])('P30: %s cannot be assigned', (member) => {
  const response = createResponse('x', undefined)
  expect(() => {
    Object.assign(response, { [member]: 404 })
  }).toThrow(TypeError)
})

test('P30: a field that is deleted while they are walked through is not met, and gives no null', () => {
  const { headers } = createResponse(null, undefined, 200, { a: '1', b: '2', c: '3' })
  const seen: unknown[] = []
  for (const pair of headers) {
    seen.push(pair)
    headers.delete('b')
  }
  expect(seen).toEqual([
    ['a', '1'],
    ['c', '3'],
  ])
})
