import { expect, test } from 'vitest'
import { simulate } from './simulate.ts'

/** Mean time in a queue with one server, random arrivals and exponential work: 1 / (service rate - arrival rate). */
const meanOf = (work: number, share: number): number => work / (1 - share) / 1000

test.each([0.3, 0.7, 0.9])('OP8: one process at %f of its capacity waits as queueing theory says', (share) => {
  const { mean, busyProcesses, limit } = simulate(1, { answer: 1000, redis: 0, network: 0 }, share)
  expect(limit).toBe('processes')
  expect(busyProcesses).toBeCloseTo(share)
  expect(Math.abs(mean / meanOf(1000, share) - 1)).toBeLessThan(0.05)
})

test('OP8: where Redis is the limit, its queue is the one that theory knows, and the way there is added', () => {
  const { mean, limit, capacity } = simulate(1000, { answer: 1, redis: 1000, network: 500 }, 0.7)
  expect({ limit, capacity }).toEqual({ limit: 'Redis', capacity: 1000 })
  expect(Math.abs(mean / (meanOf(1000, 0.7) + 0.5) - 1)).toBeLessThan(0.05)
})
