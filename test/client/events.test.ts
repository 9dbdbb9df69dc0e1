import { getEventListeners } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type EventOptions, events } from '../../src/client/events.ts'
import { ClientError, createClient } from '../../src/client.ts'
import { lastEventId, sse } from '../../src/respond/sse.ts'
import { serve as listen } from '../../src/runtime/node/serve.ts'
import { doors } from '../harness.ts'

/** Answers one connection after the other; the last one is repeated. */
const clientOf = (...answers: (((request: Request) => Response) | Error)[]) => {
  const asked: Request[] = []
  const fetch = (request: Request): Response => {
    const answer = answers[Math.min(asked.push(request), answers.length) - 1]!
    if (answer instanceof Error) throw answer
    return answer(request)
  }
  return { api: createClient<any>({ fetch }), asked } // any: there is no application
}
const stream = (text: string) => (): Response =>
  new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
const over = (): Response => new Response(null, { status: 204 })
const status = (code: number) => (): Response => new Response('no', { status: code })

/** Where the application's type is not known. */
const looseEvents = events as unknown as (api: object, path: string, options?: object) => AsyncIterable<any> // any: see above

/** Listen to the end. */
const hear = async (api: any, options: EventOptions = {}) => {
  // any: the routes are not known
  const heard: [string, string, string][] = []
  const waits: number[] = []
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  let error: unknown
  try {
    for await (const { event, data, id } of looseEvents(api, '/events', { sleep, ...options }))
      heard.push([event, data, id])
  } catch (thrown) {
    error = thrown
  }
  return { heard, waits, error }
}

describe('TC5: events', () => {
  test.each(doors)('%s: what an application sends', async (_, door) => {
    const fetch = door({
      routes: [
        [
          'GET',
          '/prices/:of',
          (ctx: any) =>
            ctx.header('last-event-id')
              ? new Response(null, { status: 204 })
              : sse(async (send) => {
                  await send({ event: 'price', data: { cents: 1, of: ctx.params.of, q: ctx.query.get('q') }, id: '1' })
                  await send({ data: 'two\nlines', id: '2' })
                }),
        ],
      ],
    })
    const api: any = createClient<any>({ fetch }) // any: the door has no type
    const heard: unknown[] = []
    const options = { params: { of: 'a b' }, query: { q: 'x' }, retryMs: 0 }
    for await (const event of looseEvents(api, '/prices/:of', options))
      heard.push({ event: event.event, data: event.event === 'price' ? event.json() : event.data, id: event.id })
    expect(heard).toEqual([
      { event: 'price', data: { cents: 1, of: 'a b', q: 'x' }, id: '1' },
      { event: 'message', data: 'two\nlines', id: '2' },
    ])
  })

  test('NB5: without a delay of the server, failures in a row still wait longer and longer', async () => {
    const busy = (): Response => new Response('', { status: 503 })
    const { api } = clientOf(stream('retry: 0\ndata: a\n\n'), busy, busy, busy, stream('data: b\n\n'), over)
    expect((await hear(api, { maxRetryMs: 500 })).waits).toEqual([0, 200, 400, 500, 0])
  })

  test('connects again with the id of the last whole event, and waits as the server says', async () => {
    const { api, asked } = clientOf(
      stream('retry: 50\nid: 1\ndata: a\n\nid: 2\ndata: cut off\n'),
      stream('id: 3\ndata: c\n\n'),
      over,
    )
    expect(await hear(api)).toEqual({
      heard: [
        ['message', 'a', '1'],
        ['message', 'c', '3'],
      ],
      waits: [50, 50],
      error: undefined,
    })
    expect(asked.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '1', '3'])
    expect(asked.map(({ headers }) => headers.get('accept'))).toEqual(Array(3).fill('text/event-stream'))
  })

  test('leaving the loop cancels the body, aborts the request, and lets go of the signal of the caller', async () => {
    let cancelled = 0
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: a\n\n')),
      cancel: () => void cancelled++,
    })
    const { api, asked } = clientOf(() => new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    const { signal } = new AbortController()
    for await (const _ of looseEvents(api, '/events', { signal })) {
      expect(getEventListeners(signal, 'abort')).toHaveLength(1)
      break
    }
    expect(cancelled).toBe(1)
    expect(asked.map((request) => request.signal.aborted)).toEqual([true])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('begins behind a given id, with the fields of the call', async () => {
    const { api, asked } = clientOf(over)
    await hear(api, { lastEventId: '9', headers: { 'x-a': '1' } } as never)
    expect({ 'last-event-id': asked[0]!.headers.get('last-event-id'), 'x-a': asked[0]!.headers.get('x-a') }).toEqual({
      'last-event-id': '9',
      'x-a': '1',
    })
  })

  test('an id lasts for events without one, also behind a new connection, and one without data counts', async () => {
    const { api, asked } = clientOf(stream('id: 1\n\n'), stream('data: a\n\n'), over)
    expect((await hear(api)).heard).toEqual([['message', 'a', '1']])
    expect(asked.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '1', '1'])
  })

  test('a content type in capitals is one of events, and the field of a call does not replace it', async () => {
    const capitals = (): Response => new Response('data: a\n\n', { headers: { 'content-type': 'Text/Event-Stream' } })
    const { api, asked } = clientOf(capitals, over)
    const { heard, error } = await hear(api, { headers: { accept: 'text/html' } } as never)
    expect({ heardLength: heard.length, error }).toEqual({ heardLength: 1, error: undefined })
    expect(asked[0]!.headers.get('accept')).toBe('text/event-stream')
  })

  test('nothing waits for a new connection behind an abort', async () => {
    const leave = new AbortController()
    const { api } = clientOf(() => {
      leave.abort()
      return stream('')()
    })
    expect(await hear(api, { signal: leave.signal })).toEqual({ heard: [], waits: [], error: undefined })
  })

  test('the wait doubles with each failure up to the most, and an event ends the row', async () => {
    const down = new TypeError('fetch failed')
    const { api } = clientOf(
      stream('data: a\n\n'),
      down,
      status(503),
      status(429),
      status(502),
      stream('data: b\n\n'),
      status(504),
      over,
    )
    const { waits, heard, error } = await hear(api, { retryMs: 100, maxRetryMs: 700 })
    expect({ waits, messages: heard.map(([, data]) => data), error }).toEqual({
      waits: [100, 200, 400, 700, 700, 100, 200],
      messages: ['a', 'b'],
      error: undefined,
    })
  })

  test('the first wait is the one that is asked for, although no event came before it', async () => {
    expect((await hear(clientOf(stream(''), over).api, { retryMs: 100 })).waits).toEqual([100])
  })

  test.each([
    ['another status', status(500), 500],
    ['503 at first', status(503), 503],
    ['another type', () => new Response('data: a\n\n', { headers: { 'content-type': 'text/plain' } }), 200],
    ['a type that begins like it', () => new Response('', { headers: { 'content-type': 'text/event-streams' } }), 200],
  ])('%s is an error, and no reason to try again', async (_, answer, code) => {
    const { api, asked } = clientOf(answer)
    const { error, waits } = await hear(api)
    expect(error).toBeInstanceOf(ClientError)
    expect({ status: (error as ClientError).status, waits, askedLength: asked.length }).toEqual({
      status: code,
      waits: [],
      askedLength: 1,
    })
  })

  test('a refusal without an end is read up to the limit, and cancelled', async () => {
    let cancelled = 0
    let pulled = 0
    const endless = (): Response =>
      new Response(
        new ReadableStream(
          {
            pull(controller) {
              if (pulled++ > 100) controller.error(new Error('read too far'))
              else controller.enqueue(new TextEncoder().encode('0123456789'))
            },
            cancel() {
              cancelled++
            },
          },
          { highWaterMark: 0 },
        ),
        { status: 500 },
      )
    const { error } = await hear(clientOf(endless).api, { limit: 25 })
    expect({ body: (error as ClientError).body, cancelled, pulled }).toEqual({
      body: '0123456789012345678901234',
      cancelled: 1,
      pulled: 3,
    })
  })

  test('a refusal without a body, and one that breaks off, are errors of their status', async () => {
    const broken = (): Response =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.error(new Error('gone'))
          },
        }),
        { status: 500 },
      )
    for (const answer of [() => new Response(null, { status: 500 }), broken]) {
      const { error } = await hear(clientOf(answer).api)
      expect({ status: (error as ClientError).status, body: (error as ClientError).body }).toEqual({
        status: 500,
        body: '',
      })
    }
  })

  test.each([429, 502, 503, 504])(
    'the body of a response of status %i, which nobody reads, is cancelled',
    async (code) => {
      let cancelled = 0
      const unfinished = (): Response => {
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(new Uint8Array(1)),
          cancel: () => {
            cancelled++
            throw new Error('the connection broke')
          },
        })
        return new Response(body, { status: code })
      }
      const { api } = clientOf(stream('data: a\n\n'), unfinished, unfinished, over)
      expect((await hear(api)).error).toBeUndefined()
      expect(cancelled).toBe(2)
    },
  )

  test('a first connection that fails throws what fetch threw', async () => {
    const down = new TypeError('fetch failed')
    expect((await hear(clientOf(down).api)).error).toBe(down)
  })

  test('an event beyond the limit throws, one of the limit does not', async () => {
    expect((await hear(clientOf(stream(`data: ${'x'.repeat(94)}`), over).api, { limit: 100 })).error).toBeUndefined()
    expect((await hear(clientOf(stream(`data: ${'x'.repeat(95)}`), over).api, { limit: 100 })).error).toBeInstanceOf(
      RangeError,
    )
  })

  test('the events before one beyond the limit are heard, although they arrive with it', async () => {
    const { heard, error } = await hear(clientOf(stream(`id: 1\ndata: a\n\ndata: ${'x'.repeat(200)}`)).api, {
      limit: 100,
    })
    expect(heard).toEqual([['message', 'a', '1']])
    expect(error).toBeInstanceOf(RangeError)
  })

  test.each([
    ['retryMs', -1],
    ['maxRetryMs', 0.5],
    ['limit', -1],
  ])('a bad option is refused: %s: %s', async (name, value) => {
    const { error, heard } = await hear(clientOf(over).api, { [name]: value })
    expect({ error, heard }).toEqual({ error: expect.any(TypeError), heard: [] })
    expect(`${error}`).toMatch(new RegExp(`events: ${name}: expected .* (?:characters|milliseconds)`))
  })

  test('a signal that aborts within the loop ends it, although more events have arrived', async () => {
    const leave = new AbortController()
    const { api, asked } = clientOf(stream('data: a\n\ndata: b\n\n'))
    const heard: string[] = []
    for await (const { data } of looseEvents(api, '/events', { signal: leave.signal })) {
      heard.push(data)
      leave.abort()
    }
    expect({ heard, askedLength: asked.length }).toEqual({ heard: ['a'], askedLength: 1 })
  })

  test.each(doors)('TC6: %s: a signal ends a loop that waits, also without a socket', async (_, door) => {
    const leave = new AbortController()
    let cancelled = 0
    const waiting = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('data: a\n\n')),
        cancel: () => void cancelled++,
      })
    const headers = { 'content-type': 'text/event-stream' }
    const fetch = door({ routes: [['GET', '/events', () => new Response(waiting(), { headers })]] })
    const heard: string[] = []
    const api = createClient<any>({ fetch }) // any: the door has no type
    for await (const { data } of looseEvents(api, '/events', { signal: leave.signal })) {
      heard.push(data)
      setTimeout(() => leave.abort())
    }
    expect({ heard, cancelled }).toEqual({ heard: ['a'], cancelled: 1 })
  })

  test('a signal that aborts while the text of a refusal arrives ends the loop, without an error', async () => {
    const leave = new AbortController()
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"error":')),
    })
    const { api } = clientOf(() => {
      setTimeout(() => leave.abort())
      return new Response(endless, { status: 503 })
    })
    expect(await hear(api, { signal: leave.signal })).toEqual({ heard: [], waits: [], error: undefined })
    expect(leave.signal.aborted).toBe(true)
  })

  test('a signal that aborts while a fetch that ignores it responds opens no loop', async () => {
    const leave = new AbortController()
    let cancelled = 0
    const body = new ReadableStream({ cancel: () => void cancelled++ })
    const { api } = clientOf(() => {
      leave.abort()
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    })
    expect(await hear(api, { signal: leave.signal })).toEqual({ heard: [], waits: [], error: undefined })
    expect(cancelled).toBe(1)
  })

  test('text that is cut within a character, and a byte order mark', async () => {
    const bytes = new TextEncoder().encode('\ufeffdata: 🐎\n\n')
    const one = (): Response =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
            controller.close()
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    expect((await hear(clientOf(one, over).api)).heard).toEqual([['message', '🐎', '']])
  })
})

/** A server of ours with one route. */
const serveOn = (handler: (ctx: any) => Response) => {
  // any: the door has no type
  const fetch = doors[1]![1]({ routes: [['GET', '/events', handler]] })
  return listen(fetch, { port: 0, hostname: '127.0.0.1' })
}

describe('TC5: over a socket', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  /** A server that writes to each connection, and tells when one has gone. */
  const serve = async (write: (send: (text: string) => void, cut: () => void, id: string | undefined) => void) => {
    const gone: Promise<unknown>[] = []
    server = createServer((request, response) => {
      gone.push(new Promise((resolve) => response.once('close', resolve)))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const id = request.headers['last-event-id'] as string | undefined
      write(
        (text) => void response.write(text),
        () => request.socket.destroy(),
        id,
      )
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server!.once('listening', resolve))
    const api: any = createClient<any>({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) // any: no application
    return { api, gone }
  }

  test.each(['prix-é', 'preis-€', '値段', '🦊 1', 'plain'])('the id %s comes back to lastEventId()', async (id) => {
    const seen: (string | undefined)[] = []
    await using handle = await serveOn((ctx) => {
      seen.push(lastEventId(ctx))
      return seen.length > 2 ? new Response(null, { status: 204 }) : sse((send) => void send({ id, data: 'a' }))
    })
    const api = createClient<any>({ baseUrl: handle.url }) // any: there is no application
    await hear(api, { sleep: () => new Promise((resolve) => setTimeout(resolve, 1)) })
    expect(seen).toEqual([undefined, id, id])
  })

  test('a connection that breaks is made again behind the last event', async () => {
    const { api } = await serve((send, cut, id = '0') => {
      const next = Number(id) + 1
      send(`retry: 0\nid: ${next}\ndata: ${next}\n\nid: ${next + 1}\ndata: ${next + 1}\n\nid: 99\ndata: ha`)
      setTimeout(cut, 20)
    })
    const heard: string[] = []
    for await (const { data } of looseEvents(api, '/events')) if (heard.push(data) === 6) break // any: see above
    expect(heard).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test('leaving the loop closes the connection', async () => {
    const { api, gone } = await serve((send) => send('data: 1\n\n'))
    for await (const _ of looseEvents(api, '/events')) break
    await Promise.all(gone)
    expect(gone).toHaveLength(1)
  })

  test('a signal ends a loop that waits for an event, without an error', async () => {
    const { api, gone } = await serve((send) => send('data: 1\n\n'))
    const leave = new AbortController()
    const heard: unknown[] = []
    for await (const event of looseEvents(api, '/events', { signal: leave.signal })) {
      heard.push(event)
      setTimeout(() => leave.abort())
    }
    await Promise.all(gone)
    expect({ heardLength: heard.length, goneLength: gone.length }).toEqual({ heardLength: 1, goneLength: 1 })
  })

  test('a signal ends the wait for a new connection', async () => {
    const leave = new AbortController()
    const { api } = clientOf(stream('data: 1\n\n'))
    for await (const _ of looseEvents(api, '/e', {
      signal: leave.signal,
      retryMs: 600_000,
      maxRetryMs: 600_000,
    } as never))
      setTimeout(() => leave.abort())
    expect(leave.signal.aborted).toBe(true)
  })
})
