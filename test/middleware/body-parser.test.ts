import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { validate } from '../../src/pipe/validate.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const MIB = 1_048_576

const post = (body: BodyInit | null, type?: string, headers: Record<string, string> = {}): Request =>
  new Request('http://localhost/', {
    method: 'POST',
    body,
    headers: { ...(type && { 'content-type': type }), ...headers },
    duplex: 'half',
  } as RequestInit)

/** A body that no Content-Length announces, in pieces; tells whether it was cancelled. */
const chunked = (pieces: readonly (string | Uint8Array)[], type: string, headers: Record<string, string> = {}) => {
  const cancelled = vi.fn()
  let index = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        const piece = pieces[index++]
        if (piece === undefined) controller.close()
        else controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  )
  return { request: post(body, type, headers), cancelled }
}

const form = (pairs: readonly (readonly [string, string | File])[]): FormData => {
  const data = new FormData()
  for (const [name, value] of pairs) data.append(name, value as File)
  return data
}

describe.each(doors)('%s', (_, door) => {
  /** The body as a handler sees it. */
  const read = async (request: Request, options?: Parameters<typeof bodyParser>[0]): Promise<unknown> => {
    let seen: unknown
    const fetch = door({
      use: [bodyParser(options)],
      routes: [
        [
          '*',
          '/',
          (ctx) => {
            seen = ctx.state.body
            return json('read')
          },
        ],
      ],
    })
    const response = await fetch(request)
    return response.status === 200 ? seen : { status: response.status, ...(await response.json()) }
  }

  const answer = async (request: Request, options?: Parameters<typeof bodyParser>[0]): Promise<Response> =>
    door({ use: [bodyParser(options)], routes: [['*', '/', (ctx) => json(ctx.state.body)]] })(request)

  describe('formats', () => {
    test.each<[string, Request, Parameters<typeof bodyParser>[0], unknown]>([
      ['MB2: JSON', post('{"a":[1,null]}', 'application/json'), {}, { a: [1, null] }],
      ['MB2: +json', post('{"a":1}', 'application/vnd.api+json; profile="x"'), {}, { a: 1 }],
      ['MB2: the type in any case', post('{"a":1}', 'Application/JSON;Charset=UTF-8'), {}, { a: 1 }],
      ['MB2: a byte order mark is dropped', post('\ufeff{"a":1}', 'application/json'), {}, { a: 1 }],
      [
        'MB2: a charset of JSON',
        post(new Uint8Array([0x22, 0xe4, 0x22]), 'application/json; charset=iso-8859-1'),
        {},
        'ä',
      ],
      [
        'MB2: UTF-16',
        post(new Uint8Array([0x22, 0, 0xe4, 0, 0x22, 0]), 'application/json; charset="utf-16le"'),
        {},
        'ä',
      ],
      ['MB2: any JSON value', post('null', 'application/json'), {}, null],
      [
        'MB2: urlencoded',
        post('a=1&b=x+y%21&c', 'application/x-www-form-urlencoded'),
        {},
        { a: '1', b: 'x y!', c: '' },
      ],
      [
        'MB8: repeated names are lists',
        post('a=1&a=2&a=3&b=4', 'application/x-www-form-urlencoded'),
        {},
        { a: ['1', '2', '3'], b: '4' },
      ],
      [
        'MB8: brackets nest nothing',
        post('a[b]=1&a[]=2', 'application/x-www-form-urlencoded'),
        {},
        { 'a[b]': '1', 'a[]': '2' },
      ],
      ['MB2: malformed escapes stay', post('a=%zz&b=%', 'application/x-www-form-urlencoded'), {}, { a: '%zz', b: '%' }],
      ['MB1: text is off', post('x', 'text/plain'), {}, undefined],
      ['MB2: text', post('grüße', 'text/plain'), { text: true }, 'grüße'],
      ['MB2: any text', post('<p>', 'text/html'), { text: true }, '<p>'],
      ['MB2: a charset of text', post(new Uint8Array([0xe4]), 'text/plain; charset=latin1'), { text: true }, 'ä'],
      [
        'MB2: a charset of a form: €, quotes, what has no letter, and what is beyond them',
        post(
          new Uint8Array([0x61, 0x3d, 0x80, 0x93, 0x81, 0x9f, 0xa0, 0xff]),
          'application/x-www-form-urlencoded; charset=windows-1252',
        ),
        {},
        { a: '€“\x81Ÿ\xA0ÿ' },
      ],
      ['MB1: raw is off', post('x', 'application/octet-stream'), {}, undefined],
      ['MB2: raw', post('x', 'application/octet-stream'), { raw: true }, new Uint8Array([120])],
      [
        'MB2: raw takes what no other format takes',
        post('{}', 'application/json'),
        { json: false, raw: true },
        new Uint8Array([123, 125]),
      ],
      ['MB2: raw without a type', post(new Uint8Array([1])), { raw: true }, new Uint8Array([1])],
      ['MB1: json can be off', post('{}', 'application/json'), { json: false }, undefined],
      ['MB1: form can be off', post('a=1', 'application/x-www-form-urlencoded'), { form: false }, undefined],
      ['MB3: no body', post(null), {}, undefined],
      ['MB5: an empty body of JSON is no error', post('', 'application/json'), {}, undefined],
      ['MB5: nor is one of white space', post(' \n', 'application/json'), {}, undefined],
      ['MB3: an empty form', post('', 'application/x-www-form-urlencoded'), {}, undefined],
      [
        'MB3: DELETE has a body',
        new Request('http://localhost/', {
          method: 'DELETE',
          body: '1',
          headers: { 'content-type': 'application/json' },
        }),
        {},
        1,
      ],
      [
        'MB3: GET has none',
        new Request('http://localhost/', { headers: { 'content-type': 'application/json' } }),
        {},
        undefined,
      ],
      ['MB2: two types are no type', post('{}', 'application/json, text/plain'), {}, undefined],
      [
        'MB2: a tab after the type: no type, to validate neither',
        post('{}', 'application/json\t; charset=utf-8'),
        {},
        undefined,
      ],
      ['MB2: a longer name is another type', post('{}', 'application/jsonp'), {}, undefined],
      ['MB2: text that is no text', post('x', 'textual/plain'), { text: true }, undefined],
    ])('%s', async (_, request, options, expected) => {
      expect(await read(request, options)).toEqual(expected)
    })

    test('MB9: multipart gives strings and files', async () => {
      const body = form([
        ['title', 'Grüße'],
        ['tag', 'a'],
        ['tag', 'b'],
        ['up', new File(['\x00\r\n--x'], 'a "b".bin', { type: 'image/png' })],
      ])
      const seen = (await read(post(body))) as Record<string, unknown>
      expect(seen).toMatchObject({ title: 'Grüße', tag: ['a', 'b'] })
      const file = seen.up as File
      expect({ name: file.name, type: file.type, text: await file.text() }).toEqual({
        name: 'a "b".bin',
        type: 'image/png',
        text: '\x00\r\n--x',
      })
    })

    test.each([
      ['../../etc/passwd', 'passwd'],
      ['C:\\dir\\a.txt', 'a.txt'],
      ['plain.txt', 'plain.txt'],
      ['a/', ''],
    ])('MB9: the name %j of a file is no path', async (name, expected) => {
      const seen = (await read(post(form([['f', new File(['x'], name)]])))) as { f: File }
      expect({ name: seen.f.name, text: await seen.f.text() }).toEqual({ name: expected, text: 'x' })
    })

    test.each([
      ['names without quotes, as .NET sends them', '', 'form-data; name=f; filename=x.txt', ''],
      ['filename* alone', '', "form-data; name=f; filename*=utf-8''x.txt", ''],
      ['filename* beside filename', '', `form-data; name="f"; filename="?"; filename*=utf-8''x.txt`, ''],
      ['a preamble', 'This is a form.\r\n', 'form-data; name="f"; filename="x.txt"', ''],
      ['an epilogue', '', 'form-data; name="f"; filename="x.txt"', '\r\nThat was a form.'],
      ['filename before name', '', 'form-data; filename="x.txt"; name="f"', ''],
      ['a path with backslashes', '', 'form-data; name="f"; filename="C:\\tmp\\x.txt"', ''],
    ])('P12: %s: ctx.state.body and ctx.formData() agree', async (_, before, disposition, after) => {
      const body = `${before}--b\r\ncontent-disposition: ${disposition}\r\n\r\n1\r\n--b--${after}`
      const seen: unknown[] = []
      const fetch = door({
        use: [bodyParser()],
        routes: [
          [
            'POST',
            '/',
            async (ctx) => {
              const file = (await ctx.formData()).get('f')
              seen.push(ctx.state.body.f.name, await ctx.state.body.f.text())
              seen.push(file.name.split('\\').at(-1), await file.text())
              return json('read')
            },
          ],
        ],
      })
      expect((await fetch(post(body, 'multipart/form-data; boundary=b'))).status).toBe(200)
      expect(seen).toEqual(['x.txt', '1', 'x.txt', '1'])
    })

    test('MB9: a file input that was left empty makes no member', async () => {
      const part = (header: string, text: string): string =>
        `--b\r\ncontent-disposition: form-data; ${header}\r\n\r\n${text}\r\n`
      const body = `${part('name="a"', '1')}${part('name="f"; filename=""\r\ncontent-type: application/octet-stream', '')}--b--\r\n`
      expect(await read(post(body, 'multipart/form-data; boundary=b'))).toEqual({ a: '1' })
    })
  })

  describe('prototypes', () => {
    const NASTY = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

    test.each([
      ['urlencoded', () => post(NASTY.map((key) => `${key}=polluted`).join('&'), 'application/x-www-form-urlencoded')],
      ['multipart', () => post(form(NASTY.map((key) => [key, 'polluted'])))],
    ])('MB8: such keys are plain data in %s', async (_, request) => {
      const seen = (await read(request())) as Record<string, unknown>
      expect(Object.keys(seen).sort()).toEqual([...NASTY].sort())
      for (const key of NASTY) expect(Object.getOwnPropertyDescriptor(seen, key)?.value).toBe('polluted')
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })

    test.each([
      ['plain', '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}},"b":[{"__proto__":1}]}'],
      [
        'with escapes',
        '{"\\u005f_proto__":{"polluted":1},"a":{"__prot\\u006f__":{"polluted":1}},"b":[{"\\u005F\\u005f\\u0070roto__":1}]}',
      ],
    ])('MB8: JSON loses the key __proto__, %s', async (_, body) => {
      const seen = (await read(post(body, 'application/json'))) as { a: object; polluted?: unknown }
      expect(JSON.stringify(seen)).toBe('{"a":{},"b":[{}]}')
      expect(Object.assign({}, seen).polluted).toBeUndefined()
      expect(Object.getPrototypeOf(seen)).toBe(Object.prototype)
    })

    test('MB8: constructor and prototype stay data in JSON', async () => {
      const body = '{"constructor":{"prototype":{"polluted":1}}}'
      expect(JSON.stringify(await read(post(body, 'application/json')))).toBe(body)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })
  })

  describe('limits', () => {
    const text = (size: number): string => `"${'x'.repeat(size - 2)}"`
    const tooLarge = { status: 413, error: 'Content Too Large' }
    const disposition = (name: string): string => `content-disposition: form-data; name="${name}"`
    /** A form of one part or two. */
    const parts = (content: string, first: string[] = [], second?: string[], boundary = 'b'): Request => {
      const written = [first, ...(second ? [second] : [])].map(
        (more) => `--b\r\n${[disposition('a'), ...more].join('\r\n')}\r\n\r\n${content}\r\n`,
      )
      return post(`${written.join('')}--b--\r\n`, `multipart/form-data; boundary=${boundary}`)
    }

    test.each<[string, () => Request, Parameters<typeof bodyParser>[0], boolean]>([
      ['L1: JSON of 1 MiB', () => post(text(MIB), 'application/json'), {}, true],
      ['L1: JSON of one byte more', () => post(text(MIB + 1), 'application/json'), {}, false],
      ['MB1: JSON of its limit', () => post(text(10), 'application/json'), { json: { limit: 10 } }, true],
      ['MB1: JSON of one byte more', () => post(text(11), 'application/json'), { json: { limit: 10 } }, false],
      ['MB1: a form of 1 MiB', () => post(`a=${'x'.repeat(MIB - 2)}`, 'application/x-www-form-urlencoded'), {}, true],
      [
        'MB1: a form of one byte more',
        () => post(`a=${'x'.repeat(MIB - 1)}`, 'application/x-www-form-urlencoded'),
        {},
        false,
      ],
      ['MB1: text of its limit', () => post('12345', 'text/plain'), { text: { limit: 5 } }, true],
      ['MB1: text of one byte more', () => post('123456', 'text/plain'), { text: { limit: 5 } }, false],
      ['MB1: bytes are counted, not characters', () => post('äää', 'text/plain'), { text: { limit: 5 } }, false],
      ['MB1: raw of its limit', () => post('12345', 'image/png'), { raw: { limit: 5 } }, true],
      ['MB1: raw of one byte more', () => post('123456', 'image/png'), { raw: { limit: 5 } }, false],
      ['MB11: 1000 pairs', () => post(`${'a=1&'.repeat(999)}a=1`, 'application/x-www-form-urlencoded'), {}, true],
      ['MB11: one pair more', () => post(`${'a=1&'.repeat(1000)}a=1`, 'application/x-www-form-urlencoded'), {}, false],
      [
        'MB11: its own limit of pairs',
        () => post('&&', 'application/x-www-form-urlencoded'),
        { form: { fields: 2 } },
        false,
      ],
      [
        'MB9: as many files as allowed',
        () =>
          post(
            form([
              ['a', new File(['x'], 'a')],
              ['b', new File(['x'], 'b')],
            ]),
          ),
        { form: { files: 2 } },
        true,
      ],
      [
        'MB9: one file more',
        () =>
          post(
            form([
              ['a', new File(['x'], 'a')],
              ['b', new File(['x'], 'b')],
            ]),
          ),
        { form: { files: 1 } },
        false,
      ],
      [
        'MB9: as many fields as allowed',
        () =>
          post(
            form([
              ['a', '1'],
              ['b', '2'],
              ['c', new File(['x'], 'c')],
            ]),
          ),
        { form: { fields: 2 } },
        true,
      ],
      [
        'MB9: one field more',
        () =>
          post(
            form([
              ['a', '1'],
              ['b', '2'],
            ]),
          ),
        { form: { fields: 1 } },
        false,
      ],
      ['MB9: a file of its size', () => post(form([['a', new File(['12345'], 'a')]])), { form: { fileSize: 5 } }, true],
      [
        'MB9: a file of one byte more',
        () => post(form([['a', new File(['123456'], 'a')]])),
        { form: { fileSize: 5 } },
        false,
      ],
      [
        'MB9: as many header fields of a part as allowed',
        () => parts('a', ['x: 1']),
        { form: { headerPairs: 2 } },
        true,
      ],
      ['MB9: one header field more', () => parts('a', ['x: 1', 'y: 1']), { form: { headerPairs: 2 } }, false],
      ['MB9: 20 header fields', () => parts('a', Array(19).fill('x: 1')), {}, true],
      ['MB9: 21 header fields', () => parts('a', Array(20).fill('x: 1')), {}, false],
      [
        'MB9: a header field more in the second part',
        () => parts('a', [], ['x: 1']),
        { form: { headerPairs: 1 } },
        false,
      ],
      [
        'MB9: lines of the content are no header',
        () => parts('a\r\nc\r\n\r\nd\r\ne'),
        { form: { headerPairs: 1 } },
        true,
      ],
      ['MB9: a header of its size', () => parts('a'), { form: { headerSize: 40 } }, true],
      ['MB9: a header of one byte more', () => parts('a'), { form: { headerSize: 39 } }, false],
      ['MB9: a field of its size', () => parts('ää'), { form: { fieldSize: 4 } }, true],
      ['MB9: a field of one byte more', () => parts('ää!'), { form: { fieldSize: 4 } }, false],
      [
        'MB9: nought of a limit that no part comes to',
        () => post(form([])),
        { form: { headerPairs: 0, fields: 0 } },
        true,
      ],
      [
        'MB9: a boundary in quotes',
        () => parts('a', ['x: 1', 'y: 1'], undefined, '"b"'),
        { form: { headerPairs: 2 } },
        false,
      ],
    ])('%s', async (_, request, options, passes) => {
      const seen = await read(request(), options)
      if (passes) expect(seen).not.toHaveProperty('status')
      else expect(seen).toEqual(tooLarge)
    })

    test('MB9: a boundary that hides behind another parameter does not get past the limits', async () => {
      const body = `--b\r\n${disposition('a')}${'\r\nx: 1'.repeat(30)}\r\n\r\n1\r\n--b--\r\n`
      for (const type of [
        'boundary=other; boundary=b',
        'x="; boundary=other"; boundary=b',
        'x=";boundary=other;boundary=b"',
      ])
        expect(((await read(post(body, `multipart/form-data; ${type}`))) as { status: number }).status).toBeOneOf([
          400, 413,
        ])
    })

    test('MB4: onError sees the status on what the body parser throws, too', async () => {
      const seen: unknown[] = []
      const fetch = door({
        use: [bodyParser({ json: { limit: 5 }, strict: true })],
        routes: [['POST', '/', () => json(null)]],
        onError: (error: any) => {
          seen.push(error.status)
          return json(null)
        },
      })
      await fetch(post('"123456"', 'application/json'))
      await fetch(post('{', 'application/json'))
      await fetch(post('x', 'text/plain'))
      expect(seen).toEqual([413, 400, 415])
    })

    test('MB4: an announced length over the limit is refused before a byte is read', async () => {
      const { request } = chunked(['{}'], 'application/json', { 'content-length': String(MIB + 1) })
      const reads = vi.spyOn(request.body!, 'getReader')
      expect(await read(request)).toEqual(tooLarge)
      expect(reads).not.toHaveBeenCalled()
    })

    test.each([
      ['without a length', {}],
      ['that lies about its length', { 'content-length': '2' }],
      ['with a length that is no number', { 'content-length': 'ten' }],
    ])('MB4: a body %s is counted while it is read, and cancelled', async (_, headers) => {
      const endless = Array.from({ length: 1000 }, () => 'x'.repeat(100))
      const { request, cancelled } = chunked(['"', ...endless], 'application/json', headers)
      expect(await read(request, { json: { limit: 1000 } })).toEqual(tooLarge)
      expect(cancelled).toHaveBeenCalledOnce()
    })

    test('MB4: a chunked body within the limit is read', async () => {
      expect(await read(chunked(['{"a"', ':1', '}'], 'application/json').request)).toEqual({ a: 1 })
    })

    test.each([
      ['lists', '['.repeat(101) + ']'.repeat(101)],
      ['records', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
      ['half a million lists', '['.repeat(500_000) + ']'.repeat(500_000)],
    ])('MB5: %s nested too deeply are refused', async (_, body) => {
      expect(await read(post(body, 'application/json'))).toEqual({ status: 400, error: 'JSON is nested too deeply' })
    })

    test.each<[number, object]>([
      [100, {}],
      [3, { json: { depth: 3 } }],
    ])('MB5: %i levels pass', async (depth, options) => {
      const body = `${'['.repeat(depth)}${']'.repeat(depth)}`
      expect(JSON.stringify(await read(post(body, 'application/json'), options))).toBe(body)
    })

    test('MB5: brackets in strings do not count', async () => {
      const body = JSON.stringify({ a: '[{'.repeat(500), b: '\\"[' })
      expect(JSON.stringify(await read(post(body, 'application/json')))).toBe(body)
    })
  })

  describe('errors', () => {
    test.each<[string, Request, object]>([
      ['MB5: invalid JSON', post('{"a":secret}', 'application/json'), { status: 400, error: 'Invalid JSON' }],
      ['MB5: JSON cut off', post('{"a":', 'application/json'), { status: 400, error: 'Invalid JSON' }],
      [
        'MB5: deep brackets that are no JSON',
        post('['.repeat(100_000), 'application/json'),
        { status: 400, error: 'Invalid JSON' },
      ],
      ['MB5: multipart without a boundary', post('x', 'multipart/form-data'), { status: 400, error: 'Invalid form' }],
      [
        'MB5: multipart cut off',
        post('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx', 'multipart/form-data; boundary=b'),
        { status: 400, error: 'Invalid form' },
      ],
      [
        'MB5: invalid multipart',
        post('hello', 'multipart/form-data; boundary=b'),
        { status: 400, error: 'Invalid form' },
      ],
      [
        'MB2: an unknown charset',
        post('{}', 'application/json; charset=klingon'),
        { status: 415, error: 'Unsupported charset' },
      ],
      [
        'MB7: a coding',
        post(gzipSync('{}'), 'application/json', { 'content-encoding': 'gzip' }),
        { status: 415, error: 'Unsupported Media Type' },
      ],
    ])('%s', async (_, request, expected) => {
      expect(await read(request)).toEqual(expected)
    })

    test('MB6: what the handler throws is not taken for a bad body', async () => {
      const seen: unknown[] = []
      const secret = new Error('db secret')
      const fetch = door({
        use: [bodyParser()],
        routes: [
          [
            'POST',
            '/',
            () => {
              throw secret
            },
          ],
        ],
        onError: (error) => {
          seen.push(error)
          return json({ error: 'mine' }, 503)
        },
      })
      const response = await fetch(post('{}', 'application/json'))
      expect({ status: response.status, json: await response.json(), seen }).toEqual({
        status: 503,
        json: { error: 'mine' },
        seen: [secret],
      })
    })

    test.each<[string, Request, number, string | null]>([
      [
        'an unknown type',
        post('x', 'image/png'),
        415,
        'application/json, application/x-www-form-urlencoded, multipart/form-data',
      ],
      [
        'no type',
        post(new Uint8Array([1])),
        415,
        'application/json, application/x-www-form-urlencoded, multipart/form-data',
      ],
      ['no body', post(null), 200, null],
      ['an empty body of an unknown type', post('', 'image/png'), 200, null],
      ['a known type', post('{}', 'application/json'), 200, null],
      ['GET', new Request('http://localhost/', { headers: { 'content-type': 'image/png' } }), 200, null],
    ])('MB7: strict answers %s', async (_, request, status, accept) => {
      const response = await answer(request, { strict: true })
      expect({ status: response.status, accept: response.headers.get('accept') }).toEqual({ status, accept })
    })

    test('MB7: without strict an unknown type is left to the handler', async () => {
      const fetch = door({
        use: [bodyParser()],
        routes: [['POST', '/', async (ctx) => json({ body: ctx.state.body ?? null, text: await ctx.text() })]],
      })
      expect(await (await fetch(post('x', 'image/png'))).json()).toEqual({ body: null, text: 'x' })
    })
  })

  describe('codings', () => {
    const coded = (body: Buffer, coding: string, type = 'application/json'): Request =>
      post(new Uint8Array(body), type, { 'content-encoding': coding })

    test.each<[string, Request, unknown]>([
      ['gzip', coded(gzipSync('{"a":1}'), 'gzip'), { a: 1 }],
      ['deflate', coded(deflateSync('{"a":1}'), 'Deflate'), { a: 1 }],
      ['identity', coded(Buffer.from('{"a":1}'), 'identity'), { a: 1 }],
      ['a form', coded(gzipSync('a=1'), 'gzip', 'application/x-www-form-urlencoded'), { a: '1' }],
      ['brotli is refused', coded(brotliCompressSync('{}'), 'br'), { status: 415, error: 'Unsupported Media Type' }],
      [
        'two codings are refused',
        coded(gzipSync(gzipSync('{}')), 'gzip, gzip'),
        { status: 415, error: 'Unsupported Media Type' },
      ],
      [
        'a name of Object.prototype is refused',
        coded(gzipSync('{}'), 'constructor'),
        { status: 415, error: 'Unsupported Media Type' },
      ],
      ['bytes that are no gzip', coded(Buffer.from('hello'), 'gzip'), { status: 400, error: 'Invalid body' }],
      [
        'gzip cut off',
        coded(gzipSync('x'.repeat(1000)).subarray(0, 15), 'gzip'),
        { status: 400, error: 'Invalid body' },
      ],
      ['a bomb', coded(gzipSync(Buffer.alloc(32 * MIB)), 'gzip'), { status: 413, error: 'Content Too Large' }],
      ['coded bytes over the limit', coded(Buffer.alloc(MIB + 1), 'gzip'), { status: 413, error: 'Content Too Large' }],
    ])('MB7: inflate: %s', async (_, request, expected) => {
      expect(await read(request, { inflate: true })).toEqual(expected)
    })

    test('MB7: a bomb of 32 MiB is inflated up to the limit of 10 MiB and little further', async () => {
      const bomb = gzipSync(Buffer.alloc(32 * MIB))
      let inflated = 0
      const Original = DecompressionStream
      class Counted {
        readonly writable
        readonly readable
        constructor(coding: CompressionFormat) {
          const { writable, readable } = new Original(coding)
          const count = new TransformStream<Uint8Array, Uint8Array>({
            transform(bytes, controller) {
              inflated += bytes.byteLength
              controller.enqueue(bytes)
            },
          })
          this.writable = writable
          this.readable = readable.pipeThrough(count)
        }
      }
      vi.stubGlobal('DecompressionStream', Counted)
      const answer = await read(coded(bomb, 'gzip'), { inflate: true, json: { limit: 10 * MIB } })
      vi.unstubAllGlobals()
      expect(answer).toEqual({ status: 413, error: 'Content Too Large' })
      expect(inflated).toBeGreaterThan(10 * MIB)
      expect(inflated).toBeLessThan(12 * MIB)
    })

    test.each([
      ['refused', {}, 'identity'],
      ['unknown', { inflate: true }, 'gzip, deflate'],
    ])('MB7: the answer to a coding that is %s names what is accepted', async (_, options, accepted) => {
      const response = await answer(coded(Buffer.from('x'), 'br'), options)
      expect(response.headers.get('accept-encoding')).toBe(accepted)
    })

    test.each(['gzip', 'identity'])(
      'MB7: after %s, the signal and the data of the platform are there',
      async (coding) => {
        const controller = new AbortController()
        const cf = { clientIp: '192.0.2.1:80' }
        const body = coding === 'gzip' ? gzipSync('{"a":1}') : '{"a":1}'
        const headers = { 'content-type': 'application/json', 'content-encoding': coding }
        const given = new Request('http://localhost/', { method: 'POST', body, headers, signal: controller.signal })
        Object.defineProperty(given, 'cf', { value: cf })
        let seen: unknown
        const fetch = door({
          use: [bodyParser({ inflate: true })],
          routes: [
            [
              'POST',
              '/',
              async (ctx) => {
                const { signal, cf } = ctx.request
                const before = signal.aborted
                controller.abort(new Error('left'))
                const { aborted, reason } = ctx.request.signal
                seen = { body: ctx.state.body, cf, before, aborted, reason: reason?.message }
                return json({})
              },
            ],
          ],
        })
        await fetch(given)
        expect(seen).toEqual({ body: { a: 1 }, cf, before: false, aborted: true, reason: 'left' })
      },
    )

    test('X12: the plain body can be read again after inflating', async () => {
      const fetch = door({
        use: [bodyParser({ inflate: true })],
        routes: [
          [
            'POST',
            '/',
            async (ctx) =>
              json({
                json: await ctx.json(),
                requestJson: await ctx.request.json(),
                text: await ctx.text(),
                coding: ctx.request.headers.get('content-encoding'),
              }),
          ],
        ],
      })
      expect(await (await fetch(coded(gzipSync('{"a":1}'), 'gzip'))).json()).toEqual({
        json: { a: 1 },
        requestJson: { a: 1 },
        text: '{"a":1}',
        coding: null,
      })
    })
  })

  describe('reading again', () => {
    test('X11, X12, MB10: every way of reading works after the parser, any number of times', async () => {
      const fetch = door({
        use: [bodyParser()],
        routes: [
          [
            'POST',
            '/',
            async (ctx) => {
              return json({
                parsed: ctx.state.body,
                json: await ctx.json(),
                jsonAgain: await ctx.json(),
                requestJson: await ctx.request.json(),
                text: await ctx.text(),
                requestText: await ctx.request.text(),
                buffer: (await ctx.arrayBuffer()).byteLength,
                requestBuffer: (await ctx.request.arrayBuffer()).byteLength,
                blob: (await ctx.blob()).size,
                requestBlob: (await ctx.request.blob()).size,
              })
            },
          ],
        ],
      })
      const a = { a: 1 }
      expect(await (await fetch(post('{"a":1}', 'application/json'))).json()).toEqual({
        parsed: a,
        json: a,
        jsonAgain: a,
        requestJson: a,
        text: '{"a":1}',
        requestText: '{"a":1}',
        buffer: 7,
        requestBuffer: 7,
        blob: 7,
        requestBlob: 7,
      })
    })

    test('X11: form data after the parser', async () => {
      const fetch = door({
        use: [bodyParser()],
        routes: [
          [
            'POST',
            '/',
            async (ctx) =>
              json({
                ctx: (await ctx.formData()).get('a'),
                request: (await ctx.request.formData()).get('a'),
                parsed: ctx.state.body.a,
              }),
          ],
        ],
      })
      expect(await (await fetch(post(form([['a', '1']])))).json()).toEqual({ ctx: '1', request: '1', parsed: '1' })
      expect(await (await fetch(post('a=1', 'application/x-www-form-urlencoded'))).json()).toEqual({
        ctx: '1',
        request: '1',
        parsed: '1',
      })
    })

    test('X13: validate looks at the parsed body', async () => {
      const fetch = door({
        use: [bodyParser()],
        routes: [
          [
            'POST',
            '/',
            async (ctx) =>
              json(
                await validate(ctx, {
                  safeParse: (data: unknown) => ({ success: true, data: { data, isBody: data === ctx.state.body } }),
                }),
              ),
          ],
        ],
      })
      expect(await (await fetch(post('{"a":1}', 'application/json'))).json()).toEqual({ data: { a: 1 }, isBody: true })
    })
  })
})

describe('options', () => {
  test.each<[string, object, string]>([
    ['json', { json: { limit: -1 } }, 'bodyParser: json: limit: expected a whole number of bytes from 0, got -1'],
    ['json', { json: { limit: '1mb' } }, 'bodyParser: json: limit: expected a whole number of bytes from 0, got "1mb"'],
    [
      'json',
      { json: { depth: Number.NaN } },
      'bodyParser: json: depth: expected a whole number of levels from 0, got NaN',
    ],
    ['form', { form: { files: 1.5 } }, 'bodyParser: form: files: expected a whole number of files from 0, got 1.5'],
    [
      'text',
      { text: { limit: Number.POSITIVE_INFINITY } },
      'bodyParser: text: limit: expected a whole number of bytes from 0, got Infinity',
    ],
    ['raw', { raw: { limit: null } }, 'bodyParser: raw: limit: expected a whole number of bytes from 0, got null'],
  ])('a bad limit of %s is refused when made', (_, options, message) => {
    expect(() => bodyParser(options)).toThrow(new TypeError(message))
  })

  test('the function carries the name of the middleware', () => {
    expect(bodyParser().name).toBe('bodyParser')
  })
})
