import { expect, test, vi } from 'vitest'
import { createClosing } from '../../src/internal/stream/closing.ts'
import { acceptLater, beginUpgrade, type Upgrading, upgraded } from '../../src/runtime/platform/upgrading.ts'

// What Bun and Deno do with it is in test/runtime: a socket that opens although it was refused, and a server that stops

const ours = { '~closing': createClosing() }

/** A handshake on our own server, and what becomes of it. */
const handshake = (accept = vi.fn((): Response => new Response('the response of the runtime'))) => {
  const request: Upgrading = new Request('http://a/')
  beginUpgrade(request, ours)
  const closed = vi.fn()
  const response = new Response(null)
  const take = (): Response => acceptLater(request, { response, accept, events: { closed } })
  return { request, closed, accept, take }
}

test('a handshake is accepted when the response of its handler leaves, not before', () => {
  const { request, closed, accept, take } = handshake()
  const answer = take()
  expect(accept).not.toHaveBeenCalled()
  const sent = upgraded(request, answer)
  expect({ isSent: accept.mock.results[0]!.value === sent, closed: closed.mock.calls }).toEqual({
    isSent: true,
    closed: [],
  })
})

test('another response refuses it', () => {
  const { request, closed, accept, take } = handshake()
  take()
  const other = new Response('refused', { status: 403 })
  expect(upgraded(request, other)).toBe(other)
  expect({ accept: accept.mock.calls, closed: closed.mock.calls }).toEqual({ accept: [], closed: [[1006, '']] })
})

test('a handler that is ready after the response has left is told so', () => {
  const { request, closed, accept, take } = handshake()
  const late = new Response('timed out', { status: 503 })
  expect(upgraded(request, late)).toBe(late)
  expect(take).toThrow(expect.objectContaining({ status: 426 }))
  expect({ accept: accept.mock.calls, closed: closed.mock.calls }).toEqual({ accept: [], closed: [] })
})

test('of two handlers of one request, the second counts', () => {
  const { request, closed, accept, take } = handshake()
  take()
  const events = { closed: vi.fn() }
  const second = new Response(null)
  acceptLater(request, { response: second, accept, events })
  upgraded(request, second)
  expect({ accept: accept.mock.calls.length, closed: closed.mock.calls, events: events.closed.mock.calls }).toEqual({
    accept: 1,
    closed: [[1006, '']],
    events: [],
  })
})

test('the handshake of a copy of a request is refused, and nothing stays open', () => {
  const { closed, accept, take } = handshake()
  const { status, headers } = upgraded(new Request('http://a/'), take())
  expect({ status, upgrade: headers.get('upgrade') }).toEqual({ status: 426, upgrade: 'websocket' })
  expect({ accept: accept.mock.calls, closed: closed.mock.calls }).toEqual({ accept: [], closed: [[1006, '']] })
})

test('a handshake that the runtime does not accept any more is a 426', async () => {
  const { request, closed, take } = handshake(
    vi.fn((): Response => {
      throw new Error('gone')
    }),
  )
  const { status, headers } = upgraded(request, take())
  expect({ status, upgrade: headers.get('upgrade'), calls: closed.mock.calls }).toEqual({
    status: 426,
    upgrade: 'websocket',
    calls: [[1006, '']],
  })
})

test('on a server that is not ours it is accepted at once; a request without a handshake is not touched', () => {
  const request: Upgrading = new Request('http://a/')
  beginUpgrade(request, {})
  const accepted = new Response('at once')
  const wanted = { response: new Response(null), accept: () => accepted, events: { closed() {} } }
  expect(acceptLater(request, wanted)).toBe(accepted)
  const plain = new Response('plain')
  expect({ isPlain: upgraded(request, plain) === plain, marked: '~upgrade' in request }).toEqual({
    isPlain: true,
    marked: false,
  })
})
