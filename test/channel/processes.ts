import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { redisChannel } from '../../src/channel/redis.ts'
import { createChannel } from '../../src/channel.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Trial {
  readonly processes: number
  readonly clients: number
  readonly topics: number
  readonly events: number
  /** Events between two kills of a process. */
  readonly killEvery: number
}

/** What each client has seen, topic by topic, and what happened meanwhile. */
export interface Outcome {
  readonly seen: readonly number[][]
  readonly kills: number
  readonly reconnects: number
  readonly gaps: number
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number } // a port, since it listens on one
      server.close(() => resolve(port))
    })
  })

const lineOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', () => resolve())
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  })

export const until = async (test: () => boolean): Promise<void> => {
  while (!test()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A client that comes back to another process whenever it is cut off, with the id that it saw last. */
export const follow = (
  ports: readonly number[],
  first: number,
  topic: string,
  outcome: { reconnects: number; gaps: number },
) => {
  const numbers: number[] = []
  let id: string | undefined
  let turn = first
  let stopped = false
  let cut = (): void => {}
  const connect = (): void => {
    if (stopped) return
    const port = ports[turn++ % ports.length]
    const headers = id === undefined ? {} : { 'last-event-id': id }
    const again = (): void => {
      outcome.reconnects++
      setTimeout(connect, 20)
    }
    let answered = false
    const request = get({ port, host: '127.0.0.1', path: `/live/${topic}`, headers, agent: false }, (response) => {
      answered = true
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
        const frames = text.split('\n\n')
        text = frames.pop()!
        for (const frame of frames) {
          const next = /^id: (.*)$/m.exec(frame)?.[1]
          if (next !== undefined) id = next
          if (/^event: gap$/m.test(frame)) outcome.gaps++
          else if (/^data: (\d+)$/m.test(frame)) numbers.push(Number(/^data: (\d+)$/m.exec(frame)![1]))
        }
      })
      response.on('error', () => {})
      response.on('close', again)
    })
    request.on('error', () => {
      // An answer that has begun tells its end itself
      if (!answered) again()
    })
    cut = () => request.destroy()
  }
  connect()
  return {
    numbers,
    placed: () => id !== undefined,
    cut: () => cut(),
    stop() {
      stopped = true
      cut()
    },
  }
}

/** Run processes on one Redis of their own; kill them, cut clients off, restart Redis once; count what each client saw. */
export const runTrial = async ({ processes, clients, topics, events, killEvery }: Trial): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-'))
  const redisPort = await freePort()
  const url = `redis://127.0.0.1:${redisPort}`
  const prefix = `live:${randomUUID()}:`
  const startRedis = () =>
    spawn('redis-server', [
      '--port',
      `${redisPort}`,
      '--dir',
      folder,
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--save',
      '',
    ])
  let redis = startRedis()
  const ports = await Promise.all(Array.from({ length: processes }, freePort))
  const start = async (port: number): Promise<ChildProcess> => {
    const file = fileURLToPath(new URL('fixtures/server.ts', import.meta.url))
    const args = ['--import', 'tsx', '--conditions=sluice-source', file, `${port}`, url, prefix]
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', TSX_TSCONFIG_PATH: `${root}tsconfig.json` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await lineOf(child)
    return child
  }
  const children = await Promise.all(ports.map(start))
  const connections: Redis[] = []
  const connect = () => {
    const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
    client.on('error', () => {})
    connections.push(client)
    return ([name, ...args]: string[]) => client.call(name!, ...args)
  }
  const channel = createChannel<number>(
    redisChannel({ send: connect(), reader: connect(), prefix, keep: 100_000, timeoutMs: 20_000 }),
    { timeoutMs: 30_000 },
  )
  const outcome = { reconnects: 0, gaps: 0 }
  const all = Array.from({ length: clients }, (_, n) => follow(ports, n, `t${n % topics}`, outcome))
  let kills = 0
  try {
    await until(() => all.every(({ placed }) => placed()))
    let replacing: Promise<unknown> = Promise.resolve()
    for (let n = 1; n <= events; n++) {
      await Promise.all(Array.from({ length: topics }, (_, topic) => channel.publish(`t${topic}`, n)))
      all[n % clients]!.cut()
      if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      if (n === Math.floor(events / 2)) {
        const gone = new Promise((resolve) => redis.once('exit', resolve))
        redis.kill('SIGKILL')
        await gone
        redis = startRedis()
      }
      if (n % killEvery) continue
      await replacing
      const at = kills++ % processes
      children[at]!.kill('SIGKILL')
      replacing = start(ports[at]!).then((child) => {
        children[at] = child
      })
    }
    await replacing
    await until(() => all.every(({ numbers }) => numbers.length >= events))
    // Whoever got an event twice would get it now
    await new Promise((resolve) => setTimeout(resolve, 300))
  } finally {
    for (const one of all) one.stop()
    for (const child of children) child.kill('SIGKILL')
    await channel.close()
    for (const client of connections) client.disconnect()
    redis.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  return { seen: all.map(({ numbers }) => numbers), kills, ...outcome }
}

// `tsx --conditions=sluice-source test/channel/processes.ts <clients> <events> [processes]`: larger figures
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [clients = 400, events = 2000, processes = 4] = process.argv.slice(2).map(Number)
  const { seen, ...rest } = await runTrial({ processes, clients, events, topics: 4, killEvery: 100 })
  const wrong = seen.filter((numbers) => numbers.some((n, at) => n !== at + 1) || numbers.length !== events)
  console.log({ clients, events, ...rest, wrong: wrong.length })
  process.exitCode = wrong.length ? 1 : 0
}
