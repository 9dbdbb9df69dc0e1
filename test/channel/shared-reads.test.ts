import { expect, test, vi } from 'vitest'
import { memoryChannel } from '../../src/channel/memory.ts'
import { type ChannelBackend, createChannel, type Page } from '../../src/channel.ts'
import { shareReads } from '../../src/internal/channel/topics.ts'
import { eventsOf, take } from './contract.ts'

/** A memory backend whose reads begin at once, and are answered when the test says so. */
const slowReads = () => {
  const backend = memoryChannel()
  const held: (() => void)[] = []
  const read = vi.fn<ChannelBackend['read']>(async (...asked) => {
    const page = await backend.read(...asked)
    await new Promise<void>((resolve) => held.push(resolve))
    return page
  })
  const answer = async (): Promise<void> => {
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(0))
    held.shift()!()
  }
  return { channel: createChannel<number>({ ...backend, read }), read, answer }
}

test('CH3: a thousand subscribers that come back with one id cost two reads', async () => {
  const { channel, read, answer } = slowReads()
  const first = await channel.publish('a', 1)
  for (const n of [2, 3]) await channel.publish('a', n)
  const all = Array.from({ length: 1000 }, () => channel.subscribe('a', { after: first }))
  const seen = Promise.all(all.map((one) => take(one, 2)))
  await answer()
  await answer()
  for (const messages of await seen) expect(eventsOf(messages)).toEqual([2, 3])
  expect(read).toHaveBeenCalledTimes(2)
  await channel.close()
})

test('CH3: who comes back while a read runs that has not seen the newest event, gets that event too', async () => {
  const { channel, read, answer } = slowReads()
  const first = await channel.publish('a', 1)
  await channel.publish('a', 2)
  const early = channel.subscribe('a', { after: first })
  const seenEarly = take(early, 2)
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1))
  await channel.publish('a', 3)
  const late = channel.subscribe('a', { after: first })
  const seenLate = take(late, 2)
  await late.ready
  await answer()
  await answer()
  expect(eventsOf(await seenEarly)).toEqual([2, 3])
  expect(eventsOf(await seenLate)).toEqual([2, 3])
  await channel.close()
})

test('CH3: reads of other ids do not wait, and a read that fails is not repeated to who asks later', async () => {
  const page: Page = { messages: [], last: '1-9' }
  const asked: string[] = []
  const read = shareReads((after) => {
    asked.push(after)
    return asked.length === 1 ? Promise.reject(new Error('down')) : Promise.resolve(page)
  })
  const [failed, next, again, other] = [read('1-1'), read('1-1'), read('1-1'), read('1-2')]
  expect(asked).toEqual(['1-1', '1-2'])
  expect(next).toBe(again)
  await expect(failed).rejects.toThrow('down')
  expect(await Promise.all([next, other])).toEqual([page, page])
  // Nothing is kept of a read that is over: the next one begins at once
  void read('1-1')
  expect(asked).toEqual(['1-1', '1-2', '1-1', '1-1'])
})
