import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { compression } from '../../src/middleware/compression.ts'
import type { Sender } from '../../src/respond/sse.ts'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'
import { start } from './serving.ts'
import { eventually, kinds, open, request } from './wire.ts'

/** Streams of events over sockets: once what was sent at first has been read, nothing stands between sender and socket. */
const serve = (sender: Sender, options: object = {}, app = createApp()): Promise<ServerHandle> => {
  app.get('/', (ctx) => ctx.sse(sender, { heartbeatMs: 0 }))
  return start(app, options)
}
const numbers = (text: string): number[] => Array.from(text.matchAll(/^data: (\d+) /gm), ([, n]) => Number(n))
const upTo = (most: number): number[] => Array.from({ length: most }, (_, at) => at)
const later = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test.each([
  ['sent before the answer leaves', 0],
  ['sent later', 50],
])('events that are %s come in order, and the end is the end of the answer', async (_, ms) => {
  const { port } = await serve(async (send) => {
    if (ms) await later(ms)
    for (let n = 0; n < 100; n++) {
      send({ data: `${n} ${'x'.repeat(300)}` })
      if (n % 30 === 29) await later()
    }
  })
  const wire = await open(port!)
  wire.write(request('/'))
  const text = await wire.until((text) => text.includes('\r\n0\r\n\r\n'))
  expect(numbers(text)).toEqual(upTo(100))
})

test.each(kinds)(
  'over %s awaiting send goes as fast as the client reads, and nothing is lost',
  async (_, options, openTo) => {
    let waited = 0
    const { port } = await serve(async (send) => {
      for (let n = 0; n < 80; n++) {
        const open = send({ data: `${n} ${'x'.repeat(30_000)}` })
        if (typeof open === 'boolean') continue
        waited++
        if (!(await open)) return
      }
    }, options)
    const wire = await openTo(port!)
    wire.write(request('/'))
    await wire.until((text) => text.includes('data: 0 '))
    wire.socket.pause()
    await later(100)
    wire.socket.resume()
    const text = await wire.until((text) => text.includes('\r\n0\r\n\r\n'), 30_000)
    expect(numbers(text)).toEqual(upTo(80))
    expect(waited).toBeGreaterThan(0)
  },
)

test('when the client disconnects, the signal aborts and a waiting send resolves to false', async () => {
  let gone = false
  let seen: unknown
  const { port } = await serve(async (send) => {
    send({ data: '0 ' })
    await later(50)
    send.signal.addEventListener('abort', () => {
      gone = true
    })
    for (;;) {
      const open = await send({ data: `1 ${'x'.repeat(100_000)}` })
      if (open) continue
      seen = { gone, sent: open }
      return
    }
  })
  const wire = await open(port!)
  wire.write(request('/'))
  await wire.until((text) => text.includes('data: 1 '))
  wire.socket.pause()
  await later(100)
  wire.reset()
  await eventually(() => seen !== undefined, 'the end')
  expect(seen).toEqual({ gone: true, sent: false })
})

test('a sender that fails later ends the answer, and a close of the server does', async () => {
  const failing = await serve(async (send) => {
    send({ data: '0 ' })
    await later(50)
    throw new Error('broken')
  })
  const wire = await open(failing.port!)
  wire.write(request('/'))
  expect(numbers(await wire.until((text) => text.includes('\r\n0\r\n\r\n')))).toEqual([0])

  const endless = await serve((send) => {
    const timer = setInterval(() => send({ data: '0 ' }), 5)
    return () => clearInterval(timer)
  })
  const other = await open(endless.port!)
  other.write(request('/'))
  await other.until((text) => numbers(text).length > 5)
  const closed = endless.close()
  await other.until((text) => text.includes('\r\n0\r\n\r\n'))
  await closed
})

test('a middleware that reads the stream gets it: the events are compressed', async () => {
  const { port } = await serve(
    async (send) => {
      for (let n = 0; n < 10; n++) {
        await send({ data: `${n} ` })
        await later()
      }
    },
    {},
    createApp().use(compression()),
  )
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': 'gzip' } })
  expect(numbers(await response.text())).toEqual(upTo(10))
})
