import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { type SocketHandlers, webSocket } from '../../src/websocket.ts'
import { start } from './serving.ts'
import { eventually, exchange, open, pause, statuses } from './wire.ts'

const logged = vi.fn()
beforeEach(() => {
  logged.mockClear()
  vi.spyOn(console, 'error').mockImplementation(logged)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const handshake = (more = '', version = '1.1'): string =>
  `GET / HTTP/${version}\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** A text of at most 125 bytes in one frame, with a mask of zeros. */
const text = (content: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | content.length, 0, 0, 0, 0]), Buffer.from(content)])

test.each([
  ['an empty member', 'a,,b', 400],
  ['a member twice', 'a, a', 400],
  ['a member twice, in two lines', 'a\r\nSec-WebSocket-Protocol: a', 400],
  ['a member that is no token', 'a, b c', 400],
  ['nothing', '', 400],
  ['a comma at the end', 'a,', 400],
  ['good ones', 'b , a', 101],
  ['good ones in two lines', 'b\r\nSec-WebSocket-Protocol: a', 101],
])('WS2: Sec-WebSocket-Protocol with %s opens nothing unless it is good', async (_, offered, status) => {
  const made = vi.fn(() => ({}))
  const { port } = await start(createApp().get('/', webSocket(made, { protocols: ['a'] })))
  const answer = await exchange(port!, handshake(`Sec-WebSocket-Protocol: ${offered}\r\n`), (got) =>
    got.includes('\r\n\r\n'),
  )
  expect(statuses(answer)).toEqual([status])
  expect(made).toHaveBeenCalledTimes(status === 101 ? 1 : 0)
  expect(logged).not.toHaveBeenCalled()
})

test('WS2: an upgrade over HTTP/1.0 is an ordinary request', async () => {
  const made = vi.fn(() => ({}))
  const { port } = await start(createApp().get('/', webSocket(made)))
  const answer = await exchange(port!, handshake('', '1.0'))
  expect(statuses(answer)).toEqual([426])
  expect(made).not.toHaveBeenCalled()
})

test('WS1: a header with a line break is an error, and is not sent with the handshake', async () => {
  const app = createApp().get(
    '/',
    webSocket((ctx) => {
      onResponse(ctx, ['x-name', 'a\r\nx-evil: 1'])
      return {}
    }),
  )
  const { port } = await start(app)
  const answer = await exchange(port!, handshake(), (got) => got.includes('\r\n\r\n'))
  expect(answer).not.toContain('x-evil')
  expect(statuses(answer)).toEqual([500])
  expect(`${logged.mock.calls[0]![0]}`).toContain('x-name')
})

test.each([
  ['handlers that wait', async () => pause(0)],
  ['handlers that do not wait, after an open that does', () => {}],
])('WS2: 5,000 short messages in one write come in order to %s', async (_, message) => {
  const got: string[] = []
  const handlers: SocketHandlers<string | Uint8Array> = {
    open: () => pause(50),
    message: (_, content) => {
      got.push(`${content}`)
      return message()
    },
  }
  const { port } = await start(
    createApp().get(
      '/',
      webSocket(() => handlers),
    ),
  )
  const wire = await open(port!)
  const sent = Array.from({ length: 5000 }, (_, n) => `${n}`)
  wire.write(Buffer.concat([Buffer.from(handshake()), ...sent.map(text)]))
  await eventually(() => got.length === 5000 || wire.text().includes('Too many'), 'the messages', 30_000)
  expect(got).toEqual(sent)
  wire.end()
})
