import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createClosing } from '../../src/internal/stream/closing.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route } from '../../src/kernel/plan.ts'
import { pipe } from '../../src/pipe.ts'
import { type Send, type SseOptions, sse } from '../../src/respond/sse.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import { endableResponse } from '../../src/runtime/platform/ending.ts'
import { eventually, kinds, stuckThenOk } from '../node/wire.ts'

/** A handler that sends without waiting, whatever its client does, must not fill the memory (fastify CVE-2026-25224). */
let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const LIMIT = 500_000
const EVENT = 50_000

/** A sender that never waits, and counts what it has sent. */
const flood = () => {
  const seen = { sent: 0, over: false, cleaned: 0, errors: [] as string[], send: undefined as Send | undefined }
  const options: SseOptions = {
    heartbeatMs: 0,
    backpressureLimit: LIMIT,
    onError: (error) => void seen.errors.push((error as Error).message),
  }
  const sender = (send: Send) => {
    seen.send = send
    send.signal.addEventListener('abort', () => {
      seen.over = true
    })
    const pump = async (): Promise<void> => {
      // Far more than both systems hold between them
      while (seen.sent < 400_000_000) {
        if (send({ data: 'x'.repeat(EVENT) }) === false) return
        seen.sent += EVENT
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    void pump()
    return () => void seen.cleaned++
  }
  return { seen, answer: () => sse(sender, options), answerOf: (ctx: any) => ctx.sse(sender, options) }
}

const doors: [name: string, fetchOf: (flooding: ReturnType<typeof flood>) => unknown][] = [
  ['createApp', ({ answerOf }) => createApp().get('/', answerOf).fetch],
  ['pipe', ({ answer }) => pipe(blank, route('GET', '/', answer), toFetch)],
]

describe.each(kinds)('a client on %s that reads no events', (_, options, openTo) => {
  test.each(doors)('of %s is cut off when more bytes than the limit wait', async (_, fetchOf) => {
    const flooding = flood()
    const { seen } = flooding
    await using handle = await serve(fetchOf(flooding) as never, {
      port: 0,
      hostname: '127.0.0.1',
      graceMs: 200,
      ...options,
    })
    const wire = await openTo(handle.port!)
    wire.socket.pause()
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => seen.over, 'the end')
    expect(seen.errors).toEqual([expect.stringMatching(/^The client is too slow: \d+ bytes wait for it$/)])
    const waiting = Number(/\d+/.exec(seen.errors[0]!)![0])
    // One event more than the limit, and the framing of each
    expect(waiting).toBeGreaterThan(LIMIT)
    expect(waiting).toBeLessThan(LIMIT + EVENT + 1000)
    expect(seen.sent).toBeLessThan(100_000_000)
    expect({ cleaned: seen.cleaned, sentLate: seen.send!({ data: 1 }) }).toEqual({ cleaned: 1, sentLate: false })
    await wire.hungUp()
    // It was told once, to `onError`
    expect(logged).not.toHaveBeenCalled()
  })
})

test('a stream of HTTP/2 whose window stays closed is reset, and the session goes on', async () => {
  const { seen, answer } = flood()
  const app = createApp()
    .get('/', answer)
    .get('/ok', (ctx) => ctx.text('ok'))
  await using handle = await serve(app.fetch as never, { port: 0, hostname: '127.0.0.1', ...kinds[2]![1] })
  const { rstCode, then } = await stuckThenOk(handle.port!)
  expect(rstCode).not.toBe(0)
  expect(then).toBe('ok')
  expect({ over: seen.over, cleaned: seen.cleaned, errorsLength: seen.errors.length }).toEqual({
    over: true,
    cleaned: 1,
    errorsLength: 1,
  })
  expect(seen.sent).toBeLessThan(LIMIT + 2 * EVENT)
  expect(logged).not.toHaveBeenCalled()
})

test.each(kinds)('events that are sent before %s has begun to write are counted too', async (_, options, openTo) => {
  const errors: string[] = []
  const app = createApp().get('/', (ctx) =>
    ctx.sse(
      (send) => {
        for (let n = 0; n < 100; n++) send({ data: 'x'.repeat(EVENT) })
      },
      { backpressureLimit: LIMIT, onError: (error) => void errors.push((error as Error).message) },
    ),
  )
  await using handle = await serve(app.fetch as never, { port: 0, hostname: '127.0.0.1', ...options })
  const wire = await openTo(handle.port!)
  wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await wire.closed()
  // The client must not take the stream as complete
  expect(wire.text()).not.toMatch(/\r\n0\r\n\r\n$/)
  expect(errors).toEqual([`The client is too slow: ${10 * (EVENT + 8)} bytes wait for it`])
  expect(logged).not.toHaveBeenCalled()
})

test('a server of Bun or Deno forgets a stream that was cut off', async () => {
  const closing = createClosing()
  const { seen, answer } = flood()
  const body = endableResponse(
    new Response(answer().body, { headers: { 'content-type': 'text/event-stream' } }),
    closing,
  )
  expect(closing.openSources.size).toBe(1)
  await eventually(() => seen.over, 'the end')
  await expect(body.text()).rejects.toThrow('The client is too slow')
  expect(closing.openSources.size).toBe(0)
})

test('a small limit lets a sender that awaits send', async () => {
  const response = sse(
    async (send) => {
      for (let n = 0; n < 50; n++) expect(await send({ data: 'x'.repeat(500) })).toBe(true)
    },
    { backpressureLimit: 1000 },
  )
  expect((await response.text()).match(/^data/gm)).toHaveLength(50)
})

test('the cleanup runs once, even if the client cancels after the end', async () => {
  const cleanup = vi.fn()
  let close: (() => void) | undefined
  const { body } = sse((send) => {
    send({ data: 1 })
    close = send.close
    return cleanup
  })
  await new Promise((resolve) => setImmediate(resolve))
  close!()
  await body!.cancel()
  expect(cleanup).toHaveBeenCalledTimes(1)
})
