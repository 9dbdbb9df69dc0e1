import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { readText } from '../../src/read/text.ts'
import { sse } from '../../src/respond/sse.ts'
import { text } from '../../src/respond/text.ts'
import { cert, key } from '../node/certificate.ts'
import { kinds, listen, open, openTls, parse, request, statuses, within } from '../node/wire.ts'

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'

describe.each(kinds)('F3: on %s', (_, options, openTo) => {
  const server = (graceMs = 300) => listen({ '/': () => text('ok') }, { ...options, graceMs })

  test('CONNECT from a client that keeps its half open is answered with 501, and its socket is closed', async () => {
    await using handle = await server()
    const wire = await openTo(handle.port!)
    wire.socket.allowHalfOpen = true
    wire.write(CONNECT)
    await wire.until((text) => text.includes('\r\n\r\n'))
    expect(statuses(wire.text())).toEqual([501])
    await wire.hungUp()
  })

  test('CONNECT from a client that goes on sending does not hold close() up', async () => {
    const handle = await server()
    const wire = await openTo(handle.port!)
    wire.socket.allowHalfOpen = true
    wire.write(CONNECT)
    await wire.until((text) => text.includes('501'))
    const gone = wire.hungUp()
    await within(15_000, handle.close(), 'close')
    await gone
    expect({ statuses: statuses(wire.text()), gone: wire.socket.destroyed }).toEqual({ statuses: [501], gone: true })
  })

  test('close() ends while clients hold open: nothing sent, half a head, half a body, events, a TCP connection', async () => {
    const handle = await listen(
      { '/': (ctx) => readText(ctx).then(text), '/events': () => sse(() => () => {}) },
      { ...options, graceMs: 300 },
    )
    const bare = await open(handle.port!)
    const silent = await openTo(handle.port!)
    const head = await openTo(handle.port!)
    head.write('GET / HT')
    const body = await openTo(handle.port!)
    body.write(request('/', { method: 'POST', headers: ['Content-Length: 10'] }))
    const events = await openTo(handle.port!)
    events.write(request('/events'))
    await events.until((text) => text.includes('text/event-stream'))
    await within(15_000, handle.close(), 'close')
    await Promise.all([bare, silent, head, body, events].map((wire) => wire.closed()))
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('a request that is under way longer than an idle connection may live is answered during close()', async () => {
    let answer!: (response: Response) => void
    const handle = await listen(
      { '/': () => new Promise<Response>((resolve) => (answer = resolve)) },
      { ...options, graceMs: 10_000 },
    )
    const wire = await openTo(handle.port!)
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const silent = await openTo(handle.port!)
    await expect.poll(() => answer).toBeDefined()
    const closing = handle.close()
    await silent.closed()
    answer(text('late'))
    await within(15_000, closing, 'close')
    expect(parse(await wire.closed())).toMatchObject({ status: 200, body: 'late' })
  })
})

describe.each([
  ['https', {}],
  ['http2', { http2: true }],
])('F3: a handshake on %s', (_, options) => {
  const tls = { key, cert }

  test.each([
    ['that never begins', ''],
    ['that stops in the first record', '\x16\x03\x01\x02\x00\x01\x00'],
  ])('%s does not hold close() up', async (_, bytes) => {
    const handle = await listen({ '/': () => text('ok') }, { tls, ...options, graceMs: 300 })
    const wire = await open(handle.port!)
    wire.write(bytes)
    await within(15_000, handle.close(), 'close')
    expect(await wire.closed()).toBe('')
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test.each([
    ['that never begins', 0],
    ['that comes byte by byte', 1],
  ])('%s is cut after headersTimeoutMs', async (_, bytes) => {
    await using handle = await listen({ '/': () => text('ok') }, { tls, ...options, headersTimeoutMs: 300 })
    const wire = await open(handle.port!)
    wire.write('\x16\x03\x01\x02\x00')
    const sending = setInterval(() => wire.write('\0'.repeat(bytes)), 50)
    await wire.closed()
    clearInterval(sending)
    const good = await openTls(handle.port!)
    good.write(request('/'))
    expect(statuses(await good.closed())).toEqual([200])
  })

  test('300 connections without a handshake leave no socket behind', async () => {
    const handle = await listen({ '/': () => text('ok') }, { tls, ...options, graceMs: 200 })
    const sockets = Array.from({ length: 300 }, () => connect(handle.port!, '127.0.0.1').on('error', () => {}))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    const closed = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    await within(30_000, handle.close(), 'close')
    await within(30_000, closed, 'the sockets')
    expect(sockets.filter((socket) => !socket.destroyed || socket.bytesRead > 0)).toEqual([])
    await expect(open(handle.port!)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
