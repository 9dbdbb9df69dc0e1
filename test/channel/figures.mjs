/** Memory a client: `node --expose-gc --import tsx --conditions=sluice-source test/channel/figures.mjs <clients>`. */
import { spawn } from 'node:child_process'
import { createServer, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'

const file = fileURLToPath(import.meta.url)

/** Servers of one kind each. They answer `GET /memory` with the bytes that are in use. */
const kinds = {
  async sse() {
    const { createApp } = await import('../../src/app.ts')
    const { createChannel } = await import('../../src/channel.ts')
    const { memoryChannel } = await import('../../src/channel/memory.ts')
    const channel = createChannel(memoryChannel())
    const app = createApp().get('/live', (ctx) => ctx.sse(channel.stream(ctx, 'a')))
    return { app, publish: () => channel.publish('a', { n: 1, text: 'x'.repeat(100) }) }
  },
  async socket() {
    const { createApp } = await import('../../src/app.ts')
    const { webSocket } = await import('../../src/websocket.ts')
    const all = new Set()
    const app = createApp().get(
      '/live',
      webSocket(() => ({ open: (socket) => all.add(socket), close: (socket) => all.delete(socket) })),
    )
    const message = JSON.stringify({ n: 1, text: 'x'.repeat(100) })
    return {
      app,
      publish: () => {
        for (const socket of all) socket.send(message)
      },
    }
  },
  async rawSse() {
    const all = new Set()
    const bytes = Buffer.from(`id: 1-1\ndata: ${JSON.stringify({ n: 1, text: 'x'.repeat(100) })}\n\n`)
    const listen = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('id: 0-0\n\n')
      all.add(response)
    }
    return {
      listen,
      publish: () => {
        for (const response of all) response.write(bytes)
      },
    }
  },
  async rawSocket() {
    const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: true })
    const upgrade = (request, socket, head) => server.handleUpgrade(request, socket, head, () => {})
    const message = JSON.stringify({ n: 1, text: 'x'.repeat(100) })
    return {
      upgrade,
      publish: () => {
        for (const socket of server.clients) socket.send(message)
      },
    }
  },
}

const serve = async (kind) => {
  const { app, listen, upgrade, publish } = await kinds[kind]()
  const memory = async () => {
    for (let n = 0; n < 4; n++) {
      globalThis.gc()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const { heapUsed, external, rss } = process.memoryUsage()
    return { used: heapUsed + external, rss }
  }
  const cpu = async (rounds) => {
    const before = process.cpuUsage()
    for (let n = 0; n < rounds; n++) {
      await publish()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const answers = { '/memory': memory, '/cpu': () => cpu(30) }
  let port
  if (app) {
    for (const [path, answer] of Object.entries(answers)) app.get(path, async (ctx) => ctx.json(await answer()))
    port = (await app.listen({ port: 0, hostname: '127.0.0.1' })).port
  } else {
    const server = createServer(async (request, response) => {
      if (answers[request.url]) response.end(JSON.stringify(await answers[request.url]()))
      else listen(request, response)
    })
    if (upgrade) server.on('upgrade', upgrade)
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = server.address().port
  }
  console.log(port)
}

const measure = async (kind, clients) => {
  const args = ['--expose-gc', '--import', 'tsx', '--conditions=sluice-source', file, 'serve', kind]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)))
  const ask = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  const open = () =>
    new Promise((resolve, reject) => {
      if (/ocket/.test(kind)) {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/live`)
        socket.on('open', resolve)
        socket.on('error', reject)
      } else {
        get({ port, host: '127.0.0.1', path: '/live', agent: false }, (response) => {
          response.once('data', resolve)
          response.resume()
        }).on('error', reject)
      }
    })
  const few = async (count) => {
    for (let n = 0; n < count; n += 100) await Promise.all(Array.from({ length: 100 }, open))
  }
  await few(200)
  const before = await ask('/memory')
  await few(clients)
  const after = await ask('/memory')
  const cpu = await ask('/cpu')
  child.kill('SIGKILL')
  return {
    kind,
    clients,
    bytesUsed: Math.round((after.used - before.used) / clients),
    bytesRss: Math.round((after.rss - before.rss) / clients),
    microsecondsPerDelivery: Number(((cpu * 1000) / (30 * (clients + 200))).toFixed(2)),
  }
}

if (process.argv[2] === 'serve') await serve(process.argv[3])
else {
  const clients = Number(process.argv[2] ?? 2000)
  for (const kind of ['rawSocket', 'socket', 'rawSse', 'sse']) console.log(await measure(kind, clients))
  process.exit()
}
