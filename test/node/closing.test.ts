import { connect as connectHttp2 } from 'node:http2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { sse } from '../../src/respond/sse.ts'
import { text } from '../../src/respond/text.ts'
import { eventually, kinds, listen, open, pause, request, statuses, within } from './wire.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(kinds)('P14: close() on %s with an open stream of events', (_, options, openTo) => {
  test('aborts the sender at once, ends the stream cleanly, and does not wait for the grace', async () => {
    let aborted = false
    const handle = await listen(
      {
        '/': () =>
          sse(async (send) => {
            send.signal.addEventListener('abort', () => {
              aborted = true
            })
            await send({ data: 'one' })
            await new Promise((resolve) => send.signal.addEventListener('abort', resolve))
          }),
      },
      { ...options, graceMs: 60_000 },
    )
    const wire = await openTo(handle.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await wire.until((text) => text.includes('data: one'))
    const closing = handle.close()
    await eventually(() => aborted, 'the signal of the sender')
    expect(await wire.closed()).toMatch(/data: one\n\n\r\n0\r\n\r\n$/)
    await within(15_000, closing, 'close')
  })

  test('calls the clean-up of each of 50 senders once', async () => {
    let ended = 0
    const handle = await listen({ '/': () => sse(() => () => void ended++) }, { ...options, graceMs: 60_000 })
    const wires = await Promise.all(Array.from({ length: 50 }, () => openTo(handle.port!)))
    for (const wire of wires) wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all(wires.map((wire) => wire.until((text) => text.includes('event-stream'))))
    wires[0]!.end()
    await within(15_000, handle.close(), 'close')
    await Promise.all(wires.map((wire) => wire.closed()))
    expect(ended).toBe(50)
  })

  test('a stream of events that begins during close() ends at once', async () => {
    let go!: () => void
    const handle = await listen(
      {
        '/': async () => {
          await new Promise<void>((resolve) => {
            go = resolve
          })
          return sse(() => () => {})
        },
      },
      { ...options, graceMs: 60_000 },
    )
    const wire = await openTo(handle.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => go !== undefined, 'the request')
    const closing = handle.close()
    go()
    expect(statuses(await wire.closed())).toEqual([200])
    await within(15_000, closing, 'close')
  })

  test('any other request continues: its signal is not aborted, and its response is complete', async () => {
    let signal: AbortSignal | undefined
    const handle = await listen(
      {
        '/': async (ctx) => {
          signal = ctx.request.signal
          await pause(500)
          return text(String(signal!.aborted))
        },
      },
      { ...options, graceMs: 60_000 },
    )
    const wire = await openTo(handle.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => signal !== undefined, 'the request')
    await within(15_000, handle.close(), 'close')
    expect(await wire.closed()).toMatch(/\r\n\r\nfalse$/)
  })
})

test('P14: over HTTP/2 the stream of events ends without an error code', async () => {
  const handle = await listen(
    {
      '/': () =>
        sse((send) => {
          void send({ data: 'one' })
          return () => {}
        }),
    },
    { ...kinds[2]![1], graceMs: 60_000 },
  )
  const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
  const events = session.request({ ':path': '/' }).setEncoding('utf8')
  await within(15_000, new Promise((resolve) => events.once('data', resolve)), 'an event')
  const closed = new Promise((resolve) => events.once('close', resolve))
  await within(15_000, handle.close(), 'close')
  await within(15_000, closed, 'the end')
  expect(events.rstCode).toBe(0)
  session.destroy()
})

describe('P9: waitUntil of the third argument of fetch', () => {
  const ask = async (port: number): Promise<void> => {
    const wire = await open(port)
    wire.write(request('/'))
    expect(statuses(await wire.closed())).toEqual([200])
  }
  const working = (work: (ctx: any) => Promise<unknown>) => ({
    '/': (ctx: any) => {
      ctx.execution.waitUntil(work(ctx))
      return text('ok')
    },
  })

  test('the answer does not wait, close() does', async () => {
    let finish!: () => void
    let done = false
    const handle = await listen(
      working(async () => {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        done = true
      }),
      { graceMs: 60_000 },
    )
    await ask(handle.port!)
    expect(done).toBe(false)
    let closed = false
    const closing = handle.close().then(() => {
      closed = true
    })
    await pause(300)
    expect(closed).toBe(false)
    finish()
    await within(15_000, closing, 'close')
    expect(done).toBe(true)
  })

  test('work that begins more work is waited for', async () => {
    const order: string[] = []
    const handle = await listen(
      working(async (ctx) => {
        await pause(50)
        order.push('first')
        ctx.execution.waitUntil(pause(50).then(() => order.push('second')))
      }),
      { graceMs: 60_000 },
    )
    await ask(handle.port!)
    await within(15_000, handle.close(), 'close')
    expect(order).toEqual(['first', 'second'])
  })

  test('close() does not wait longer than graceMs', async () => {
    const handle = await listen(
      working(() => new Promise(() => {})),
      { graceMs: 300 },
    )
    await ask(handle.port!)
    await within(15_000, handle.close(), 'close')
  })

  test.each([
    ['an error', () => Promise.reject(new Error('work'))],
    ['nothing', () => Promise.reject()],
    [
      'an error that cannot be printed',
      () =>
        Promise.reject(
          Object.defineProperty(new Error('x'), 'stack', {
            get() {
              throw new Error('no')
            },
          }),
        ),
    ],
  ])('work that fails with %s is reported once, and ends nothing', async (_, work) => {
    const log = vi.spyOn(console, 'error').mockImplementation((error) => void String(error?.stack))
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const handle = await listen(working(work), { graceMs: 60_000 })
    await ask(handle.port!)
    await ask(handle.port!)
    await within(15_000, handle.close(), 'close')
    process.off('unhandledRejection', unhandled)
    expect(log.mock.results.filter(({ type }) => type === 'return')).toHaveLength(2)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('a value that is not a promise counts as done', async () => {
    const handle = await listen({
      '/': (ctx) => {
        ctx.execution.waitUntil('value')
        return text('ok')
      },
    })
    await ask(handle.port!)
    await within(15_000, handle.close(), 'close')
  })
})

describe('F17: a signal that aborts', () => {
  const app = (down: () => void) =>
    createApp()
      .register({ register: () => {}, shutdown: down })
      .get('/', () => text('ok'))

  test('closes the server and shuts the providers down, once', async () => {
    const down = vi.fn()
    const stop = new AbortController()
    const handle = await app(down).listen({ port: 0, hostname: '127.0.0.1', signal: stop.signal })
    stop.abort()
    await eventually(() => down.mock.calls.length > 0, 'the shutdown')
    await handle.close()
    expect(down).toHaveBeenCalledOnce()
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('that is aborted already does the same', async () => {
    const down = vi.fn()
    const handle = await app(down).listen({ port: 0, hostname: '127.0.0.1', signal: AbortSignal.abort() })
    expect(down).toHaveBeenCalledOnce()
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('a provider that fails to shut down is reported, and ends nothing', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const stop = new AbortController()
    const handle = await app(() => {
      throw new Error('down')
    }).listen({ port: 0, hostname: '127.0.0.1', signal: stop.signal })
    stop.abort()
    await eventually(() => log.mock.calls.length > 0, 'the report')
    expect(log.mock.calls).toEqual([[new Error('down')]])
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
