/**
 * What a request costs: `node --import tsx --conditions=sluice-source test/cluster/measure.ts [requests]`.
 *
 * CPU time of the process that answers, and of a Redis of its own, over kept connections. CPU time, not time on the wall:
 * a busy machine makes it longer by its caches alone.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { createApp } from '../../src/app.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { redisRateLimit } from '../../src/stores/redis-rate-limit.ts'
import { redisSession } from '../../src/stores/redis-session.ts'
import { freePort } from '../free-port.mjs'

const file = fileURLToPath(import.meta.url)
const [, , what = '40000', redisUrl = ''] = process.argv

/** Requests before a measurement: the first thousands cost three times as much, until their code is compiled. */
const WARM_UP = 20_000
/** As many as `test/bench/load.mjs` has. */
const CONNECTIONS = 64

const answer = () => json({ hello: 'world', items: [1, 2, 3] })

const serve = async (): Promise<void> => {
  const client = new Redis(redisUrl)
  const send = ([name, ...args]: string[]) => client.call(name!, ...args)
  const app = createApp().get('/plain', answer)
  app.get(
    '/limited',
    rateLimiter({ max: 1e9, windowMs: 3_600_000, store: redisRateLimit({ send, timeoutMs: 60_000 }) }),
    answer,
  )
  const secret = 'a secret of at least thirty-two bytes'
  app.get('/session', session({ secret, store: redisSession({ send, timeoutMs: 60_000 }) }), (ctx) => {
    ctx.state.session.seen = Date.now()
    return answer()
  })
  app.get('/cpu', () => json(process.cpuUsage()))
  const { port } = await app.listen({ port: 0, hostname: '127.0.0.1' })
  process.send?.(port)
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
let cookie = ''
const ask = (port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers: cookie ? { cookie } : {} }, (response) => {
      cookie ||= response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })

const measure = async (count: number): Promise<void> => {
  const redisPort = await freePort()
  const redis = spawn('redis-server', ['--port', `${redisPort}`, '--save', ''], { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${redisPort}`
  const client = new Redis(url, { retryStrategy: () => 100, maxRetriesPerRequest: null })
  client.on('error', () => {})
  await client.ping()
  const child: ChildProcess = fork(file, ['serve', url], { execArgv: process.execArgv })
  const port = await new Promise<number>((resolve) => child.once('message', (port) => resolve(port as number)))
  const redisCpu = async (): Promise<number> =>
    Array.from((await client.info('cpu')).matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)).reduce(
      (sum, [, seconds]) => sum + Number(seconds) * 1e6,
      0,
    )
  const cpu = async (): Promise<number> => {
    const { user, system } = JSON.parse(await ask(port, '/cpu')) as NodeJS.CpuUsage
    return user + system
  }
  const many = async (path: string, times: number): Promise<void> => {
    let left = times
    const one = async (): Promise<void> => {
      while (left-- > 0) await ask(port, path)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, one))
  }
  try {
    for (const path of ['/plain', '/limited', '/session']) {
      await many(path, WARM_UP)
      const before = [await cpu(), await redisCpu()] as const
      await many(path, count)
      const after = [await cpu(), await redisCpu()] as const
      const per = ([from, to]: readonly [number, number]): number => Math.round((to - from) / count)
      console.log({ path, requests: count, answer: per([before[0], after[0]]), redis: per([before[1], after[1]]) })
    }
  } finally {
    child.kill()
    redis.kill()
    client.disconnect()
    agent.destroy()
  }
}

if (what === 'serve') await serve()
else await measure(Number(what))
