import { describe, expect, test, vi } from 'vitest'
import { HttpErrorBase } from '../../src/internal/error/refusal.ts'
import {
  beginClosing,
  type Closing,
  createClosing,
  endAtShutdown,
  isEvents,
} from '../../src/internal/stream/closing.ts'
import { type Send, sse } from '../../src/respond/sse.ts'
import * as ending from '../../src/runtime/platform/ending.ts'
import { createResponse } from '../../src/runtime/platform/response.ts'
import { brokenOff, hasLength } from '../../src/runtime/platform/whole-body.ts'

/** What Bun and Deno do with responses when their server closes. */

const { endableResponse } = ending
const encode = (text: string) => new TextEncoder().encode(text)

/** A stream that has sent a chunk and goes on for ever. */
const endless = (type: string | undefined, cancel = vi.fn()) => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(encode('first')), cancel })
  return { response: new Response(body, type ? { headers: { 'content-type': type } } : {}), cancel }
}

const readAll = (response: Response) => response.text().catch((error: Error) => `Error: ${error.message}`)

test.each([
  ['text/event-stream', true],
  ['Text/Event-Stream ; charset=utf-8', true],
  ['text/event-stream;x=1', true],
  ['text/event-streams', false],
  ['a; text/event-stream', false],
  ['text/plain', false],
  [null, false],
  [undefined, false],
])('S2: %s is the type of a stream of events: %s', (type, expected) => expect(isEvents(type)).toBe(expected))

describe('OP4: when the server closes', () => {
  const open = (cut?: Closing) => {
    const closing = createClosing()
    const { response, cancel } = endless('text/event-stream')
    return { closing, sent: endableResponse(response, closing, cut), cancel }
  }

  test('a stream of events of others ends, as if it were whole', async () => {
    const { closing, sent, cancel } = open()
    const reader = sent.body!.getReader()
    const first = await reader.read()
    expect(closing.openSources.size).toBe(1)
    beginClosing(closing)
    expect({ first: new TextDecoder().decode(first.value as Uint8Array), left: closing.openSources.size }).toEqual({
      first: 'first',
      left: 0,
    })
    expect((await reader.read()).done).toBe(true)
    expect(cancel.mock.calls).toEqual([[new Error('The server is closing')]])
  })

  test('one that begins later ends at once', async () => {
    const closing = createClosing()
    beginClosing(closing)
    const { response, cancel } = endless('text/event-stream')
    expect(await readAll(endableResponse(response, closing))).toBe('')
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  test('a stream whose client has left is cancelled, and forgotten', async () => {
    const { closing, sent, cancel } = open()
    await sent.body!.cancel('left')
    expect({ left: closing.openSources.size, calls: cancel.mock.calls }).toEqual({ left: 0, calls: [['left']] })
  })

  test.each<[string, (controller: ReadableStreamDefaultController) => void, string]>([
    ['ended', (controller) => controller.close(), ''],
    ['failed', (controller) => controller.error(new Error('source')), 'Error: source'],
  ])('a stream that has %s is forgotten', async (_, pull, expected) => {
    const closing = createClosing()
    const headers = { 'content-type': 'text/event-stream' }
    const sent = endableResponse(new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers }), closing)
    expect(closing.openSources.size).toBe(1)
    expect({ text: await readAll(sent), left: closing.openSources.size }).toEqual({ text: expected, left: 0 })
  })

  test('our own stream of events ends by itself', async () => {
    const closing = createClosing()
    const sender = (send: Send) => {
      void send({ data: 'x' })
      return () => {}
    }
    const response = sse(sender, { heartbeatMs: 0 })
    const sent = endableResponse(response, closing)
    expect({ same: sent === response, count: closing.openSources.size }).toEqual({ same: true, count: 1 })
    beginClosing(closing)
    expect({ text: await readAll(sent), count: closing.openSources.size }).toEqual({ text: 'data: x\n\n', count: 0 })
  })

  test('one that is over already is not waited for', () => {
    const closing = createClosing()
    const response = sse((send) => send.close(), { heartbeatMs: 0 })
    endableResponse(response, closing)
    expect(closing.openSources.size).toBe(0)
  })

  test.each<[string, () => Response, boolean]>([
    ['a stream without a type', () => endless(undefined).response, true],
    ['a stream of another type', () => endless('image/png').response, true],
    ['our own stream with the type of a text', () => createResponse(endless('').response.body, 'text/html'), true],
    ['a stream of others with the type of JSON', () => endless('application/json').response, false],
    ['a page of others', () => endless('text/html; charset=utf-8').response, false],
    ['a text of others', () => endless('text/plain;charset=UTF-8').response, false],
    ['what is nearly the type of a text', () => endless('text/plain;charset=UTF-8x').response, true],
    ['our own text', () => createResponse('text', 'image/png'), false],
    ['nothing', () => new Response(null, { headers: { 'content-type': 'image/png' } }), false],
  ])('%s is broken off where connections cannot be cut: %s', async (_, make, watched) => {
    const [closing, cut] = [createClosing(), createClosing()]
    const response = make()
    const sent = endableResponse(response, closing, cut)
    expect({ same: sent === response, cut: cut.openSources.size, closing: closing.openSources.size }).toEqual({
      same: !watched,
      cut: watched ? 1 : 0,
      closing: 0,
    })
    if (!watched) return
    const text = readAll(sent)
    beginClosing(cut)
    expect(await text).toBe('Error: The server is closing')
  })

  test('other streams are left alone where connections can be cut', () => {
    const closing = createClosing()
    const { response } = endless('image/png')
    expect({ same: endableResponse(response, closing) === response, count: closing.openSources.size }).toEqual({
      same: true,
      count: 0,
    })
  })

  test('a response that was read in part is not sent', async () => {
    const response = new Response('text')
    await response.text()
    expect(() => endableResponse(response, createClosing())).toThrow('The body of the response has been read already')
  })

  test('what begins while the server closes ends at once', () => {
    const closing = createClosing()
    const one = { endForShutdown: vi.fn() }
    endAtShutdown(closing, one)
    expect({ calls: one.endForShutdown.mock.calls.length, count: closing.openSources.size }).toEqual({
      calls: 0,
      count: 1,
    })
    beginClosing(closing)
    endAtShutdown(closing, one)
    expect(one.endForShutdown).toHaveBeenCalledTimes(2)
  })
})

test.each<[string, () => Response, number, string, Record<string, string | null>]>([
  ['badRequest', ending.badRequest, 400, 'Bad Request', { connection: 'close', upgrade: null }],
  ['notImplemented', ending.notImplemented, 501, 'Not Implemented', { connection: 'close', upgrade: null }],
  ['upgradeRequired', ending.upgradeRequired, 426, 'Upgrade Required', { connection: 'close', upgrade: 'websocket' }],
  ['unavailable', ending.unavailable, 503, 'Service Unavailable', { connection: 'close', upgrade: null }],
])('R6: %s is a response that closes the connection', async (_, make, status, error, fields) => {
  const response = make()
  const headers = { connection: response.headers.get('connection'), upgrade: response.headers.get('upgrade') }
  expect({ status: response.status, body: await response.json(), headers }).toEqual({
    status,
    body: { error },
    headers: fields,
  })
})

test('R6: an error that no application has handled is a 500, and a line in the log', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const error = new Error('secret')
  const response = ending.respondToError(error)
  expect({ status: response.status, body: await response.json(), log: log.mock.calls }).toEqual({
    status: 500,
    body: { error: 'Internal Server Error' },
    log: [[error]],
  })
  log.mockRestore()
})

test.each<[string, object, Record<string, string>, boolean]>([
  ['of our server', { '~measured': true }, {}, true],
  ['of our server, in chunks', { '~measured': true }, { 'transfer-encoding': 'chunked' }, false],
  ['of others', {}, {}, false],
])('MB4: the length of a request %s is enforced: %j', (_, marks, headers, expected) => {
  const request = Object.assign(new Request('http://localhost/'), marks)
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
  expect(hasLength(request)).toBe(expected)
})

test.each([
  ['AbortError', true],
  ['Http', true],
  ['BadResource', true],
  ['HttpError', false],
  ['XAbortError', false],
  [undefined, false],
])('NA3: a body that fails with %s was left by its client: %s', (name, left) => {
  const error = name && Object.assign(new Error('failed'), { name })
  const thrown = (() => {
    try {
      return brokenOff(error)
    } catch (caught) {
      return caught
    }
  })()
  if (left) expect(thrown).toMatchObject({ status: 400, cause: error })
  else expect(thrown).toBe(error)
  expect(thrown instanceof HttpErrorBase).toBe(left)
})
