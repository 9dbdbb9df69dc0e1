import { describe, expect, test } from 'vitest'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { type SanitizerOptions, sanitizer } from '../../src/middleware/sanitizer.ts'
import { validate } from '../../src/pipe/validate.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const DIRTY = '<b onclick=x>Tom</b> & <script>alert(1)</script>1 < 2'
const CLEAN = 'Tom &amp; 1 &lt; 2'

describe.each(doors)('%s', (_, door) => {
  const ask = async (
    options: SanitizerOptions | undefined,
    request: Request | string,
    more: readonly any[] = [bodyParser()],
  ) => {
    const fetch = door({
      use: [...more, sanitizer(options)],
      routes: [
        [
          '*',
          '/p/:name',
          (ctx) =>
            json({
              body: ctx.state.body,
              query: [...ctx.query],
              state: ctx.state.query && [...ctx.state.query],
              params: ctx.params,
              url: ctx.url.search,
            }),
        ],
      ],
    })
    const response = await fetch(request)
    return { status: response.status, ...(await response.json()) }
  }

  const request = (body: unknown = { a: [DIRTY] }): Request =>
    new Request(`http://localhost/p/${encodeURIComponent(DIRTY)}?q=${encodeURIComponent(DIRTY)}&q=x&n=1`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  const pairs = (text: string) => [
    ['q', text],
    ['q', 'x'],
    ['n', '1'],
  ]

  test('MS1, MS2: body, query and params are clean, the URL is as it came', async () => {
    const seen = await ask(undefined, request())
    expect(seen).toMatchObject({
      status: 200,
      body: { a: [CLEAN] },
      query: pairs(CLEAN),
      state: pairs(CLEAN),
      params: { name: CLEAN },
    })
    expect(seen.url).toContain('script')
  })

  test.each<[SanitizerOptions, object]>([
    [{ body: false }, { body: { a: [DIRTY] }, query: pairs(CLEAN), params: { name: CLEAN } }],
    [{ query: false }, { body: { a: [CLEAN] }, query: pairs(DIRTY), params: { name: CLEAN } }],
    [{ params: false }, { body: { a: [CLEAN] }, query: pairs(CLEAN), params: { name: DIRTY } }],
    [{ allowedTags: ['b'] }, { params: { name: '<b>Tom</b> &amp; 1 &lt; 2' } }],
    [{ escapeHtml: false }, { params: { name: 'Tom & 1 < 2' } }],
    [
      { stripTags: false },
      { params: { name: '&lt;b onclick=x&gt;Tom&lt;/b&gt; &amp; &lt;script&gt;alert(1)&lt;/script&gt;1 &lt; 2' } },
    ],
    [
      { stripTags: false, escapeHtml: false },
      { body: { a: [DIRTY] }, query: pairs(DIRTY), params: { name: DIRTY } },
    ],
  ])('MS1: %j', async (options, expected) => {
    expect(await ask(options, request())).toMatchObject(expected)
  })

  test('MS2: without query, state.query is not written', async () => {
    expect(await ask({ query: false }, request())).not.toHaveProperty('state')
  })

  test('MS2: without a body parser only query and params are clean, and the body is not read', async () => {
    expect(await ask(undefined, request(), [])).toEqual({
      status: 200,
      query: pairs(CLEAN),
      state: pairs(CLEAN),
      params: { name: CLEAN },
      url: expect.any(String),
    })
  })

  test('MS2: the request itself stays as it came', async () => {
    const fetch = door({
      use: [bodyParser(), sanitizer()],
      routes: [['POST', '/p/:name', async (ctx) => json(await ctx.json())]],
    })
    expect(await (await fetch(request())).json()).toEqual({ a: [DIRTY] })
  })

  test('X13: validate sees the clean body', async () => {
    const fetch = door({
      use: [bodyParser(), sanitizer()],
      routes: [
        [
          'POST',
          '/p/:name',
          async (ctx) => json(await validate(ctx, { safeParse: (data: unknown) => ({ success: true, data }) })),
        ],
      ],
    })
    expect(await (await fetch(request())).json()).toEqual({ a: [CLEAN] })
  })

  test('MS5: files of a form are left intact, its fields are cleaned', async () => {
    const form = new FormData()
    form.append('text', DIRTY)
    form.append('file', new File([DIRTY], 'a.html', { type: 'text/html' }))
    const fetch = door({
      use: [bodyParser(), sanitizer()],
      routes: [
        [
          'POST',
          '/',
          async (ctx) =>
            json({
              text: ctx.state.body.text,
              isFile: ctx.state.body.file instanceof File,
              content: await ctx.state.body.file.text(),
            }),
        ],
      ],
    })
    const response = await fetch(new Request('http://localhost/', { method: 'POST', body: form }))
    expect(await response.json()).toEqual({ text: CLEAN, isFile: true, content: DIRTY })
  })

  test.each([
    ['a text', `"${'<b>x</b>'}"`, 'x'],
    ['null', 'null', null],
    ['a number', '7', 7],
    ['a list', '["<b>"]', ['']],
  ])('MS5: a body that is %s', async (_, body, expected) => {
    const fetch = door({ use: [bodyParser(), sanitizer()], routes: [['POST', '/', (ctx) => json(ctx.state.body)]] })
    const response = await fetch(
      new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    )
    expect(await response.json()).toEqual(expected)
  })

  test('MS5: a request without a parsed body gets none', async () => {
    const fetch = door({ use: [sanitizer()], routes: [['GET', '/', (ctx) => json('body' in ctx.state)]] })
    expect(await (await fetch('/')).json()).toBe(false)
  })

  test('MS5: prototype keys in the query are plain names', async () => {
    const seen = await ask(undefined, '/p/x?__proto__=%3Cb%3Ey&constructor=z')
    expect(seen.query).toEqual([
      ['__proto__', 'y'],
      ['constructor', 'z'],
    ])
  })

  test('unmatched paths pass too', async () => {
    const fetch = door({ use: [sanitizer()], routes: [] })
    expect((await fetch('/nowhere?q=<b>')).status).toBe(404)
  })
})

test.each([['script'], ['b onclick'], ['']])('MS3: the tag %j is refused when made', (tag) => {
  expect(() => sanitizer({ allowedTags: [tag] })).toThrow(
    new TypeError(`sanitizer: allowedTags: expected tags that can be made safe, such as "b", got "${tag}"`),
  )
})
