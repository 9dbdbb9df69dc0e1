import { describe, expect, test } from 'vitest'
import { memoryChannel } from '../../src/channel/memory.ts'
import { type ChannelListener, createChannel } from '../../src/channel.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { channelContract, eventsOf, take } from './contract.ts'

describe('memoryChannel', () => channelContract({ open: async (keep) => memoryChannel({ keep }), shared: false }))

describe('memoryChannel is bounded', () => {
  const kept = async (backend: ReturnType<typeof memoryChannel>, topic: string): Promise<number> =>
    (await backend.read(topic, '0-0', 10_000)).messages.length

  test.each([
    [3, 3],
    [4, 3],
  ])('CH1: of %i events of a topic that keeps 3, %i are kept', async (published, expected) => {
    const backend = memoryChannel({ keep: 3 })
    for (let n = 0; n < published; n++) await backend.publish('a', 'x')
    expect(await kept(backend, 'a')).toBe(expected)
  })

  test('CH1: one topic too many drops the one that was published to the longest ago', async () => {
    const backend = memoryChannel({ topics: 2 })
    for (const topic of ['a', 'b', 'a', 'c']) await backend.publish(topic, 'x')
    expect({ a: await kept(backend, 'a'), b: await kept(backend, 'b'), c: await kept(backend, 'c') }).toEqual({
      a: 2,
      b: 0,
      c: 1,
    })
  })

  test.each([
    ['as much as fits', 10, { a: 2, b: 3 }],
    ['one character less', 9, { a: 1, b: 3 }],
    ['only the newest fits', 2, { a: 0, b: 1 }],
    ['not even that', 1, { a: 0, b: 1 }],
  ])('CH1: maxLength: %s', async (_, maxLength, expected) => {
    const backend = memoryChannel({ maxLength })
    for (const topic of ['a', 'a', 'b', 'b', 'b']) await backend.publish(topic, 'xx')
    expect({ a: await kept(backend, 'a'), b: await kept(backend, 'b') }).toEqual(expected)
  })

  test('CH3: a new log has newer ids, and a subscriber of the old one gets a gap', async () => {
    const backend = memoryChannel({ topics: 1, now: () => 5 })
    const channel = createChannel<number>(backend)
    const old = await channel.publish('a', 1)
    await channel.publish('b', 1)
    const subscription = channel.subscribe('a', { after: old })
    await subscription.ready
    const id = await channel.publish('a', 2)
    expect({ old, id }).toEqual({ old: '5-1', id: '7-1' })
    const [message] = await take(subscription, 1)
    expect(message).toEqual({ id, topic: 'a', event: 2, gap: true })
  })

  test('CH1: the events of a dropped topic no longer count against maxLength', async () => {
    const backend = memoryChannel({ topics: 1, maxLength: 4 })
    for (const topic of ['a', 'a', 'b', 'b']) await backend.publish(topic, 'xx')
    expect({ a: await kept(backend, 'a'), b: await kept(backend, 'b') }).toEqual({ a: 0, b: 2 })
  })

  test('CH1: who joins while an event is delivered gets the next one, not this one again', async () => {
    const backend = memoryChannel()
    const late: string[] = []
    const joining: ChannelListener = {
      next: () => void backend.listen('a', { next: ({ text }) => void late.push(text), fail: () => {} }),
      fail: () => {},
    }
    const first = await backend.listen('a', joining)
    await backend.publish('a', '1')
    first.stop()
    await backend.publish('a', '2')
    expect(late).toEqual(['2'])
  })

  test('CH1: topics that nobody listens to any more take no memory', async () => {
    const backend = memoryChannel()
    const visit = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) (await backend.listen(`topic ${n}`, { next() {}, fail() {} })).stop()
    }
    await visit(1000)
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    await visit(50_000)
    collectGarbage()
    // A set for each would be ten megabytes
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000)
  })

  test.each([
    [{ keep: 0 }, 'memoryChannel: keep: expected a whole number of events from 1, got 0'],
    [{ topics: 1.5 }, 'memoryChannel: topics: expected a whole number of topics from 1, got 1.5'],
    [{ maxLength: '1' }, 'memoryChannel: maxLength: expected a whole number of characters from 1, got "1"'],
    [{ now: 1 }, 'memoryChannel: now: expected a function, got 1'],
    [{ kep: 1 }, 'memoryChannel: kep: unknown option, did you mean "keep"?'],
  ])('CH1: the options %j are refused', (options, message) => {
    expect(() => memoryChannel(options as never)).toThrow(message)
  })

  test('CH1: eventsOf and take stop at the end', async () => {
    const channel = createChannel<number>(memoryChannel())
    const subscription = channel.subscribe('a', { signal: AbortSignal.abort() })
    expect(eventsOf(await take(subscription, 5))).toEqual([])
  })
})
