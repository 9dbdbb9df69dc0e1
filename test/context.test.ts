import { describe, expect, test, vi } from 'vitest'
import { bytesOf } from '#runtime/core'
import { createApp } from '../src/app.ts'
import { ValidationError } from '../src/errors/validation-error.ts'
import { validate } from '../src/pipe/validate.ts'
import { json } from '../src/respond/json.ts'
import { text } from '../src/respond/text.ts'
import { createApp as createTiny } from '../src/tiny.ts'
import { object, string } from '../src/z.ts'
import { doors } from './harness.ts'

const post = (body: BodyInit | null, type?: string, path = '/'): Request =>
  new Request(`http://localhost${path}`, { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) })

describe.each(doors)('%s', (_, door) => {
  /** Run a handler once, and give what it returned besides a response. */
  const inside = async <T>(request: Request | string, look: (ctx: any) => T, setup = {}): Promise<Awaited<T>> => {
    let seen: any
    const fetch = door({
      routes: [
        [
          '*',
          '/',
          async (ctx) => {
            seen = await look(ctx)
            return text('ok')
          },
        ],
        [
          '*',
          '/u/:id',
          async (ctx) => {
            seen = await look(ctx)
            return text('ok')
          },
        ],
      ],
      onError: (error) => {
        throw error
      },
      ...setup,
    })
    const response = await fetch(request)
    if (response.status !== 200) throw new Error(await response.text())
    return seen
  }

  test('X1: request is the one that came', async () => {
    const request = new Request('http://localhost/')
    expect(await inside(request, (ctx) => ctx.request === request && ctx.request instanceof Request)).toBe(true)
  })

  test('X2: params is empty where the route has none, and has no prototype', async () => {
    expect(
      await inside('/', (ctx) => ({ names: Object.keys(ctx.params), hasToString: 'toString' in ctx.params })),
    ).toEqual({ names: [], hasToString: false })
  })

  test('X2: params are there in global middleware, and can be replaced', async () => {
    const seen: unknown[] = []
    const look = (ctx: any, next: any) => {
      seen.push({ ...ctx.params })
      ctx.params = { id: 'other' }
      return next()
    }
    expect(await inside('/u/7', (ctx) => ctx.params, { use: [look] })).toEqual({ id: 'other' })
    expect(seen).toEqual([{ id: '7' }])
  })

  test('X3: url has every property and is parsed once', async () => {
    const url = await inside('/u/7?a=1&b=%20', (ctx) => ({
      sameEachTime: Object.is(ctx.url, ctx.url),
      href: ctx.url.href,
      origin: ctx.url.origin,
      protocol: ctx.url.protocol,
      hostname: ctx.url.hostname,
      pathname: ctx.url.pathname,
      search: ctx.url.search,
      hash: ctx.url.hash,
    }))
    expect(url).toEqual({
      sameEachTime: true,
      href: 'http://localhost/u/7?a=1&b=%20',
      origin: 'http://localhost',
      protocol: 'http:',
      hostname: 'localhost',
      pathname: '/u/7',
      search: '?a=1&b=%20',
      hash: '',
    })
  })

  test('X4: query has what url.searchParams has', async () => {
    expect(
      await inside('/?a=1&a=2&b=+%zz', (ctx) => ({
        equal: String(ctx.query) === String(ctx.url.searchParams),
        a: ctx.query.getAll('a'),
        b: ctx.query.get('b'),
      })),
    ).toEqual({ equal: true, a: ['1', '2'], b: ' %zz' })
  })

  test('X4: url.searchParams belongs to the URL, also after the query was read: a link to the next page', async () => {
    const next = await inside('/?page=1', (ctx) => {
      ctx.url.searchParams.set('page', `${Number(ctx.query.get('page')) + 1}`)
      return { href: ctx.url.href, page: ctx.query.get('page') }
    })
    expect(next).toEqual({ href: 'http://localhost/?page=2', page: '1' })
  })

  test('X4: a middleware can put a cleaned copy in its place, more than once', async () => {
    const clean = (ctx: any, next: any) => {
      for (const a of ['first', 'clean']) ctx.query = new URLSearchParams({ a })
      return next()
    }
    expect(
      await inside('/?a=dirty', (ctx) => ({ query: ctx.query.get('a'), url: ctx.url.searchParams.get('a') }), {
        use: [clean],
      }),
    ).toEqual({ query: 'clean', url: 'dirty' })
  })

  test('X5, N4: env is the second argument of fetch, and empty without one', async () => {
    const seen: unknown[] = []
    const fetch = door({
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            seen.push(ctx.env)
            return text('')
          },
        ],
      ],
    })
    const env = { KEY: 'value' }
    await fetch('/', env)
    await fetch('/')
    expect(seen[0]).toBe(env)
    expect(seen[1]).toEqual({})
  })

  test('R9: the third argument of fetch is ctx.execution', async () => {
    const execution = { waitUntil: vi.fn() }
    const fetch = door({
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            ctx.execution?.waitUntil(Promise.resolve())
            return text('')
          },
        ],
      ],
    })
    await fetch('/', {}, execution)
    await fetch('/')
    expect(execution.waitUntil).toHaveBeenCalledOnce()
  })

  test('X6: state is fresh for each request and has no prototype', async () => {
    const seen: any[] = []
    const fetch = door({
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            seen.push(ctx.state)
            Object.assign(ctx.state, JSON.parse('{"__proto__":{"a":1}}'))
            ctx.state.n = (ctx.state.n ?? 0) + 1
            return text('')
          },
        ],
      ],
    })
    await fetch('/')
    await fetch('/')
    expect(seen[0]).not.toBe(seen[1])
    expect(seen.map((state) => ({ n: state.n, a: state.a, inherits: 'hasOwnProperty' in state }))).toEqual([
      { n: 1, a: undefined, inherits: false },
      { n: 1, a: undefined, inherits: false },
    ])
  })

  describe('X7: ctx.response', () => {
    const via = async (handler: (ctx: any) => any, after: (ctx: any, response: Response) => any): Promise<Response> => {
      const step = async (ctx: any, next: any) => after(ctx, await next())
      return door({
        use: [step],
        routes: [['GET', '/', handler]],
        onError: (error) => {
          throw error
        },
      })('/')
    }

    test('is undefined before anything has answered', async () => {
      const fetch = door({
        use: [
          (ctx, next) => {
            expect(ctx.response).toBeUndefined()
            return next()
          },
        ],
        routes: [['GET', '/', () => text('x')]],
      })
      expect((await fetch('/')).status).toBe(200)
    })

    test('takes fields after next()', async () => {
      const response = await via(
        () => text('x'),
        (ctx) => {
          ctx.response.headers.set('x-a', 'b')
        },
      )
      expect({ 'x-a': response.headers.get('x-a'), text: await response.text() }).toEqual({ 'x-a': 'b', text: 'x' })
    })

    test.each([
      ['Response.redirect()', () => Response.redirect('http://localhost/next', 303), 303],
      ['a platform response', () => new Response('x', { status: 202 }), 202],
    ])('takes fields after next() on %s', async (_, handler, status) => {
      const response = await via(handler, (ctx) => {
        ctx.response.headers.set('x-a', 'b')
      })
      expect({ status: response.status, 'x-a': response.headers.get('x-a') }).toEqual({ status, 'x-a': 'b' })
    })

    test('next() returns the same object', async () => {
      await via(
        () => Response.redirect('http://localhost/'),
        (ctx, response) => {
          expect(ctx.response).toBe(response)
        },
      )
    })

    test('a response that is set and not returned is honoured', async () => {
      expect(
        await (
          await via(
            () => text('x'),
            (ctx) => {
              ctx.response = text('set')
            },
          )
        ).text(),
      ).toBe('set')
    })

    test('a response that is returned after next() replaces it', async () => {
      expect(
        await (
          await via(
            () => text('x'),
            () => text('returned'),
          )
        ).text(),
      ).toBe('returned')
    })

    test('a response that is set without next() is the answer', async () => {
      const fetch = door({
        use: [
          (ctx) => {
            ctx.response = text('short')
          },
        ],
        routes: [['GET', '/', () => text('x')]],
      })
      expect(await (await fetch('/')).text()).toBe('short')
    })
  })

  test('X8: header gives a string or null, whatever the case', async () => {
    const request = new Request('http://localhost/', { headers: { 'X-Thing': 'a', cookie: 'b=c' } })
    expect(
      await inside(request, (ctx) => ({
        'x-thing': ctx.header('x-thing'),
        'X-THING': ctx.header('X-THING'),
        none: ctx.header('none'),
        cookie: ctx.header('cookie'),
      })),
    ).toEqual({ 'x-thing': 'a', 'X-THING': 'a', none: null, cookie: 'b=c' })
  })

  test('X9: json() without arguments reads', async () => {
    expect(await inside(post('{"a":1}', 'application/json'), (ctx) => ctx.json())).toEqual({ a: 1 })
  })

  test('X9: text() without arguments reads', async () => {
    expect(await inside(post('häh'), (ctx) => ctx.text())).toBe('häh')
  })

  test.each([
    ['no JSON', '{"a":', 400],
    ['nothing', '', 400],
    ['NaN', 'NaN', 400],
  ])('R6: a JSON body that is %s is answered with 400', async (_, body, status) => {
    const fetch = door({ routes: [['POST', '/', async (ctx) => json(await ctx.json())]] })
    const response = await fetch(post(body, 'application/json'))
    expect({ status: response.status, json: await response.json() }).toEqual({
      status,
      json: { error: 'Invalid JSON' },
    })
  })

  describe('X11, X12: the body can be read any number of times, in any order', () => {
    const form = () => {
      const data = new FormData()
      data.set('a', 'b')
      data.set('file', new File(['abc'], 'f.txt', { type: 'text/plain' }))
      return data
    }
    const orders = [
      ['json', 'text', 'json', 'arrayBuffer', 'blob'],
      ['arrayBuffer', 'json', 'text'],
      ['blob', 'blob', 'json'],
      ['text', 'text', 'arrayBuffer', 'json'],
    ] as const
    const expected: Record<string, (value: any) => unknown> = {
      json: (value) => expect(value).toEqual({ a: 1 }),
      text: (value) => expect(value).toBe('{"a":1}'),
      arrayBuffer: (value) => expect(new TextDecoder().decode(value)).toBe('{"a":1}'),
      blob: async (value) => {
        expect(await value.text()).toBe('{"a":1}')
        expect(value.type).toBe('application/json')
      },
    }

    test.each(orders.map((order) => [order.join(', '), order] as const))('%s', async (_, order) => {
      await inside(post('{"a":1}', 'application/json'), async (ctx) => {
        for (const name of order) {
          await expected[name]!(await ctx[name]())
          await expected[name]!(await ctx.request[name]())
        }
      })
    })

    test('form data, twice, then as text', async () => {
      await inside(post(form()), async (ctx) => {
        for (const data of [await ctx.formData(), await ctx.request.formData()]) {
          expect({ a: data.get('a'), text: await data.get('file').text(), name: data.get('file').name }).toEqual({
            a: 'b',
            text: 'abc',
            name: 'f.txt',
          })
        }
        expect(await ctx.text()).toContain('abc')
      })
    })

    test('all at once', async () => {
      await inside(post('{"a":1}', 'application/json'), async (ctx) => {
        const [one, two, three] = await Promise.all([ctx.json(), ctx.text(), ctx.request.json()])
        expect({ one, two, three }).toEqual({ one: { a: 1 }, two: '{"a":1}', three: { a: 1 } })
      })
    })

    test('bytes that one reader changes do not change for the next', async () => {
      await inside(post('abc'), async (ctx) => {
        new Uint8Array(await ctx.arrayBuffer()).fill(0)
        expect(await ctx.text()).toBe('abc')
      })
    })

    test('after bytesOf', async () => {
      await inside(post('{"a":1}', 'application/json'), async (ctx) => {
        expect((await bytesOf(ctx.request, 100)).byteLength).toBe(7)
        expect(await ctx.request.json()).toEqual({ a: 1 })
        expect(await ctx.json()).toEqual({ a: 1 })
      })
    })

    test('a body of nothing', async () => {
      await inside(post(null), async (ctx) => {
        expect({
          text: await ctx.text(),
          byteLength: (await ctx.arrayBuffer()).byteLength,
          size: (await ctx.blob()).size,
        }).toEqual({ text: '', byteLength: 0, size: 0 })
      })
    })

    test('a GET has no body', async () => {
      await inside('/', async (ctx) => {
        expect({ ctx: await ctx.text(), request: await ctx.request.text() }).toEqual({ ctx: '', request: '' })
      })
    })

    test('a byte order mark is dropped', async () => {
      await inside(post('\ufeff{"a":1}'), async (ctx) => {
        expect(await ctx.json()).toEqual({ a: 1 })
        expect(await ctx.text()).toBe('{"a":1}')
      })
    })
  })

  describe('R6: bytesOf counts while it reads', () => {
    const chunks = (count: number) => {
      const state = { cancelled: false }
      const body = new ReadableStream({
        pull(controller) {
          if (count-- > 0) controller.enqueue(new Uint8Array(1000))
          else controller.close()
        },
        cancel() {
          state.cancelled = true
        },
      })
      const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit)
      return [request, state] as const
    }
    const limited = (limit: number) =>
      door({ routes: [['POST', '/', async (ctx) => text(String((await bytesOf(ctx.request, limit)).byteLength))]] })

    test.each([
      ['exactly the limit', 5, 5000, 200],
      ['one byte over', 5, 4999, 413],
      ['far over', 1_000_000, 10, 413],
    ])('%s', async (_, count, limit, status) => {
      const [request, state] = chunks(count)
      const response = await limited(limit)(request)
      expect(response.status).toBe(status)
      if (status === 413) expect(await response.json()).toEqual({ error: 'Content Too Large' })
      if (status === 413) await vi.waitFor(() => expect(state.cancelled).toBe(true))
    })

    test('a second reader has a limit of its own', async () => {
      const fetch = door({
        routes: [
          [
            'POST',
            '/',
            async (ctx) => {
              await bytesOf(ctx.request, 10)
              return text(String(await bytesOf(ctx.request, 2)))
            },
          ],
        ],
      })
      expect((await fetch(post('abc'))).status).toBe(413)
    })

    test('a Content-Length over the limit is believed when it is too long', async () => {
      const request = new Request('http://localhost/', {
        method: 'POST',
        body: 'abc',
        headers: { 'content-length': '1000' },
      })
      expect((await limited(10)(request)).status).toBe(413)
    })
  })

  test.each([
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    ['invalid multipart', 'multipart/form-data; boundary=x', 'garbage'],
    ['another type', 'text/plain', 'a=b'],
    ['JSON', 'application/json', '{}'],
  ])("R6: a form that is %s is the client's fault", async (_, type, body) => {
    const fetch = door({
      routes: [
        ['POST', '/', async (ctx) => json([...(await ctx.formData())])],
        ['POST', '/request', async (ctx) => json([...(await ctx.request.formData())])],
      ],
    })
    for (const path of ['/', '/request']) {
      const response = await fetch(post(body, type, path))
      expect([400, 415]).toContain(response.status)
    }
  })

  describe('X13: validate', () => {
    const schema = object({ name: string().min(2) })
    const ask = (request: Request, use: any[] = []) =>
      door({ use, routes: [['POST', '/', async (ctx) => json(await validate(ctx, schema))]] })(request)

    test.each([
      ['JSON', '{"name":"Ada"}', 'application/json'],
      ['JSON of another name', '{"name":"Ada"}', 'application/vnd.api+json; charset=utf-8'],
      ['a form', 'name=Ada', 'application/x-www-form-urlencoded'],
    ])('%s', async (_, body, type) => {
      const response = await ask(post(body, type))
      expect({ status: response.status, json: await response.json() }).toEqual({ status: 200, json: { name: 'Ada' } })
    })

    test('multipart', async () => {
      const data = new FormData()
      data.set('name', 'Ada')
      expect(await (await ask(post(data))).json()).toEqual({ name: 'Ada' })
    })

    test('state.body, where a parser ran', async () => {
      const parser = (ctx: any, next: any) => {
        ctx.state.body = { name: 'Grace' }
        return next()
      }
      expect(await (await ask(post('not read', 'text/plain'), [parser])).json()).toEqual({ name: 'Grace' })
    })

    test.each([
      ['a value that fails', '{"name":"A"}', 'application/json', 422],
      ['no JSON', '{', 'application/json', 400],
      ['no type', 'x', 'text/plain', 415],
      ['a broken form', 'x', 'multipart/form-data; boundary=y', 400],
    ])('%s', async (_, body, type, status) => {
      expect((await ask(post(body, type))).status).toBe(status)
    })

    test('E1: 422 with the issues', async () => {
      const response = await ask(post('{"name":1}', 'application/json'))
      expect(await response.json()).toEqual({
        error: 'Validation failed',
        issues: [expect.objectContaining({ path: ['name'], code: 'invalid_type' })],
      })
    })

    test('E3: a caught error has issues and format()', async () => {
      await inside(post('{"name":"A"}', 'application/json'), async (ctx) => {
        const error: any = await validate(ctx, schema).catch((error: unknown) => error) // any: an error of this schema
        expect(error).toBeInstanceOf(ValidationError)
        expect({ issuesLength: error.issues.length, _errorsLength: error.format().name._errors.length }).toEqual({
          issuesLength: 1,
          _errorsLength: 1,
        })
      })
    })

    test('the findings of another library have format(), which no key turns against a prototype', async () => {
      const issues = [
        { message: 'top' },
        { message: 'first', path: ['a', { key: 0 }] },
        { message: 'second', path: ['a', 0] },
        { message: 'evil', path: ['__proto__', 'polluted'] },
        { message: 'built', path: ['constructor'] },
        { message: 'kept', path: ['a', '_errors', 'b'] },
        { message: 'alone', path: ['_errors'] },
      ]
      const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } }
      await inside(post('{}', 'application/json'), async (ctx) => {
        const error: any = await validate(ctx, schema).catch((error: unknown) => error) // any: an error of this schema
        const format = error.format()
        expect({ root: format._errors, element: format.a[0]._errors }).toEqual({
          root: ['top', 'alone'],
          element: ['first', 'second'],
        })
        expect(format.a.b._errors).toEqual(['kept'])
        expect({ errors: format.constructor._errors, evil: format.polluted._errors }).toEqual({
          errors: ['built'],
          evil: ['evil'],
        })
        expect(({} as any).polluted).toBeUndefined()
        expect(error.issues[1]).toEqual({ code: 'custom', path: ['a', 0], message: 'first' })
      })
    })

    test('a name that repeats in a form is a list', async () => {
      const schema = { safeParse: (data: unknown) => ({ success: true, data }) }
      const fetch = door({ routes: [['POST', '/', async (ctx) => json(await validate(ctx, schema))]] })
      const body = 'a=1&a=2&a=3&b=4&__proto__=x'
      const response = await fetch(post(body, 'application/x-www-form-urlencoded'))
      expect(await response.text()).toBe('{"a":["1","2","3"],"b":"4","__proto__":"x"}')
    })

    test('any Standard Schema, async too', async () => {
      const standard = (validate: (value: any) => any) => ({ '~standard': { version: 1, vendor: 'test', validate } })
      await inside(post('{"a":1}', 'application/json'), async (ctx) => {
        expect(
          await validate(
            ctx,
            standard((value) => ({ value: value.a })),
          ),
        ).toBe(1)
        expect(
          await validate(
            ctx,
            standard(async (value) => ({ value: value.a + 1 })),
          ),
        ).toBe(2)
        await expect(
          validate(
            ctx,
            standard(async () => ({ issues: [{ message: 'no' }] })),
          ),
        ).rejects.toMatchObject({
          name: 'ValidationError',
          issues: [{ message: 'no', path: [] }],
        })
      })
    })
  })

  test("method is the request's", async () => {
    expect(await inside(post('x'), (ctx) => ctx.method)).toBe('POST')
  })
})

describe('createApp only', () => {
  test('X13: validate is a method of its context, and a function for that of sluice/tiny', async () => {
    const schema = object({ name: string() })
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Ada"}' }
    const app = createApp().post('/', async (ctx) => ctx.json(await ctx.validate(schema)))
    const tiny = createTiny().post('/', async (ctx) => {
      // @ts-expect-error a worker that does not validate has no code for it
      const { validate: method } = ctx
      return ctx.json({ isMethod: method !== undefined, ...(await validate(ctx, schema)) })
    })
    expect({
      app: await (await app.request('/', body)).json(),
      tiny: await (await tiny.request('/', body)).json(),
    }).toEqual({ app: { name: 'Ada' }, tiny: { name: 'Ada', isMethod: false } })
  })

  const ask = async (handler: (ctx: any) => any): Promise<Response> =>
    createApp().get('/', handler).fetch(new Request('http://localhost/'))

  test.each([
    ['json(data)', (ctx: any) => ctx.json({ a: 1 }), 200, 'application/json', '{"a":1}'],
    ['json(undefined) is a response with null', (ctx: any) => ctx.json(undefined), 200, 'application/json', 'null'],
    ['X10: json(data, status, headers)', (ctx: any) => ctx.json(1, 201, { 'x-a': 'b' }), 201, 'application/json', '1'],
    [
      'X10: json(data, options)',
      (ctx: any) => ctx.json(1, { status: 201, headers: { 'x-a': 'b' } }),
      201,
      'application/json',
      '1',
    ],
    ['text(content)', (ctx: any) => ctx.text('x'), 200, 'text/plain; charset=utf-8', 'x'],
    ['text of an empty string', (ctx: any) => ctx.text(''), 200, 'text/plain; charset=utf-8', ''],
    ['text(content, status)', (ctx: any) => ctx.text('x', 418), 418, 'text/plain; charset=utf-8', 'x'],
    ['X14: html', (ctx: any) => ctx.html('<p>', 201), 201, 'text/html; charset=utf-8', '<p>'],
    ['X14: stream', (ctx: any) => ctx.stream(['a', 'b']), 200, 'application/octet-stream', 'ab'],
    [
      'X14: sse',
      (ctx: any) =>
        ctx.sse((send: any) => {
          send({ data: 'x' })
        }),
      200,
      'text/event-stream',
      'data: x\n\n',
    ],
  ])('X9: %s', async (_, handler, status, type, body) => {
    const response = await ask(handler)
    // H4: a platform may spell the type of a text in its own way
    const typed = response.headers.get('content-type')?.replace('plain;charset=UTF', 'plain; charset=utf')
    expect({ status: response.status, typed, text: await response.text() }).toEqual({ status, typed: type, text: body })
  })

  test('X14: redirect', async () => {
    const response = await ask((ctx) => ctx.redirect('/next', 307))
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 307,
      location: '/next',
    })
  })

  test('X15: container', async () => {
    const app = createApp()
    app.get('/', (ctx) => text(String(ctx.container === app.container)))
    expect(await (await app.fetch(new Request('http://localhost/'))).text()).toBe('true')
  })
})
