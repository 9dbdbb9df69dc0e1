import { connect as connectHttp2 } from 'node:http2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { text } from '../../src/respond/text.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import { kinds, listen, parse, request, within } from './wire.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const ERROR = '{"error":"Internal Server Error"}'
const three = (): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (const letter of 'abc') controller.enqueue(new TextEncoder().encode(letter))
      controller.close()
    },
  })

/** Read once, and leave the rest. */
const partly = async (response: Response): Promise<Response> => {
  const reader = response.body!.getReader()
  await reader.read()
  reader.releaseLock()
  return response
}

const wholly = async (response: Response): Promise<Response> => {
  await response.text()
  return response
}

const locked = (response: Response): Response => {
  response.body!.getReader()
  return response
}

const answers: [name: string, answer: () => Response | Promise<Response>][] = [
  ['a text partly read', () => partly(text('abc'))],
  ["a platform's text partly read", () => partly(new Response('abc'))],
  ["a platform's stream partly read", () => partly(new Response(three()))],
  ["a platform's stream read to its end", () => wholly(new Response(three()))],
  ["a platform's stream that somebody else reads", () => locked(new Response(three()))],
  ['a text that other code reads', () => locked(text('abc'))],
]

describe.each(kinds)('F17: on %s', (_, options, openTo) => {
  test.each(answers)('%s is a 500, not an answer that looks whole', async (_, answer) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await using handle = await listen({ '/': answer }, options)
    const wire = await openTo(handle.port!)
    wire.write(request('/'))
    expect(parse(await wire.closed())).toMatchObject({ status: 500, body: ERROR })
    expect(log).toHaveBeenCalledOnce()
  })

  test.each<[string, () => Response]>([
    ['value', () => Object.defineProperty(new Response('secret'), 'headers', { value: [['x-a', 'a\r\nb']] })],
    ['name', () => Object.defineProperty(new Response('secret'), 'headers', { value: [['x a', 'b']] })],
    ['status text', () => Object.defineProperty(text('secret'), 'statusText', { value: 'a\r\nb' })],
    ['status', () => Object.defineProperty(text('secret'), 'status', { value: 1_000 })],
  ])('a %s that cannot be sent is a 500 that says so, and the connection lives', async (_, answer) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await using handle = await listen({ '/bad': answer, '/good': () => text('ok') }, options)
    const wire = await openTo(handle.port!)
    wire.write('GET /bad HTTP/1.1\r\nHost: a\r\n\r\n')
    const first = parse(await wire.until((text) => text.includes('}')))
    expect(first).toMatchObject({ status: 500, body: ERROR })
    expect(first.lines.join('\n')).toMatch(/content-type: application\/json/i)
    wire.write(request('/good'))
    expect(await wire.closed()).toMatch(/\r\n\r\nok$/)
  })

  test.each<[string, () => any]>([
    [
      'throws',
      () => {
        throw new Error('fetch')
      },
    ],
    ['rejects', () => Promise.reject(new Error('fetch'))],
    ['rejects with nothing', () => Promise.reject()],
    ['gives nothing', () => undefined],
    ['gives a promise of nothing', () => Promise.resolve()],
    ['gives a text', () => 'text'],
    ['gives an object', () => ({ status: 200 })],
  ])('a fetch that %s is a 500, reported once, and the server lives', async (_, fetch) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    let ask = 0
    await using handle = await serve(() => (ask++ ? text('ok') : fetch()), {
      port: 0,
      hostname: '127.0.0.1',
      graceMs: 200,
      ...options,
    })
    for (const expected of [
      { status: 500, body: ERROR },
      { status: 200, body: 'ok' },
    ]) {
      const wire = await openTo(handle.port!)
      wire.write(request('/'))
      expect(parse(await wire.closed())).toMatchObject(expected)
    }
    expect(log).toHaveBeenCalledOnce()
  })
})

test('F17: over HTTP/2 a field that cannot be sent is a 500 with a body, without the fields of the answer', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const bad = () =>
    Object.defineProperty(new Response('secret'), 'headers', {
      value: [
        ['set-cookie', 'a=1'],
        ['content-length', '6'],
        ['x y', '1'],
      ],
    })
  await using handle = await serve(() => bad(), { port: 0, hostname: '127.0.0.1', graceMs: 200, ...kinds[2]![1] })
  const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
  const asked = session.request({ ':path': '/' }).setEncoding('utf8')
  let fields: any
  let body = ''
  asked.on('response', (got) => {
    fields = got
  })
  asked.on('data', (chunk: string) => {
    body += chunk
  })
  await within(15_000, new Promise((resolve) => asked.on('error', () => {}).on('close', resolve)), 'the end')
  session.destroy()
  expect(body).toBe(ERROR)
  expect({
    ':status': fields[':status'],
    'set-cookie': fields['set-cookie'],
    'content-type': fields['content-type'],
  }).toEqual({ ':status': 500, 'set-cookie': undefined, 'content-type': 'application/json' })
})

test('over HTTP/2 the values of one name are joined, which Node refuses as a list, except cookies', async () => {
  const listed = () => {
    const response = text('x')
    for (const language of ['de', 'en']) response.headers.append('content-language', language)
    for (const cookie of ['a=1', 'b=2', 'c=3']) response.headers.append('set-cookie', cookie)
    return response
  }
  await using handle = await serve(listed, { port: 0, hostname: '127.0.0.1', graceMs: 200, ...kinds[2]![1] })
  const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
  const asked = session.request({ ':path': '/' })
  const fields = await within(15_000, new Promise<any>((resolve) => asked.on('response', resolve)), 'the response')
  session.destroy()
  expect({
    ':status': fields[':status'],
    'content-language': fields['content-language'],
    'set-cookie': fields['set-cookie'],
  }).toEqual({ ':status': 200, 'content-language': 'de, en', 'set-cookie': ['a=1', 'b=2', 'c=3'] })
})
