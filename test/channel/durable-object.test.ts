import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { channelObject, durableObjectChannel } from '../../src/channel/durable-object.ts'
import { createChannel } from '../../src/channel.ts'
import { channelContract, eventsOf, take } from './contract.ts'
import { createObjects, stubWorkers } from './durable-objects.ts'

beforeAll(stubWorkers)
afterAll(() => void vi.unstubAllGlobals())
afterEach(() => void vi.useRealTimers())

describe('durableObjectChannel', () => {
  const kept = new Map<number, ReturnType<typeof createObjects>>()
  const open = async (keep: number) => {
    const objects = kept.get(keep) ?? createObjects(channelObject({ keep }))
    kept.set(keep, objects)
    return durableObjectChannel(objects.namespace)
  }
  channelContract({ open, shared: true })
})

const numbered = (options: object = {}, own: object = {}) => {
  const objects = createObjects(channelObject(options))
  return { ...objects, channel: createChannel<number>(durableObjectChannel(objects.namespace, own)) }
}

describe('CH2: the object', () => {
  test.each([
    [3, 3],
    [4, 3],
    [300, 3],
  ])('CH2: of %i events of a topic that keeps 3, %i are in its storage', async (published, expected) => {
    const { channel, named } = numbered({ keep: 3 })
    for (let n = 0; n < published; n++) await channel.publish('a', n)
    expect([...named('a').stored.keys()].filter((key) => key !== 'log')).toHaveLength(expected)
  })

  test('CH2: a smaller keep deletes the excess events, 128 with each publish, and never returns them', async () => {
    const { channel, named } = numbered({ keep: 300 })
    for (let n = 1; n <= 300; n++) await channel.publish('a', n)
    const { stored } = named('a')
    const smaller = createObjects(channelObject({ keep: 10 }))
    for (const [key, value] of stored) smaller.named('a').stored.set(key, value)
    const later = createChannel<number>(durableObjectChannel(smaller.namespace))
    for (const [n, count] of [
      [301, 173],
      [302, 46],
      [303, 10],
    ] as const) {
      await later.publish('a', n)
      expect(smaller.named('a').stored.size - 1).toBe(count)
    }
    const [first] = await take(later.subscribe('a', { after: '0-0' }), 1)
    expect(first).toMatchObject({ event: 294, gap: true })
  })

  test('CH2: a topic is forgotten retentionMs after its newest event, and its ids go on above the old ones', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1000 })
    const { channel, named } = numbered({ retentionMs: 100 })
    const old = await channel.publish('a', 1)
    expect(named('a').alarm()).toBe(1100)
    vi.setSystemTime(1050)
    await channel.publish('a', 2)
    expect(named('a').alarm()).toBe(1100)
    vi.setSystemTime(1100)
    await named('a').ring()
    expect({ alarm: named('a').alarm(), stored: named('a').stored.size }).toEqual({ alarm: 1150, stored: 3 })
    vi.setSystemTime(1150)
    await named('a').ring()
    expect(named('a').stored.size).toBe(0)
    const id = await channel.publish('a', 3)
    expect({ old, id }).toEqual({ old: '1000-1', id: '1150-1' })
    const [message] = await take(channel.subscribe('a', { after: old }), 1)
    expect(message).toMatchObject({ event: 3, gap: true })
  })

  test('CH2: a listener that leaves closes its connection, the last of a topic and one of several', async () => {
    const { channel, named, namespace } = numbered()
    const other = createChannel<number>(durableObjectChannel(namespace)).subscribe('a')
    const [one, two] = [channel.subscribe('a'), channel.subscribe('a')]
    await Promise.all([other.ready, one.ready, two.ready])
    expect(named('a').sockets.size).toBe(2)
    await Promise.all([one.return(), two.return()])
    await vi.waitFor(() => expect(named('a').sockets.size).toBe(1))
    await channel.publish('a', 1)
    expect(eventsOf(await take(other, 1))).toEqual([1])
    await other.return()
  })
})

describe('CH3: a lost connection', () => {
  test('CH3: what was published meanwhile comes from the storage, once and in order', async () => {
    const { channel, named } = numbered()
    const subscription = channel.subscribe('a')
    await subscription.ready
    const expected: number[] = []
    const got = take(subscription, 60)
    for (let n = 1; n <= 60; n++) {
      expected.push(n)
      await channel.publish('a', n)
      if (n % 7 === 0) for (const socket of named('a').sockets) socket.close()
      if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const taken = await got
    expect(eventsOf(taken)).toEqual(expected)
    expect(taken.some(({ gap }) => gap)).toBe(false)
    await subscription.return()
  })

  test('CH3: subscriptions end with an error that says so when the object is away for longer than giveUpMs', async () => {
    const { channel, named, fail } = numbered({}, { giveUpMs: 40 })
    const subscription = channel.subscribe('a')
    await subscription.ready
    const next = subscription.next()
    fail(new Error('Network connection lost.'))
    for (const socket of named('a').sockets) socket.close()
    await expect(next).rejects.toMatchObject({
      code: 'backend',
      message: 'The backend has given up the topic "a": Network connection lost.',
    })
    await expect(channel.publish('a', 1)).rejects.toMatchObject({ code: 'backend' })
    fail(undefined)
    const again = channel.subscribe('a')
    await again.ready
    await channel.publish('a', 2)
    expect(eventsOf(await take(again, 1))).toEqual([2])
    await again.return()
  })

  test('CH3: a connection that answers no ping for 30 seconds is left for another one', async () => {
    const { channel, named } = numbered()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const subscription = channel.subscribe('a')
    await subscription.ready
    const [first] = named('a').sockets
    await vi.advanceTimersByTimeAsync(30_000)
    expect(first!.got).toEqual(['ping'])
    first!.send('pong')
    await new Promise((resolve) => setTimeout(resolve, 5))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(first!.got).toEqual(['ping', 'ping'])
    await vi.advanceTimersByTimeAsync(30_000)
    await vi.waitFor(() => expect([...named('a').sockets].filter((socket) => socket !== first)).toHaveLength(1))
    await channel.publish('a', 1)
    expect(eventsOf(await take(subscription, 1))).toEqual([1])
    await subscription.return()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
  })

  test('CH3: a connection that ends with an error, and not with a close, is replaced', async () => {
    const { channel, named } = numbered()
    const subscription = channel.subscribe('a')
    await subscription.ready
    const [first] = named('a').sockets
    first!.other.emit('error')
    await vi.waitFor(() => expect([...named('a').sockets]).not.toContain(first))
    await vi.waitFor(() => expect(named('a').sockets.size).toBe(1))
    await channel.publish('a', 1)
    // What the old connection still has is not passed on
    first!.other.emit('message', { data: '9000000000000000-1 99' })
    expect(eventsOf(await take(subscription, 1))).toEqual([1])
    await channel.publish('a', 2)
    expect(eventsOf(await take(subscription, 1))).toEqual([2])
    await subscription.return()
  })

  test('CH2: an object that is away is asked again after 20 ms, and then after twice as long each time', async () => {
    const { channel, named, fail, namespace } = numbered({}, { giveUpMs: 3000 })
    const asked: number[] = []
    const { get } = namespace
    namespace.get = (id) => {
      asked.push(Math.round(performance.now()))
      return get.call(namespace, id)
    }
    const subscription = channel.subscribe('a')
    await subscription.ready
    const next = subscription.next()
    next.catch(() => {})
    vi.useFakeTimers()
    fail(new Error('away'))
    asked.length = 0
    for (const socket of named('a').sockets) socket.close()
    const begin = Math.round(performance.now())
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked.map((at) => at - begin)).toEqual([0, 20, 60, 140, 300, 620, 1260, 2260, 3260])
    await expect(next).rejects.toMatchObject({ code: 'backend' })
  })

  test.each([
    ['who has left', 60_000],
    ['that was given up', 1000],
  ])('CH1: a connection that comes late, for a subscriber %s, is closed', async (_, giveUpMs) => {
    const { named, namespace } = numbered()
    let hold: Promise<void> | undefined
    let go = (): void => {}
    const waiting = {
      ...namespace,
      get: (id: string) => ({
        async fetch(url: string, init: { method?: string; body?: string }) {
          await hold
          return namespace.get(id).fetch(url, init)
        },
      }),
    }
    const channel = createChannel<number>(durableObjectChannel(waiting as never, { giveUpMs }))
    const subscription = channel.subscribe('a')
    await subscription.ready
    const next = subscription.next()
    next.catch(() => {})
    vi.useFakeTimers()
    hold = new Promise((resolve) => {
      go = resolve
    })
    for (const socket of named('a').sockets) socket.close()
    await vi.advanceTimersByTimeAsync(5000)
    if (giveUpMs === 1000)
      await expect(next).rejects.toMatchObject({
        message: 'The backend has given up the topic "a": The object did not answer within 1000 ms',
      })
    else await subscription.return()
    go()
    await vi.advanceTimersByTimeAsync(5000)
    expect(named('a').sockets.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('CH1: an object that answers without a connection, or with an error, ends a subscription and a publish', async () => {
    const refused = new Response('no', { status: 500 })
    const answers = [refused, new Response('no', { status: 503 })]
    const namespace = { idFromName: (name: string) => name, get: () => ({ fetch: async () => answers.shift()! }) }
    const channel = createChannel<number>(durableObjectChannel(namespace))
    await expect(channel.subscribe('a').next()).rejects.toThrow('The object responded to a listener with 500')
    expect(refused.bodyUsed).toBe(true)
    await expect(channel.publish('a', 1)).rejects.toThrow('Publishing to "a" failed: The object responded with 503: no')
  })
})

test.each([
  [undefined, {}, 'durableObjectChannel: namespace: expected a Durable Object binding, got undefined'],
  [{ idFromName() {} }, { giveUpMs: -1 }, 'durableObjectChannel: giveUpMs: expected a whole number of milliseconds'],
  [{ idFromName() {} }, { giveUp: 1 }, 'durableObjectChannel: giveUp: unknown option, did you mean "giveUpMs"?'],
])('CH2: durableObjectChannel(%j, %j) is refused', (namespace, options, message) => {
  expect(() => durableObjectChannel(namespace as never, options as never)).toThrow(message)
})

test.each([
  [{ keep: 0 }, 'channelObject: keep: expected a whole number of events from 1, got 0'],
  [{ retentionMs: 0 }, 'channelObject: retentionMs: expected a whole number of milliseconds from 1, got 0'],
  [{ kep: 1 }, 'channelObject: kep: unknown option, did you mean "keep"?'],
])('CH2: channelObject(%j) is refused', (options, message) => {
  expect(() => channelObject(options as never)).toThrow(message)
})
