import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lastEventId, type Send, sse } from '../../src/respond/sse.ts'
import { anyText } from '../any-text.ts'
import { runs } from '../fuzz.ts'

interface Message {
  type: string
  data: string
  lastEventId: string
}

/** What an EventSource makes of a stream: WHATWG HTML §9.2.6, line by line. */
const decode = (text: string): { messages: Message[]; retry: number | undefined; comments: string[] } => {
  const messages: Message[] = []
  const comments: string[] = []
  let [data, type, id, retry]: [string, string, string, number | undefined] = ['', '', '', undefined]
  for (const line of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .slice(0, -1)) {
    if (line === '') {
      if (data) messages.push({ type: type || 'message', data: data.slice(0, -1), lastEventId: id })
      data = ''
      type = ''
      continue
    }
    const colon = line.indexOf(':')
    if (colon === 0) {
      comments.push(line.slice(1))
      continue
    }
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data += `${value}\n`
    else if (field === 'event') type = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value)
  }
  return { messages, retry, comments }
}

const body = (sender: any, options = {}): Promise<string> => sse(sender, { heartbeatMs: 0, ...options }).text()
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('S1: frames', () => {
  test.each([
    ['a string', { data: 'x' }, 'data: x\n\n'],
    ['an object', { data: { a: [1] } }, 'data: {"a":[1]}\n\n'],
    ['a number', { data: 1 }, 'data: 1\n\n'],
    ['null', { data: null }, 'data: null\n\n'],
    ['undefined', { data: undefined }, 'data: null\n\n'],
    ['an empty string', { data: '' }, 'data: \n\n'],
    ['two lines', { data: 'a\nb' }, 'data: a\ndata: b\n\n'],
    ['CR LF', { data: 'a\r\nb' }, 'data: a\ndata: b\n\n'],
    ['a lone CR', { data: 'a\rb' }, 'data: a\ndata: b\n\n'],
    ['a line at the end', { data: 'a\n' }, 'data: a\ndata: \n\n'],
    ['a leading space', { data: ' a' }, 'data:  a\n\n'],
    [
      'a field in the data',
      { data: 'a\revent: evil\rid: 1\r\rdata: x' },
      'data: a\ndata: event: evil\ndata: id: 1\ndata: \ndata: data: x\n\n',
    ],
    ['every field', { data: 'x', event: 'tick', id: '7', retry: 100 }, 'event: tick\nid: 7\nretry: 100\ndata: x\n\n'],
    ['an empty id, which resets', { data: 'x', id: '' }, 'id: \ndata: x\n\n'],
    ['retry of zero', { data: 'x', retry: 0 }, 'retry: 0\ndata: x\n\n'],
    ['Unicode', { data: 'é☃😀' }, 'data: é☃😀\n\n'],
    ['line separators without a meaning here', { data: 'a\u2028b\u0085c' }, 'data: a\u2028b\u0085c\n\n'],
  ])('%s', async (_, event, expected) => expect(await body((send: Send) => void send(event))).toBe(expected))

  test.each([
    ['LF in event', { data: 'x', event: 'a\nb' }],
    ['CR in event', { data: 'x', event: 'a\rdata: evil' }],
    ['LF in id', { data: 'x', id: '1\n2' }],
    ['CR in id', { data: 'x', id: '1\r2' }],
    ['NUL in id', { data: 'x', id: '1\x002' }],
    ['retry that is no whole number', { data: 'x', retry: 1.5 }],
    ['retry below zero', { data: 'x', retry: -1 }],
    ['retry that is text', { data: 'x', retry: '1\ndata: evil' as never }],
    ['data that JSON cannot hold', { data: 1n }],
  ])('%s is a TypeError', async (_, event) => {
    await body((send: Send) => {
      expect(() => send(event)).toThrow(TypeError)
    })
  })

  test('an EventSource decodes exactly what was sent, for random events', async () => {
    const text = anyText({ maxLength: 40 })
    const line = text.map((value) => value.replace(/[\r\n\0]/g, ''))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ data: text, event: line, id: line }), { maxLength: 5 }), async (events) => {
        const { messages } = decode(
          await body((send: Send) => {
            for (const event of events) void send(event)
          }),
        )
        expect(messages).toEqual(
          events.map(({ data, event, id }) => ({
            type: event || 'message',
            data: data.replace(/\r\n?/g, '\n'),
            lastEventId: id,
          })),
        )
      }),
      { numRuns: runs(2000) },
    )
  })

  test('an object of any JSON survives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (data) => {
        const [message] = decode(await body((send: Send) => void send({ data: { data } }))).messages
        expect(JSON.parse(message!.data)).toEqual(JSON.parse(JSON.stringify({ data })))
      }),
      { numRuns: runs(500) },
    )
  })

  test.each([
    ['nothing', undefined, [' ']],
    ['text', 'hello', [' hello']],
    ['lines', 'a\rdata: evil\nb', [' a', ' data: evil', ' b']],
  ])('S5: a comment of %s says nothing to the client', async (_, text, comments) => {
    const decoded = decode(await body((send: Send) => void send.comment(text)))
    expect(decoded).toEqual({ messages: [], retry: undefined, comments })
  })
})

describe('S2: fields', () => {
  test('type, cache and buffering', () => {
    const { headers, status } = sse(() => {}, { heartbeatMs: 0 })
    expect({
      status,
      'content-type': headers.get('content-type'),
      'cache-control': headers.get('cache-control'),
      'x-accel-buffering': headers.get('x-accel-buffering'),
      connection: headers.get('connection'),
    }).toEqual({
      status: 200,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: null,
    })
  })

  test('further fields, and other ones in place of these', () => {
    const { headers } = sse(() => {}, { heartbeatMs: 0, headers: { 'x-a': 'b', 'cache-control': 'no-store' } })
    expect({ 'x-a': headers.get('x-a'), 'cache-control': headers.get('cache-control') }).toEqual({
      'x-a': 'b',
      'cache-control': 'no-store',
    })
  })

  test('S5: lastEventId', () => {
    const from = (value: string | null) =>
      lastEventId({ header: (name: string) => (name === 'last-event-id' ? value : null) })
    expect({ number: from('7'), none: from(null), empty: from('') }).toEqual({
      number: '7',
      none: undefined,
      empty: '',
    })
    // As servers show the UTF-8 of a browser; what is not UTF-8, or was decoded already, stays
    expect(['preis-â\x82¬', '50%', 'é', '€', 'Ã©€'].map(from)).toEqual(['preis-€', '50%', 'é', '€', 'Ã©€'])
  })
})

describe('S3: lifetime', () => {
  test('a sync sender ends after what it sent', async () =>
    expect(
      await body((send: Send) => {
        void send({ data: 1 })
        void send({ data: 2 })
      }),
    ).toBe('data: 1\n\ndata: 2\n\n'))

  test('an async sender ends when its promise settles', async () => {
    expect(
      await body(async (send: Send) => {
        await send({ data: 1 })
        await tick()
        await send({ data: 2 })
      }),
    ).toBe('data: 1\n\ndata: 2\n\n')
  })

  test.each([
    ['at once', (cleanup: () => void) => () => cleanup],
    ['later', (cleanup: () => void) => async () => cleanup],
  ])('a cleanup function that is returned %s keeps it open until the client goes', async (_, make) => {
    const cleanup = vi.fn()
    const reader = sse(make(cleanup) as never, { heartbeatMs: 0 }).body!.getReader()
    await tick()
    expect(await Promise.race([reader.read(), tick().then(() => 'open')])).toBe('open')
    expect(cleanup).not.toHaveBeenCalled()
    await reader.cancel()
    expect(cleanup).toHaveBeenCalledOnce()
  })

  test('a cleanup function that comes when the client has gone runs at once', async () => {
    const cleanup = vi.fn()
    let release!: () => void
    const response = sse(
      async () => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return cleanup
      },
      { heartbeatMs: 0 },
    )
    await response.body!.cancel()
    release()
    await tick()
    expect(cleanup).toHaveBeenCalledOnce()
  })

  test('send after the end gives false', async () => {
    let send!: Send
    await body((given: Send) => {
      send = given
    })
    expect({ sent: send({ data: 1 }), comment: send.comment() }).toEqual({ sent: false, comment: false })
    expect(send.signal.aborted).toBe(true)
    expect(() => send.close()).not.toThrow()
  })

  test('close ends it, and runs the cleanup once', async () => {
    const cleanup = vi.fn()
    let send!: Send
    const text = body((given: Send) => {
      send = given
      void send({ data: 1 })
      return cleanup
    })
    await tick()
    send.close()
    send.close()
    expect(await text).toBe('data: 1\n\n')
    expect(cleanup).toHaveBeenCalledOnce()
  })

  test('send is a function like any other, and its members work by themselves', async () => {
    const text = await body((send: Send) => {
      const { comment, close, signal } = send
      expect({ type: typeof send, isFunction: send instanceof Function, signal, aborted: signal.aborted }).toEqual({
        type: 'function',
        isFunction: true,
        signal: send.signal,
        aborted: false,
      })
      send.call(undefined, { data: 1 })
      send.bind(undefined)({ data: 2 })
      comment('still here')
      close()
      expect({ aborted: signal.aborted, sent: send({ data: 3 }) }).toEqual({ aborted: true, sent: false })
    })
    expect(text).toBe('data: 1\n\ndata: 2\n\n: still here\n\n')
  })

  test('close within the sender, then a cleanup function', async () => {
    const cleanup = vi.fn()
    expect(
      await body((send: Send) => {
        send.close()
        return cleanup
      }),
    ).toBe('')
    expect(cleanup).toHaveBeenCalledOnce()
  })

  test.each([
    [
      'sync',
      (send: Send) => {
        void send({ data: 1 })
        throw new Error('broken')
      },
    ],
    [
      'async',
      async (send: Send) => {
        await send({ data: 1 })
        throw new Error('broken')
      },
    ],
  ])('an error ends it and is told: %s', async (_, sender) => {
    const onError = vi.fn()
    expect(await body(sender, { onError })).toBe('data: 1\n\n')
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'broken' }))
  })

  test.each([
    [
      'the sender',
      async () => {
        throw new Error('broken')
      },
    ],
    [
      'the cleanup',
      () => () => {
        throw new Error('broken')
      },
    ],
    [
      'a cleanup that rejects',
      () => async () => {
        throw new Error('broken')
      },
    ],
  ])('an onError that throws, or rejects, harms nobody: %s', async (_, sender: any) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const worse = (): never => {
      throw new Error('worse')
    }
    for (const onError of [worse, async () => worse()]) {
      const response = sse(sender, { heartbeatMs: 0, onError })
      await tick()
      await response.body!.cancel().catch(() => {})
      await tick()
      await tick()
    }
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    expect(log).toHaveBeenCalledTimes(2)
    log.mockRestore()
  })

  test('an error in the cleanup is told', async () => {
    const onError = vi.fn()
    await sse(
      () => () => {
        throw new Error('broken')
      },
      { heartbeatMs: 0, onError },
    ).body!.cancel()
    expect(onError).toHaveBeenCalledOnce()
  })
})

describe('S4, S5: disconnect and back-pressure', () => {
  test('cancelling aborts the signal, and a waiting send resolves to false', async () => {
    let send!: Send
    const results: unknown[] = []
    const response = sse(
      async (given) => {
        send = given
        results.push(await send({ data: 'x'.repeat(100_000) }))
      },
      { heartbeatMs: 0 },
    )
    const reader = response.body!.getReader()
    await tick()
    expect({ aborted: send.signal.aborted, results }).toEqual({ aborted: false, results: [] })
    await reader.cancel()
    await tick()
    expect({ aborted: send.signal.aborted, results }).toEqual({ aborted: true, results: [false] })
  })

  test('a sender that waits holds no more than one buffer', async () => {
    let sent = 0
    const response = sse(
      async (send) => {
        while (await send({ data: 'x'.repeat(1000) })) sent++
      },
      { heartbeatMs: 0 },
    )
    await tick()
    await tick()
    expect(sent).toBeLessThan(20)
    const before = sent
    const reader = response.body!.getReader()
    for (let round = 0; round < 10; round++) await reader.read()
    await tick()
    expect(sent).toBeGreaterThan(before)
    await reader.cancel()
  })

  test('thousands of sends that are not awaited all arrive, and every promise resolves', async () => {
    const count = runs(100_000)
    const waiting: unknown[] = []
    const response = sse(
      (send) => {
        for (let n = 0; n < count; n++) waiting.push(send({ data: n }))
      },
      { heartbeatMs: 0, backpressureLimit: count * 20 },
    )
    expect(decode(await response.text()).messages).toHaveLength(count)
    await Promise.all(waiting)
  })
})

describe('S5: a client that is too slow', () => {
  /** A stream that nobody reads, with what it tells. */
  const unread = (backpressureLimit?: number) => {
    let send!: Send
    const told: string[] = []
    const response = sse(
      (given) => {
        send = given
        return () => void told.push('cleanup')
      },
      {
        heartbeatMs: 0,
        onError: (error) => void told.push((error as Error).message),
        ...(backpressureLimit && { backpressureLimit }),
      },
    )
    return { send, told, response }
  }
  /** An event of 10,000 bytes. */
  const event = { data: 'x'.repeat(9_992) }

  test.each([
    ['as many bytes as the limit may wait: one more event is sent', 20_000, 3],
    ['with one byte less it is not', 19_999, 2],
    ['a limit of less than 16 KiB counts as 16 KiB', 1, 2],
  ])('%s', async (_, limit, fitting) => {
    const { send, told } = unread(limit)
    for (let n = 0; n < fitting; n++) expect(send(event)).not.toBe(false)
    await tick()
    expect({ told, aborted: send.signal.aborted }).toEqual({ told: [], aborted: false })
    expect(send(event)).toBe(false)
    expect(told).toEqual(['cleanup', `The client is too slow: ${fitting * 10_000} bytes wait for it`])
    expect({ aborted: send.signal.aborted, sent: send(event), comment: send.comment() }).toEqual({
      aborted: true,
      sent: false,
      comment: false,
    })
    send.close()
    expect(told).toHaveLength(2)
  })

  test('the limit is 1 MiB unless told otherwise', () => {
    const { send, told } = unread()
    let sent = 0
    while (sent < 100 && send({ data: 'x'.repeat(65_536 - 8) }) !== false) sent++
    expect({ sent, error: told[1] }).toEqual({
      sent: 17,
      error: `The client is too slow: ${17 * 65_536} bytes wait for it`,
    })
  })

  test('what waits is dropped: the body fails with the error', async () => {
    const { send, response } = unread(100_000)
    while (send(event) !== false);
    await expect(response.text()).rejects.toThrow('The client is too slow: 110000 bytes wait for it')
  })

  test('promises of earlier sends resolve to false', async () => {
    const { send } = unread(2_000_000)
    const results: unknown[] = []
    for (let n = 0; n < 300; n++) results.push(send(event))
    const settled = await Promise.all(results)
    expect({ atFirst: settled[0], atLimit: settled[170], atLast: settled[299] }).toEqual({
      atFirst: true,
      atLimit: false,
      atLast: false,
    })
  })

  test('a client that reads as fast as events come gets any number of them', async () => {
    const { send, told, response } = unread(20_000)
    const reader = response.body!.getReader()
    for (let n = 0; n < 1000; n++) {
      expect(send(event)).not.toBe(false)
      expect((await reader.read()).value).toHaveLength(10_000)
    }
    expect(told).toEqual([])
    await reader.cancel()
  })

  test.each([[0], [-1], [Number.NaN], ['1']])('a limit of %s is refused when made', (backpressureLimit: any) => {
    expect(() => sse(() => {}, { backpressureLimit })).toThrow('sse: backpressureLimit: expected')
  })
})

describe('S5: heartbeat', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  test('a comment every so often, and none after the end', async () => {
    const reader = sse(() => () => {}, { heartbeatMs: 1000 }).body!.getReader()
    for (let round = 0; round < 3; round++) {
      vi.advanceTimersByTime(1000)
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(': \n\n')
    }
    await reader.cancel()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('every fifteen seconds without being told', async () => {
    const reader = sse(() => () => {}).body!.getReader()
    vi.advanceTimersByTime(14_999)
    expect(await Promise.race([reader.read().then(() => 'beat'), tick().then(() => 'silent')])).toBe('silent')
    expect(vi.getTimerCount()).toBe(1)
    await reader.cancel()
  })

  test('a client that does not read is not sent one after the other', async () => {
    const response = sse(
      (send) => {
        void send({ data: 'x'.repeat(20_000) })
        return () => {}
      },
      { heartbeatMs: 10 },
    )
    vi.advanceTimersByTime(10_000)
    const reader = response.body!.getReader()
    await reader.read()
    const next = await Promise.race([reader.read().then(({ value }) => value), tick().then(() => undefined)])
    expect(next).toBeUndefined()
    await reader.cancel()
  })

  test.each([
    ['0', 0, () => () => {}],
    ['a sender that is done', 1000, () => {}],
    [
      'a sender that throws',
      1000,
      () => {
        throw new Error('x')
      },
    ],
  ])('no timer is left by %s', (_, heartbeatMs, sender: any) => {
    sse(sender, { heartbeatMs, onError: () => {} })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('H7, S7: a function that gives a stream', () => {
  const bytes = (...chunks: unknown[]) =>
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })

  test.each([
    ['bytes', () => bytes(new TextEncoder().encode('data: 1\n\n'))],
    ['strings', () => bytes('data: 1\n\n')],
    ['later', async () => bytes('data: 1\n\n')],
  ])('%s', async (_, sender) => {
    const response = sse(sender)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toBe('data: 1\n\n')
  })

  test('the source is cancelled with the client', async () => {
    const cancel = vi.fn()
    await sse(() => new ReadableStream({ cancel })).body!.cancel('gone')
    expect(cancel).toHaveBeenCalledOnce()
  })

  test('a source that comes when the client has gone is cancelled', async () => {
    const cancel = vi.fn()
    let release!: () => void
    const response = sse(
      async () => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return new ReadableStream({ cancel })
      },
      { heartbeatMs: 0 },
    )
    await response.body!.cancel()
    release()
    await tick()
    await tick()
    expect(cancel).toHaveBeenCalledOnce()
  })
})

describe('a wrong call is refused', () => {
  test.each([
    ['nothing', undefined],
    ['a promise', Promise.resolve()],
  ])('a sender that is %s', (_, sender) => {
    expect(() => sse(sender as never)).toThrow(/^sse: sender: expected a function, got /)
  })

  test('an event that is a text', async () => {
    const onError = vi.fn()
    await sse((send) => void send('hello' as never), { onError }).text()
    expect(onError).toHaveBeenCalledWith(new TypeError('sse: send: expected an object with data, got "hello"'))
  })
})
