import { afterEach, describe, expect, test, vi } from 'vitest'
import { scoped } from '../../src/container/scope.ts'
import { Container } from '../../src/container.ts'
import { requestScope } from '../../src/middleware/request-scope.ts'
import { session } from '../../src/middleware/session.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'
import { doors } from '../harness.ts'

const REQUESTS = runs(1000, 5)

/** A store that finds nothing and cannot write. */
const failing = {
  get: () => undefined,
  set: async () => {
    throw new Error('the store is away')
  },
  destroy: () => {},
}

afterEach(() => vi.restoreAllMocks())

describe.each(doors)('F7: a session store that fails on save, through %s', (_, door) => {
  const count = { open: 0, cancelled: 0, disposed: 0 }
  const container = new Container()
  scoped(
    container,
    'connection',
    () => ({ number: ++count.open }),
    () => {
      count.disposed++
    },
  )
  const keep = session({ secret: 's'.repeat(32), store: failing })
  const scope = requestScope(container)
  const streamed = (): Response =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(10)),
        cancel: () => {
          count.cancelled++
        },
      }),
    )

  const ask = async (use: any[], answer: () => Response): Promise<readonly number[]> => {
    const fetch = door({
      use,
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            ctx.state.container.make('connection')
            ctx.state.session.user = 1
            return answer()
          },
        ],
      ],
    })
    return Promise.all(
      Array.from({ length: REQUESTS }, async () => {
        const response = await fetch('/')
        await response.text()
        return response.status
      }),
    )
  }

  test.each<[string, any[], () => Response, number]>([
    ['a stream, the scope outside', [scope, keep], streamed, REQUESTS],
    ['a stream, the scope inside', [keep, scope], streamed, REQUESTS],
    ['a text, the scope inside', [keep, scope], () => text('x'), 0],
    ['a response of the platform, the scope inside', [keep, scope], () => new Response('x'), 0],
  ])('many requests leave no open body and no open scope: %s', async (_, use, answer, cancelled) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    Object.assign(count, { open: 0, cancelled: 0, disposed: 0 })
    expect(new Set(await ask(use, answer))).toEqual(new Set([500]))
    await vi.waitFor(() => expect(count).toEqual({ open: REQUESTS, cancelled, disposed: REQUESTS }))
  })
})

describe.each(doors)('F7: a scope that is opened after the response, through %s', (_, door) => {
  const container = new Container()
  const make = vi.fn(() => ({}))
  scoped(container, 'connection', make, () => {})
  const scope = requestScope(container)
  const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

  test.each<[string, any[], boolean]>([
    ['by a handler after its timeout, the scope outside', [scope, timeout(1)], false],
    ['by a handler after its timeout, the scope inside', [timeout(1), scope], false],
    ['by work in the background', [scope], true],
  ])('makes nothing that would stay open: %s', async (_, use, background) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    make.mockClear()
    let failed: unknown
    const work = async (ctx: any): Promise<Response> => {
      await soon()
      try {
        ctx.state.container.make('connection')
      } catch (error) {
        failed = error
      }
      return text('late')
    }
    const fetch = door({
      use,
      routes: [
        [
          'GET',
          '/',
          (ctx) => {
            const late = work(ctx)
            return background ? text('now') : late
          },
        ],
      ],
    })
    expect((await fetch('/')).status).toBe(background ? 200 : 503)
    await vi.waitFor(() => expect(failed).toEqual(new Error('This scope has been disposed of')))
    expect(make).not.toHaveBeenCalled()
  })
})
