import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChannelListener } from '../../src/channel.ts'
import { createStreamReader } from '../../src/internal/channel/redis-reader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A read that the reader has sent. */
interface Read {
  readonly at: number
  readonly keys: string[]
  readonly ids: string[]
  answer(reply: unknown): void
  fail(message: string): void
}

/** Keys of topics are compared without it; the key that ends a read keeps it. */
const withoutPrefix = (key: string): string => key.replace(/^p:(?!wake:)/, '')

/** A reader whose reads are answered by the test. */
const byHand = (giveUpMs = 1000, timeoutMs = 100) => {
  const reads: Read[] = []
  const commands: string[][] = []
  let wakes = true
  const begin = performance.now()
  const reader = createStreamReader(
    (args) =>
      new Promise((resolve, reject) => {
        const names = args.slice(args.indexOf('STREAMS') + 1)
        reads.push({
          at: performance.now() - begin,
          keys: names.slice(0, names.length / 2).map(withoutPrefix),
          ids: names.slice(names.length / 2),
          answer: resolve,
          fail: (message) => reject(new Error(message)),
        })
      }),
    {
      prefix: 'p:',
      async run(text, key) {
        if (!wakes) throw new Error('not now')
        commands.push([text.match(/XADD|PEXPIRE/g)!.join(' '), `p:${key}`])
      },
    },
    giveUpMs,
    timeoutMs,
  )
  const refuseWakes = (): void => {
    wakes = false
  }
  return { reader, reads, commands, refuseWakes }
}

const listen = () => {
  const told: string[] = []
  const listener: ChannelListener = {
    next: ({ id, gap }) => void told.push(gap ? `gap ${id}` : id),
    fail: ({ message }) => void told.push(message),
  }
  return { told, listener }
}
const entries = (key: string, ...ids: string[]) => [[key.replace(/^(?!p:)/, 'p:'), ids.map((id) => [id, ['e', '1']])]]
const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

test('CH2: a lost connection is asked again after 20 ms, and then after twice as long each time, at most a second', async () => {
  const { reader, reads } = byHand(60_000)
  await reader.add('a', '1-0', listen().listener)
  for (let n = 0; n < 9; n++) {
    reads[n]!.fail('lost')
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(reads.slice(1).map(({ at }, n) => Math.round(at - n * 1000))).toEqual([
    20, 40, 80, 160, 320, 640, 1000, 1000, 1000,
  ])
  reads[9]!.answer(null)
  await soon()
  reads[10]!.fail('lost')
  await vi.advanceTimersByTimeAsync(20)
  expect(reads).toHaveLength(12)
})

test('CH2: after a lost connection it reads on after the last event, and an answer ends the time in which it gives up', async () => {
  const { reader, reads } = byHand(100)
  const { told, listener } = listen()
  // The clock of the test begins with 0
  await vi.advanceTimersByTimeAsync(1)
  await reader.add('a', '1-0', listener)
  reads[0]!.answer(entries('a', '1-1'))
  await soon()
  reads[1]!.fail('lost')
  await vi.advanceTimersByTimeAsync(20)
  expect(reads[2]).toMatchObject({ keys: [expect.stringMatching(/^p:wake:/), 'a'], ids: ['0-0', '1-1'] })
  reads[2]!.answer(null)
  await vi.advanceTimersByTimeAsync(200)
  reads[3]!.fail('lost')
  await vi.advanceTimersByTimeAsync(20)
  reads[4]!.answer(entries('a', '1-2'))
  await soon()
  expect(told).toEqual(['1-1', '1-2'])
})

test('CH2: a connection that stays lost for giveUpMs ends each subscription once, and nothing is read any more', async () => {
  const { reader, reads } = byHand(100)
  const [one, two] = [listen(), listen()]
  await reader.add('a', '1-0', one.listener)
  await reader.add('b', '1-0', two.listener)
  for (let n = 0; n < 5; n++) {
    reads[n]?.fail('lost')
    await vi.advanceTimersByTimeAsync(100)
  }
  expect({ one: one.told, two: two.told }).toEqual({ one: ['lost'], two: ['lost'] })
  const before = reads.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads).toHaveLength(before)
  await reader.add('a', '1-0', one.listener)
  expect(reads).toHaveLength(before + 1)
})

test('CH1: Redis that never answers is asked once, and ends the subscriptions with an error that says so', async () => {
  const { reader, reads } = byHand(12_000)
  const { told, listener } = listen()
  await reader.add('a', '1-0', listener)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toHaveLength(1)
  expect(told).toEqual(['Redis did not answer XREAD within 5100 ms'])
  // A new subscription does not wait for what was never answered
  await reader.add('a', '1-0', listener)
  expect(reads).toHaveLength(2)
})

test('CH2: the late answer of Redis that was stopped for a while is used, and its subscriptions go on', async () => {
  const { reader, reads } = byHand(30_000)
  const { told, listener } = listen()
  await reader.add('a', '1-0', listener)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reads).toHaveLength(1)
  reads[0]!.answer(entries('a', '1-1'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(told).toEqual(['1-1'])
  expect(reads[1]!.ids).toEqual(['0-0', '1-1'])
})

test('CH2: a topic that is added ends the waiting read, by an entry of the reader itself that expires', async () => {
  const { reader, reads, commands } = byHand()
  await reader.add('a', '1-0', listen().listener)
  await reader.add('b', '2-0', listen().listener)
  const [wakeKey] = reads[0]!.keys
  // One script: a process that is killed between two commands would leave an entry for ever
  expect(commands).toEqual([['XADD PEXPIRE', wakeKey]])
  reads[0]!.answer(entries(wakeKey!, '7-1'))
  await soon()
  expect(reads[1]).toMatchObject({ keys: [wakeKey, 'a', 'b'], ids: ['7-1', '1-0', '2-0'] })
})

test('CH1: a topic whose read cannot be begun is not followed', async () => {
  const { reader, reads, refuseWakes } = byHand()
  await reader.add('a', '1-0', listen().listener)
  refuseWakes()
  await expect(reader.add('b', '1-0', listen().listener)).rejects.toThrow('not now')
  reads[0]!.answer(null)
  await soon()
  expect(reads[1]!.keys.slice(1)).toEqual(['a'])
})

test('CH1: who leaves takes no other with him who has the same topic by now', async () => {
  const { reader, reads } = byHand()
  const [one, two] = [listen(), listen()]
  const leave = await reader.add('a', '1-0', one.listener)
  await reader.add('a', '1-1', two.listener)
  leave()
  reads[0]!.answer(null)
  await soon()
  reads[1]!.answer(entries('a', '1-2'))
  await soon()
  expect({ one: one.told, two: two.told }).toEqual({ one: [], two: ['1-2'] })
})

test('CH2: two listeners of a topic each get the messages after their own last one', async () => {
  const { reader, reads } = byHand()
  const [one, two] = [listen(), listen()]
  await reader.add('a', '1-2', one.listener)
  const leave = await reader.add('a', '1-1', two.listener)
  reads[0]!.answer(null)
  await soon()
  expect(reads[1]).toMatchObject({ keys: [expect.anything(), 'a'], ids: ['0-0', '1-1'] })
  reads[1]!.answer(entries('a', '1-2', '1-3'))
  await soon()
  expect({ one: one.told, two: two.told }).toEqual({ one: ['1-3'], two: ['1-2', '1-3'] })
  leave()
  reads[2]!.answer(entries('a', '1-4'))
  await soon()
  expect({ one: one.told, two: two.told }).toEqual({ one: ['1-3', '1-4'], two: ['1-2', '1-3'] })
})

test.each(Array.from({ length: 12 }, (_, turns) => [turns]))(
  'CH1: a topic that is added %i turns after the last read has ended is read',
  async (turns) => {
    const { reader, reads } = byHand()
    const leave = await reader.add('a', '1-0', listen().listener)
    leave()
    reads[0]!.answer(null)
    for (let n = 0; n < turns; n++) await Promise.resolve()
    await reader.add('b', '1-0', listen().listener)
    await soon()
    expect(reads.at(-1)!.keys.slice(1)).toEqual(['b'])
    expect(reads).toHaveLength(2)
  },
)

test('CH1: close ends the waiting read, and nothing is read any more', async () => {
  const { reader, reads, commands } = byHand()
  await reader.close()
  expect(commands).toEqual([])
  const { told, listener } = listen()
  await reader.add('a', '1-0', listener)
  await reader.close()
  expect(told).toEqual(['The backend was closed'])
  expect(commands.map(([name]) => name)).toEqual(['XADD PEXPIRE'])
  reads[0]!.answer(null)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads).toHaveLength(1)
})
