import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { up } from '../../examples/cluster/up.ts'
import { describeService } from '../services.ts'
import { runLive } from './live.ts'

const hasNginx = (): boolean => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return process.env.SLUICE_REQUIRE_SERVICES === '1'
  }
}

describeService('redis', 'examples/cluster: nginx, four processes and Redis', (url) => {
  test.runIf(hasNginx())(
    'OP4: a limit of 100 lets exactly 100 of 400 simultaneous requests pass, whichever worker takes them',
    async () => {
      const example = await up(0, {
        WORKERS: '4',
        MAX: '100',
        REDIS_URL: url,
        PREFIX: `cluster:${randomUUID()}:`,
        // This machine may be busy: a hit that times out would be counted, and not answered
        TIMEOUT_MS: '30000',
      })
      try {
        const pids = new Set<number>()
        // The first worker answers before the last one has started
        while (pids.size < 4) {
          const response = await fetch(`http://127.0.0.1:${example.inner}/`, { headers: { connection: 'close' } })
          pids.add(((await response.json()) as { pid: number }).pid)
        }
        const statuses = await Promise.all(
          Array.from({ length: 400 }, async () => {
            const body = JSON.stringify('news')
            const headers = { 'content-type': 'application/json' }
            const response = await fetch(`http://127.0.0.1:${example.port}/live/news`, {
              method: 'POST',
              body,
              headers,
            })
            await response.text()
            return response.status
          }),
        )
        const counts = Object.fromEntries([201, 429].map((one) => [one, statuses.filter((got) => got === one).length]))
        expect(counts, `${new Set(statuses)}`).toEqual({ 201: 100, 429: 300 })
      } finally {
        expect(await example.down()).toBe(0)
      }
    },
    120_000,
  )

  test.runIf(hasNginx())(
    'CH3, OP4: clients of both kinds see each event once, in order, while workers are killed, Redis is, and all are replaced',
    async () => {
      const events = 120
      const { seen, kills, reconnects, gaps, exitCode } = await runLive({
        clients: 100,
        events,
        killEvery: 50,
        restartAt: 30,
        renewAt: 70,
      })
      const expected = Array.from({ length: events }, (_, at) => at + 1)
      expect(seen).toHaveLength(200)
      for (const numbers of seen) expect(numbers).toEqual(expected)
      expect(kills).toBe(2)
      // Each worker is replaced by SIGHUP, so each client came back at least once
      expect(reconnects).toBeGreaterThanOrEqual(200)
      expect(gaps).toBe(0)
      expect(exitCode).toBe(0)
    },
    170_000,
  )
})
