import { H3 } from 'h3'
import { Hono } from 'hono'
import { AutoRouter } from 'itty-router'
import { createApp } from '../../dist/index.js'
import { pipe } from '../../dist/pipe.js'
import { blank, route } from '../../dist/plan.js'
import { json } from '../../dist/respond/json.js'
import { text } from '../../dist/respond/text.js'
import { toFetch } from '../../dist/to-fetch.js'

/** In process: nanoseconds per `fetch(new Request(…))`, the response's body not read. Interleaved rounds, medians. */
const rounds = Number(process.argv[2] ?? 15)
const post = () =>
  new Request('http://h/echo', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })

const contenders = {
  'sluice createApp': createApp()
    .get('/', () => text('hello'))
    .get('/users/:id', (ctx) => json({ id: ctx.params.id }))
    .post('/echo', async (ctx) => json(await ctx.json())).fetch,
  'sluice pipe': pipe(
    blank,
    route('GET', '/', () => text('hello')),
    route('GET', '/users/:id', (ctx) => json({ id: ctx.params.id })),
    route('POST', '/echo', async (ctx) => json(await ctx.json())),
    toFetch,
  ),
  hono: new Hono()
    .get('/', (c) => c.text('hello'))
    .get('/users/:id', (c) => c.json({ id: c.req.param('id') }))
    .post('/echo', async (c) => c.json(await c.req.json())).fetch,
  h3: (() => {
    const app = new H3()
    app.get('/', () => 'hello')
    app.get('/users/:id', (event) => ({ id: event.context.params.id }))
    app.post('/echo', async (event) => event.req.json())
    return (request) => app.fetch(request)
  })(),
  itty: (() => {
    const router = AutoRouter({ format: undefined })
    router.get('/', () => new Response('hello'))
    router.get('/users/:id', ({ params }) => Response.json({ id: params.id }))
    router.post('/echo', async (request) => Response.json(await request.json()))
    return router.fetch
  })(),
}

const cases = [
  ['text', () => new Request('http://h/')],
  ['param', () => new Request('http://h/users/42')],
  ['post', post],
  ['404', () => new Request('http://h/nothing')],
]

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

for (const [name, make] of cases) {
  const costs = new Map(Object.keys(contenders).map((who) => [who, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [who, fetch] of Object.entries(contenders)) {
      const requests = Array.from({ length: 2000 }, make)
      const start = process.hrtime.bigint()
      for (const request of requests) await fetch(request)
      if (round >= 0) costs.get(who).push(Number(process.hrtime.bigint() - start) / requests.length)
    }
  }
  console.log(
    `${name.padEnd(6)} ${[...costs].map(([who, list]) => `${who} ${median(list).toFixed(0)}`).join(' · ')} ns`,
  )
}
