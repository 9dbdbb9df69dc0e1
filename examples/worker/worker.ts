import { cors } from 'sluice/middleware/cors'
import { validateBody } from 'sluice/middleware/validator'
import { blank, pipe, route, toFetch, use } from 'sluice/pipe'
import { json } from 'sluice/respond/json'
import { text } from 'sluice/respond/text'
import { object, string } from 'sluice/z'

/**
 * On Cloudflare Workers through the edge door: nothing is shipped that is not imported here. `npx wrangler dev` in this folder.
 *
 * curl localhost:8787/hello/Ada
 * curl -d '{"name":"Ada"}' -H 'content-type: application/json' localhost:8787/greetings
 */
interface Env {
  readonly GREETING: string
}

const Greeting = object({ name: string().min(1) })

export default {
  fetch: pipe(
    blank,
    use(cors()),
    route('GET', '/', (ctx) => text(`${(ctx.env as Env).GREETING} from a worker`)),
    route('GET', '/hello/:name', (ctx) => json({ hello: ctx.params.name })),
    route('POST', '/greetings', validateBody(Greeting), (ctx) => json({ hello: ctx.state.valid.body.name }, 201)),
    toFetch,
  ),
}
