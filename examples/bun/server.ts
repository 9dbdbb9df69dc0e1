import { createApp } from 'sluice'
import { logger } from 'sluice/middleware/logger'

/**
 * On Bun: `bun server.ts` in a project that has sluice installed; here `bun --conditions=sluice-source examples/bun/server.ts`.
 *
 * curl localhost:3000/hello/Ada
 * curl -N localhost:3000/ticks
 */
const app = createApp()
  .use(logger())
  .get('/', (ctx) => ctx.text('Hello from Bun'))
  .get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
  .get('/ticks', (ctx) =>
    ctx.sse(async (send) => {
      for (let tick = 1; tick <= 5; tick++) {
        await send({ event: 'tick', data: { tick } })
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }),
  )

const { url } = await app.listen(Number(process.env.PORT || 3000))
console.log(`Listening on ${url}`)
