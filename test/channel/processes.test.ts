import { expect, test } from 'vitest'
import { describeService } from '../services.ts'
import { runTrial } from './processes.ts'

describeService('redis', 'channels of four processes', () => {
  test('CH3: kill -9, clients that are cut off, Redis restarted: each client sees each event once, in order', async () => {
    const events = 200
    const { seen, kills, reconnects, gaps } = await runTrial({
      processes: 4,
      clients: 40,
      topics: 2,
      events,
      killEvery: 50,
    })
    const expected = Array.from({ length: events }, (_, at) => at + 1)
    expect(seen).toHaveLength(40)
    for (const numbers of seen) expect(numbers).toEqual(expected)
    expect(kills).toBe(4)
    expect(reconnects).toBeGreaterThan(100)
    expect(gaps).toBe(0)
  }, 170_000)
})
