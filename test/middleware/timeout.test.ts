import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { onResponse } from '../../src/kernel/edits.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import { text } from '../../src/respond/text.ts'
import { signalOf } from '../../src/signal.ts'
import { doors } from '../harness.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Let everything that waits for nothing but promises go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe.each(doors)('MX4: timeout through %s', (_, door) => {
  /** A handler that answers when it is told to. */
  const gate = () => {
    let open!: (response: Response | Promise<Response>) => void
    const answer = new Promise<Response>((resolve) => {
      open = resolve
    })
    return { open, handler: () => answer }
  }
  const asked = async (fetch: any, path = '/') => {
    let response: Response | undefined
    const done = fetch(path).then((got: Response) => {
      response = got
    })
    await settle()
    return { done, get: () => response, status: () => response?.status }
  }

  test('MX4: the response comes one millisecond before the limit, and no timer is left', async () => {
    const { open, handler } = gate()
    const got = await asked(door({ use: [timeout(100)], routes: [['GET', '/', handler]] }))
    vi.advanceTimersByTime(99)
    open(text('here'))
    await got.done
    expect({ status: got.status(), body: await got.get()!.text(), timers: vi.getTimerCount() }).toEqual({
      status: 200,
      body: 'here',
      timers: 0,
    })
  })

  test('MX4: at the limit the answer is 503, edits run, and the late stream is cancelled', async () => {
    const { open, handler } = gate()
    const edit = (ctx: any, next: any) => {
      onResponse(ctx, ['x-edit', 'yes'])
      return next()
    }
    const got = await asked(door({ use: [edit, timeout(100)], routes: [['GET', '/', handler]] }))
    vi.advanceTimersByTime(99)
    await settle()
    expect(got.status()).toBeUndefined()
    vi.advanceTimersByTime(1)
    await got.done
    const response = got.get()!
    expect({ status: response.status, json: await response.json() }).toEqual({
      status: 503,
      json: { error: 'Request timed out' },
    })
    expect(response.headers.get('x-edit')).toBe('yes')
    let cancelled = false
    const stream = new ReadableStream({
      cancel() {
        cancelled = true
      },
    })
    open(new Response(stream, { headers: { 'x-late': '1' } }))
    await settle()
    expect({ cancelled, 'x-late': response.headers.get('x-late'), timers: vi.getTimerCount() }).toEqual({
      cancelled: true,
      'x-late': null,
      timers: 0,
    })
  })

  test('MX4: status and message of the response can be chosen', async () => {
    const got = await asked(
      door({ use: [timeout(1, { status: 504, message: 'Too slow' })], routes: [['GET', '/', gate().handler]] }),
    )
    vi.advanceTimersByTime(1)
    await got.done
    expect({ status: got.status(), body: await got.get()!.json() }).toEqual({
      status: 504,
      body: { error: 'Too slow' },
    })
  })

  test('MX4: the signal aborts with a TimeoutError, and what the handler then throws is dropped', async () => {
    const seen: unknown[] = []
    const handler = (ctx: any) =>
      new Promise((_, reject) => {
        const signal = signalOf(ctx)
        signal.addEventListener('abort', () => {
          seen.push(signal.reason.name)
          reject(signal.reason)
        })
      })
    const got = await asked(door({ use: [timeout(5)], routes: [['GET', '/', handler]] }))
    vi.advanceTimersByTime(5)
    await got.done
    expect({ reasons: seen, status: got.status() }).toEqual({ reasons: ['TimeoutError'], status: 503 })
  })

  test("MX4: an error that comes after the response is printed once, and is nobody else's", async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    const onError = vi.fn(() => text('sorry', 500))
    try {
      const { open, handler } = gate()
      const got = await asked(door({ use: [timeout(5)], routes: [['GET', '/', handler]], onError }))
      vi.advanceTimersByTime(5)
      await got.done
      expect({ status: got.status(), printed: printed.mock.calls }).toEqual({ status: 503, printed: [] })
      const late = new Error('late')
      open(Promise.reject(late))
      await settle()
      expect({ printed: printed.mock.calls, onError: onError.mock.calls }).toEqual({ printed: [[late]], onError: [] })
    } finally {
      printed.mockRestore()
    }
  })

  test('MX4: a signal that was not aborted is still open after the response', async () => {
    let signal!: AbortSignal
    const fetch = door({
      use: [timeout(5)],
      routes: [
        [
          'GET',
          '/',
          async (ctx) => {
            signal = signalOf(ctx)
            return text('x')
          },
        ],
      ],
    })
    await fetch('/')
    vi.advanceTimersByTime(100)
    expect(signal.aborted).toBe(false)
  })

  test.each([
    ['a longer one', 500, 499, 500],
    ['a shorter one', 20, 19, 20],
  ])('MX4: the timeout of a route replaces the outer one: %s', async (_, inner, before, at) => {
    const wait = async (_ctx: any, next: any) => {
      await Promise.resolve()
      return next()
    }
    const got = await asked(
      door({ use: [timeout(100)], routes: [['GET', '/', wait, timeout(inner, { status: 504 }), gate().handler]] }),
    )
    vi.advanceTimersByTime(before)
    await settle()
    expect(got.status()).toBeUndefined()
    vi.advanceTimersByTime(at - before)
    await got.done
    expect(got.status()).toBe(504)
  })

  test('MX4: timeout(0) removes the limit', async () => {
    const { open, handler } = gate()
    const got = await asked(door({ use: [timeout(10)], routes: [['GET', '/', timeout(0), handler]] }))
    vi.advanceTimersByTime(100_000)
    await settle()
    expect({ status: got.status(), timers: vi.getTimerCount() }).toEqual({ status: undefined, timers: 0 })
    open(text('late'))
    await got.done
    expect(got.status()).toBe(200)
  })

  test('MX4: an error before the limit is handled as usual, and no timer is left', async () => {
    const fetch = door({
      use: [timeout(10)],
      routes: [['GET', '/', () => Promise.reject(new Error('broken'))]],
      onError: (error) => text((error as Error).message, 500),
    })
    const response = await fetch('/')
    expect({ status: response.status, body: await response.text(), timers: vi.getTimerCount() }).toEqual({
      status: 500,
      body: 'broken',
      timers: 0,
    })
  })

  test('MX4: a handler that does not wait starts no timer', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout')
    await door({ use: [timeout(10)], routes: [['GET', '/', () => text('x')]] })('/')
    expect(set).not.toHaveBeenCalled()
    set.mockRestore()
  })
})

test.each<[string, number, any, string]>([
  ['a negative time', -1, {}, 'timeout: ms: expected a whole number of milliseconds from 0 to 2147483647, got -1'],
  [
    'a time past the longest timer',
    2 ** 31,
    {},
    'timeout: ms: expected a whole number of milliseconds from 0 to 2147483647, got 2147483648',
  ],
  ['a status that is no error', 1, { status: 200 }, 'timeout: status: expected a status of an error, got 200'],
  ['an unknown option', 1, { stat: 1 }, 'timeout: stat: unknown option, did you mean "status"?'],
])('MX4: refuses %s', (_, ms, options, message) => {
  expect(() => timeout(ms, options)).toThrow(new TypeError(message))
})

test.each([
  [400, true],
  [599, true],
  [399, false],
  [600, false],
  [503.5, false],
])('MX4: the status %d is accepted: %s', (status, accepted) => {
  const make = () => timeout(1, { status })
  if (accepted) expect(make).not.toThrow()
  else expect(make).toThrow('timeout: status: expected a status of an error')
})

test('MX4: the longest timer is accepted', () => {
  expect(() => timeout(2 ** 31 - 1)).not.toThrow()
})

test('MX4: ctx.signal of createApp is that signal', async () => {
  const { createApp } = await import('../../src/app.ts')
  const app = createApp().get('/', timeout(1), (ctx) => {
    const { signal } = ctx
    return new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const answer = app.fetch(new Request('http://localhost/'))
  vi.advanceTimersByTime(1)
  expect((await answer).status).toBe(503)
})
