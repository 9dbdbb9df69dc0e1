/**
 * Child process of the soak: an application with every middleware, on HTTP, HTTPS and HTTP/2. It takes `stats`, `delay` and `leave` over
 * the channel to its parent, and ends by itself after SIGTERM.
 */
import { readdirSync, readlinkSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createClient } from 'redis'
import { serve } from 'sluice/serve'
import { CERT, KEY } from '../runtime/certificate.mjs'
import { createSoakApp } from './app.mjs'

/** How often the event loop is asked whether it is late, in milliseconds; what the histogram holds includes this. */
const RESOLUTION_MS = 5
const GRACE_MS = Number(process.env.SOAK_GRACE_MS)

const unhandled = []
process.on('unhandledRejection', (reason) => unhandled.push(`rejection: ${reason?.stack ?? reason}`))
process.on('uncaughtException', (error) => unhandled.push(`exception: ${error?.stack ?? error}`))

// Without a queue: a request does not wait for a Redis that is away
const redis = createClient({
  url: `redis://127.0.0.1:${process.env.SOAK_REDIS_PORT}`,
  disableOfflineQueue: true,
  socket: { reconnectStrategy: 50 },
})
redis.on('error', () => {})
await redis.connect()

const counts = { requests: 0, senders: 0, scopes: 0 }
const app = createSoakApp((args) => redis.sendCommand(args), counts)
const limits = {
  port: 0,
  hostname: '127.0.0.1',
  graceMs: GRACE_MS,
  headersTimeoutMs: 2_000,
  requestTimeoutMs: 8_000,
  keepAliveTimeoutMs: 5_000,
  sendTimeoutMs: 3_000,
}
const tls = { cert: CERT, key: KEY }
const servers = [
  await serve(app.fetch, limits),
  await serve(app.fetch, { ...limits, tls }),
  await serve(app.fetch, { ...limits, tls, http2: true }),
]

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

/** What the process holds open, by kind: sockets by their kind alone, everything else by name. */
const descriptors = () =>
  readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      return [readlinkSync(`/proc/self/fd/${number}`).replace(/:\[\d+\]$/, '')]
    } catch {
      return [] // the one that this list was read by
    }
  })

const stats = () => {
  for (let round = 0; round < 3; round++) globalThis.gc()
  return {
    rss: process.memoryUsage.rss(),
    heap: process.memoryUsage().heapUsed,
    descriptors: descriptors(),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    unhandled,
    ...counts,
  }
}

const commands = {
  stats,
  memory: () => process.memoryUsage(),
  delay: () => ({ p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) }),
  watch: () => {
    delay.reset()
    delay.enable()
    return {}
  },
}
process.on('message', ({ id, command }) => process.send({ id, reply: commands[command]() }))

process.once('SIGTERM', async () => {
  await Promise.all(servers.map((server) => server.close()))
  redis.destroy()
  process.send({ closed: true, unhandled })
  process.disconnect()
})

process.send({ ports: servers.map(({ port }) => port) })
