import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compression } from '../../src/middleware/compression.ts'
import { type PrettyJsonOptions, prettyJson } from '../../src/middleware/pretty-json.ts'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'

const streamed = (...parts: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  )

describe.each(doors)('MX8: prettyJson through %s', (_, door) => {
  const ask = async (path: string, answer: () => any, options: PrettyJsonOptions = {}) => {
    const fetch = door({ use: [prettyJson(options)], routes: [['GET', '/', answer]] })
    return fetch(path)
  }
  const value = { a: [1, {}], b: '{"x": [1]}' }
  const pretty = '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "{\\"x\\": [1]}"\n}\n'

  test.each<[string, string, () => any, PrettyJsonOptions, string]>([
    ['asked', '/?pretty', () => json(value), {}, pretty],
    ['asked with a value', '/?pretty=1', () => json(value), {}, pretty],
    ['not asked', '/', () => json(value), {}, JSON.stringify(value)],
    ['asked not to, in one character', '/?pretty=0', () => json(value), {}, JSON.stringify(value)],
    ...['text/application/json', 'application/x+y', 'application/*+json', 'application/+json', 'application/jsonl'].map(
      (type): [string, string, () => any, PrettyJsonOptions, string] => [
        type,
        '/?pretty',
        () => new Response('[1]', { headers: { 'content-type': type } }),
        {},
        '[1]',
      ],
    ),
    [
      'upper case',
      '/?pretty',
      () => new Response('[1]', { headers: { 'content-type': 'Application/Vnd.a-b.c+JSON ; x=1' } }),
      {},
      '[\n  1\n]\n',
    ],
    ['bytes without a type', '/?pretty', () => new Response(new TextEncoder().encode('[1]')), {}, '[1]'],
    ['a coding', '/?pretty', () => json([1], 200, { 'content-encoding': 'gzip' }), {}, '[1]'],
    ['no body', '/?pretty', () => new Response(null, { headers: { 'content-type': 'application/json' } }), {}, ''],
    ['1 MiB', '/?pretty', () => json(['x'.repeat(1_048_572)]), {}, `[\n  "${'x'.repeat(1_048_572)}"\n]\n`],
    ['1 MiB and a byte', '/?pretty', () => json(['x'.repeat(1_048_573)]), {}, `["${'x'.repeat(1_048_573)}"]`],
    ['asked not to', '/?pretty=false', () => json(value), {}, JSON.stringify(value)],
    ['always', '/', () => json(value), { force: true }, pretty],
    ['another name and width', '/?p', () => json([1]), { query: 'p', space: 4 }, '[\n    1\n]\n'],
    [
      'problem+json',
      '/?pretty',
      () => new Response('[1]', { headers: { 'content-type': 'application/problem+json' } }),
      {},
      '[\n  1\n]\n',
    ],
    [
      'a type with two suffixes',
      '/?pretty',
      () => new Response('[1]', { headers: { 'content-type': 'application/a+b+json' } }),
      {},
      '[\n  1\n]\n',
    ],
    ['a stream', '/?pretty', () => streamed('[1,', '2]'), {}, '[\n  1,\n  2\n]\n'],
    ['text', '/?pretty', () => text('[1]'), {}, '[1]'],
    ['HTML', '/?pretty', () => html('[1]'), {}, '[1]'],
    ['a body that is not JSON', '/?pretty', () => streamed('[1,'), {}, '[1,'],
    ['as long as the limit', '/?pretty', () => json([12]), { limit: 4 }, '[\n  12\n]\n'],
    ['one byte longer', '/?pretty', () => json([123]), { limit: 4 }, '[123]'],
    ['a long stream', '/?pretty', () => streamed('[1', '23', ']'), { limit: 4 }, '[123]'],
  ])('MX8: %s', async (_, path, answer, options, expected) => {
    expect(await (await ask(path, answer, options)).text()).toBe(expected)
  })

  test.each<[string, string, PrettyJsonOptions]>([
    ['is not JSON', '[1,', {}],
    ['is too long', '[1,2,3]', { limit: 4 }],
  ])('MX8: a body that %s keeps its length and its strong tag', async (_, body, options) => {
    const headers = { 'content-type': 'application/json', etag: '"x"', 'content-length': `${body.length}` }
    const response = await ask('/?pretty', () => new Response(body, { headers }), options)
    expect({ etag: response.headers.get('etag'), 'content-length': response.headers.get('content-length') }).toEqual({
      etag: '"x"',
      'content-length': `${body.length}`,
    })
  })

  test('MX8: status and fields stay; length and a strong tag do not, a weak one does', async () => {
    const answer = (etag: string) => () => json([1], 201, { etag, 'x-a': 'b', 'content-length': '3' })
    const strong = await ask('/?pretty', answer('"x"'))
    expect({
      status: strong.status,
      'x-a': strong.headers.get('x-a'),
      etag: strong.headers.get('etag'),
      'content-length': strong.headers.get('content-length'),
    }).toEqual({ status: 201, 'x-a': 'b', etag: null, 'content-length': null })
    expect((await ask('/?pretty', answer('W/"x"'))).headers.get('etag')).toBe('W/"x"')
    expect(strong.headers.get('content-type')).toBe('application/json')
    const problem = () =>
      new Response('[1]', {
        status: 418,
        statusText: 'Teapot',
        headers: { 'content-type': 'application/problem+json' },
      })
    const { statusText, headers } = await ask('/?pretty', problem)
    expect({ statusText, 'content-type': headers.get('content-type') }).toEqual({
      statusText: 'Teapot',
      'content-type': 'application/problem+json',
    })
  })

  const described = { 'content-type': 'application/json', 'content-length': '3', etag: '"x"', 'accept-ranges': 'bytes' }

  test.each([
    ['HEAD of a response without a body', 'HEAD', ''],
    ['GET', 'GET', '[\n  1\n]\n'],
  ])('MX8: %s has no length, no strong tag and no ranges', async (_, method, body) => {
    const answer = () => new Response(body ? '[1]' : null, { headers: described })
    const fetch = door({ use: [prettyJson()], routes: [[method, '/', answer]] })
    const response = await fetch(new Request('http://localhost/?pretty', { method }))
    const { headers } = response
    const left = ['content-length', 'etag', 'accept-ranges'].filter((name) => headers.has(name))
    expect({ left, body: await response.text() }).toEqual({ left: [], body })
  })

  test('MX8: HEAD of what is larger than the limit keeps its headers, as GET does', async () => {
    const fetch = door({
      use: [prettyJson({ limit: 2 })],
      routes: [['HEAD', '/', () => new Response(null, { headers: described })]],
    })
    const { headers } = await fetch(new Request('http://localhost/?pretty', { method: 'HEAD' }))
    expect(Object.fromEntries(headers)).toEqual(described)
  })

  test('MX8: a part of a file stays as it is, even if it is JSON by itself', async () => {
    const headers = { ...described, 'content-length': '1', 'content-range': 'bytes 1-1/3' }
    const response = await ask('/?pretty', () => new Response('1', { status: 206, headers }))
    expect({ headers: Object.fromEntries(response.headers), body: await response.text() }).toEqual({
      headers,
      body: '1',
    })
  })

  test('MX8: a stream that is not ready at once is sent as it comes, and not changed', async () => {
    let more!: (text: string) => void
    let end!: () => void
    const body = new ReadableStream({
      start(controller) {
        more = (text) => controller.enqueue(new TextEncoder().encode(text))
        end = () => controller.close()
      },
    })
    more('[1,')
    const response = await ask(
      '/?pretty',
      () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    )
    more('2]')
    end()
    expect(await response.text()).toBe('[1,2]')
  })

  test('MX8: with compression in front, the indented text is compressed', async () => {
    const words = Array.from({ length: 200 }, () => 'some text')
    const fetch = door({ use: [compression(), prettyJson()], routes: [['GET', '/', () => json(words)]] })
    const response = await fetch(new Request('http://localhost/?pretty', { headers: { 'accept-encoding': 'gzip' } }))
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const plain = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
    expect(plain).toBe(`${JSON.stringify(words, null, 2)}\n`)
  })

  test('MX8: an answer that is compressed already passes as it is', async () => {
    const large = json(Array.from({ length: 2000 }, () => 'some text'))
    const fetch = door({ use: [prettyJson(), compression()], routes: [['GET', '/', () => large]] })
    const response = await fetch(new Request('http://localhost/?pretty', { headers: { 'accept-encoding': 'gzip' } }))
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(1000)
  })

  test('MX8: a refusal is indented too', async () => {
    expect(await (await ask('/none?pretty', () => text('x'))).text()).toBe('{\n  "error": "Not Found"\n}\n')
  })
})

const indented = async (text: string, space: number) => {
  const answer = () => new Response(text, { headers: { 'content-type': 'application/json' } })
  const fetch = doors[0]![1]({
    use: [prettyJson({ force: true, space, limit: 10_000_000 })],
    routes: [['GET', '/', answer]],
  })
  return (await fetch('/')).text()
}

test('MX8: it reads as JSON.stringify writes it', async () => {
  const property = fc.asyncProperty(fc.json(), async (text) => {
    expect(await indented(text, 2)).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  })
  await fc.assert(property, { numRuns: runs(2000) })
})

test('MX8: linear', () =>
  expectLinear(
    200_000,
    (size) => `[${'"\\\\",'.repeat(size)}1]`,
    (wide) => indented(wide, 2),
  ))

test.each<[string, any, RegExp]>([
  ['no spaces', { space: 0 }, /^prettyJson: space: expected a whole number of spaces from 1, got 0$/],
  ['a limit in words', { limit: '1 MB' }, /^prettyJson: limit: expected a whole number of bytes from 0, got "1 MB"$/],
  ['eleven spaces', { space: 11 }, /^prettyJson: space: expected at most 10 spaces, got 11$/],
  ['a parameter that is no name', { query: 7 }, /^prettyJson: query: expected a string, got 7$/],
  ['a force that is no boolean', { force: 'yes' }, /^prettyJson: force: expected a boolean, got "yes"$/],
  ['a limit', { limit: -1 }, /^prettyJson: limit: /],
  ['an unknown option', { spaces: 2 }, /^prettyJson: spaces: unknown option, did you mean "space"/],
])('MX8: refuses %s', (_, options, message) => {
  expect(() => prettyJson({ space: 10 })).not.toThrow()
  expect(() => prettyJson(options)).toThrow(message)
})

describe('MX8: a text that would become many times as long is not indented', () => {
  const nested = (depth: number, inside: string): string => '['.repeat(depth) + inside + ']'.repeat(depth)
  const ones = (count: number): string => Array(count).fill(1).join()

  test.each([
    ['numbers in a hundred lists', nested(100, ones(100_000)), 2],
    ['the same with the widest indentation', nested(100, ones(100_000)), 10],
    ['lists that no stack holds', nested(200_000, '1'), 1],
    ['empty lists in fifty objects', '{"a":'.repeat(50) + nested(1, `${'[],'.repeat(50_000)}[]`) + '}'.repeat(50), 10],
  ])('%s', async (_, text, space) => {
    expect(await indented(text, space)).toBe(text)
  })

  test.each([
    ['short, however deep', nested(100, '1'), 10],
    ['coordinates of a map', JSON.stringify({ a: [{ b: { c: [Array(20_000).fill([1.5, 2.5])] } }] }), 2],
    ['numbers in ten lists', nested(10, ones(20_000)), 2],
    ['many records', JSON.stringify(Array(5_000).fill({ a: 1, b: { c: [1, 2, 3] } })), 10],
  ])('what people send is: %s', async (_, text, space) => {
    expect(await indented(text, space)).toBe(`${JSON.stringify(JSON.parse(text), null, space)}\n`)
  })
})
