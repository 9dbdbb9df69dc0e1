import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { type ChannelBackend, type ChannelListener, createChannel, type Page } from '../../src/channel.ts'
import type { StoredMessage } from '../../src/internal/channel/backend.ts'
import { Subscriber } from '../../src/internal/channel/subscriber.ts'

setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

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
  gc()
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
  expect([(await first).value?.event, (await subscription.next()).value?.event]).toEqual([1, 2])
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
