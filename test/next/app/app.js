import { setTimeout as wait } from 'node:timers/promises'
import { createApp } from 'sluice'

/** What the test waits for: a stream goes on when it is told to, and a request whose client has gone is counted. */
let goOn = () => {}
let waiting = 0
let gone = 0

const untilToldTo = () =>
  new Promise((resolve) => {
    goOn = resolve
  })

async function* pieces() {
  yield 'first,'
  await untilToldTo()
  yield 'second'
}

export const app = createApp({ basePath: '/api' })
  .get('/hello/:name', (ctx) => {
    const hello = { hello: ctx.params.name, path: ctx.path, query: ctx.query.get('q') }
    return ctx.json(hello, 200, { 'set-cookie': 'seen=1' })
  })
  .post('/orders', async (ctx) => ctx.json(await ctx.json(), 201))
  .get('/stream', (ctx) => ctx.stream(pieces, { 'content-type': 'text/plain' }))
  .get('/events', (ctx) =>
    ctx.sse(async (send) => {
      await send({ data: 'first' })
      await untilToldTo()
      await send({ data: 'second' })
    }),
  )
  .post('/go-on', (ctx) => {
    goOn()
    return ctx.text('')
  })
  .get('/waits', async (ctx) => {
    waiting += 1
    ctx.signal.addEventListener('abort', () => {
      waiting -= 1
      gone += 1
    })
    await wait(30_000, undefined, { signal: ctx.signal })
    return ctx.text('late')
  })
  .get('/waiting', (ctx) => ctx.text(`${waiting}`))
  .get('/gone', (ctx) => ctx.json({ gone }))
