import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Channel,
  type ChannelBackend,
  type ChannelMessage,
  createChannel,
  type Subscription,
} from '../../src/channel.ts'

/** Take so many messages. */
export const take = async <E>(subscription: Subscription<E>, count: number): Promise<ChannelMessage<E>[]> => {
  const taken: ChannelMessage<E>[] = []
  while (taken.length < count) {
    const { done, value } = await subscription.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

export const eventsOf = <E>(messages: readonly ChannelMessage<E>[]): E[] => messages.map(({ event }) => event)

/** What a backend is asked for by the suite. */
export interface Given {
  /** A new backend, as another process would have it; `keep` messages of a topic are kept. */
  readonly open: (keep: number) => Promise<ChannelBackend>
  /** False if each backend has events of its own. */
  readonly shared: boolean
  /** Backends may trim later than at once, and keep this many more. @default 0 */
  readonly slack?: number
}

/** What holds for every backend. Call it in a group. */
export const channelContract = ({ open, shared, slack = 0 }: Given): void => {
  const KEEP = 20
  let here: Channel<unknown>
  let there: Channel<unknown>
  beforeAll(async () => {
    const backend = await open(KEEP)
    here = createChannel(backend)
    there = shared ? createChannel(await open(KEEP)) : createChannel({ ...backend, close: () => {} })
  })
  afterAll(async () => {
    await here?.close()
    await there?.close()
  })
  const name = (): string => `t ${randomUUID()}`
  const publish = async (topic: string, from: number, to: number): Promise<string[]> => {
    const ids: string[] = []
    for (let n = from; n <= to; n++) ids.push(await here.publish(topic, n))
    return ids
  }
  const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

  test('CH2: events come in order, once, to each subscriber, in each process', async () => {
    const topic = name()
    const subscriptions = [here.subscribe(topic), there.subscribe(topic), there.subscribe(topic)]
    await Promise.all(subscriptions.map(({ ready }) => ready))
    const ids = await publish(topic, 1, 30)
    for (const subscription of subscriptions) {
      const taken = await take(subscription, 30)
      expect(eventsOf(taken)).toEqual(numbers(1, 30))
      expect(taken.map(({ id }) => id)).toEqual(ids)
      expect(taken.some(({ gap }) => gap)).toBe(false)
      await subscription.return()
    }
  })

  test.each([
    ['an object', { a: [1, { b: null }], c: 'é☃😀' }],
    ['a text with line ends and quotes', 'a\r\nb\u2028"\'\\'],
    ['false', false],
    ['null', null],
    ['a name like a prototype', { ['__proto__']: 1, constructor: 2 }],
  ])('CH2: %s comes as it went', async (_, event) => {
    const topic = name()
    const subscription = there.subscribe(topic)
    await subscription.ready
    await here.publish(topic, event)
    expect(eventsOf(await take(subscription, 1))).toEqual([event])
    await subscription.return()
  })

  test.each([['a.b.>'], ['*'], ['ä ☃ \n\0'], ["'; drop table x; --"], ['x'.repeat(256)], ['a'], ['A']])(
    'CH2: a topic may be called %j, and no other hears it',
    async (odd) => {
      const topic = `${odd}${randomUUID()}`.slice(-256)
      const subscription = there.subscribe(topic)
      const other = there.subscribe(`${topic.slice(0, -1)}~`)
      await Promise.all([subscription.ready, other.ready])
      await here.publish(topic, 1)
      await here.publish(`${topic.slice(0, -1)}~`, 2)
      expect(eventsOf(await take(subscription, 1))).toEqual([1])
      expect(eventsOf(await take(other, 1))).toEqual([2])
      await Promise.all([subscription.return(), other.return()])
    },
  )

  test('CH3: after an id come the events behind it, then the new ones, without a hole', async () => {
    const topic = name()
    const ids = await publish(topic, 1, 10)
    const subscription = there.subscribe(topic, { after: ids[3]! })
    await subscription.ready
    await publish(topic, 11, 15)
    const taken = await take(subscription, 11)
    expect(eventsOf(taken)).toEqual(numbers(5, 15))
    expect(taken.some(({ gap }) => gap)).toBe(false)
    await subscription.return()
  })

  test('CH3: a subscriber that comes back while events are published misses none and sees none twice', async () => {
    const topic = name()
    let after: string | undefined
    const first = there.subscribe(topic)
    after = await first.ready
    await first.return()
    const seen: unknown[] = []
    // No further ahead than what is kept
    const publishing = (async () => {
      for (let n = 1; n <= 60; n++) {
        while (n > seen.length + KEEP / 2) await new Promise((resolve) => setTimeout(resolve, 1))
        await here.publish(topic, n)
      }
    })()
    while (seen.length < 60) {
      const subscription = (seen.length % 2 ? here : there).subscribe(topic, { after })
      for (const message of await take(subscription, Math.min(7, 60 - seen.length))) {
        expect(message.gap).toBe(false)
        seen.push(message.event)
        after = message.id
      }
      await subscription.return()
    }
    await publishing
    expect(seen).toEqual(numbers(1, 60))
  })

  test('CH3: the id of a topic without events is a place, too', async () => {
    const topic = name()
    const subscription = there.subscribe(topic)
    const place = await subscription.ready
    await subscription.return()
    await publish(topic, 1, 3)
    const again = there.subscribe(topic, { after: place })
    const taken = await take(again, 3)
    expect(eventsOf(taken)).toEqual([1, 2, 3])
    expect(taken.some(({ gap }) => gap)).toBe(false)
    await again.return()
  })

  test('CH3: an empty id is none: only new events come, without a gap', async () => {
    const topic = name()
    await publish(topic, 1, 2)
    const subscription = there.subscribe(topic, { after: '' })
    await subscription.ready
    await publish(topic, 3, 3)
    expect(await take(subscription, 1)).toMatchObject([{ event: 3, gap: false }])
    await subscription.return()
  })

  test('CH3: what is no longer kept is a gap, and the rest comes', async () => {
    const topic = name()
    const ids = await publish(topic, 1, KEEP + slack + 15)
    const subscription = there.subscribe(topic, { after: ids[2]! })
    const [first, ...rest] = await take(subscription, KEEP)
    expect(first!.gap).toBe(true)
    expect(rest.some(({ gap }) => gap)).toBe(false)
    expect(rest.length).toBe(KEEP - 1)
    expect(first!.event).toBeGreaterThan(4)
    await subscription.return()
  })

  test.each([['9999999999999999-9'], ['0-0'], ['1-1'], ['nonsense'], ['-'], ['$'], ['>'], ['1-1-1']])(
    'CH3: the id %j, which nobody has given, hides nothing that comes',
    async (after) => {
      const topic = name()
      await publish(topic, 1, 2)
      const subscription = there.subscribe(topic, { after })
      await subscription.ready
      await publish(topic, 3, 3)
      const events: unknown[] = []
      while (!events.includes(3)) events.push((await subscription.next()).value?.event)
      await subscription.return()
      // From wherever it begins, without a gap
      const shown = events.filter((event) => typeof event === 'number')
      expect(shown).toEqual(numbers(4 - shown.length, 3))
    },
  )

  test('CH1: publishers that run at once share one order', async () => {
    // Fewer than are kept: what is trimmed before it is read is a gap
    const topic = name()
    const [one, two] = [here.subscribe(topic), there.subscribe(topic)]
    await Promise.all([one.ready, two.ready])
    await Promise.all(numbers(1, 16).map((n) => (n % 2 ? here : there).publish(topic, n)))
    const [first, second] = await Promise.all([take(one, 16), take(two, 16)])
    expect(eventsOf(first)).toEqual(eventsOf(second))
    expect([...eventsOf(first)].sort((a, b) => Number(a) - Number(b))).toEqual(numbers(1, 16))
    await Promise.all([one.return(), two.return()])
  })

  test('CH1: who has left hears nothing, and the topic can be joined again', async () => {
    const topic = name()
    for (const round of [1, 2, 3]) {
      const subscription = there.subscribe(topic)
      await subscription.ready
      await here.publish(topic, round)
      expect(eventsOf(await take(subscription, 1))).toEqual([round])
      await subscription.return()
      expect(await subscription.next()).toEqual({ done: true, value: undefined })
    }
  })

  test('CH1: two channels of one backend hear the same topic, and one that leaves takes nothing from the other', async () => {
    const backend = await open(KEEP)
    const [one, two] = [createChannel<number>(backend), createChannel<number>(backend)]
    const topic = name()
    const [first, second] = [one.subscribe(topic), two.subscribe(topic)]
    await Promise.all([first.ready, second.ready])
    await one.publish(topic, 1)
    expect(eventsOf(await take(first, 1))).toEqual([1])
    expect(eventsOf(await take(second, 1))).toEqual([1])
    await second.return()
    await one.publish(topic, 2)
    expect(eventsOf(await take(first, 1))).toEqual([2])
    const again = two.subscribe(topic)
    await again.ready
    await two.publish(topic, 3)
    expect(eventsOf([...(await take(first, 1)), ...(await take(again, 1))])).toEqual([3, 3])
    const next = again.next()
    next.catch(() => {})
    await one.close()
    // A backend that has something to close is closed for both
    if (!backend.close) await two.close()
    await expect(next).rejects.toMatchObject({ code: backend.close ? 'backend' : 'closed' })
    await two.close()
  })

  test('CH1: close ends a subscription that is still connecting, and later ones fail', async () => {
    const channel = createChannel(await open(KEEP))
    const ended = { name: 'ChannelError', code: 'closed' }
    const connecting = channel.subscribe(name())
    const next = connecting.next()
    next.catch(() => {})
    await channel.close()
    await expect(next).rejects.toMatchObject(ended)
    await expect(connecting.ready).rejects.toMatchObject(ended)
    await expect(channel.subscribe(name()).ready).rejects.toMatchObject(ended)
    const topic = name()
    await expect(channel.subscribe(topic, { after: '1-1' }).next()).rejects.toMatchObject(ended)
  })

  test('CH1: close ends subscriptions with an error that says so', async () => {
    const channel = createChannel(await open(KEEP))
    const subscription = channel.subscribe(name())
    await subscription.ready
    const next = subscription.next()
    await channel.close()
    await expect(next).rejects.toMatchObject({ name: 'ChannelError', code: 'closed' })
  })
}
