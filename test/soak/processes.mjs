import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.mjs'

// An exit by a signal would leave the children behind
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Ends with this process at the latest. */
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
const keep = (child) => {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => socket.write('PING\r\n'))
    socket.once('data', (data) => resolve(`${data}`.startsWith('+PONG')))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  }).then(async (up) => up || void (await sleep(50)))

/** A Redis of the soak's own, on a port and in a folder of its own. */
export const startRedis = async () => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-redis-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const args = ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no', '--dir', folder]
  let child
  const start = async () => {
    child = keep(spawn('redis-server', args, { stdio: 'ignore' }))
    child.once('error', () => {})
    for (let attempt = 0; attempt < 200; attempt++) if (await answers(port)) return
    throw new Error('redis-server did not start: apt-get install redis-server')
  }
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve)
      child.kill('SIGKILL')
    })
  await start()
  return { port, start, stop }
}

/** The application in a process of its own. `say` asks it something; `log` is where it complains. */
export const startServer = async (redisPort, graceMs) => {
  const log = join(tmpdir(), `sluice-soak-${process.pid}.log`)
  const file = fileURLToPath(new URL('./server.mjs', import.meta.url))
  const child = keep(
    spawn(process.execPath, ['--expose-gc', file], {
      env: {
        // glibc keeps what each thread has freed in an arena of its own, and what lies below a piece in use: with one arena
        // that gives pieces of a page and more back at once, such as bodies, memory tells of the application
        MALLOC_ARENA_MAX: '1',
        MALLOC_MMAP_THRESHOLD_: '4096',
        MALLOC_TRIM_THRESHOLD_: '65536',
        ...process.env,
        SOAK_REDIS_PORT: `${redisPort}`,
        SOAK_GRACE_MS: `${graceMs}`,
        NODE_ENV: 'production',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
  const stream = createWriteStream(log)
  child.stdout.pipe(stream, { end: false })
  child.stderr.pipe(stream, { end: false })
  const waiting = new Map()
  const told = {}
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
  const ports = await new Promise((resolve, reject) => {
    exited.then((code) => reject(new Error(`the server has exited with ${code}: see ${log}`)))
    child.on('message', ({ ports, id, reply, ...more }) => {
      if (ports) resolve(ports)
      else if (id) waiting.get(id)(reply)
      else Object.assign(told, more)
    })
  })
  let calls = 0
  const say = (command) => {
    const id = ++calls
    const reply = new Promise((resolve) => waiting.set(id, resolve))
    child.send({ id, command })
    const died = exited.then((code) => Promise.reject(new Error(`the server has exited with ${code}: see ${log}`)))
    died.catch(() => {})
    return Promise.race([reply, died])
  }
  return { ports, say, exited, told, log, terminate: () => child.kill('SIGTERM') }
}
