import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryChannel } from '../src/channel/memory.ts'
import { type ChannelBackend, ChannelError, createChannel } from '../src/channel.ts'
import { sse } from '../src/respond/sse.ts'
import { eventsOf, take } from './channel/contract.ts'
import { doors } from './harness.ts'

const numbered = (options: object = {}) => createChannel<number>(memoryChannel(), options)

/** A backend that does what it is told, and otherwise keeps nothing. */
const fake = (parts: Partial<ChannelBackend>): ChannelBackend => ({
  publish: () => '1-1',
  read: () => ({ messages: [], last: '0-0' }),
  listen: () => ({ from: '0-0', stop: () => {} }),
  ...parts,
})

describe('CH1: a slow subscriber', () => {
  test('CH1: with as many events waiting as its queue holds goes on', async () => {
    const channel = numbered({ queueLimit: 3 })
    const subscription = channel.subscribe('a')
    await subscription.ready
    for (const n of [1, 2, 3]) await channel.publish('a', n)
    expect(eventsOf(await take(subscription, 3))).toEqual([1, 2, 3])
  })

  test('CH1: with one more ends with an error that says so, and the others go on', async () => {
    const channel = numbered({ queueLimit: 3 })
    const slow = channel.subscribe('a')
    const quick = channel.subscribe('a')
    await Promise.all([slow.ready, quick.ready])
    const taking = take(quick, 4)
    for (const n of [1, 2, 3, 4]) await channel.publish('a', n)
    await expect(slow.next()).rejects.toMatchObject({
      name: 'ChannelError',
      code: 'overflow',
      message: 'The subscriber was too slow: 3 events were waiting',
    })
    expect(await slow.next()).toEqual({ done: true, value: undefined })
    expect(eventsOf(await taking)).toEqual([1, 2, 3, 4])
  })

  test('CH1: that drops the oldest is told of the gap once', async () => {
    const channel = numbered({ queueLimit: 3, overflow: 'drop-oldest' })
    const subscription = channel.subscribe('a')
    await subscription.ready
    for (let n = 1; n <= 2000; n++) await channel.publish('a', n)
    const taken = await take(subscription, 3)
    expect(taken.map(({ event, gap }) => ({ event, gap }))).toEqual([
      { event: 1998, gap: true },
      { event: 1999, gap: false },
      { event: 2000, gap: false },
    ])
  })

  test('CH1: comes back with the id that it saw last, and gets what it missed', async () => {
    const channel = numbered({ queueLimit: 2 })
    const slow = channel.subscribe('a')
    await slow.ready
    await channel.publish('a', 1)
    const [seen] = await take(slow, 1)
    for (const n of [2, 3, 4]) await channel.publish('a', n)
    await expect(slow.next()).rejects.toBeInstanceOf(ChannelError)
    expect(eventsOf(await take(channel.subscribe('a', { after: seen!.id }), 3))).toEqual([2, 3, 4])
  })

  test('CH1: that catches up holds a page, not the replay: 5000 kept events come in pages', async () => {
    const backend = memoryChannel({ keep: 5000 })
    const read = vi.fn(backend.read)
    const channel = createChannel<number>({ ...backend, read }, { queueLimit: 1 })
    for (let n = 1; n <= 5000; n++) await channel.publish('a', n)
    const subscription = channel.subscribe('a', { after: '0-0' })
    const seen = [...eventsOf(await take(subscription, 10))]
    expect(read).toHaveBeenCalledTimes(1)
    // Live events do not count against the queue while it catches up
    for (let n = 5001; n <= 5100; n++) await channel.publish('a', n)
    seen.push(...eventsOf(await take(subscription, 5080)))
    expect(seen).toHaveLength(5090)
    expect(seen.every((n, at) => at === 0 || n === seen[at - 1]! + 1)).toBe(true)
  })
})

describe('CH1: the end of a subscription', () => {
  test('CH1: an aborted signal ends a waiting loop', async () => {
    const channel = numbered()
    const abort = new AbortController()
    const seen: number[] = []
    const loop = (async () => {
      for await (const { event } of channel.subscribe('a', { signal: abort.signal })) {
        seen.push(event)
        if (event === 2) abort.abort()
      }
    })()
    const other = channel.subscribe('a')
    await other.ready
    for (const n of [1, 2, 3]) await channel.publish('a', n)
    await loop
    expect(seen).toEqual([1, 2])
  })

  test('CH1: leaving the loop, or the signal, stops listening at the backend', async () => {
    const stop = vi.fn()
    const abort = new AbortController()
    const backend = memoryChannel()
    const channel = createChannel<number>({
      ...backend,
      listen: (topic, listener) => ({ ...(backend.listen(topic, listener) as object), stop }) as never,
    })
    const one = channel.subscribe('a')
    const two = channel.subscribe('a', { signal: abort.signal })
    await Promise.all([one.ready, two.ready])
    await channel.publish('a', 1)
    for await (const _ of one) break
    expect(stop).toHaveBeenCalledTimes(0)
    abort.abort()
    expect(await two.next()).toEqual({ done: true, value: undefined })
    expect(stop).toHaveBeenCalledTimes(1)
  })

  test('CH1: calls of next at once get one event each, in order', async () => {
    const channel = numbered()
    const subscription = channel.subscribe('a')
    await subscription.ready
    const all = Promise.all([subscription.next(), subscription.next(), subscription.next()])
    for (const n of [1, 2, 3]) await channel.publish('a', n)
    expect((await all).map(({ value }) => value?.event)).toEqual([1, 2, 3])
  })
})

describe('CH1: a backend that fails', () => {
  const never = (): Promise<never> => new Promise(() => {})
  test.each([
    ['does not answer', never, 'Publishing to "a" was not answered within 20 ms'],
    ['refuses', () => Promise.reject(new Error('down')), 'Publishing to "a" failed: down'],
    [
      'throws',
      () => {
        throw new Error('down')
      },
      'Publishing to "a" failed: down',
    ],
  ])('CH1: a publish to one that %s ends with an error that says so', async (_, publish, message) => {
    const channel = createChannel(fake({ publish }), { timeoutMs: 20 })
    await expect(channel.publish('a', 1)).rejects.toMatchObject({ name: 'ChannelError', code: 'backend', message })
  })

  test('CH1: after a publish that was not answered, one at a time is tried, and the others fail at once', async () => {
    const asked: (() => void)[] = []
    const publish = vi.fn(() => new Promise<string>((resolve) => asked.push(() => resolve('1-1'))))
    const channel = createChannel(fake({ publish }), { timeoutMs: 50 })
    const unsent = { code: 'backend', message: 'Publishing to "a" was not sent: the backend does not answer' }
    // All of them are sent: nothing is known yet
    const first = await Promise.allSettled([1, 2, 3].map((n) => channel.publish('a', n)))
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(publish).toHaveBeenCalledTimes(3)
    const begin = Math.ceil(performance.now())
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    for (const [round, atMs] of [
      [4, 0],
      [5, 30_000],
    ] as const) {
      clock.mockReturnValue(begin + atMs)
      const trial = channel.publish('a', 1)
      trial.catch(() => {})
      for (let n = 0; n < 100; n++) await expect(channel.publish('a', n)).rejects.toMatchObject(unsent)
      await expect(trial).rejects.toMatchObject({ message: 'Publishing to "a" was not answered within 50 ms' })
      // The client still holds it: another one would wait behind it
      clock.mockReturnValue(begin + atMs + 29_999)
      await expect(channel.publish('a', 1)).rejects.toMatchObject(unsent)
      expect(publish).toHaveBeenCalledTimes(round)
    }
    // A late answer lets the next one be tried at once
    asked.at(-1)!()
    await Promise.resolve()
    const trial = channel.publish('a', 1)
    await expect(channel.publish('a', 2)).rejects.toMatchObject(unsent)
    asked.at(-1)!()
    expect(await trial).toBe('1-1')
    const again = [1, 2].map((n) => channel.publish('a', n))
    for (const answer of asked) answer()
    expect(await Promise.all(again)).toEqual(['1-1', '1-1'])
    expect(publish).toHaveBeenCalledTimes(8)
  })

  test.each([
    ['of the backend itself', Object.assign(new Error('late'), { code: 'ETIMEDOUT' }), 1],
    ['of a client such as that of NATS', Object.assign(new Error('late'), { name: 'TimeoutError' }), 1],
    ['that is a refusal, and not late', new Error('no rights'), 2],
    ['that is an event too large', new ChannelError('too_large', 'big'), 2],
  ])('CH1: after an error %s, as many of two further publishes are sent as expected', async (_, error, sent) => {
    const publish = vi.fn((): Promise<string> => Promise.reject(error))
    const channel = createChannel(fake({ publish }))
    await expect(channel.publish('a', 1)).rejects.toBeInstanceOf(ChannelError)
    await Promise.allSettled([channel.publish('a', 2), channel.publish('a', 3)])
    expect(publish).toHaveBeenCalledTimes(1 + sent)
  })

  test('CH1: so does a subscription that cannot begin, and the next one tries again', async () => {
    let up = false
    const backend = memoryChannel()
    const channel = createChannel<number>(
      { ...backend, listen: (...args) => (up ? backend.listen(...args) : never()) },
      { timeoutMs: 20 },
    )
    const subscription = channel.subscribe('a')
    await expect(subscription.next()).rejects.toMatchObject({ code: 'backend' })
    await expect(subscription.ready).rejects.toMatchObject({ code: 'backend' })
    up = true
    const again = channel.subscribe('a')
    await again.ready
    await channel.publish('a', 1)
    expect(eventsOf(await take(again, 1))).toEqual([1])
  })

  test('CH1: so does a replay that is not answered', async () => {
    const channel = createChannel(fake({ read: never }), { timeoutMs: 20 })
    await expect(channel.subscribe('a', { after: '1-1' }).next()).rejects.toMatchObject({ code: 'backend' })
  })

  test('CH1: one that has given up ends its subscribers, and the topic can be joined again', async () => {
    let fail!: (error: Error) => void
    const channel = createChannel(
      fake({
        listen: (_, listener) => {
          fail = listener.fail
          return { from: '0-0', stop: () => {} }
        },
      }),
    )
    const subscription = channel.subscribe('a')
    await subscription.ready
    fail(new Error('gone'))
    await expect(subscription.next()).rejects.toMatchObject({
      code: 'backend',
      message: 'The backend has given up the topic "a": gone',
    })
    await channel.subscribe('a').ready
  })
})

describe('CH1: what is refused', () => {
  test.each([
    ['', 'a well-formed string of 1 to 256 characters, got ""'],
    ['x'.repeat(257), 'a well-formed string of 1 to 256 characters'],
    // Backends that store UTF-8 have the same bytes for each half character, so two rooms would be one
    ['room\ud83d', 'a well-formed string of 1 to 256 characters'],
    ['\udc00room', 'a well-formed string of 1 to 256 characters'],
    [7, 'a well-formed string of 1 to 256 characters, got 7'],
  ])('CH1: the topic %j', async (topic, message) => {
    const channel = numbered()
    await expect(channel.publish(topic as string, 1)).rejects.toThrow(message)
    expect(() => channel.subscribe(topic as string)).toThrow(message)
    expect(() => channel.stream({ header: () => null }, topic as string)).toThrow(message)
  })

  test.each([
    [undefined, 'expected a value that JSON can represent, got undefined'],
    [() => {}, 'expected a value that JSON can represent, got function'],
    [1n, 'BigInt'],
  ])('CH1: the event %s', async (event, message) => {
    await expect(createChannel<unknown>(memoryChannel()).publish('a', event)).rejects.toThrow(message)
  })

  test.each([
    ['x'.repeat(8), true],
    ['x'.repeat(9), false],
    ['é'.repeat(4), true],
    ['é'.repeat(5), false],
  ])('CH1: an event of 10 bytes as JSON passes, one of more does not: %s', async (event, passes) => {
    const channel = createChannel<string>(memoryChannel(), { maxEventBytes: 10 })
    const publishing = channel.publish('a', event)
    if (passes) expect(await publishing).toMatch(/^\d+-1$/)
    else await expect(publishing).rejects.toMatchObject({ code: 'too_large' })
  })

  test.each([
    [undefined, {}, 'createChannel: backend: expected a backend such as memoryChannel(), got undefined'],
    [memoryChannel(), { queueLimit: 0 }, 'createChannel: queueLimit: expected a whole number of events from 1, got 0'],
    [
      memoryChannel(),
      { overflow: 'drop' },
      'createChannel: overflow: expected "disconnect" or "drop-oldest", got "drop"',
    ],
    [
      memoryChannel(),
      { timeoutMs: 0 },
      'createChannel: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647',
    ],
    [memoryChannel(), { maxEventBytes: 0 }, 'createChannel: maxEventBytes: expected a whole number of bytes from 1'],
    [memoryChannel(), { overflw: 1 }, 'createChannel: overflw: unknown option, did you mean "overflow"?'],
  ])('CH1: createChannel(%j, %j)', (backend, options, message) => {
    expect(() => createChannel(backend as never, options as never)).toThrow(message)
  })

  test.each([
    [{ after: 1 }, 'subscribe: after: expected a string, got 1'],
    [{ queueLimit: 4 }, 'subscribe: queueLimit: unknown option'],
    [{ sinal: 1 }, 'subscribe: sinal: unknown option, did you mean "signal"?'],
  ])('CH1: subscribe with %j', (options, message) => {
    expect(() => numbered().subscribe('a', options as never)).toThrow(message)
  })
})

describe.each(doors)('CH3: sse of a channel (%s)', (_, door) => {
  const read = async (response: Response, frames: number): Promise<string[]> => {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (text.split('\n\n').length <= frames) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
    }
    await reader.cancel()
    return text.split('\n\n').slice(0, frames)
  }
  const serve = (channel: ReturnType<typeof numbered>, options?: object) =>
    door({ routes: [['GET', '/', (ctx) => sse(channel.stream(ctx, 'a', options), { heartbeatMs: 0 })]] })
  const get = (headers = {}): Request => new Request('http://localhost/', { headers })

  test('CH3: the first frame is a place without an event, then come the events with their ids', async () => {
    const channel = createChannel<number>(memoryChannel({ now: () => 7 }))
    const response = await serve(channel)(get())
    const frames = read(response, 3)
    const other = channel.subscribe('a')
    await other.ready
    for (const n of [1, 2]) await channel.publish('a', n)
    expect(await frames).toEqual(['id: 0-0', 'id: 7-1\ndata: 1', 'id: 7-2\ndata: 2'])
  })

  test('CH3: Last-Event-ID brings what was missed, and toEvent says how it looks', async () => {
    const channel = createChannel<number>(memoryChannel({ now: () => 7 }))
    for (const n of [1, 2, 3]) await channel.publish('a', n)
    const toEvent = (n: number) => ({ event: 'tick', data: `<b>${n}</b>` })
    const response = await serve(channel, { toEvent })(get({ 'last-event-id': '7-1' }))
    expect(await read(response, 3)).toEqual([
      'id: 7-1',
      'event: tick\nid: 7-2\ndata: <b>2</b>',
      'event: tick\nid: 7-3\ndata: <b>3</b>',
    ])
  })

  test.each([
    ['a gap is an event of its own', '7-1', ['id: 7-1', 'event: gap\ndata: ', 'id: 7-3\ndata: 3']],
    [
      'an id with a line break in it cannot come; nonsense is older than all',
      'x',
      ['id: 0-0', 'event: gap\ndata: ', 'id: 7-3\ndata: 3'],
    ],
  ])('CH3: %s', async (_, id, expected) => {
    const channel = createChannel<number>(memoryChannel({ now: () => 7, keep: 2 }))
    for (const n of [1, 2, 3, 4]) await channel.publish('a', n)
    expect(await read(await serve(channel)(get({ 'last-event-id': id })), 3)).toEqual(expected)
  })

  test('CH3: a client that goes leaves the topic', async () => {
    const stop = vi.fn()
    const backend = memoryChannel()
    const channel = createChannel<number>({
      ...backend,
      listen: (...args) => ({ ...(backend.listen(...args) as object), stop }) as never,
    })
    const response = await serve(channel)(get())
    await read(response, 1)
    await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(1))
  })

  test('CH3: a client that reads nothing is cut off when its queue is full, and its error is told', async () => {
    const channel = numbered({ queueLimit: 4 })
    const onError = vi.fn()
    const fetch = door({ routes: [['GET', '/', (ctx) => sse(channel.stream(ctx, 'a'), { heartbeatMs: 0, onError })]] })
    const response = await fetch(get())
    const other = channel.subscribe('a')
    await other.ready
    for (let n = 0; n < 20_000 && !onError.mock.calls.length; n++) {
      await channel.publish('a', n)
      if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve))
    }
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1))
    expect(onError.mock.calls[0]![0]).toMatchObject({ code: 'overflow' })
    const text = await response.text()
    expect(text).toMatch(/^id: 0-0\n\n/)
    expect(text.length).toBeLessThan(40_000)
  })
})

describe('CH3: what a stream keeps, and how it ends', () => {
  const request = { header: () => null }

  test('CH3: the signal is created when it is first read, and is aborted if that is after the end', async () => {
    const made = vi.spyOn(globalThis, 'AbortController')
    const channel = createChannel<number>(memoryChannel())
    const response = sse(channel.stream(request, 'a'), { heartbeatMs: 0 })
    const reader = response.body!.getReader()
    await reader.read()
    await channel.publish('a', 1)
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^id: \d+-1\ndata: 1\n\n$/)
    await reader.cancel()
    expect(made).not.toHaveBeenCalled()
    made.mockRestore()
    const senders: { signal: AbortSignal; close(): void }[] = []
    const other = sse((send) => {
      senders.push(send)
      return () => {}
    })
    await other.body!.cancel()
    expect(senders[0]!.signal.aborted).toBe(true)
    expect(senders[0]!.signal).toBe(senders[0]!.signal)
  })

  test('CH3: an event whose look cannot be made ends that client alone, and publish and the others go on', async () => {
    const channel = createChannel<number>(memoryChannel())
    const onError = vi.fn()
    const toEvent = (event: number) => {
      if (event === 2) throw new Error('no look')
      return { data: event }
    }
    const bad = sse(channel.stream(request, 'a', { toEvent }), { heartbeatMs: 0, onError })
    const good = sse(channel.stream(request, 'a'), { heartbeatMs: 0 })
    const reader = good.body!.getReader()
    await reader.read()
    for (const n of [1, 2, 3]) await channel.publish('a', n)
    expect(await bad.text()).toMatch(/^id: 0-0\n\nid: \d+-1\ndata: 1\n\n$/)
    expect(onError.mock.calls).toEqual([[new Error('no look')]])
    let text = ''
    while (!text.includes('data: 3')) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
  })

  test('CH3: within a sender of your own it needs the send function of that sender', async () => {
    const channel = createChannel<number>(memoryChannel())
    const own = sse((send) => channel.stream(request, 'a')(send), { heartbeatMs: 0 })
    const reader = own.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('id: 0-0\n\n')
    await reader.cancel()
    const { signal } = new AbortController()
    const made = Object.assign(() => true, { comment: () => true, close: () => {}, signal })
    await expect(channel.stream(request, 'a')(made)).rejects.toThrow('stream: send: expected the send function of sse')
  })
})
