import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createScope, scoped } from '../../src/container/scope.ts'
import type { Container } from '../../src/container.ts'
import { Config, Route } from '../../src/facade/built-in.ts'
import { setFacadeContainer, withFacades } from '../../src/facade.ts'
import type { Context, Middleware } from '../../src/internal/types/context.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { requestScope } from '../../src/middleware/request-scope.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { pipe } from '../../src/pipe.ts'
import { ServiceProvider } from '../../src/provider.ts'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const ask = (path = '/'): Request => new Request(`http://localhost${path}`)

afterEach(() => setFacadeContainer(undefined))

describe('C9, C10, C11: providers of an application', () => {
  test('the container has app, router, config and middleware at once', () => {
    const app = createApp({ config: { db: { file: ':memory:' } } })
    expect(['app', 'router', 'config', 'middleware'].filter((name) => app.container.has(name))).toHaveLength(4)
    expect(app.container.make('app')).toBe(app)
  })

  test('the first requests wait for one boot', async () => {
    const boot = vi.fn(tick)
    class Slow extends ServiceProvider {
      override boot() {
        return boot()
      }
    }
    const app = createApp()
      .register(Slow)
      .get('/', (ctx) => ctx.text(String(boot.mock.results.length)))
    const answers = await Promise.all([app.fetch(ask()), app.fetch(ask())])
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['1', '1'])
    expect(app.fetch(ask())).not.toBeInstanceOf(Promise)
  })

  test('the platform is asked to wait for the boot, also for one that fails', async () => {
    for (const end of [tick, () => Promise.reject(new Error('down'))]) {
      const app = createApp({ onError: () => new Response('failed') }).register({ boot: () => tick().then(end) })
      const waitUntil = vi.fn()
      await app.fetch(ask(), {}, { waitUntil })
      expect(waitUntil.mock.calls).toEqual([[expect.any(Promise)]])
      await waitUntil.mock.calls[0]?.[0]
    }
  })

  test('a boot that fails is answered with 500, and tried again by the next request', async () => {
    const boot = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('down')).mockResolvedValue()
    const app = createApp()
      .register({ boot })
      .get('/', (ctx) => ctx.text('up'))
    expect((await app.fetch(ask())).status).toBe(500)
    expect(await (await app.fetch(ask())).text()).toBe('up')
  })

  test('close shuts the providers down in reverse, once', async () => {
    const ended: string[] = []
    const app = createApp()
      .register({ shutdown: () => void ended.push('first') })
      .register({ shutdown: () => void ended.push('second') })
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    await Promise.all([server.close(), app.close()])
    expect(ended).toEqual(['second', 'first'])
  })

  test('listen rejects with what a provider threw, and binds no port', async () => {
    const app = createApp().register({ boot: () => Promise.reject(new Error('no database')) })
    await expect(app.listen({ port: 0 })).rejects.toThrow('no database')
  })
})

describe('C13, C14: facades of applications', () => {
  test('Route registers on the last application, Config reads its settings', async () => {
    createApp({ config: { app: { name: 'first' } } })
    const app = createApp({ config: { app: { name: 'second' } } })
    Route.get('/users/:id', (ctx) => ctx.text(`${ctx.params.id} of ${Config.get('app.name')}`))
    expect(await (await app.fetch(ask('/users/7'))).text()).toBe('7 of second')
    expect(Config.get('app.debug')).toBe(false)
  })

  test('withFacades turns them to another application', async () => {
    const first = createApp({ config: { app: { name: 'first' } } })
    createApp({ config: { app: { name: 'second' } } })
    withFacades(first, () => Route.get('/', (ctx) => ctx.text('mine')))
    expect((await first.fetch(ask())).status).toBe(200)
    expect(withFacades(first, () => Config.get('app.name'))).toBe('first')
    expect(Config.get('app.name')).toBe('second')
  })
})

describe('C7: requestScope gives each request its own', () => {
  const setUp = (answer: (ctx: Context<{ container: Container }>) => Response) => {
    const { container } = createApp()
    const ended: string[] = []
    let made = 0
    scoped(
      container,
      'unit',
      (c) => `${c.make<Context>('ctx').path} ${++made}`,
      (unit) => void ended.push(unit),
    )
    const fetch = pipe(blank, use(requestScope(container)), route('GET', '/*rest', answer), toFetch)
    return { container, ended, fetch }
  }

  test('one scope for a request, another for the next, ended when the body was read', async () => {
    const { ended, fetch } = setUp(
      ({ state }) => new Response(`${state.container.make('unit')}, ${state.container.make('unit')}`),
    )
    const first = await fetch(ask('/a'))
    const second = await fetch(ask('/b'))
    expect(ended).toEqual([])
    expect({ second: await second.text(), first: await first.text() }).toEqual({
      second: '/b 2, /b 2',
      first: '/a 1, /a 1',
    })
    await tick()
    expect(ended).toEqual(['/b 2', '/a 1'])
  })

  test.each<[string, (ctx: Context<{ container: Container }>) => Response, number]>([
    ['a stream that made a scope', ({ state }) => new Response(new Blob([state.container.make('unit')]).stream()), 1],
    ['a stream that made none', () => new Response(new Blob(['x']).stream()), 0],
    ['a text that made none', () => new Response('x'), 0],
  ])('the platform waits for the end of %s, if it can', async (_, answer, times) => {
    const { fetch } = setUp(answer)
    const waitUntil = vi.fn()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const execution of [{ waitUntil }, {}, undefined]) {
      await (await fetch(ask('/a'), undefined, execution as never)).text()
      await tick()
    }
    expect({ waited: waitUntil.mock.calls, printed: printed.mock.calls }).toEqual({
      waited: Array(times).fill([expect.any(Promise)]),
      printed: [],
    })
    printed.mockRestore()
  })

  test('a response without a body ends it at once; headers and status stay', async () => {
    const { ended, fetch } = setUp(
      ({ state }) => new Response(null, { status: 204, headers: { 'x-unit': state.container.make<string>('unit') } }),
    )
    const response = await fetch(ask('/a'))
    expect({ status: response.status, 'x-unit': response.headers.get('x-unit') }).toEqual({
      status: 204,
      'x-unit': '/a 1',
    })
    await tick()
    expect(ended).toEqual(['/a 1'])
  })

  test('several cookies survive the watched body', async () => {
    const { fetch } = setUp(({ state }) => {
      state.container.make('unit')
      return new Response('x', {
        status: 201,
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      })
    })
    const response = await fetch(ask('/a'))
    expect({ status: response.status, 'set-cookie': response.headers.getSetCookie() }).toEqual({
      status: 201,
      'set-cookie': ['a=1', 'b=2'],
    })
  })

  test('a client that goes ends it, and the source hears of it', async () => {
    const cancelled = vi.fn()
    const { ended, fetch } = setUp(({ state }) => {
      state.container.make('unit')
      return new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)), cancel: cancelled }),
      )
    })
    const response = await fetch(ask('/a'))
    const reader = response.body!.getReader()
    await reader.read()
    expect(ended).toEqual([])
    await reader.cancel('gone')
    await tick()
    expect({ ended, calls: cancelled.mock.calls }).toEqual({ ended: ['/a 1'], calls: [['gone']] })
  })

  test('a body that fails ends it', async () => {
    const { ended, fetch } = setUp(({ state }) => {
      state.container.make('unit')
      return new Response(new ReadableStream({ pull: () => Promise.reject(new Error('broken')) }))
    })
    await expect((await fetch(ask('/a'))).text()).rejects.toThrow('broken')
    await tick()
    expect(ended).toEqual(['/a 1'])
  })

  test('a handler that throws ends it', async () => {
    const { ended, fetch } = setUp(({ state }) => {
      state.container.make('unit')
      throw new Error('handler')
    })
    const response = await fetch(ask('/a'))
    expect(response.status).toBe(500)
    await response.text()
    await tick()
    expect(ended).toEqual(['/a 1'])
  })

  test('a request that never asks makes no scope and gets its response', async () => {
    const { fetch } = setUp(() => new Response('own'))
    expect(await (await fetch(ask('/a'))).text()).toBe('own')
  })

  test('a value that fails to end is logged, and kept alive by waitUntil', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { container, fetch } = setUp(({ state }) => new Response(state.container.make<string>('bad')))
    scoped(
      container,
      'bad',
      () => 'bad',
      () => Promise.reject(new Error('stuck')),
    )
    const waitUntil = vi.fn()
    await (await fetch(ask('/a'), {}, { waitUntil })).text()
    await tick()
    expect(printed.mock.calls).toEqual([[new Error('stuck')]])
    expect(waitUntil).toHaveBeenCalledTimes(1)
    expect(createScope(container).make('bad')).toBe('bad')
    printed.mockRestore()
  })

  test('a scope that begins after a timeout has responded is refused: nobody would end it', async () => {
    const { container } = createApp()
    const made = vi.fn()
    scoped(container, 'late', made)
    let go = (): void => {}
    const slow: Middleware = async (_, next) => {
      await new Promise<void>((resolve) => (go = resolve))
      return next()
    }
    const failed = new Promise((resolve) => {
      const answer = (ctx: Context<{ container: Container }>): Response => {
        try {
          return new Response(ctx.state.container.make<string>('late'))
        } catch (error) {
          resolve(error)
          throw error
        }
      }
      const steps = use(timeout(1), slow, requestScope(container))
      const fetch = pipe(blank, steps, route('GET', '/', answer as never), toFetch)
      void Promise.resolve(fetch(ask())).then(() => go())
    })
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await failed).toEqual(new Error('This scope has been disposed of'))
    expect(made).not.toHaveBeenCalled()
    await tick()
    printed.mockRestore()
  })
})
