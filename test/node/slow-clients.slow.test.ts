import { connect as connectHttp2 } from 'node:http2'
import { describe, expect, test } from 'vitest'
import { sse } from '../../src/respond/sse.ts'
import { stream } from '../../src/respond/stream.ts'
import { text } from '../../src/respond/text.ts'
import { eventually, kinds, listen, pause, stuckThenOk } from './wire.ts'

const WHOLE = 'x'.repeat(16 * 1024 * 1024)

const PIECE = 65_536

const endless = (cancelled: () => void, pulls: () => void = () => {}): ReadableStream =>
  new ReadableStream({
    pull(controller) {
      pulls()
      controller.enqueue(new Uint8Array(PIECE))
    },
    cancel: cancelled,
  })

describe.each(kinds)('F17: a client on %s that never reads', (_, options, openTo) => {
  test.each([
    ['a text of 16 MB', () => text(WHOLE)],
    ["a platform's response of 16 MB", () => new Response(WHOLE)],
    ['a stream without end', () => stream(() => endless(() => {}))],
  ])('%s: the connection is cut after sendTimeoutMs', async (_, answer) => {
    await using handle = await listen({ '/': answer }, { ...options, sendTimeoutMs: 300 })
    const wire = await openTo(handle.port!)
    wire.socket.pause()
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await wire.hungUp()
    expect({ cut: wire.socket.destroyed, read: wire.text() }).toEqual({ cut: true, read: '' })
  })

  test('the source of a stream is cancelled', async () => {
    let cancelled = false
    let pulled = 0
    const source = (): ReadableStream =>
      endless(
        () => {
          cancelled = true
        },
        () => pulled++,
      )
    await using handle = await listen({ '/': () => stream(source) }, { ...options, sendTimeoutMs: 300 })
    const wire = await openTo(handle.port!)
    wire.socket.pause()
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => cancelled, 'the cut')
    wire.end()
    // What both systems hold between them is a few megabytes
    expect(pulled * PIECE).toBeLessThan(100_000_000)
  })

  test('10,000 requests at once whose responses are never read: the connection is cut', async () => {
    let served = 0
    await using handle = await listen(
      { '/': () => text(`${++served}`.padEnd(100_000)) },
      { ...options, sendTimeoutMs: 300 },
    )
    const wire = await openTo(handle.port!)
    wire.socket.pause()
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10_000))
    await wire.hungUp()
    expect(served).toBeLessThan(10_000)
  })

  test('a client that reads slowly, and one that waits for a slow source, are served to the end', async () => {
    await using handle = await listen(
      {
        '/slow-client': () => text(WHOLE),
        '/slow-source': () =>
          stream(async function* () {
            yield 'a'
            await pause(2_500)
            yield 'b'
          }),
        '/slow-handler': async () => {
          await pause(2_500)
          return text('ok')
        },
        '/events': () =>
          sse(async (send) => {
            await send({ data: 'one' })
            await pause(2_500)
            await send({ data: 'two' })
          }),
      },
      { ...options, sendTimeoutMs: 1_000 },
    )
    const slowly = async (): Promise<number> => {
      const wire = await openTo(handle.port!)
      wire.write('GET /slow-client HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      const { socket } = wire
      socket.on('data', () => {
        socket.pause()
        setImmediate(() => socket.resume())
      })
      return (await wire.closed(15_000)).length
    }
    const ask = async (path: string): Promise<string> => {
      const wire = await openTo(handle.port!)
      wire.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      return wire.closed()
    }
    const [length, source, handler, events] = await Promise.all([
      slowly(),
      ask('/slow-source'),
      ask('/slow-handler'),
      ask('/events'),
    ])
    expect(length).toBeGreaterThan(WHOLE.length)
    expect(source).toMatch(/1\r\na\r\n1\r\nb\r\n0\r\n\r\n$/)
    expect(handler).toMatch(/\r\n\r\nok$/)
    expect(events).toContain('data: two')
  })
})

describe('F17: a client of HTTP/2 that never reads', () => {
  test.each([
    ['a text of 40 kB', () => text('x'.repeat(40_000))],
    ['a text of 16 MB', () => text(WHOLE)],
    ['a stream without end', () => stream(() => endless(() => {}))],
  ])('%s: the stream whose window stays closed is reset, and the session lives', async (_, answer) => {
    await using handle = await listen(
      { '/': answer, '/ok': () => text('ok') },
      { ...kinds[2]![1], sendTimeoutMs: 300, keepAliveTimeoutMs: 5_000 },
    )
    const { rstCode, then } = await stuckThenOk(handle.port!)
    expect(rstCode).not.toBe(0)
    expect(then).toBe('ok')
  })

  test('a text of 16 MB comes whole to a client that reads slowly', async () => {
    await using handle = await listen({ '/': () => text(WHOLE) }, { ...kinds[2]![1], sendTimeoutMs: 400 })
    const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
    const asked = session.request({ ':path': '/' })
    let length = 0
    let done = false
    asked.on('data', (chunk: Buffer) => {
      length += chunk.length
      asked.pause()
      setTimeout(() => asked.resume(), 1)
    })
    asked.on('close', () => {
      done = true
    })
    await eventually(() => done, 'the end', 15_000)
    session.destroy()
    expect({ length, rstCode: asked.rstCode }).toEqual({ length: WHOLE.length, rstCode: 0 })
  })
})
