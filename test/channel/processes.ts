import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createChannel } from '../../src/channel.ts'
import { freePort } from '../free-port.mjs'
import { behindNginx } from './behind-nginx.ts'
import { engines } from './engines.ts'
import { type EngineName, open } from './fixtures/backends.ts'
import { follow, followRoom, until } from './followers.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Trial {
  readonly engine: EngineName
  readonly processes: number
  /** Clients with server-sent events, and as many with WebSockets. */
  readonly clients: number
  readonly topics: number
  readonly events: number
  /** Events between two kills of a process. */
  readonly killEvery: number
  /** Milliseconds between two events. @default 5 after each fifth event */
  readonly pauseMs?: number
  /** Clients connect to nginx, which chooses the process. @default each process has its port */
  readonly proxy?: boolean
  /** Told how far it is. */
  readonly note?: (what: string) => void
}

/** What each client has seen, topic by topic, and what happened meanwhile. */
export interface Outcome {
  readonly seen: readonly number[][]
  readonly kills: number
  readonly reconnects: number
  readonly gaps: number
}

const lineOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', () => resolve())
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  })

/**
 * Run processes on one engine; kill them, cut clients off, disturb the engine once; count what each client saw. Redis and
 * NATS are servers of the trial's own, killed and started again; PostgreSQL loses all who listen.
 */
export const runTrial = async (trial: Trial, signal?: AbortSignal): Promise<Outcome> => {
  const { processes, clients, topics, events, killEvery, pauseMs, note } = trial
  const engine = await engines[trial.engine]()
  const name = `live_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const ports = await Promise.all(Array.from({ length: processes }, freePort))
  const start = async (port: number): Promise<ChildProcess> => {
    const file = fileURLToPath(new URL('fixtures/server.ts', import.meta.url))
    const args = ['--import', 'tsx', '--conditions=sluice-source', file, `${port}`, engine.name, engine.url, name]
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', TSX_TSCONFIG_PATH: `${root}tsconfig.json` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await lineOf(child)
    return child
  }
  const children = await Promise.all(ports.map(start))
  const proxy = trial.proxy ? await behindNginx(ports) : undefined
  const doors = proxy ? [proxy.port] : ports
  const publisher = await open[engine.name](engine.url, name)
  const channel = createChannel<number>(publisher.backend, { timeoutMs: 30_000 })
  const outcome = { reconnects: 0, gaps: 0 }
  const all = [follow, followRoom].flatMap((kind) =>
    Array.from({ length: clients }, (_, n) => kind(doors, n, `t${n % topics}`, outcome)),
  )
  let kills = 0
  try {
    await until(() => all.every(({ placed }) => placed()), signal)
    note?.('all clients are there')
    let replacing: Promise<unknown> = Promise.resolve()
    for (let n = 1; n <= events; n++) {
      signal?.throwIfAborted()
      await Promise.all(Array.from({ length: topics }, (_, topic) => channel.publish(`t${topic}`, n)))
      all[n % all.length]!.cut()
      if (pauseMs || n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, pauseMs ?? 5))
      if (n === Math.floor(events / 2)) {
        await engine.disturb()
        // A publish that fails may have come: this one asks first, so that each event is published once
        await publisher.answers()
      }
      if (n % killEvery) continue
      note?.(`${n} events, ${outcome.reconnects} reconnects`)
      await replacing
      const at = kills++ % processes
      children[at]!.kill('SIGKILL')
      replacing = start(ports[at]!).then((child) => {
        children[at] = child
      })
    }
    await replacing
    note?.('all events are out')
    await until(() => all.every(({ numbers }) => numbers.length >= events), signal)
    // Whoever got an event twice would get it now
    await new Promise((resolve) => setTimeout(resolve, 300))
  } finally {
    for (const one of all) one.stop()
    await proxy?.stop()
    for (const child of children) child.kill('SIGKILL')
    await channel.close()
    await publisher.close()
    await engine.stop()
  }
  return { seen: all.map(({ numbers }) => numbers), kills, ...outcome }
}

// `node --import tsx --conditions=sluice-source test/channel/processes.ts [engine] [clients of each kind] [events] [killEvery]`
// and then `[pauseMs]`: with it, the clients are behind nginx, with one topic
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [engine = 'redis', ...numbers] = process.argv.slice(2)
  const [clients = 400, events = 2000, killEvery = 100, pauseMs] = numbers.map(Number)
  const rig = pauseMs === undefined ? { topics: 4 } : { topics: 1, pauseMs, proxy: true }
  const trial = { engine: engine as EngineName, processes: 4, clients, events, killEvery, ...rig }
  const begin = performance.now()
  const seconds = (): number => Math.round((performance.now() - begin) / 100) / 10
  const { seen, ...rest } = await runTrial({ ...trial, note: (what) => console.log(`${seconds()} s: ${what}`) })
  const wrong = seen.filter((numbers) => numbers.some((n, at) => n !== at + 1) || numbers.length !== events)
  console.log({ ...trial, ...rest, wrong: wrong.length, seconds: seconds() })
  process.exit(wrong.length ? 1 : 0)
}
