import { expect, test, vi } from 'vitest'
import { type ChannelBackend, type ChannelListener, createChannel, type Page } from '../../src/channel.ts'
import type { StoredMessage } from '../../src/internal/channel/backend.ts'
import { Subscriber } from '../../src/internal/channel/subscriber.ts'
import { collectGarbage } from '../collect-garbage.ts'

const LIMIT = 10

test('CH1: while a page is read that does not come, live events beyond the queue limit are not kept', async () => {
  const never = () => new Promise<never>(() => {})
  const subscriber = new Subscriber({ limit: LIMIT, overflow: 'disconnect' }, never, '1-0', '1-1')
  void subscriber.ready()
  const pushed: WeakRef<StoredMessage>[] = []
  for (let number = 2; number <= 1000; number++) {
    const message = { id: `1-${number}`, text: '1' }
    pushed.push(new WeakRef(message))
    subscriber.push(message)
  }
  // A reference that was made in this turn keeps its target until the turn is over
  await new Promise((resolve) => setTimeout(resolve, 1))
  collectGarbage()
  const kept = pushed.filter((one) => one.deref()).length
  // One more than the limit says that there were too many; the last one may still be on the stack
  expect(kept).toBeLessThanOrEqual(LIMIT + 2)
  expect(kept).toBeGreaterThanOrEqual(LIMIT)
  subscriber.end()
})

/** A backend whose live events and pages are sent by the test. */
const byHand = (parts: Partial<ChannelBackend> = {}) => {
  const listeners: ChannelListener[] = []
  const backend: ChannelBackend = {
    publish: () => '1-1',
    read: () => ({ messages: [], last: '1-1' }),
    listen: (_, listener) => {
      listeners.push(listener)
      return { from: '1-1', stop: () => {} }
    },
    ...parts,
  }
  return { channel: createChannel<number>(backend, { timeoutMs: 200 }), listeners }
}
const stored = (number: number): StoredMessage => ({ id: `1-${number}`, text: `${number}` })

test('CH3: an event that a backend sends twice, as after a lost connection, comes once', async () => {
  const { channel, listeners } = byHand()
  const subscription = channel.subscribe('a')
  await subscription.ready
  for (const number of [2, 3, 2, 3, 4]) listeners[0]!.next(stored(number))
  const seen: number[] = []
  for await (const { event } of subscription) {
    seen.push(event)
    if (event === 4) break
  }
  expect(seen).toEqual([2, 3, 4])
})

test('CH3: an event that comes live and in the page that is being read comes once', async () => {
  let answer!: (page: Page) => void
  const page = new Promise<Page>((resolve) => {
    answer = resolve
  })
  const read = vi.fn(() => page)
  const { channel, listeners } = byHand({ read })
  const subscription = channel.subscribe('a', { after: '1-0' })
  await subscription.ready
  const first = subscription.next()
  await vi.waitFor(() => expect(read).toHaveBeenCalled())
  for (const number of [2, 3]) listeners[0]!.next(stored(number))
  answer({ messages: [stored(1), stored(2)], last: '1-2' })
  expect({ first: (await first).value?.event, subscription: (await subscription.next()).value?.event }).toEqual({
    first: 1,
    subscription: 2,
  })
  expect((await subscription.next()).value?.event).toBe(3)
  await subscription.return?.()
})

test('CH1: a backend that begins to listen after its time is told to stop', async () => {
  const stop = vi.fn()
  let late!: (listening: { from: string; stop: () => void }) => void
  const listen = () =>
    new Promise<{ from: string; stop: () => void }>((resolve) => {
      late = resolve
    })
  const { channel } = byHand({ listen })
  await expect(channel.subscribe('a').ready).rejects.toMatchObject({ code: 'backend' })
  late({ from: '1-1', stop })
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce())
})

/** A subscriber that holds references to messages as little as it can, and how many of the pushed ones are left. */
const weigh = (limit: number) => {
  const subscriber = new Subscriber(
    { limit, overflow: 'disconnect' },
    async () => ({ messages: [], last: '1-0' }),
    '1-0',
    '1-0',
  )
  const refs: WeakRef<StoredMessage>[] = []
  const push = (count: number): void => {
    for (let n = 0; n < count; n++) {
      const message = stored(refs.length + 1)
      refs.push(new WeakRef(message))
      subscriber.push(message)
    }
  }
  const left = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    collectGarbage()
    return refs.filter((one) => one.deref()).length
  }
  return { subscriber, push, left }
}

test('CH1: events that were read are not kept while others wait', async () => {
  const { subscriber, push, left } = weigh(5000)
  push(3000)
  for (let n = 0; n < 2500; n++) subscriber.take()
  // Consumed ones are removed 1024 at a time
  expect(await left()).toBeLessThan(500 + 1100)
  expect(subscriber.take()?.id).toBe('1-2501')
})

test.each([
  ['that left', undefined],
  ['that ended with an error', new Error('too slow')],
])('CH1: a subscriber %s keeps no events, and gives none', async (_, error) => {
  const { subscriber, push, left } = weigh(100)
  push(50)
  subscriber.end(error)
  push(10)
  expect(await left()).toBeLessThanOrEqual(1)
  if (error) expect(() => subscriber.take()).toThrow('too slow')
  else expect(subscriber.take()).toBeUndefined()
})

test('CH3: more live events than the queue holds, while a page is read, come with the next page', async () => {
  const answers: ((page: Page) => void)[] = []
  const read = vi.fn(() => new Promise<Page>((resolve) => answers.push(resolve)))
  const subscriber = new Subscriber({ limit: 2, overflow: 'disconnect' }, read, '1-0', '1-1')
  const ready = subscriber.ready()
  for (const number of [2, 3, 4, 5, 6]) subscriber.push(stored(number))
  answers[0]!({ messages: [stored(1)], last: '1-1' })
  await ready
  expect(subscriber.take()?.id).toBe('1-1')
  const more = subscriber.ready()
  answers[1]!({ messages: [2, 3, 4, 5, 6].map(stored), last: '1-6' })
  await more
  expect([2, 3, 4, 5, 6].map(() => subscriber.take()?.id)).toEqual(['1-2', '1-3', '1-4', '1-5', '1-6'])
  expect(subscriber.isBehind).toBe(false)
})

test('CH1: a backend that gives up just as it begins to listen is asked again by who waits', async () => {
  const listen = vi.fn<ChannelBackend['listen']>((_, listener) => {
    if (listen.mock.calls.length === 1) listener.fail(new Error('not now'))
    else setTimeout(() => listener.next(stored(2)), 5)
    return { from: '1-1', stop: () => {} }
  })
  const { channel } = byHand({ listen })
  const subscription = channel.subscribe('a')
  expect((await subscription.next()).value?.event).toBe(2)
  expect(listen).toHaveBeenCalledTimes(2)
  await subscription.return?.()
})

test('CH1: who subscribes after the backend has given up gets a new connection', async () => {
  const { channel, listeners } = byHand()
  const first = channel.subscribe('a')
  await first.ready
  listeners[0]!.fail(new Error('gone'))
  await expect(first.next()).rejects.toMatchObject({ code: 'backend' })
  const second = channel.subscribe('a')
  await second.ready
  listeners[1]!.next(stored(2))
  expect((await second.next()).value?.event).toBe(2)
  await second.return?.()
})
