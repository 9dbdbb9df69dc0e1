import { describe, expect, test } from 'vitest'
import { bodyLimit } from '../../src/middleware/body-limit.ts'
import { readJson } from '../../src/read/json.ts'
import { readText } from '../../src/read/text.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

const drain = async (stream: ReadableStream<Uint8Array> | null): Promise<string> => {
  let size = 0
  for await (const chunk of stream ?? []) size += chunk.byteLength
  return `${size}`
}

const readers: readonly (readonly [string, (ctx: any) => Promise<string>])[] = [
  ['the stream', (ctx) => drain(ctx.request.body)],
  ['the stream of a clone', (ctx) => drain(ctx.request.clone().body)],
  ['readText', async (ctx) => `${(await readText(ctx)).length}`],
  ['request.text()', async (ctx) => `${(await ctx.request.text()).length}`],
  ['request.arrayBuffer()', async (ctx) => `${(await ctx.request.arrayBuffer()).byteLength}`],
  ['the text of a clone', async (ctx) => `${(await ctx.request.clone().text()).length}`],
  [
    'the text, after somebody looked whether there is a body',
    async (ctx) => `${ctx.request.body ? (await readText(ctx)).length : 0}`,
  ],
]

/** A body in pieces, whose length nobody says. */
const pieces = (...sizes: number[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(120))
      controller.close()
    },
  })
const post = (body: BodyInit, headers: Record<string, string> = {}, path = '/') =>
  new Request(`http://localhost${path}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

describe.each(doors)('MX6: bodyLimit through %s', (_, door) => {
  describe.each(readers)('%s', (_, read) => {
    const fetch = door({ use: [bodyLimit(10)], routes: [['POST', '/', async (ctx) => text(await read(ctx))]] })

    test.each([
      ['as many bytes as allowed', [4, 6], 200, '10'],
      ['one byte more', [4, 7], 413, '{"error":"Content Too Large"}'],
      ['one byte more in one piece', [11], 413, '{"error":"Content Too Large"}'],
    ])('MX6: %s', async (_, sizes, status, body) => {
      const response = await fetch(post(pieces(...sizes)))
      expect({ status: response.status, text: await response.text() }).toEqual({ status, text: body })
    })
  })

  test('MX6: by Content-Length the handler does not run', async () => {
    let ran = 0
    const fetch = door({ use: [bodyLimit(10)], routes: [['POST', '/', () => text(`${++ran}`)]] })
    expect((await fetch(post('x', { 'content-length': '11' }))).status).toBe(413)
    expect(ran).toBe(0)
    expect((await fetch(post('x', { 'content-length': '10' }))).status).toBe(200)
  })

  test('MX6: a route may have a smaller limit, and others keep theirs', async () => {
    const read = async (ctx: any) => text(await readText(ctx))
    const fetch = door({
      use: [bodyLimit(10)],
      routes: [
        ['POST', '/', read],
        ['POST', '/small', bodyLimit(2), read],
      ],
    })
    const statusOf = async (size: number, path: string) => (await fetch(post(pieces(size), {}, path))).status
    expect(await Promise.all([statusOf(10, '/'), statusOf(2, '/small'), statusOf(3, '/small')])).toEqual([
      200, 200, 413,
    ])
  })

  test.each([
    ['larger', 2, 10],
    ['equal', 2, 2],
    ['smaller', 10, 2],
  ])('MX6: a %s limit behind another: the smallest applies to readers and streams', async (_, outer, inner) => {
    const fetch = door({
      use: [bodyLimit(outer), bodyLimit(inner)],
      routes: readers.map(([_, read], at) => ['POST', `/${at}`, async (ctx: any) => text(await read(ctx))] as const),
    })
    for (const at of readers.keys()) {
      expect(await (await fetch(post(pieces(1, 1), {}, `/${at}`))).text()).toBe('2')
      expect((await fetch(post(pieces(1, 2), {}, `/${at}`))).status).toBe(413)
    }
  })

  test.each([
    ['before it is read', 0],
    ['after some of it', 1],
  ])('MX6: a stream that is cancelled %s cancels the source, with the reason', async (_, reads) => {
    let why: unknown
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(8)),
      cancel(reason) {
        why = reason
      },
    })
    const fetch = door({
      use: [bodyLimit(100)],
      routes: [
        [
          'POST',
          '/',
          async (ctx) => {
            const reader = ctx.request.body.getReader()
            for (let read = 0; read < reads; read++) await reader.read()
            await reader.cancel('enough')
            return text('ok')
          },
        ],
      ],
    })
    await fetch(post(source))
    expect(why).toBe('enough')
  })

  test('MX6: a limit above the default of readers applies', async () => {
    const fetch = door({
      use: [bodyLimit(2_000_000)],
      routes: [['POST', '/', async (ctx) => text(`${((await readJson(ctx)) as string).length}`)]],
    })
    expect(await (await fetch(post(JSON.stringify('x'.repeat(1_500_000))))).text()).toBe('1500000')
  })

  test('MX6: the source is cancelled at the limit', async () => {
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(8)),
      cancel() {
        cancelled = true
      },
    })
    const fetch = door({
      use: [bodyLimit(100)],
      routes: [['POST', '/', async (ctx) => text(await drain(ctx.request.body))]],
    })
    expect((await fetch(post(endless))).status).toBe(413)
    expect(cancelled).toBe(true)
  })

  test('MX6: a GET has no body', async () => {
    const fetch = door({ use: [bodyLimit(0)], routes: [['GET', '/', (ctx) => text(`${ctx.request.body}`)]] })
    expect(await (await fetch('/')).text()).toBe('null')
  })
})

test.each([-1, 1.5, Number.NaN, '1mb' as never])('MX6: refuses %s', (bytes) => {
  expect(() => bodyLimit(bytes)).toThrow(/^bodyLimit: bytes: expected a whole number of bytes from 0, got /)
})
