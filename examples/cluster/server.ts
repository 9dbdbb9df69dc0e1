import { Redis } from 'ioredis'
import { createApp, rateLimiter } from 'sluice'
import { createChannel } from 'sluice/channel'
import { redisChannel } from 'sluice/channel/redis'
import { clientKey } from 'sluice/client-address'
import { env, envInt } from 'sluice/env'
import { redisRateLimit } from 'sluice/stores/redis-rate-limit'
import { webSocket } from 'sluice/websocket'

const prefix = env('PREFIX', 'example:')
const timeoutMs = Number(env('TIMEOUT_MS', '1000'))
const clients: Redis[] = []

/** Connects with the first command: the supervisor, which serves no requests, does not connect. */
const connect = (): ((args: string[]) => Promise<unknown>) => {
  const client = new Redis(env('REDIS_URL', 'redis://127.0.0.1:6379'), { lazyConnect: true, retryStrategy: () => 100 })
  client.on('error', () => {})
  clients.push(client)
  return ([name, ...args]) => client.call(name!, ...args)
}

const send = connect()
const live = createChannel<unknown>(redisChannel({ send, reader: connect(), prefix: `${prefix}live:`, timeoutMs }))
const limit = rateLimiter({
  max: Number(env('MAX', '100')),
  windowMs: 60_000,
  store: redisRateLimit({ send, prefix: `${prefix}limit:`, timeoutMs }),
  keyGenerator: clientKey({ trustProxy: ['127.0.0.1'] }),
})

/** Topics that browsers and sockets subscribe to, in any process. */
export const app = createApp()
  .get('/', (ctx) => ctx.json({ pid: process.pid }))
  .get('/live/:topic', (ctx) => ctx.sse(live.stream(ctx, ctx.params.topic)))
  .post('/live/:topic', limit, async (ctx) =>
    ctx.json({ id: await live.publish(ctx.params.topic, await ctx.json()) }, 201),
  )
  .get(
    '/rooms/:topic',
    webSocket((ctx) => ({
      open(socket) {
        const said = live.subscribe(ctx.params.topic, {
          signal: socket.signal,
          after: ctx.query.get('after') ?? undefined,
        })
        const pass = async (): Promise<void> => {
          // A frame without an event contains the position, like the first frame of server-sent events
          await socket.send(JSON.stringify({ id: await said.ready }))
          for await (const { id, event, gap } of said)
            if (!(await socket.send(JSON.stringify({ id, event, gap })))) return
        }
        // Redis is away, this process is closing, or the client was too slow
        pass().catch(() => socket.close(1013, 'come back with the id that you saw last'))
      },
    })),
  )

app.register({
  async shutdown() {
    await live.close()
    for (const client of clients) client.disconnect()
  },
})

await app.listen({
  port: envInt('PORT', 3000),
  hostname: '127.0.0.1',
  workers: Number(env('WORKERS', '4')),
  // Longer than the proxy keeps its connections, so that the proxy closes them
  keepAliveTimeoutMs: 65_000,
})
