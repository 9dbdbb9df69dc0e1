import { once } from 'node:events'
import { createServer } from 'node:http'
import { PerformanceObserver } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { createApp } from 'sluice'
import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'
import { rateLimiter } from 'sluice/middleware/rate-limiter'
import { validateBody } from 'sluice/middleware/validator'
import { json } from 'sluice/respond/json'
import { text } from 'sluice/respond/text'
import * as z from 'sluice/z'

/**
 * Bytes that each request allocates on the heap of a server, beyond those of a hand-written `node:http` server, by row.
 * Prints JSON. Nothing is optimized and nothing collected while it counts, so that the figures are the same each time.
 */
const WARM = 300
const COUNTED = 1_000

const schema = z.object({ name: z.string(), email: z.string().email(), age: z.number() })
const secured = (app) => app.use(helmet({ contentSecurityPolicy: false })).use(cors())
const BODY = JSON.stringify({ name: 'Ann', email: 'ann@example.com', age: 7 })
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const POST = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`

/** The application of a row, and the request that it is asked. */
const rows = {
  text: [(app) => app.get('/', () => text('hello')), GET],
  json: [(app) => app.get('/', () => json({ message: 'hello', ok: true })), GET],
  param: [
    (app) => app.get('/users/:id', (ctx) => json({ id: ctx.params.id, q: ctx.query.get('q') })),
    GET.replace('/', '/users/7?q=x'),
  ],
  typed: [(app) => app.post('/', validateBody(schema, { type: 'json' }), (ctx) => json(ctx.state.validated)), POST],
  guarded: [(app) => secured(app).post('/', validateBody(schema), (ctx) => json(ctx.state.validated)), POST],
  post: [(app) => app.post('/', async (ctx) => json(await ctx.validate(schema))), POST],
  headers: [(app) => secured(app).get('/', () => text('hello')), GET],
  limit: [
    (app) =>
      secured(app)
        .use(rateLimiter({ max: 1e9, windowMs: 3_600_000 }))
        .get('/', () => text('hello')),
    GET,
  ],
}

/** A client in a thread of its own, so that its heap is not the server's. It asks, and tells when it has all answers. */
const CLIENT = `
const { parentPort, workerData: { port, request } } = require('node:worker_threads')
const socket = require('node:net').connect(port, '127.0.0.1')
let left = 0
socket.on('data', () => { if (--left) socket.write(request); else parentPort.postMessage('done') })
parentPort.on('message', (count) => {
  if (!count) return socket.destroy(), parentPort.close()
  left = count
  socket.write(request)
})
`

let collections = 0
new PerformanceObserver((list) => {
  collections += list.getEntries().length
}).observe({ entryTypes: ['gc'] })

/** Bytes for each request to a port. Collections make the heap smaller: then it is no count. */
const countAt = async (port, request) => {
  const client = new Worker(CLIENT, { eval: true, workerData: { port, request } })
  const ask = async (count) => {
    client.postMessage(count)
    await once(client, 'message')
  }
  await ask(WARM)
  globalThis.gc()
  await new Promise((resolve) => setTimeout(resolve, 20))
  collections = 0
  const before = process.memoryUsage().heapUsed
  await ask(COUNTED)
  const bytes = process.memoryUsage().heapUsed - before
  await new Promise((resolve) => setTimeout(resolve, 20))
  if (collections) throw new Error(`${collections} collections`)
  client.postMessage(0)
  await once(client, 'exit')
  return Math.round(bytes / COUNTED)
}

/** A server by hand that sends the same fields and the same bytes. */
const raw = async (request, answer) => {
  const fields = [...answer.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)).flat()
  const body = await answer.text()
  const server = createServer((incoming, outgoing) => {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      if (chunks.length) JSON.parse(Buffer.concat(chunks).toString())
      outgoing.writeHead(200, fields)
      outgoing.end(body)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const bytes = await countAt(server.address().port, request)
  server.close()
  return bytes
}

/** What a request is answered with, asked by the platform's own client. */
const answerTo = (port, request) => {
  const [, method, path] = /^(\w+) (\S+)/.exec(request)
  const init = method === 'POST' ? { method, body: BODY, headers: { 'content-type': 'application/json' } } : { method }
  return fetch(`http://127.0.0.1:${port}${path}`, init)
}

const counts = {}
for (const [name, [build, request]] of Object.entries(rows)) {
  const handle = await build(createApp()).listen({ port: 0, hostname: '127.0.0.1' })
  const own = await countAt(handle.port, request)
  const answer = await answerTo(handle.port, request)
  counts[name] = own - (await raw(request, answer))
  await handle.close()
}
console.log(JSON.stringify(counts))
process.exit(0)
