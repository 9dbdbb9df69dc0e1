/**
 * Child process of the soak: an application with every middleware, on HTTP, HTTPS and HTTP/2. It takes `stats`, `delay` and `leave` over
 * the channel to its parent, and ends by itself after SIGTERM.
 */
import { openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { createHistogram } from 'node:perf_hooks'
import { createClient } from 'redis'
import { serve } from 'sluice/serve'
import { CERT, KEY } from '../runtime/certificate.mjs'
import { createSoakApp } from './app.mjs'

/** How often the event loop is asked whether it is late, in milliseconds. */
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

/** How long the main thread has waited for a processor so far, in nanoseconds; 0 where the system does not say. */
const queue = (() => {
  const bytes = Buffer.alloc(128)
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`)
    return () => Number(bytes.latin1Slice(0, readSync(file, bytes, 0, 128, 0)).split(' ')[1])
  } catch {
    return () => 0
  }
})()

/** By how much each round of the event loop was late, and the part of it that was not spent waiting for a processor. */
const delays = { all: createHistogram(), own: createHistogram() }
let last
const sample = () => {
  const now = { time: performance.now() * 1e6, queued: queue() }
  const late = Math.max(1, now.time - last.time - RESOLUTION_MS * 1e6)
  delays.all.record(Math.round(late))
  delays.own.record(Math.max(1, Math.round(late - (now.queued - last.queued))))
  last = now
}
const watch = () => {
  last = { time: performance.now() * 1e6, queued: queue() }
  for (const histogram of Object.values(delays)) histogram.reset()
  setInterval(sample, RESOLUTION_MS).unref()
}
const figures = (histogram) => ({
  p50: histogram.percentile(50) / 1e6,
  p99: histogram.percentile(99) / 1e6,
  max: histogram.max / 1e6,
})

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
  delay: () => ({ all: figures(delays.all), own: figures(delays.own) }),
  watch: () => {
    watch()
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
