import { afterEach, describe, expect, test, vi } from 'vitest'
import { cors } from '../../src/middleware/cors.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

afterEach(() => vi.restoreAllMocks())

const soon = (ms = 3): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {})
const streamed = (cancel: () => void): Response => new Response(new ReadableStream({ cancel }))

describe.each(doors)('what nobody gets, through %s', (_, door) => {
  test('I6: an onError whose response was read already ends as one 500, also with edits', async () => {
    const log = quiet()
    const used = new Response('gone')
    await used.text()
    const fetch = door({
      use: [cors()],
      onError: () => used,
      routes: [
        [
          'GET',
          '/',
          () => {
            throw new Error('first')
          },
        ],
      ],
    })
    expect((await fetch('/')).status).toBe(500)
    expect(log.mock.calls.map(([error]) => (error as Error).name)).not.toContain('RangeError')
  })

  test('I6: a late body that comes at once, and one that is thrown later, are cancelled', async () => {
    quiet()
    const cancel = vi.fn()
    const early = (_: any, next: any) => {
      soon()
        .then(next)
        .catch(() => {})
      return text('early')
    }
    const fetch = door({
      use: [early],
      routes: [
        ['GET', '/returned', () => streamed(cancel)],
        ['GET', '/rejected', () => Promise.reject(streamed(cancel))],
      ],
    })
    for (const path of ['/returned', '/rejected']) expect(await (await fetch(path)).text()).toBe('early')
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(2))
  })

  test('I6: HEAD drops a body of the platform, also of an asynchronous handler', async () => {
    const cancel = vi.fn()
    const fetch = door({ routes: [['GET', '/', async () => streamed(cancel)]] })
    const response = await fetch(new Request('http://localhost/', { method: 'HEAD' }))
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: null })
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
  })

  test('I7: HEAD for a response of another package, whose body cannot be cancelled', async () => {
    const foreign = () => ({ status: 203, headers: new Headers(), body: {}, arrayBuffer() {} }) as never
    const fetch = door({
      routes: [
        ['GET', '/', foreign],
        ['GET', '/late', async () => foreign()],
      ],
    })
    for (const path of ['/', '/late'])
      expect((await fetch(new Request(`http://localhost${path}`, { method: 'HEAD' }))).status).toBe(203)
  })

  test('I1: parameters that prepare() writes before there are any reach no other request', async () => {
    quiet()
    const writes = Object.assign((_: any, next: any) => next(), {
      prepare(ctx: any) {
        ctx.params.id = 'other'
      },
    })
    const seen: unknown[] = []
    const routes = [['GET', '/x', (ctx: any) => text(String(seen.push(ctx.params.id)))]] as const
    await door({ use: [writes], routes: routes as never })('/x')
    expect((await door({ routes: routes as never })('/x')).status).toBe(200)
    expect(seen.at(-1)).toBe(undefined)
  })

  test('I2: a guard whose pattern has a character that paths escape covers every form of the path', async () => {
    const fetch = door({
      use: [['/f/x^/secret', () => text('no', 403)]],
      routes: [
        ['GET', '/f/:name', () => text('open')],
        ['GET', '/f/x^/secret', () => text('secret')],
      ],
    })
    for (const path of ['/f/x%5E/secret', '/f/x%5e%2Fsecret', '/f/x%5E%2fsecret/'])
      expect({ path, status: (await fetch(path)).status }).toEqual({ path, status: 403 })
  })

  test.each<[string, (error: Error) => unknown, string]>([
    ['gives nothing', () => undefined, 'first'],
    ['gives nothing later', async () => undefined, 'first'],
    ['gives what is no response', () => ({ status: 200 }), 'first'],
    [
      'throws',
      () => {
        throw new Error('second')
      },
      'second',
    ],
    ['rejects', async () => Promise.reject(new Error('second')), 'second'],
  ])('I7: an onError that %s ends as one 500, and the log has what failed last', async (_, onError, logged) => {
    const log = quiet()
    const fail = async () => {
      throw new Error('first')
    }
    const response = await door({ onError: onError as never, routes: [['GET', '/', fail]] })('/')
    expect({
      status: response.status,
      body: await response.json(),
      logged: log.mock.calls.map(([error]) => (error as Error).message),
    }).toEqual({ status: 500, body: { error: 'Internal Server Error' }, logged: [logged] })
  })

  test('I6: an error that cannot be looked at is reported in a list', async () => {
    const log = quiet()
    const thrown: object = new Proxy(
      {},
      {
        getPrototypeOf() {
          throw thrown
        },
      },
    )
    const fetch = door({ routes: [['GET', '/', async () => Promise.reject(thrown)]] })
    expect((await fetch('/')).status).toBe(500)
    const [list] = log.mock.lastCall as [unknown[]]
    expect({ count: list.length, same: Object.is(list[0], thrown) }).toEqual({ count: 1, same: true })
  })

  const instead = { headers: { 'x-made': 'by onError' } }
  test.each<[string, (body: ReadableStream) => Response, number]>([
    ['a text, which drops the body', () => text('error', 500, instead.headers), 1],
    ['nothing, which drops the body', () => new Response(null, instead), 1],
    ['a stream, which may read from the body', () => new Response(new ReadableStream(), instead), 0],
  ])('I6: an error after a streamed response is answered with %s', async (_, make, cancelled) => {
    quiet()
    const cancel = vi.fn()
    const fails = async (_ctx: any, next: any) => {
      await next()
      throw new Error('after')
    }
    const fetch = door({ use: [fails], onError: make as never, routes: [['GET', '/', () => streamed(cancel)]] })
    const response = await fetch('/')
    await soon()
    expect({ made: response.headers.get('x-made'), cancelled: cancel.mock.calls.length }).toEqual({
      made: 'by onError',
      cancelled,
    })
  })

  test('I6: a body that somebody reads goes on when an error replaces its response', async () => {
    quiet()
    let copy: Promise<string> | undefined
    const copies = async (_ctx: any, next: any) => {
      copy = (await next()).text()
      throw new Error('after')
    }
    const parts = ['a', 'b'].map((part) => new TextEncoder().encode(part))
    const source = {
      async pull(controller: ReadableStreamDefaultController) {
        await soon()
        const part = parts.shift()
        if (part) controller.enqueue(part)
        else controller.close()
      },
    }
    const body = () => new Response(new ReadableStream(source, { highWaterMark: 0 }))
    const fetch = door({ use: [copies], routes: [['GET', '/', body]] })
    expect({ status: (await fetch('/')).status, copy: await copy }).toEqual({ status: 500, copy: 'ab' })
  })

  test('I6: who throws a response decides about the body of the one that it got', async () => {
    let kept: Response | undefined
    const keeps = async (_ctx: any, next: any) => {
      kept = await next()
      throw text('instead')
    }
    const body = () => new Response(new Blob(['body']).stream())
    const fetch = door({ use: [keeps], routes: [['GET', '/', body]] })
    expect(await (await fetch('/')).text()).toBe('instead')
    expect(await kept?.text()).toBe('body')
  })

  test('I5: an error whose onError takes longer than the deadline leaves the streamed 503 alone', async () => {
    quiet()
    const cancel = vi.fn()
    const late = vi.fn()
    const edits = (ctx: any, next: any) => {
      ctx.onResponse(['x-edit', 'once'])
      return next()
    }
    const fetch = door({
      use: [edits, timeout(2)],
      onRefusal: () => new Response(new ReadableStream({ cancel }), { status: 503 }),
      onError: async () => {
        await soon(20)
        late()
        return text('late', 500)
      },
      routes: [['GET', '/', async () => Promise.reject(new Error('at once'))]],
    })
    const response = await fetch('/')
    await vi.waitFor(() => expect(late).toHaveBeenCalledTimes(1))
    await soon()
    expect({
      status: response.status,
      edit: response.headers.get('x-edit'),
      cancelled: cancel.mock.calls.length,
    }).toEqual({
      status: 503,
      edit: 'once',
      cancelled: 0,
    })
  })

  test.each<[string, (next: () => unknown) => unknown]>([
    [
      'throws',
      (next) => {
        next()
        throw new Error('own')
      },
    ],
    [
      'rejects',
      (next) => {
        next()
        return Promise.reject(new Error('own'))
      },
    ],
  ])('I5: what comes after a middleware that %s without waiting for next() is dropped', async (_, act) => {
    const log = quiet()
    const cancel = vi.fn()
    const fetch = door({
      use: [(_ctx, next) => act(next)],
      routes: [
        ['GET', '/body', () => soon().then(() => streamed(cancel))],
        ['GET', '/error', () => soon().then(() => Promise.reject(new Error('late')))],
      ],
    })
    for (const path of ['/body', '/error']) expect((await fetch(path)).status).toBe(500)
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
    await vi.waitFor(() => expect(log.mock.calls.map(([error]) => error.message)).toEqual(['own', 'own', 'late']))
  })

  test('I5: an onRefusal that gives nothing at a deadline is a 500, and the request ends', async () => {
    quiet()
    const fetch = door({
      use: [timeout(2)],
      onRefusal: () => undefined as never,
      routes: [['GET', '/', () => soon(30).then(() => text('late'))]],
    })
    expect((await fetch('/')).status).toBe(500)
  })

  test('MX4: a timeout that another middleware calls by hand is an error that says where it belongs', async () => {
    const log = quiet()
    const limit = timeout(1000)
    const fetch = door({ use: [(ctx, next) => limit(ctx, next)], routes: [['GET', '/', () => text('x')]] })
    expect((await fetch('/')).status).toBe(500)
    expect(String(log.mock.calls[0]?.[0])).toMatch(/^TypeError: timeout: expected a place in use\(\) or in a route/)
  })
})
