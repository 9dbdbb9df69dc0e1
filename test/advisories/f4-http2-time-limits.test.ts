import { connect as connectHttp2, constants } from 'node:http2'
import { afterEach, describe, expect, test } from 'vitest'
import { readText } from '../../src/read/text.ts'
import { sse } from '../../src/respond/sse.ts'
import { text } from '../../src/respond/text.ts'
import type { ListenOptions, ServerHandle } from '../../src/runtime/serve-contract.ts'
import { cert, key } from '../node/certificate.ts'
import { eventually, listen, open, openTls, pause, request, statuses, within } from '../node/wire.ts'

const tls = { key, cert }
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const SETTINGS = '\0\0\0\x04\0\0\0\0\0'
const PING = '\0\0\x08\x06\0\0\0\0\0abcdefgh'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const serving = async (options: ListenOptions): Promise<ServerHandle> => {
  const handle = await listen(
    {
      '/': () => text('ok'),
      '/upload': (ctx) => readText(ctx).then(text),
      '/unread': () => new Promise<Response>(() => {}),
      '/part': async (ctx) => {
        await ctx.request.body!.getReader().read()
        return text('part')
      },
      '/nothing': () => new Response(null, { status: 204 }),
      '/unchanged': () => new Response(null, { status: 304 }),
      '/slow': () => new Promise<Response>((resolve) => setTimeout(() => resolve(text('late')), 700)),
      '/events': () =>
        sse((send) => {
          void send({ data: 'one' })
          return () => {}
        }),
    },
    options,
  )
  undo.push(() => handle.close())
  return handle
}

const sessionTo = ({ port }: ServerHandle) => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  undo.push(() => session.destroy())
  return session
}

/** How a stream ended: its status, its text and the code of its reset. */
const ended = (stream: any): Promise<{ status: number; text: string; code: number }> =>
  within(
    15_000,
    new Promise((resolve) => {
      const found = { status: 0, text: '', code: 0 }
      stream.on('response', (fields: any) => {
        found.status = fields[':status']
      })
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        found.text += chunk
      })
      stream.on('error', () => {})
      stream.on('close', () => resolve({ ...found, code: stream.rstCode }))
    }),
    'the end of the stream',
  )

const FRAMES: Readonly<Record<number, string>> = {
  1: 'HEADERS',
  3: 'RST_STREAM',
  4: 'SETTINGS',
  6: 'PING',
  7: 'GOAWAY',
  8: 'WINDOW_UPDATE',
}

/** The kinds of HTTP/2 frames in a run of bytes, each once, in the order in which they came. */
const framesOf = (bytes: string): string[] => {
  const found = new Set<string>()
  for (let at = 0; at + 9 <= bytes.length; ) {
    const [high = 0, middle = 0, low = 0, kind = 0] = Buffer.from(bytes.slice(at, at + 4), 'latin1')
    found.add(FRAMES[kind] ?? `${kind}`)
    at += 9 + (high << 16) + (middle << 8) + low
  }
  return [...found]
}

/** What a client was told before its connection was closed. */
const seenIn = (bytes: string): unknown => (bytes.startsWith('HTTP/') ? statuses(bytes) : framesOf(bytes))

describe('F4: what ends a slow client of HTTP/1.1 ends one of HTTP/2', () => {
  describe.each<[string, ListenOptions, (port: number) => ReturnType<typeof open>, string, string, unknown]>([
    ['HTTP/1.1', {}, open, 'GET / HT', 'P', [408]],
    ['HTTP/1.1 on a server for HTTP/2', { tls, http2: true }, openTls, 'GET / HT', 'P', [408]],
    [
      'HTTP/2',
      { tls, http2: true },
      (port) => openTls(port, 'h2'),
      PREFACE.slice(0, 9),
      PREFACE + SETTINGS,
      ['SETTINGS', 'GOAWAY'],
    ],
  ])('%s: headersTimeoutMs', (_, options, openTo, half, noRequest, seen) => {
    test.each([
      ['nothing', ''],
      ['half of the start', half],
      ['no request', noRequest],
    ])('a connection that sends %s is closed', async (_, bytes) => {
      const { port } = await serving({ ...options, headersTimeoutMs: 300, requestTimeoutMs: 400 })
      const wire = await openTo(port!)
      wire.write(bytes)
      expect(seenIn(await wire.closed())).toEqual(seen)
    })
  })

  test('HTTP/2: a connection that sends nothing but PING is closed', async () => {
    const { port } = await serving({ tls, http2: true, headersTimeoutMs: 300 })
    const wire = await openTls(port!, 'h2')
    wire.write(PREFACE + SETTINGS)
    const sending = setInterval(() => wire.write(PING), 50)
    const frames = framesOf(await wire.closed())
    clearInterval(sending)
    expect(frames).toEqual(['SETTINGS', 'PING', 'GOAWAY'])
  })

  test('HTTP/2: a header section that never ends is closed', async () => {
    const { port } = await serving({ tls, http2: true, headersTimeoutMs: 300 })
    const wire = await openTls(port!, 'h2')
    // HEADERS of stream 1 without END_HEADERS, then empty CONTINUATION frames
    wire.write(`${PREFACE + SETTINGS}\0\0\x01\x01\0\0\0\0\x01\x82`)
    const sending = setInterval(() => wire.write('\0\0\0\x09\0\0\0\0\x01'), 50)
    const frames = framesOf(await wire.closed())
    clearInterval(sending)
    expect(frames).toEqual(['SETTINGS', 'GOAWAY'])
  })

  test.each([
    ['that stays silent', 1_000_000],
    ['that goes on sending', 50],
  ])('HTTP/1.1: an endless POST %s is refused with 408 after requestTimeoutMs', async (_, everyMs) => {
    const { port } = await serving({ requestTimeoutMs: 300 })
    const wire = await open(port!)
    wire.write('POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n')
    const sending = setInterval(() => wire.write('1\r\nx\r\n'), everyMs)
    expect(statuses(await wire.closed())).toEqual([408])
    clearInterval(sending)
  })

  test.each([
    ['that stays silent', '/upload', 1_000_000],
    ['that goes on sending', '/upload', 50],
    ['that is not read', '/unread', 50],
  ])('HTTP/2: an endless POST %s is refused with 408 after requestTimeoutMs', async (_, path, everyMs) => {
    const handle = await serving({ tls, http2: true, requestTimeoutMs: 300 })
    const session = sessionTo(handle)
    const stream = session.request({ ':method': 'POST', ':path': path })
    const end = ended(stream)
    stream.write('x')
    const sending = setInterval(() => stream.destroyed || stream.write('x'), everyMs)
    expect((await end).status).toBe(408)
    clearInterval(sending)
    expect(await ended(session.request({ ':path': '/' })), 'the session lives').toMatchObject({
      status: 200,
      text: 'ok',
    })
  })

  test.each([
    ['is read in part', '/part', 10, 200],
    ['is too large', '/upload', 2_000_000, 413],
    ['is large and read in part', '/part', 2_000_000, 200],
    ['nobody reads', '/', 10, 200],
    ['is large, and nobody reads', '/', 5_000_000, 200],
    ['nobody reads before a 204', '/nothing', 10, 204],
    ['nobody reads before a 304', '/unchanged', 2_000_000, 304],
  ])('HTTP/2: an endless POST that %s ends soon after its response', async (_, path, first, status) => {
    const session = sessionTo(await serving({ tls, http2: true }))
    const stream = session.request({ ':method': 'POST', ':path': path })
    const end = ended(stream)
    stream.write('x'.repeat(first))
    const sending = setInterval(() => stream.destroyed || stream.write('x'), 50)
    expect((await end).status).toBe(status)
    clearInterval(sending)
    expect(await ended(session.request({ ':path': '/' }))).toMatchObject({ status: 200, text: 'ok' })
  })

  test('HTTP/2: a request that came whole may be answered late', async () => {
    const handle = await serving({
      tls,
      http2: true,
      requestTimeoutMs: 200,
      headersTimeoutMs: 100,
      keepAliveTimeoutMs: 100,
    })
    const session = sessionTo(handle)
    const post = session.request({ ':method': 'POST', ':path': '/slow' })
    post.end('whole')
    expect(await ended(post)).toEqual({ status: 200, text: 'late', code: 0 })
  })

  test('HTTP/2: an idle session gets GOAWAY after keepAliveTimeoutMs, but not while events are sent', async () => {
    const handle = await serving({ tls, http2: true, keepAliveTimeoutMs: 200 })
    const session = sessionTo(handle)
    let gone = false
    session.on('goaway', () => {
      gone = true
    })
    const events = session.request({ ':path': '/events' })
    await within(15_000, new Promise((resolve) => events.once('data', resolve)), 'an event')
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect({ gone, closed: events.closed }).toEqual({ gone: false, closed: false })
    events.on('error', () => {}).close(constants.NGHTTP2_CANCEL)
    await eventually(() => gone && session.closed, 'GOAWAY')
  })

  test('HTTP/2: until the first request headersTimeoutMs counts, and keepAliveTimeoutMs does not', async () => {
    const patient = sessionTo(await serving({ tls, http2: true, headersTimeoutMs: 60_000, keepAliveTimeoutMs: 100 }))
    await within(15_000, new Promise((resolve) => patient.once('remoteSettings', resolve)), 'the connection')
    await pause(600)
    expect(await ended(patient.request({ ':path': '/' }))).toEqual({ status: 200, text: 'ok', code: 0 })

    const strict = sessionTo(await serving({ tls, http2: true, headersTimeoutMs: 200, keepAliveTimeoutMs: 0 }))
    let goneAway = 0
    strict.on('goaway', () => goneAway++)
    await eventually(() => strict.closed, 'the end of a session without a request')
    expect(goneAway).toBe(1)
  })

  test('HTTP/2: a client that ignores GOAWAY is cut', async () => {
    const { port } = await serving({ tls, http2: true, headersTimeoutMs: 200 })
    const wire = await openTls(port!, 'h2')
    wire.socket.allowHalfOpen = true
    wire.write(PREFACE + SETTINGS)
    const sending = setInterval(() => wire.write(PING), 50)
    const frames = framesOf(await wire.closed())
    clearInterval(sending)
    expect(frames).toEqual(['SETTINGS', 'PING', 'GOAWAY'])
  })

  test('HTTP/2: requests one after the other on one session, longer than each limit together, are all answered', async () => {
    const limit = 1_500
    const handle = await serving({
      tls,
      http2: true,
      requestTimeoutMs: limit,
      headersTimeoutMs: limit,
      keepAliveTimeoutMs: limit,
    })
    const session = sessionTo(handle)
    const start = performance.now()
    while (performance.now() - start < 2 * limit) {
      const post = session.request({ ':method': 'POST', ':path': '/upload' })
      post.end('x'.repeat(1_000))
      expect(await ended(post)).toMatchObject({ status: 200, code: 0 })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

  test('a good request to the server for HTTP/2 over HTTP/1.1', async () => {
    const { port } = await serving({ tls, http2: true, headersTimeoutMs: 300 })
    const wire = await openTls(port!)
    wire.write(request('/'))
    expect(statuses(await wire.closed())).toEqual([200])
  })
})
