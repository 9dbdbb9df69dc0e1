import { expect, test } from 'vitest'
import type { Page, StoredMessage } from '../../src/internal/channel/backend.ts'
import { Follower } from '../../src/internal/channel/follower.ts'

const message = (number: number): StoredMessage => ({ id: `1-${number}`, data: number }) as never

test('CH2: a catch-up that ends after the connection was lost again delivers nothing, and no event is lost', async () => {
  const told: string[] = []
  const answers: ((page: Page) => void)[] = []
  const read = (): Promise<Page> => new Promise((resolve) => answers.push(resolve))
  const listener = { next: ({ id }: StoredMessage) => void told.push(id) }
  const follower = new Follower(listener as never, read, '1-5')
  follower.pause()
  const first = follower.catchUp()
  follower.pause()
  const second = follower.catchUp()
  answers[0]!({ messages: [] } as never)
  await first
  // Live, before the second look has told what came in between
  follower.receive(message(7))
  answers[1]!({ messages: [message(6)] } as never)
  await new Promise((resolve) => setTimeout(resolve, 0))
  answers[2]?.({ messages: [message(7)] } as never)
  await second
  expect(told).toEqual(['1-6', '1-7'])
})

test('CH3: an event that a connection repeats is passed on once, and a hole between live events is a gap', () => {
  const told: unknown[] = []
  const listener = { next: ({ id, gap = false }: StoredMessage) => void told.push({ id, gap }) }
  const follower = new Follower(listener as never, async () => ({ messages: [], last: '1-5' }), '1-5')
  for (const number of [4, 5, 6, 6, 5, 8]) follower.receive(message(number))
  expect(told).toEqual([
    { id: '1-6', gap: false },
    { id: '1-8', gap: true },
  ])
})
