import { afterEach, describe, expect, test, vi } from 'vitest'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'
import { watchUnhandled } from '../unhandled.ts'

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

const unhandled = watchUnhandled()
afterEach(() => {
  vi.restoreAllMocks()
})

/** A handler that fails, or answers, after the middleware around it has answered. */
const late = async (answer: () => Response): Promise<Response> => {
  await soon()
  return answer()
}

const fail = (): Response => {
  throw new Error('too late')
}

/** Calls `next()` and does not wait for it. */
const answerEarly = (_ctx: unknown, next: () => unknown): Response => {
  next()
  return text('early')
}

describe.each(doors)('F5, MX18 next() that nobody awaits, %s', (_, door) => {
  test.each([
    ['a middleware that answers at once', answerEarly],
    ['an asynchronous middleware', async (ctx: any, next: any) => answerEarly(ctx, next)],
    [
      'a middleware that calls next() after a wait of its own',
      async (_ctx: any, next: any) => {
        await null
        next()
        return text('early')
      },
    ],
    ['a race that the handler loses', (_ctx: any, next: any) => Promise.race([next(), Promise.resolve(text('early'))])],
  ])('%s: the rejection is logged once and nothing is unhandled', async (_, middleware) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fetch = door({
      use: [(_ctx, next) => next(), async (_ctx, next) => next(), middleware],
      routes: [['GET', '/', () => late(fail)]],
    })
    const response = await fetch('/')
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: 'early' })
    await soon()
    await soon()
    expect(log).toHaveBeenCalledTimes(1)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('a late answer is cancelled', async () => {
    const cancel = vi.fn()
    const stream = (): Response => new Response(new ReadableStream({ cancel }))
    const fetch = door({
      use: [answerEarly],
      routes: [['GET', '/', () => late(stream)]],
    })
    expect(await (await fetch('/')).text()).toBe('early')
    await soon()
    await soon()
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  test('a rejection that the middleware catches is not logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fetch = door({
      use: [async (_ctx, next) => next().catch(() => text('caught', 503))],
      routes: [['GET', '/', () => late(fail)]],
    })
    expect((await fetch('/')).status).toBe(503)
    await soon()
    expect(log).not.toHaveBeenCalled()
    expect(unhandled).not.toHaveBeenCalled()
  })
})
