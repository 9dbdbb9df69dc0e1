import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTime } from '../../src/internal/time/in-time.ts'
import { redisRateLimit } from '../../src/stores/redis-rate-limit.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const late = (): Error => new Error('late')

test.each<[string, () => unknown, string]>([
  ['a value', () => 'now', 'now'],
  ['a promise of a value', async () => 'soon', 'soon'],
])('work that gives %s in time: the value, and no timer is left', async (_, work, expected) => {
  expect(await inTime(30, late, work)).toBe(expected)
  expect(vi.getTimerCount()).toBe(0)
})

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
])('work that %s: its error, and no timer is left', async (_, work) => {
  await expect(inTime(30, late, work)).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

test('work without an answer: the error of the deadline, and a rejection that comes later is handled', async () => {
  let refuse!: (error: Error) => void
  const work = new Promise((_, reject) => {
    refuse = reject
  })
  const answer = expect(inTime(30, late, () => work)).rejects.toThrow('late')
  await vi.advanceTimersByTimeAsync(30)
  await answer
  refuse(new Error('nobody waits for this'))
})

test('redisRateLimit: a `send` that throws at once leaves no timer', async () => {
  const send = (): never => {
    throw new Error('The client is closed')
  }
  const store = redisRateLimit({ send, timeoutMs: 30 })
  await expect(async () => store.increment('a', 1000)).rejects.toThrow('The client is closed')
  expect(vi.getTimerCount()).toBe(0)
})
