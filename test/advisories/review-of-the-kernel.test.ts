import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { HttpError } from '../../src/errors.ts'
import { json } from '../../src/respond/json.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {})
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
const setResponse = (ctx: any): void => {
  // any: see Setup
  ctx.response = text('set', 201)
}
const fail = (): never => {
  throw new Error('broken')
}

describe.each(doors)('found by a hostile reader, %s', (_, door) => {
  test('F17: an edit that fails in the answer of onError is reported, and nothing runs for ever', async () => {
    const log = quiet()
    let edits = 0
    const fetch = door({
      onError: (_error, ctx) => {
        ctx.onResponse(() => {
          edits++
          fail()
        })
        return text('error', 500)
      },
      routes: [['GET', '/', fail]],
    })
    const response = await fetch('/')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 500, text: 'error' })
    expect(edits).toBeLessThan(4)
    expect(log).toHaveBeenCalled()
  })

  test('F1: an answer of which an inner middleware keeps a clone does not collect what outer ones append', async () => {
    let kept: Response | undefined
    const fetch = door({
      use: [
        async (ctx, next) => {
          const response = await next()
          response.headers.append('set-cookie', `u=${ctx.header('x-u')}`)
          return response
        },
        async (_ctx: any, next: any): Promise<Response> => {
          kept ??= ((await next()) as Response).clone()
          return kept.clone()
        },
      ],
      routes: [['GET', '/', () => json({ ok: true })]],
    })
    for (const name of ['ann', 'bob', 'cid']) {
      const response = await fetch(new Request('http://localhost/', { headers: { 'x-u': name } }))
      expect(response.headers.getSetCookie()).toEqual([`u=${name}`])
      await response.text()
    }
  })

  test('X7, F1: what a middleware returns beats what it put in ctx.response', async () => {
    const shared = json({ shared: true })
    const fetch = door({
      use: [
        async (ctx, next) => {
          const response = await next()
          response.headers.append('set-cookie', `u=${ctx.header('x-u')}`)
        },
        async (ctx, next) => {
          const response = await next()
          ctx.response = shared
          return response
        },
      ],
      routes: [['GET', '/', () => text('own')]],
    })
    for (const name of ['ann', 'bob']) {
      const response = await fetch(new Request('http://localhost/', { headers: { 'x-u': name } }))
      expect(response.headers.getSetCookie()).toEqual([`u=${name}`])
      expect(await response.text()).toBe('own')
    }
    expect(shared.headers.getSetCookie()).toEqual([])
  })

  test('F5, F7: a middleware that fails after next() leaks nothing', async () => {
    const log = quiet()
    const cancel = vi.fn()
    const later = (answer: () => Response) => async (): Promise<Response> => {
      await soon()
      return answer()
    }
    const fetch = door({
      use: [
        (_ctx, next) => {
          next()
          throw new Error('early')
        },
      ],
      routes: [
        ['GET', '/stream', later(() => new Response(new ReadableStream({ cancel })))],
        ['GET', '/fail', later(fail)],
      ],
      onError: () => text('error', 500),
    })
    expect((await fetch('/stream')).status).toBe(500)
    expect((await fetch('/fail')).status).toBe(500)
    await soon()
    await soon()
    expect(cancel).toHaveBeenCalledTimes(1)
    expect(log.mock.calls.map(([error]) => (error as Error).message)).toEqual(['broken'])
  })

  test('F11: a path with a slash and an escaped slash is covered by its guard', async () => {
    const fetch = door({
      use: [['/files/:dir/secret/*', () => text('stop', 401)]],
      routes: [['GET', '/files/:dir/:name', () => text('SECRET')]],
    })
    expect((await fetch('/files/a%2Fb/secret%2Fk')).status).toBe(401)
    expect((await fetch('/files/a/public')).status).toBe(200)
    expect((await fetch(`/files/a/${'%2F'.repeat(2_000)}`)).status).toBe(401)
  })

  test.each([
    [16, 'SECRET'],
    [17, 'stop'],
  ])('F11: a path with %i escaped slashes below another folder: %s', async (count, expected) => {
    const fetch = door({
      use: [['/private/*', () => text('stop', 401)]],
      routes: [['GET', '/files/:name', () => text('SECRET')]],
    })
    expect(await (await fetch(`/files/${'%2F'.repeat(count)}x`)).text()).toBe(expected)
  })

  test('R9: fetch answers a HEAD whose handler gave an error response', async () => {
    quiet()
    const fetch = door({ routes: [['GET', '/', async () => Response.error()]] })
    const answered = await fetch(new Request('http://localhost/', { method: 'HEAD' }))
    expect(answered).toBeDefined()
  })

  test('a type that a middleware removes stays removed', async () => {
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse(() => {})
          return next()
        },
        async (_ctx, next) => {
          const response = await next()
          response.headers.delete('content-type')
        },
      ],
      routes: [['GET', '/', () => json({ a: 1 })]],
    })
    expect((await fetch('/')).headers.get('content-type')).toBeNull()
  })

  test('an edit through ctx.response inside an edit arrives', async () => {
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse(() => {
            ctx.response.headers.set('x-a', 'b')
          })
          return next()
        },
      ],
      routes: [['GET', '/', () => text('x')]],
    })
    expect((await fetch('/')).headers.get('x-a')).toBe('b')
  })

  test.each([
    ['an object', { a: 1 }],
    ['a record with a status and a body', { status: 200, body: {}, headers: {} }],
    ['an HttpError that is not thrown', new HttpError(404)],
    ['an HttpError with headers that is not thrown', new HttpError(429, 'no', { headers: ['retry-after', '1'] })],
  ])('R37: the message says what a handler gave in place of a response: %s', async (_, given) => {
    const log = quiet()
    for (const handler of [() => given, async () => given]) {
      const response = await door({ routes: [['GET', '/', handler as never]] })('/')
      expect({ status: response.status, json: await response.json() }).toEqual({
        status: 500,
        json: { error: 'Internal Server Error' },
      })
      expect(response.headers.has('retry-after')).toBe(false)
      expect(String(log.mock.lastCall?.[0])).toContain('GET / returned object instead of a Response')
    }
  })

  test('F17: an error that cannot be printed ends nothing', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation((error: unknown) => {
      if (error instanceof Error) throw new Error('cannot print')
    })
    const fetch = door({ routes: [['GET', '/', fail]] })
    expect((await fetch('/')).status).toBe(500)
    // Where nothing catches what the console throws, it is answered like any error
    expect(log.mock.calls.length).toBeGreaterThanOrEqual(2)
  })
})

describe.each(doors)('found by a second hostile reader, %s', (_, door) => {
  test.each([
    // No promise tells whether somebody looks at it, so this one is not logged either
    ['nobody looks at it', (_ctx: any, next: any) => void next(), 0],
    ['somebody catches it', (_ctx: any, next: any) => void next().catch(() => {}), 0],
    [
      'somebody looks at it after it has failed',
      async (_ctx: any, next: any) => {
        const rest = next()
        await soon()
        await soon()
        await rest.catch(() => {})
      },
      0,
    ],
  ])('F5, MX18: a rest that fails while its middleware is still at work, and %s', async (_, look, reports) => {
    const log = quiet()
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const fetch = door({
      use: [
        async (ctx, next) => {
          await look(ctx, next)
          await soon()
          await soon()
          return text('early')
        },
      ],
      routes: [['GET', '/', async () => fail()]],
    })
    const response = await fetch('/')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: 'early' })
    expect(log).toHaveBeenCalledTimes(reports)
    expect(unhandled).not.toHaveBeenCalled()
    process.off('unhandledRejection', unhandled)
  })

  test('an asynchronous next() returns a promise by every test for promises', async () => {
    let seen: unknown
    const fetch = door({
      use: [
        async (_ctx, next) => {
          const rest = next()
          let finished = false
          await rest.finally(() => {
            finished = true
          })
          const [{ status }, again] = await Promise.all([rest, rest.then((response: Response) => response.status)])
          seen = { isPromise: rest instanceof Promise, text: String(rest), finished, status, again }
          return rest
        },
      ],
      routes: [['GET', '/', async () => text('x', 201)]],
    })
    expect((await fetch('/')).status).toBe(201)
    expect(seen).toEqual({ isPromise: true, text: '[object Promise]', finished: true, status: 201, again: 201 })
  })

  test.each([
    ['the handler alone', []],
    ['a middleware inside that gives nothing', [async (_ctx: any, next: any) => void (await next())]],
    [
      'a middleware inside that calls next() late',
      [
        async (_ctx: any, next: any) => {
          await soon()
          return next()
        },
      ],
    ],
    [
      'a middleware inside that passes on',
      [(_ctx: any, next: any) => next(), async (_ctx: any, next: any) => await next()],
    ],
  ])('MX18: what loses a race by hand is not sent, and its stream is cancelled: %s', async (_, inside) => {
    const log = quiet()
    const cancel = vi.fn()
    const fetch = door({
      use: [
        async (_ctx: any, next: any) => await next(),
        (_ctx: any, next: any) => Promise.race([next(), text('too late', 503)]),
        ...inside,
      ],
      routes: [['GET', '/', () => soon().then(() => new Response(new ReadableStream({ cancel }), { status: 201 }))]],
    })
    const response = await fetch('/')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 503, text: 'too late' })
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
    expect(log).not.toHaveBeenCalled()
  })

  test.each([
    ['no middleware', []],
    ['a middleware', [(_ctx: any, next: any) => next()]],
  ])('X7: a handler may set ctx.response and return nothing, with %s', async (_, use) => {
    const fetch = door({
      routes: [
        ['GET', '/now', ...use, setResponse],
        ['GET', '/later', ...use, async (ctx) => setResponse(ctx)],
      ],
    })
    for (const path of ['/now', '/later']) {
      const response = await fetch(path)
      expect({ status: response.status, text: await response.text() }).toEqual({ status: 201, text: 'set' })
    }
  })

  test.each([
    [
      'a stream, wrapped',
      () => new Response(new Response('whole').body),
      (old: Response) => new Response(old.body, { status: 500 }),
    ],
    ['a text, wrapped', () => text('whole'), (old: Response) => new Response(old.body, { status: 500 })],
    [
      'a stream, copied field by field',
      () => stream(new Response('whole').body!),
      (old: Response) => stream(old.body!, { status: 500 }),
    ],
    [
      'a stream, piped',
      () => new Response(new Response('whole').body),
      (old: Response) => new Response(old.body!.pipeThrough(new TransformStream()), { status: 500 }),
    ],
  ])('F7: a body that onError goes on with is not cancelled: %s', async (_, answer, again) => {
    const failing = [
      async (_ctx: any, next: any) => {
        await next()
        fail()
      },
      (ctx: any, next: any) => {
        ctx.onResponse(fail)
        return next()
      },
    ]
    for (const middleware of failing) {
      const fetch = door({
        use: [middleware],
        routes: [['GET', '/', answer]],
        onError: (_error, ctx) => again(ctx.response),
      })
      const response = await fetch('/')
      expect({ status: response.status, text: await response.text() }).toEqual({ status: 500, text: 'whole' })
    }
  })

  test('F7: a body that onError drops is cancelled', async () => {
    const cancel = vi.fn()
    const fetch = door({
      use: [
        (ctx, next) => {
          ctx.onResponse(fail)
          return next()
        },
      ],
      routes: [['GET', '/', () => new Response(new ReadableStream({ cancel }))]],
      onError: () => text('error', 500),
    })
    expect((await fetch('/')).status).toBe(500)
    expect(cancel).toHaveBeenCalledTimes(1)
  })
})

test('F11: a path that is set behind the look-up is refused: no guard would see it', async () => {
  const log = quiet()
  const app = createApp()
    .use('/admin/*', () => text('stop', 401))
    .use((ctx, next) => {
      ;(ctx as { path: string }).path = ctx.path.replace('/old', '')
      return next()
    })
    .get('/admin/x', () => text('SECRET'))
    .get('/*', () => text('open'))
  expect((await app.request('/old/admin/x')).status).toBe(500)
  expect(log.mock.calls[0]![0]).toMatchObject({ message: expect.stringContaining('ctx.path: set it in prepare()') })
})

test('F11: a guard sees the path that prepare() has set, and runs once', async () => {
  const guard = vi.fn((_ctx: unknown, next: () => Response | Promise<Response>) => next())
  const withoutOld = Object.assign((_ctx: unknown, next: () => Response | Promise<Response>) => next(), {
    prepare(ctx: { path: string }) {
      ctx.path = ctx.path.replace('/old', '')
    },
  })
  const app = createApp()
    .use('/admin/*', guard)
    .use(withoutOld)
    .get('/admin/x', () => text('x'))
  expect((await app.request('/old/admin/x')).status).toBe(200)
  expect(guard).toHaveBeenCalledTimes(1)
})

describe('P16: a mounted application responds as it does on its own', () => {
  test.each([
    ['onError gives nothing', { onError: (() => undefined) as never }, '/fail', 500],
    ['notFound gives nothing', { notFound: () => undefined }, '/none', 404],
    ['a thrown response', { onError: () => text('no', 500) }, '/teapot', 418],
  ])('%s', async (_, options, path, status) => {
    quiet()
    const inner = createApp(options)
      .use(async (_ctx, next) => {
        await next()
        if (path === '/fail') fail()
      })
      .get('/fail', () => text('SECRET'))
      .get('/teapot', () => {
        throw text('teapot', 418)
      })
    const outer = createApp().mount('/in', inner)
    const response = await outer.request(`/in${path}`)
    expect(response.status).toBe(status)
    expect(await response.text()).not.toContain('SECRET')
  })
})

test('P4: a route without a handler is refused when it is made', () => {
  expect(() => (createApp() as any).get('/x')).toThrow(TypeError) // any: the mistake is the test
  expect(() => (createApp() as any).use(Symbol('x'))).toThrow('use: expected a handler or a middleware, got undefined') // any: as above
})
