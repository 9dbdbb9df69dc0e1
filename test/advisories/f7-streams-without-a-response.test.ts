import { createServer } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { scoped } from '../../src/container/scope.ts'
import { html } from '../../src/html.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { cache } from '../../src/middleware/cache.ts'
import { requestScope } from '../../src/middleware/request-scope.ts'
import { proxy } from '../../src/proxy.ts'
import { html as htmlResponse } from '../../src/respond/html.ts'
import { sse } from '../../src/respond/sse.ts'
import { stream } from '../../src/respond/stream.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Ways in which a response takes no stream: its status has no body, or it cannot be created. */
const refusals: readonly (readonly [string, object, refused: boolean])[] = [
  ['status 204', { status: 204 }, false],
  ['status 205', { status: 205 }, false],
  ['status 304', { status: 304 }, false],
  ['status 700', { status: 700 }, true],
  ['a header with a line break', { status: 200, headers: { 'x-name': 'a\nb' } }, true],
  ['a status text with a line break', { status: 200, statusText: 'a\nb' }, true],
]

/** @returns what was made, or that it was refused */
const attempted = (make: () => Response): Response | 'refused' => {
  try {
    return make()
  } catch {
    return 'refused'
  }
}

describe('F7: a stream that no response can carry is cancelled once', () => {
  test.each(refusals)('stream() with %s', async (_, options, refused) => {
    const cancel = vi.fn()
    const made = attempted(() => stream(new ReadableStream({ cancel }, { highWaterMark: 0 }), options))
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
    expect(made === 'refused').toBe(refused)
  })

  test.each(refusals)('html() of markup that waits, with %s', async (_, options, refused) => {
    const end = vi.fn(async () => ({ done: true, value: undefined }))
    const rows = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 'row' }), return: end }) }
    const made = attempted(() => htmlResponse(html`<p>${rows}</p>`, options))
    await vi.waitFor(() => expect(end).toHaveBeenCalledTimes(1))
    expect(made === 'refused').toBe(refused)
  })

  test('sse() with a header that HTTP forbids: the sender is told, and no heartbeat stays', async () => {
    const gone = vi.fn()
    const heartbeat = vi.spyOn(globalThis, 'clearInterval')
    expect(() => sse(() => gone, { headers: { 'x-name': 'a\nb' } })).toThrow(TypeError)
    await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(1))
    expect(heartbeat).toHaveBeenCalled()
  })

  test('a stream that a response carries is not cancelled', async () => {
    const cancel = vi.fn()
    const response = stream(new ReadableStream({ cancel }), { status: 206, headers: { 'x-name': 'a' } })
    await new Promise((resolve) => setTimeout(resolve))
    expect({ status: response.status, calls: cancel.mock.calls }).toEqual({ status: 206, calls: [] })
  })
})

describe('F7: requestScope', () => {
  test.each([
    ['is read to its end', (response: Response) => response.text()],
    [
      'is cancelled',
      async (response: Response) => {
        const reader = response.body!.getReader()
        await reader.read()
        await reader.cancel()
      },
    ],
  ])('a scope that the body asks for first ends when the body %s', async (_, consume) => {
    const disposed = vi.fn()
    const app = createApp()
    scoped(app.container, 'database', () => ({}), disposed)
    app.use(requestScope(app.container)).get('/', (ctx) =>
      stream(async function* () {
        ctx.state.container.make('database')
        yield 'one'
        yield 'two'
      }),
    )
    await consume(await app.request('/'))
    await vi.waitFor(() => expect(disposed).toHaveBeenCalledTimes(1))
  })

  test.each<[string, any[], (ctx: any) => Response]>([
    ['a text', [], (ctx) => ctx.text('x')],
    ['no body', [], () => new Response(null, { status: 204 })],
    [
      'no body, of a handler that used it',
      [],
      (ctx) => new Response(ctx.state.container.make('database') && null, { status: 204 }),
    ],
    ['a text, with cache between', [cache({ maxAge: 60 })], (ctx) => ctx.text('x')],
  ])('an edit of middleware in front may ask for the scope of %s', async (_, between, handler) => {
    const disposed = vi.fn()
    const app = createApp()
    scoped(app.container, 'database', () => ({}), disposed)
    const audit = (ctx: any, next: any) => {
      onResponse(ctx, async ({ headers }) => headers.set('x-made', typeof (await ctx.state.container.make('database'))))
      return next()
    }
    for (const one of [audit, ...between, requestScope(app.container)]) app.use(one)
    app.get('/', handler)
    const response = await app.request('/')
    expect({ succeeds: response.status < 300, 'x-made': response.headers.get('x-made') }).toEqual({
      succeeds: true,
      'x-made': 'object',
    })
    await response.text()
    await vi.waitFor(() => expect(disposed).toHaveBeenCalledTimes(1))
  })
})

describe('F7: proxy', () => {
  test.each([
    ['a status that no response may have', 'HTTP/1.1 700 Odd'],
    ['a status text that HTTP forbids', 'HTTP/1.1 200 O\x7fK'],
  ])('%s: 502, and the connection to the target is closed', async (_, line) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const closed = vi.fn()
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('close', closed)
      socket.once('data', () => socket.write(`${line}\r\nContent-Length: 1000000\r\n\r\nbegun`, 'latin1'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const app = createApp().all('/*', proxy(`http://127.0.0.1:${port}`))
    expect((await app.request('/')).status).toBe(502)
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1))
    server.close()
  })
})
