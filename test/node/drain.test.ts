import { describe, expect, test } from 'vitest'
import { text } from '../../src/respond/text.ts'
import { listen, open, pause } from './wire.ts'

const request = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

/** A handler that answers when the test says so. */
const held = () => {
  let answer = (): void => {}
  let reached = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    reached = resolve
  })
  const handler = () =>
    new Promise<Response>((resolve) => {
      answer = () => resolve(text('late'))
      reached()
    })
  return { handler, arrived, answer: () => answer() }
}

describe('K7: graceMs', () => {
  test('a request that never ends is cut once the grace is over, and close() ends', async () => {
    const { handler, arrived } = held()
    const server = await listen({ '/': handler }, { graceMs: 50 })
    const wire = await open(server.port!)
    wire.write(request('/'))
    await arrived
    await server.close()
    expect(await wire.closed()).toBe('')
  })

  test('a request that ends within the grace is answered, however late', async () => {
    const { handler, arrived, answer } = held()
    const server = await listen({ '/': handler }, { graceMs: 600_000 })
    const wire = await open(server.port!)
    wire.write(request('/'))
    await arrived
    const closed = server.close()
    await pause(600)
    answer()
    expect(await wire.closed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nlate$/)
    await closed
  })

  test('two servers with a short and a long grace: the short one is cut while the other waits and is answered', async () => {
    const [one, other] = [held(), held()]
    const short = await listen({ '/': one.handler }, { graceMs: 50 })
    const long = await listen({ '/': other.handler }, { graceMs: 600_000 })
    const wires = [await open(short.port!), await open(long.port!)]
    for (const wire of wires) wire.write(request('/'))
    await Promise.all([one.arrived, other.arrived])
    const order: string[] = []
    const closing = [short.close().then(() => order.push('short')), long.close().then(() => order.push('long'))]
    await closing[0]
    // Were both graces the same, the second would be over by now.
    await pause(500)
    expect(order).toEqual(['short'])
    other.answer()
    await Promise.all(closing)
    expect(order).toEqual(['short', 'long'])
    expect(await Promise.all(wires.map((wire) => wire.closed()))).toEqual(['', expect.stringMatching(/late$/)])
  })
})

describe('K7: an upload that is answered before it has ended', () => {
  const LENGTH = 4 * 1024 * 1024
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${LENGTH}\r\n\r\n`

  test('its client may send the rest, reads the answer, and the connection serves the next request', async () => {
    const server = await listen({ '/': () => text('no', 413), '/next': () => text('next') })
    const wire = await open(server.port!)
    wire.write(`${head}x`)
    await wire.until((received) => received.includes('\r\n\r\nno'))
    for (let sent = 1; sent < LENGTH; sent += 65_536) wire.write('x'.repeat(Math.min(65_536, LENGTH - sent)))
    wire.write(request('/next'))
    expect(await wire.until((received) => received.endsWith('next'), 20_000)).toMatch(/^HTTP\/1\.1 413 /)
    wire.end()
    await server.close()
  })

  test('a client that sends byte by byte is cut, and nothing stays open', async () => {
    const server = await listen({ '/': () => text('no', 413) }, { graceMs: 600_000 })
    const wire = await open(server.port!)
    wire.write(head)
    const trickle = setInterval(() => wire.write('x'), 50)
    try {
      expect(await wire.closed(20_000)).toMatch(/^HTTP\/1\.1 413 /)
    } finally {
      clearInterval(trickle)
      wire.end()
    }
    await server.close()
  })
})
