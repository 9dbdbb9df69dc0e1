import { type ChildProcess, fork, spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { createConnection } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeService } from '../services.ts'

const PORT = 6390
const MAX = 1000
/** Whatever happens to Redis, a request is answered long before this many milliseconds. */
const DEADLINE = 30_000

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'))
    const settle = (up: boolean) => {
      socket.destroy()
      resolve(up)
    }
    socket.once('data', (reply) => settle(String(reply).startsWith('+PONG')))
    socket.once('error', () => settle(false))
    socket.setTimeout(1000, () => settle(false))
  })

/** A Redis of our own, that may be stopped without harm to anybody. */
const startRedis = async (): Promise<ChildProcess> => {
  const redis = spawn(
    'redis-server',
    ['--port', `${PORT}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  )
  for (let tries = 0; tries < 100; tries++) {
    await sleep(50)
    if (redis.exitCode !== null) throw new Error(`redis-server cannot listen on port ${PORT}: another one does`)
    if (await answers(PORT)) return redis
  }
  throw new Error(`redis-server does not answer on port ${PORT}`)
}

const stop = (child: ChildProcess | undefined): Promise<unknown> =>
  new Promise((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return resolve(undefined)
    child.once('exit', resolve)
    child.kill('SIGKILL')
  })

interface Server {
  readonly child: ChildProcess
  readonly url: string
  readonly pid: number
}

const startServer = (client: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = fork(
      fileURLToPath(new URL('./fixtures/server.ts', import.meta.url)),
      [`redis://127.0.0.1:${PORT}`, client, `${MAX}`],
      { execArgv: ['--import', 'tsx', '--conditions=sluice-source'], env: { ...process.env, NODE_OPTIONS: '' } },
    )
    child.once('message', (message) => resolve({ child, ...(message as { url: string; pid: number }) }))
    child.once('exit', (code) => reject(new Error(`server exited with ${code}`)))
  })

interface Answer {
  /** 0 when the connection broke, -1 when no answer came before the deadline. */
  readonly status: number
  readonly body: string
}

describeService('redis', 'four processes on one Redis', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  let redis: ChildProcess
  let servers: Server[] = []
  let cookie = ''

  const ask = (url: string): Promise<Answer> =>
    new Promise((resolve) => {
      let broken = 0
      const settle = (status: number, body = '') => resolve({ status, body })
      const sent = request(url, { agent, timeout: DEADLINE }, (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => settle(response.statusCode!, body))
        response.on('error', () => settle(broken))
      })
      sent.on('timeout', () => {
        broken = -1
        sent.destroy()
      })
      sent.on('error', () => settle(broken))
      sent.end()
    })

  /** So many requests over all servers in turn, at most 128 at once. */
  const flood = async (path: string, total: number, during: (done: number) => void = () => {}): Promise<Answer[]> => {
    const seen: Answer[] = []
    let next = 0
    const work = async () => {
      while (next < total) {
        const index = next++
        seen.push(await ask(servers[index % servers.length]!.url.replace(/\/$/, '') + path))
        during(seen.length)
      }
    }
    await Promise.all(Array.from({ length: 128 }, work))
    return seen
  }
  const count = (seen: readonly Answer[], status: number) => seen.filter((each) => each.status === status).length

  beforeAll(async () => {
    redis = await startRedis()
    servers = await Promise.all(['redis', 'ioredis', 'redis', 'ioredis'].map(startServer))
  }, 60_000)
  afterAll(async () => {
    agent.destroy()
    await Promise.all(servers.map(({ child }) => stop(child)))
    await stop(redis)
  })

  test('of 10,000 requests exactly max pass', async () => {
    const seen = await flood('/closed', 10_000)
    expect({ passed: count(seen, 200), refused: count(seen, 429) }).toEqual({ passed: MAX, refused: 9000 })
  }, 120_000)

  test('a session that one process writes can be read by the others', async () => {
    const [first, ...others] = servers
    const written = await fetch(`${first!.url.replace(/\/$/, '')}/session`, { method: 'POST' })
    cookie = written.headers.getSetCookie()[0]!.split(';')[0]!
    for (const { url } of others) {
      const read = await fetch(`${url.replace(/\/$/, '')}/session`, { headers: { cookie } })
      expect(await read.json()).toEqual({ writtenBy: first!.pid })
    }
  })

  test('one process killed and Redis gone in the middle: every request is answered in time, by the policy', async () => {
    let killed = false
    const during = (done: number) => {
      if (done < 300 || killed) return
      killed = true
      servers[3]!.child.kill('SIGKILL')
      redis.kill('SIGKILL')
    }
    const seen = await flood('/open', 1500, during)
    expect(seen).toHaveLength(1500)
    expect(count(seen, -1)).toBe(0)
    // the limit of 1,000 is never reached before Redis goes, so whoever still has a server passes; only the killed
    // one breaks connections
    expect(count(seen, 200) + count(seen, 0)).toBe(1500)
    expect(count(seen, 0)).toBeGreaterThan(0)
    expect(count(seen, 200)).toBeGreaterThan(1000)
    servers.pop()
  }, 60_000)

  test('while Redis is away one limiter refuses with 500 and the other lets pass, and sessions say so', async () => {
    const closed = await flood('/closed', 60)
    expect(count(closed, 500)).toBe(60)
    expect(closed[0]!.body).toMatch(/Error/)
    expect(count(await flood('/open', 60), 200)).toBe(60)
    const read = (cookie: string) => fetch(`${servers[0]!.url.replace(/\/$/, '')}/session`, { headers: { cookie } })
    expect((await read(cookie)).status).toBe(500)
    // a forged id never reaches the store
    expect((await read('session=a.b')).status).toBe(200)
    expect(servers.every(({ child }) => child.exitCode === null)).toBe(true)
  }, 60_000)

  test('when Redis is back, so is the limit', async () => {
    redis = await startRedis()
    let status = 0
    for (let tries = 0; tries < 100 && status !== 200; tries++) {
      const all = await flood('/closed', servers.length)
      status = all.every((each) => each.status === 200) ? 200 : 0
      await sleep(100)
    }
    expect(status).toBe(200)
    const seen = await flood('/closed', 1500)
    // Redis came back empty; the probes above have taken some of the places
    expect(count(seen, 200)).toBeLessThanOrEqual(MAX)
    expect(count(seen, 200) + count(seen, 429)).toBe(1500)
    expect(count(await flood('/closed', 30), 429)).toBe(30)
  }, 60_000)
})
