import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { up } from '../../examples/cluster/up.ts'
import { redisChannel } from '../../src/channel/redis.ts'
import { createChannel } from '../../src/channel.ts'
import { follow, followRoom, until } from '../channel/followers.ts'

export interface LiveTrial {
  /** Clients with server-sent events, and as many with WebSockets. */
  readonly clients: number
  readonly events: number
  /** Events between two `kill -9` of a worker. */
  readonly killEvery: number
  /** Event at which all workers are replaced by SIGHUP; 0 for never. */
  readonly renewAt?: number
  /** Event at which Redis is killed and started again; 0 for never. */
  readonly restartAt?: number
  /** Milliseconds between two events. @default 10 */
  readonly pauseMs?: number
}

/** What happened, and what each client saw. */
export interface LiveOutcome {
  readonly seen: readonly number[][]
  readonly kills: number
  readonly reconnects: number
  readonly gaps: number
  readonly exitCode: number | null
  readonly seconds: number
}

/** Run the example with clients of both kinds through nginx; kill workers; count what each client saw. */
export const runLive = async (trial: LiveTrial): Promise<LiveOutcome> => {
  const { clients, events, killEvery, renewAt = 0, restartAt = 0, pauseMs = 10 } = trial
  const prefix = `live:${randomUUID()}:`
  const example = await up(0, { WORKERS: '4', PREFIX: prefix, TIMEOUT_MS: '20000' })
  const connections = [0, 1].map(() => new Redis(example.redisUrl).on('error', () => {}))
  const [send, reader] = connections.map(
    (client) =>
      ([name, ...args]: string[]) =>
        client.call(name!, ...args),
  )
  const channel = createChannel<number>(
    redisChannel({ send: send!, reader: reader!, prefix: `${prefix}live:`, keep: 100_000, timeoutMs: 20_000 }),
    { timeoutMs: 30_000 },
  )
  const outcome = { reconnects: 0, gaps: 0 }
  const all = [
    ...Array.from({ length: clients }, () => follow([example.port], 0, 'news', outcome)),
    ...Array.from({ length: clients }, () => followRoom([example.port], 0, 'news', outcome)),
  ]
  let kills = 0
  let exitCode: number | null = null
  const begin = performance.now()
  try {
    await until(() => all.every(({ placed }) => placed()))
    for (let n = 1; n <= events; n++) {
      await channel.publish('news', n)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      if (n === renewAt) example.supervisor.kill('SIGHUP')
      if (n === restartAt) {
        await example.restartRedis()
        // It queues its commands while it has no connection: the next publish does not fail, so no event comes twice
        await connections[0]!.ping()
      }
      if (n % killEvery) continue
      const response = await fetch(`http://127.0.0.1:${example.inner}/`)
      const { pid } = (await response.json()) as { pid: number }
      process.kill(pid, 'SIGKILL')
      kills++
    }
    await until(() => all.every(({ numbers }) => numbers.length >= events))
    // Whoever got an event twice would get it now
    await new Promise((resolve) => setTimeout(resolve, 300))
  } finally {
    for (const one of all) one.stop()
    await channel.close()
    for (const client of connections) client.disconnect()
    exitCode = await example.down()
  }
  const seconds = Math.round((performance.now() - begin) / 100) / 10
  return { seen: all.map(({ numbers }) => numbers), kills, exitCode, seconds, ...outcome }
}

// `node --import tsx --conditions=sluice-source test/cluster/live.ts [clients of each kind] [events] [killEvery] [pauseMs]`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [clients = 2000, events = 200, killEvery = 50, pauseMs = 10] = process.argv.slice(2).map(Number)
  const { seen, ...rest } = await runLive({
    clients,
    events,
    killEvery,
    pauseMs,
    restartAt: Math.floor(events * 0.3),
    renewAt: Math.floor(events * 0.6),
  })
  const wrong = seen.filter((numbers) => numbers.some((n, at) => n !== at + 1) || numbers.length !== events)
  console.log({ sse: clients, sockets: clients, events, ...rest, wrong: wrong.length })
  process.exitCode = wrong.length ? 1 : 0
}
