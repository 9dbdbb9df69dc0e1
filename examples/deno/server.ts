import { createApp } from 'sluice'
import { envInt } from 'sluice/env'
import { bodyParser } from 'sluice/middleware/body-parser'

/**
 * On Deno: `deno run --allow-net --allow-env server.ts` in a project that has sluice installed (`deno add npm:sluice`).
 *
 * curl localhost:3000/hello/Ada
 * curl -d '{"any":"thing"}' -H 'content-type: application/json' localhost:3000/echo
 */
const app = createApp()
  .get('/', (ctx) => ctx.text('Hello from Deno'))
  .get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
  .post('/echo', bodyParser(), (ctx) => ctx.json(ctx.state.body))

const { url } = await app.listen(envInt('PORT', 3000))
console.log(`Listening on ${url}`)
