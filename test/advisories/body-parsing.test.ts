import { describe, expect, test, vi } from 'vitest'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { sanitizer } from '../../src/middleware/sanitizer.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { readParts } from '../../src/read/parts.ts'
import { json } from '../../src/respond/json.ts'
import { expectLinear } from '../growth.ts'
import { doors } from '../harness.ts'

const jsonType = 'application/json'
const formType = 'application/x-www-form-urlencoded'

const post = (body: BodyInit, type?: string, headers: Record<string, string> = {}): Request => {
  const init = { method: 'POST', body, headers: { ...(type && { 'content-type': type }), ...headers }, duplex: 'half' }
  return new Request('http://localhost/', init)
}

const inChunks = (count: number): ReadableStream<Uint8Array> => {
  let left = count
  return new ReadableStream({
    pull(controller) {
      left--
      if (left < 0) controller.close()
      else controller.enqueue(new Uint8Array(1000).fill(49))
    },
  })
}

/** A schema that demands a safe object, as an application's would. */
const onlySafe = {
  safeParse: (data: unknown) =>
    (data as { role?: unknown })?.role === 'user' ? { success: true, data } : { success: false, error: { issues: [] } },
}

describe.each(doors)('%s', (_, door) => {
  const ask = async (use: readonly any[], request: Request, handler?: (ctx: any) => any) => {
    const fetch = door({ use, routes: [['POST', '/', handler ?? ((ctx) => json(ctx.state.body ?? null))]] })
    const response = await fetch(request)
    return { status: response.status, body: await response.json() }
  }

  test.each([
    ['GHSA-92vj-g62v-jqhh: a length that is announced too small', { 'content-length': '5' }],
    ['CVE-2026-44456: no length at all', {}],
    ['GHSA-rv63-4mwf-qqc2: a length of another form', { 'content-length': '+5' }],
    ['a negative length', { 'content-length': '-1' }],
  ])('%s does not pass the limit', async (_, headers: Record<string, string>) => {
    const seen = await ask([bodyParser({ json: { limit: 10_000 } })], post(inChunks(100), jsonType, headers))
    expect(seen).toEqual({ status: 413, body: { error: 'Content Too Large' } })
  })

  test.each([
    ['CVE-2026-25223: a tab', 'application/json\t; charset=utf-8'],
    ['CVE-2025-32442: another case', 'Application/JSON'],
    ['CVE-2025-32442: no space', 'application/json;charset=utf-8'],
    ['CVE-2022-41919: a look-alike', 'application/jsonx'],
    ['CVE-2026-33806: a leading space', ' application/json'],
    ['GHSA-2234-fmw7-43wr: no type', undefined],
    ['two types', 'text/plain, application/json'],
    ['a type in a parameter', 'text/plain; x=application/json'],
    ['a form that holds JSON', formType],
  ])('%s: no body passes by the validator unseen', async (_, type) => {
    for (const use of [[bodyParser({ text: true, raw: true })], [bodyParser()], []]) {
      const body = new TextEncoder().encode('{"role":"admin"}')
      const { status } = await ask([...use, validateBody(onlySafe)], post(body, type))
      expect([400, 415, 422]).toContain(status)
    }
  })

  test.each([
    ['CVE-2026-5079: names of fields nest nothing', 'a[b][c][d]=1', { 'a[b][c][d]': '1' }],
    [
      'CVE-2022-24999: __proto__ in brackets',
      'a[__proto__]=1&a[__proto__]&a[length]=100000000',
      { 'a[__proto__]': ['1', ''], 'a[length]': '100000000' },
    ],
    ['CVE-2025-15284: lists of any length', 'a[]=1&a[]=2&a[99999999]=3', { 'a[]': ['1', '2'], 'a[99999999]': '3' }],
  ])('%s', async (_, body, expected) => {
    expect(await ask([bodyParser()], post(body, formType))).toEqual({ status: 200, body: expected })
  })

  test('CVE-2024-45590, CVE-2025-13466: a million parameters are counted, not parsed', async () => {
    const pairs = vi.spyOn(URLSearchParams.prototype, Symbol.iterator)
    const seen = await ask([bodyParser()], post('a&'.repeat(500_000), formType))
    expect(seen.status).toBe(413)
    expect(pairs).not.toHaveBeenCalled()
    pairs.mockRestore()
  })

  test.each([
    [
      'GHSA-v8w9-8mx6-g223: a form',
      post('__proto__.polluted=1&__proto__=2&constructor.prototype.polluted=3', formType),
    ],
    ['CVE-2022-24999: JSON', post('{"__proto__":{"polluted":1},"a":[{"__proto__":{"polluted":1}}]}', jsonType)],
  ])('%s pollutes no prototype, also through code that merges', async (_, request) => {
    const merged: Record<string, unknown> = {}
    const { status } = await ask([bodyParser(), sanitizer()], request, (ctx) => {
      Object.assign(merged, ctx.state.body)
      for (const key in ctx.state.body) merged[key] = ctx.state.body[key]
      return json(1)
    })
    expect(status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(merged.polluted).toBeUndefined()
  })

  test.each([
    ['CVE-2025-47935: it ends too early', '--b\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\nabc'],
    ['GHSA-4pg4-qvpc-4q3h: no name', '--b\r\ncontent-disposition: form-data\r\n\r\nabc\r\n--b--'],
    [
      'CVE-2025-48997: an empty name of a file',
      '--b\r\ncontent-disposition: form-data; name=""; filename=""\r\n\r\n\r\n--b--',
    ],
    ['CVE-2025-7338: a header that breaks', '--b\r\ncontent-disposition: form-data; name="\r\n\r\n\r\n--b--'],
    ['no end of the header', `--b\r\n${'x: y\r\n'.repeat(1000)}`],
  ])('malformed multipart, %s: an answer, and no exception', async (_, body) => {
    const type = 'multipart/form-data; boundary=b'
    const { status: parsed } = await ask([bodyParser()], post(body, type))
    const { status: streamed } = await ask([], post(body, type), async (ctx) => {
      for await (const part of readParts(ctx.request)) await part.text()
      return json(1)
    })
    expect([parsed, streamed].filter((status) => status >= 500)).toEqual([])
  })

  test('CVE-2026-21440: the name of a file is no path', async () => {
    const part = 'content-disposition: form-data; name="f"; filename="..%2f../../srv/app/index.js"'
    // Node's parser looks for the boundary without its dashes, so it must not occur in the content.
    const body = `--limit\r\n${part}\r\n\r\nabc\r\n--limit--\r\n`
    const seen = await ask([bodyParser()], post(body, 'multipart/form-data; boundary=limit'), (ctx) =>
      json(ctx.state.body.f.name),
    )
    expect(seen).toEqual({ status: 200, body: 'index.js' })
  })

  test('hono #1317: the body can be read again', async () => {
    const seen = await ask(
      [bodyParser(), validateBody({ safeParse: (data) => ({ success: true, data }) })],
      post('[1]', jsonType),
      async (ctx) => json([await ctx.json(), await ctx.request.json(), await ctx.text()]),
    )
    expect(seen).toEqual({ status: 200, body: [[1], [1], '[1]'] })
  })

  test('an earlier implementation: what the handler throws is no malformed body', async () => {
    const fetch = door({
      use: [bodyParser()],
      routes: [
        [
          'POST',
          '/',
          () => {
            throw new Error('db secret')
          },
        ],
      ],
      onError: () => json({ error: 'mine' }, 500),
    })
    const response = await fetch(post('{}', jsonType))
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 500, text: '{"error":"mine"}' })
  })

  test.each([
    ['CVE-2026-44990: xmp', '<xmp><img src=x onerror=alert(1)></xmp>', ''],
    ['an earlier implementation: a tag without an end', 'a<img src=x onerror=alert(1)', 'a'],
    ['an earlier implementation: nested', '<<script>script>alert(1)</script>', '&lt;'],
  ])('sanitizer, %s', async (_, text, expected) => {
    expect(await ask([bodyParser(), sanitizer()], post(JSON.stringify({ text }), jsonType))).toEqual({
      status: 200,
      body: { text: expected },
    })
  })

  test('an earlier implementation: 50 kB of < are cleaned in linear time', () =>
    expectLinear(
      50_000,
      (size) => JSON.stringify('<'.repeat(size)),
      async (body) => {
        const { status } = await ask([bodyParser(), sanitizer()], post(body, jsonType))
        expect(status).toBe(200)
      },
    ))
})
