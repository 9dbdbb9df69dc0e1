/** An application to start from. `compare` is the same with hono, as small as hono makes it. */
export interface Preset {
  readonly name: string
  readonly code: string
  readonly compare: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: string
    readonly body?: string
  }
}

const helloHono = `import { Hono } from 'hono/tiny'

export default new Hono()
  .get('/', (c) => c.text('hello'))
  .get('/hello/:name', (c) => c.json({ hello: c.req.param('name') }))
`

const hello: Preset = {
  name: 'Hello',
  code: `import { createApp } from 'sluice/tiny'

export default createApp()
  .get('/', (ctx) => ctx.text('hello'))
  .get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
`,
  compare: helloHono,
  request: { method: 'GET', path: '/hello/ann' },
}

const plan: Preset = {
  name: 'Hello, in functions',
  code: `import { blank, json, pipe, route, text, toFetch } from 'sluice/pipe'

const fetch = pipe(
  blank,
  route('GET', '/', () => text('hello')),
  route('GET', '/hello/:name', (ctx) => json({ hello: ctx.params.name })),
  toFetch,
)

export default { fetch }
`,
  compare: helloHono,
  request: { method: 'GET', path: '/hello/ann' },
}

const order = {
  method: 'POST',
  path: '/products',
  headers: 'content-type: application/json',
  body: '{ "name": "tea", "cents": -1 }',
}

const miniPost: Preset = {
  name: 'Validated POST, beside valibot',
  code: `import { createApp } from 'sluice/tiny'
import { validateBody } from 'sluice/middleware/validator'
import * as z from 'sluice/z/mini'

const Product = z.object({
  name: z.string(z.minLength(1)),
  cents: z.number(z.integer(), z.minValue(1)),
})

export default createApp()
  .post('/products', validateBody(Product), (ctx) =>
    ctx.json({ created: ctx.state.valid.body }, 201))
`,
  compare: `import { vValidator } from '@hono/valibot-validator'
import { Hono } from 'hono/tiny'
import * as v from 'valibot'

const Product = v.object({
  name: v.pipe(v.string(), v.minLength(1)),
  cents: v.pipe(v.number(), v.integer(), v.minValue(1)),
})

const valid = vValidator('json', Product, (result, c) => {
  if (!result.success) return c.json({ error: 'Validation failed', issues: result.issues }, 422)
})

export default new Hono()
  .post('/products', valid, (c) => c.json({ created: c.req.valid('json') }, 201))
`,
  request: order,
}

const post: Preset = {
  name: 'Validated POST, beside zod/mini',
  code: `import { createApp } from 'sluice/tiny'
import { validateBody } from 'sluice/middleware/validator'
import * as z from 'sluice/z'

const Product = z.object({
  name: z.string().min(1),
  cents: z.number().int().min(1),
})

export default createApp()
  .post('/products', validateBody(Product), (ctx) =>
    ctx.json({ created: ctx.state.valid.body }, 201))
`,
  compare: `import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono/tiny'
import * as z from 'zod/mini'

const Product = z.object({
  name: z.string().check(z.minLength(1)),
  cents: z.int().check(z.minimum(1)),
})

const valid = zValidator('json', Product, (result, c) => {
  if (!result.success) return c.json({ error: 'Validation failed', issues: result.error.issues }, 422)
})

export default new Hono()
  .post('/products', valid, (c) => c.json({ created: c.req.valid('json') }, 201))
`,
  request: order,
}

const cors: Preset = {
  name: 'CORS and security headers',
  code: `import { createApp } from 'sluice/tiny'
import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'

export default createApp()
  .use(helmet())
  .use(cors({ origin: 'https://shop.example' }))
  .get('/products', (ctx) => ctx.json([{ name: 'tea' }]))
`,
  compare: `import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { Hono } from 'hono/tiny'

export default new Hono()
  .use(secureHeaders())
  .use(cors({ origin: 'https://shop.example' }))
  .get('/products', (c) => c.json([{ name: 'tea' }]))
`,
  request: { method: 'GET', path: '/products', headers: 'origin: https://shop.example' },
}

const sse: Preset = {
  name: 'Server-sent events',
  code: `import { createApp } from 'sluice/tiny'
import { sse } from 'sluice/respond/sse'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export default createApp().get('/ticks', () =>
  sse(async (send) => {
    for (let tick = 1; tick <= 5; tick += 1) {
      await send({ event: 'tick', id: String(tick), data: { tick } })
      await wait(300)
    }
  }),
)
`,
  compare: `import { streamSSE } from 'hono/streaming'
import { Hono } from 'hono/tiny'

export default new Hono().get('/ticks', (c) =>
  streamSSE(c, async (stream) => {
    for (let tick = 1; tick <= 5; tick += 1) {
      await stream.writeSSE({ event: 'tick', id: String(tick), data: JSON.stringify({ tick }) })
      await stream.sleep(300)
    }
  }),
)
`,
  request: { method: 'GET', path: '/ticks', headers: 'accept: text/event-stream' },
}

const sessions: Preset = {
  name: 'A session',
  code: `import { createApp } from 'sluice/tiny'
import { session } from 'sluice/middleware/session'

// The page keeps cookies. Send the request again, and the count grows
export default createApp()
  .use(session({ secret: 'at least 32 bytes, from the environment' }))
  .get('/count', (ctx) => {
    ctx.state.session.count = Number(ctx.state.session.count ?? 0) + 1
    return ctx.json(ctx.state.session)
  })
`,
  compare: `// hono has signed cookies and no sessions: a count in a signed cookie comes nearest
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import { Hono } from 'hono/tiny'

const secret = 'at least 32 bytes, from the environment'

export default new Hono().get('/count', async (c) => {
  const count = Number((await getSignedCookie(c, secret, 'count')) || 0) + 1
  await setSignedCookie(c, 'count', String(count), secret, { httpOnly: true, sameSite: 'Lax', path: '/' })
  return c.json({ count })
})
`,
  request: { method: 'GET', path: '/count' },
}

const openapi: Preset = {
  name: 'OpenAPI',
  code: `import { createApp } from 'sluice'
import { validateBody } from 'sluice/middleware/validator'
import { openapi } from 'sluice/openapi'
import * as z from 'sluice/z'

const Product = z.object({ name: z.string().min(1), cents: z.number().int().min(1) })

const app = createApp()
  .post('/products', validateBody(Product), (ctx) =>
    ctx.json({ created: ctx.state.valid.body }, 201))
  .get('/openapi.json', (ctx) => ctx.json(openapi(app, { info: { title: 'Shop', version: '1.0.0' } })))

export default app
`,
  compare: '// hono makes OpenAPI with packages of their own, which this page does not have\n',
  request: { method: 'GET', path: '/openapi.json' },
}

export const presets: readonly Preset[] = [hello, plan, miniPost, post, cors, sse, sessions, openapi]
