/** One contender of `clients.mjs`, bundled and forked by it. It answers messages with figures of its process. */
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { createApp } from '../../../src/app.ts'
import { memoryChannel } from '../../../src/channel/memory.ts'
import { createChannel } from '../../../src/channel.ts'
import { webSocket } from '../../../src/websocket.ts'

/** With the time in milliseconds since 1970, so that a client can tell how long it took. */
const eventNow = () => ({ at: performance.timeOrigin + performance.now(), text: 'x'.repeat(100) })

const listen = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', 4096, () => resolve(server.address().port)))

/** Each starts to listen. @returns its port, and what publishes an event to all its clients */
const contenders = {
  async sse() {
    const channel = createChannel(memoryChannel())
    const app = createApp().get('/live', (ctx) => ctx.sse(channel.stream(ctx, 'a')))
    const { port } = await app.listen({ port: 0, hostname: '127.0.0.1' })
    return { port, publish: () => channel.publish('a', eventNow()) }
  },
  async socket() {
    const all = new Set()
    const handlers = { open: (socket) => all.add(socket), close: (socket) => all.delete(socket) }
    const open = webSocket(() => handlers, { idleTimeoutMs: 3_600_000 })
    const { port } = await createApp().get('/live', open).listen({ port: 0, hostname: '127.0.0.1' })
    const publish = () => {
      const text = JSON.stringify(eventNow())
      for (const socket of all) socket.send(text)
    }
    return { port, publish }
  },
  async rawSse() {
    const all = new Set()
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
      response.write('id: 0-0\n\n')
      all.add(response)
      response.on('close', () => all.delete(response))
    })
    let n = 0
    const publish = () => {
      const bytes = Buffer.from(`id: 1-${++n}\ndata: ${JSON.stringify(eventNow())}\n\n`)
      for (const response of all) response.write(bytes)
    }
    return { port: await listen(server), publish }
  },
  async rawSocket() {
    const server = createServer()
    const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false })
    const all = new Set()
    sockets.on('connection', (socket) => {
      all.add(socket)
      socket.on('close', () => all.delete(socket))
    })
    const publish = () => {
      const text = JSON.stringify(eventNow())
      for (const socket of all) socket.send(text)
    }
    return { port: await listen(server), publish }
  },
}

const { port, publish } = await contenders[process.argv[2]]()
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const answers = {
  async memory() {
    for (let n = 0; n < 4; n++) {
      globalThis.gc()
      await pause(100)
    }
    const { heapUsed, external, rss } = process.memoryUsage()
    return { used: heapUsed + external, rss }
  },
  /** Microseconds of CPU for so many events to all clients. */
  async cpu({ events, pauseMs }) {
    const before = process.cpuUsage()
    for (let n = 0; n < events; n++) {
      await publish()
      await pause(pauseMs)
    }
    await pause(1000)
    const { user, system } = process.cpuUsage(before)
    return user + system
  },
  /** Publish so many events per second, or as many as this process manages. */
  async rate({ perSecond, seconds }) {
    const before = process.cpuUsage()
    const begin = performance.now()
    const end = begin + seconds * 1000
    let published = 0
    let rss = 0
    for (;;) {
      // A turn of the event loop even if it is late: sockets must be able to write
      await pause(Math.max(0, begin + (published * 1000) / perSecond - performance.now()))
      if (performance.now() >= end) break
      await publish()
      published++
      rss = Math.max(rss, process.memoryUsage.rss())
    }
    const { user, system } = process.cpuUsage(before)
    return { published, cpu: user + system, ms: performance.now() - begin, rss }
  },
}
process.on('message', async ({ ask, ...given }) => process.send(await answers[ask](given)))
process.on('disconnect', () => process.exit())
process.send({ port })
