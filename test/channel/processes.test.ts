import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { describeService } from '../services.ts'
import type { EngineName } from './fixtures/backends.ts'
import { runTrial } from './processes.ts'

/** Programs that a trial starts on a port of its own. PostgreSQL is the one that runs. */
const PROGRAMS: Partial<Record<EngineName, string>> = { redis: 'redis-server', nats: 'nats-server' }

const canStart = (engine: EngineName): boolean =>
  process.env.SLUICE_REQUIRE_SERVICES === '1' ||
  PROGRAMS[engine] === undefined ||
  !spawnSync(PROGRAMS[engine], ['--version']).error

const clients = 60

for (const engine of ['redis', 'nats', 'postgres'] as const) {
  describeService(engine, `channels of four processes on ${engine}`, () => {
    test.runIf(canStart(engine))(
      'CH3: kill -9, clients that are cut off, the engine disturbed: each client sees each event once, in order',
      async ({ signal }) => {
        const events = 120
        const trial = { engine, processes: 4, clients, topics: 2, events, killEvery: 30 }
        const { seen, kills, reconnects, gaps } = await runTrial(trial, signal)
        const expected = Array.from({ length: events }, (_, at) => at + 1)
        expect(seen).toHaveLength(2 * clients)
        for (const numbers of seen) expect(numbers).toEqual(expected)
        expect(kills).toBe(4)
        expect(reconnects).toBeGreaterThan(100)
        expect(gaps).toBe(0)
      },
      170_000,
    )
  })
}
