import {
  blank,
  Config,
  createApp,
  HttpError,
  html,
  json,
  methodNotAllowed,
  pipe,
  redirect,
  route,
  sse,
  stream,
  text,
  toFetch,
  use,
  withFacades,
} from 'sluice'
import { clientAddress } from 'sluice/client-address'
import { getCookies, getSignedCookie, setCookie, setSignedCookie } from 'sluice/cookie'
import { bodyParser } from 'sluice/middleware/body-parser'
import { hashPassword, needsRehash, verifyPassword } from 'sluice/password'
import { at, basePath, onResponse, validate, waitUntil } from 'sluice/pipe'
import { proxy } from 'sluice/proxy'
import { readBytes } from 'sluice/read/bytes'
import { readForm } from 'sluice/read/form'
import { readJson } from 'sluice/read/json'
import { readText } from 'sluice/read/text'
import { lastEventId } from 'sluice/respond/sse'
import { webSocket } from 'sluice/websocket'
import * as z from 'sluice/z'
import { middlewareRoutes, middlewareUses, remember } from './app-middleware.mjs'

/** What sources of streams have seen; read by `GET /seen`. */
const seen = { cancelled: 0, senderGone: 0, worked: 0, flooded: 0, floodsOver: 0, floodErrors: [], late: [] }

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A hash that another library wrote, a hash of ours, and whether a password fits. */
export const hashed = async () => {
  const other = '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E'
  const own = await hashPassword('password')
  const fits = [verifyPassword('password', other), verifyPassword('password', own), verifyPassword('Password', own)]
  return [...(await Promise.all(fits)), needsRehash(other), needsRehash(own)]
}

const routing = [
  ['GET', '/', () => text('root')],
  ['GET', '/users/me', () => text('static')],
  ['GET', '/users/:id', (ctx) => json(ctx.params)],
  ['POST', '/users/:id', (ctx) => json({ created: ctx.params.id }, 201)],
  ['GET', '/s/a/b', () => text('static branch')],
  ['GET', '/s/:p/c', (ctx) => text(`back to ${ctx.params.p}`)],
  ['GET', '/files/*path', (ctx) => json(ctx.params)],
  ['GET', '/rest/*', (ctx) => json(ctx.params)],
  ['*', '/any', (ctx) => text(ctx.method)],
  ['GET', '/per-route', remember({ seen: 'yes' }), (ctx) => text(ctx.state.seen)],
]

const contexts = [
  [
    'GET',
    '/ctx/:name',
    (ctx) =>
      json({
        method: ctx.method,
        path: ctx.path,
        pathname: ctx.url.pathname,
        host: ctx.url.host === ctx.header('host'),
        query: [...ctx.query],
        same: `${ctx.query}` === `${ctx.url.searchParams}`,
        params: ctx.params,
        header: ctx.header('X-Mixed-Case'),
        absent: ctx.header('x-absent'),
        state: Object.getPrototypeOf(ctx.state) === null || !('toString' in ctx.state),
        native: ctx.request instanceof Request,
      }),
  ],
  ['GET', '/env', (ctx) => text(`${ctx.env.GREETING}`)],
  [
    'POST',
    '/inflated',
    bodyParser({ inflate: true }),
    (ctx) => json({ address: clientAddress(ctx) ?? null, body: ctx.state.body }),
  ],
  // The target is a server of the test: a real application names its own
  ['GET', '/proxied/*', (ctx) => proxy(ctx.header('x-target'), { prefix: '/proxied' })(ctx)],
  ['GET', '/address', (ctx) => json({ address: clientAddress(ctx) ?? null })],
  ['GET', '/printed', (ctx) => text(ctx[Symbol.for('nodejs.util.inspect.custom')]?.(2, {}, JSON.stringify) ?? '')],
  [
    'POST',
    '/body/many',
    async (ctx) => {
      const first = await readText(ctx)
      const [second, bytes] = [await readJson(ctx), await readBytes(ctx)]
      return json({ first, second, bytes: bytes.byteLength, again: await readText(ctx) })
    },
  ],
  ['POST', '/body/json', async (ctx) => json(await readJson(ctx))],
  ['POST', '/body/size', async (ctx) => json({ size: (await readBytes(ctx)).byteLength })],
  [
    'POST',
    '/body/stream',
    async (ctx) => {
      let size = 0
      for await (const chunk of ctx.request.body) size += chunk.byteLength
      return json({ size })
    },
  ],
  [
    'POST',
    '/body/late',
    async (ctx) => {
      await sleep(100)
      const read = new Response(ctx.request.body).text().then(
        () => 'read',
        () => 'refused',
      )
      seen.late.push(await Promise.race([read, sleep(3000).then(() => 'waits for ever')]))
      return text('late')
    },
  ],
  ['POST', '/body/unread', () => text('not read')],
  ['GET', '/password', () => hashed().then(json, (error) => text(error.message, 501))],
  [
    'POST',
    '/body/form',
    async (ctx) => {
      const form = await readForm(ctx)
      // Bun adds a charset to a text file's type
      const shown = ([name, value]) => [
        name,
        typeof value === 'string' ? value : `${value.name}:${value.type.split(';')[0]}:${value.size}`,
      ]
      return json(Array.from(form, shown))
    },
  ],
  [
    'POST',
    '/validate',
    async (ctx) => json(await validate(ctx, z.object({ name: z.string().min(2), age: z.coerce.number().int() }))),
  ],
]

const responses = [
  ['GET', '/respond/json', () => json({ ok: true }, 201, { 'x-one': '1' })],
  ['GET', '/respond/init', () => json({ ok: true }, { status: 202, headers: { 'x-two': '2' } })],
  ['GET', '/respond/type', () => json({}, 200, { 'Content-Type': 'application/problem+json' })],
  ['GET', '/respond/html', () => html('<p>é</p>')],
  ['GET', '/respond/text', () => text('é', 418)],
  ['GET', '/respond/no-text', () => text('')],
  [
    'GET',
    '/respond/text-type',
    () => {
      const without = text('d')
      without.headers.delete('content-type')
      const all = [text('a'), text('b').clone(), new Response('c', text('c')), without]
      return json(all.map(({ headers }) => headers.get('content-type')))
    },
  ],
  ['GET', '/respond/redirect', () => redirect('/elsewhere')],
  ['GET', '/respond/moved', () => redirect('https://other.example/x?y=1', 308)],
  ['GET', '/respond/empty', () => json({}, { status: 204 })],
  ['HEAD', '/respond/head', () => new Response(null, { headers: { 'x-plain': 'yes' } })],
  ['GET', '/respond/platform', () => new Response('plain', { status: 203, headers: { 'x-plain': 'yes' } })],
  ['GET', '/respond/blob', () => new Response(new Blob(['<p>'], { type: 'text/html' }))],
  ['GET', '/respond/frozen', () => Response.redirect('http://other.example/', 303)],
  ['GET', '/respond/bytes', () => new Response(new Uint8Array([0, 255, 1]))],
  [
    'GET',
    '/respond/cookies',
    () =>
      text('two', 200, [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2; Path=/'],
      ]),
  ],
  [
    'GET',
    '/respond/edited',
    (ctx) => {
      onResponse(ctx, ['x-list', 'from a list', 'x-order', 'there is one'])
      onResponse(ctx, (response) => void response.headers.append('x-order', 'registered first'))
      onResponse(ctx, (response) => void response.headers.append('x-order', 'registered last'))
      return text('edited')
    },
  ],
  ['GET', '/cookies', (ctx) => json(getCookies(ctx))],
  [
    'GET',
    '/cookies/set',
    async (ctx) => {
      setCookie(ctx, 'plain', 'a b;c', { httpOnly: true, maxAge: 60, path: '/' })
      await setSignedCookie(ctx, 'signed', 'seventeen', 'a secret of some length, yes')
      return text('set')
    },
  ],
  [
    'GET',
    '/cookies/signed',
    async (ctx) => json({ value: (await getSignedCookie(ctx, 'signed', 'a secret of some length, yes')) ?? null }),
  ],
]

/** A middleware that reads the body of the response only when its own is read. */
const doubled = async (_, next) => {
  const response = await next()
  return stream(
    (async function* () {
      for await (const part of response.body) {
        yield part
        yield part
      }
    })(),
  )
}

const streams = [
  ['GET', '/stream/doubled', doubled, () => stream(['a', 'b'])],
  ['GET', '/stream/doubled-text', doubled, () => text('a')],
  ['GET', '/stream/doubled-platform', doubled, () => new Response('a')],
  [
    'GET',
    '/stream/three',
    () =>
      stream(
        async function* () {
          for (const part of ['one ', 'two ', 'thrée']) {
            yield part
            await sleep(40)
          }
        },
        { 'content-type': 'text/plain' },
      ),
  ],
  ['GET', '/stream/large', () => stream(Array.from({ length: 64 }, (_, index) => new Uint8Array(65_536).fill(index)))],
  [
    'GET',
    '/stream/endless',
    () =>
      stream(
        new ReadableStream({
          async pull(controller) {
            await sleep(10)
            controller.enqueue(new Uint8Array(1000))
          },
          cancel: () => void seen.cancelled++,
        }),
      ),
  ],
  [
    'GET',
    '/sse/three',
    (ctx) =>
      sse(async (send) => {
        await send({ event: 'first', data: { n: 1 }, id: '7' })
        await sleep(20)
        await send({ data: 'two\nlines' })
        await send({ data: `after ${lastEventId(ctx) ?? 'nothing'}` })
      }),
  ],
  [
    'GET',
    '/sse/endless',
    () =>
      sse((send) => {
        const timer = setInterval(() => send({ data: 'tick' }), 20)
        return () => {
          clearInterval(timer)
          seen.senderGone++
        }
      }),
  ],
  [
    'GET',
    '/sse/flood',
    () =>
      sse(
        (send) => {
          // Never waits, and sends more than all systems between hold
          const timer = setInterval(() => {
            for (let n = 0; n < 4; n++) if (send({ data: 'x'.repeat(50_000) }) !== false) seen.flooded += 50_000
            if (seen.flooded > 400_000_000) clearInterval(timer)
          }, 5)
          return () => {
            clearInterval(timer)
            seen.floodsOver++
          }
        },
        { heartbeatMs: 0, backpressureLimit: 500_000, onError: (error) => void seen.floodErrors.push(error.message) },
      ),
  ],
  ['GET', '/seen', () => json(seen)],
]

const errors = [
  [
    'GET',
    '/errors/throw',
    () => {
      throw new Error('secret detail')
    },
  ],
  [
    'GET',
    '/errors/reject',
    async () => {
      throw new TypeError('secret detail')
    },
  ],
  [
    'GET',
    '/errors/http',
    () => {
      throw new HttpError(418, 'Short and stout', { headers: ['x-pot', 'tea'] })
    },
  ],
  [
    'GET',
    '/errors/null',
    () => {
      throw null
    },
  ],
  ['GET', '/errors/nothing', () => undefined],
  [
    'GET',
    '/errors/later',
    async () => {
      await sleep(5)
      throw new HttpError(409)
    },
  ],
]

/** Responses that are made once and returned to every visitor (F1). */
const SHARED = {
  json: () => json({ shared: true }),
  text: () => text('shared'),
  empty: () => new Response(null, { status: 204 }),
  redirect: () => redirect('/login'),
  platform: () => new Response('of the platform', { headers: { 'x-plain': 'yes' } }),
}

const shared = Object.entries(SHARED).map(([name, make]) => {
  let response
  // Made by the first visit: workerd makes no response at module scope
  return [
    'GET',
    `/shared/${name}`,
    () => {
      response ??= make()
      return response
    },
  ]
})

const flow = [
  [
    'GET',
    '/errors/response',
    () => {
      throw new Response('thrown', { status: 409, headers: { 'x-thrown': 'yes' } })
    },
  ],
  ['GET', '/unawaited/answer', () => text('of the handler')],
  [
    'GET',
    '/unawaited/later',
    async () => {
      await sleep(5)
      return text('of the handler, later')
    },
  ],
  [
    'GET',
    '/unawaited/own',
    async () => {
      await sleep(5)
      throw new Error('nobody waits for this')
    },
  ],
  ['GET', '/guarded/open', () => text('open')],
  ['GET', '/guarded/*', (ctx) => json(ctx.params)],
  ['GET', '/pair/:name', (ctx) => json(ctx.params)],
  [
    'GET',
    '/work',
    (ctx) => {
      const work = async () => {
        await sleep(50)
        seen.worked++
      }
      waitUntil(ctx, work())
      return text('answered')
    },
  ],
]

/** What sockets have seen; read by `GET /ws-seen`. */
const sockets = { codes: [], made: 0, slow: 0, limited: [] }

/** An application that another one calls. */
const copied = toFetch(
  route(
    'GET',
    '/ws-copied',
    webSocket(() => ({})),
  )(blank),
)

const live = [
  [
    'GET',
    '/ws/:room',
    webSocket(
      (ctx) => ({
        open: (socket) => socket.send(`in ${ctx.params.room}`),
        message: (socket, message) => socket.send(message),
        close: (_, code) => void sockets.codes.push(code),
      }),
      { protocols: ['v3', 'v2'] },
    ),
  ],
  [
    'GET',
    '/ws-made',
    webSocket(() => {
      sockets.made++
      return {}
    }),
  ],
  // Another application, which gets a copy of the request
  ['GET', '/ws-copied', (ctx) => copied(ctx.request.clone(), ctx.env, ctx.execution)],
  ['GET', '/ws-guarded', (ctx, next) => (ctx.header('authorization') ? next() : json({}, 401)), webSocket(() => ({}))],
  [
    'GET',
    '/ws-typed',
    webSocket(
      () => ({
        message: (socket, { n }) => {
          if (n === 13) throw new Error('unlucky')
          return socket.send(`${n + 1}`)
        },
      }),
      { messages: z.object({ n: z.number() }), maxPayload: 1000 },
    ),
  ],
  [
    'GET',
    '/ws-limited',
    webSocket(
      () => ({
        // Ends when the client is cut off, which reads nothing
        message(socket) {
          for (let n = 0; n < 1000; n++) if (socket.send('x'.repeat(65_536)) === false) return void sockets.slow++
        },
        error: () => {},
        close: (_, code) => void sockets.limited.push(code),
      }),
      { idleTimeoutMs: 1000, backpressureLimit: 1_000_000 },
    ),
  ],
  ['GET', '/ws-seen', () => json(sockets)],
]

const all = [
  ...routing,
  ...live,
  ...contexts,
  ...responses,
  ...streams,
  ...errors,
  ...shared,
  ...flow,
  ...middlewareRoutes,
]

/** What stands below `/api`: a plan of its own behind the base path. */
const below = [['GET', '/where/:name', (ctx) => json({ base: ctx.basePath, params: ctx.params })]]

/** A step `[path, middleware]` or a middleware, as the door of functions has it. */
const placed = (step) => (Array.isArray(step) ? at(...step) : step)

/** The same application through `createApp`; response methods and facades come with this door alone. */
export const viaCreateApp = () => {
  const app = createApp({ methodNotAllowed, config: { name: 'from config' } })
  for (const step of middlewareUses()) app.use(...[step].flat())
  for (const [method, path, ...steps] of all) app[method === '*' ? 'all' : method.toLowerCase()](path, ...steps)
  const api = createApp({ basePath: '/api' })
  api.use('/where/closed', (ctx, next) => (ctx.path.endsWith('/where/closed') ? text('closed', 403) : next()))
  for (const [, path, handler] of below) api.get(path, handler)
  app.all('/api/*', (ctx) => api.fetch(ctx.request, ctx.env, ctx.execution))
  app.get('/self', async (ctx) => {
    const answer = await app.request('/users/9', { method: 'POST', body: 'x' }, ctx.env)
    return ctx.json({ status: answer.status, body: await answer.json() })
  })
  app.get('/methods/json', (ctx) => ctx.json({ by: 'method' }, 201))
  app.get('/methods/text', (ctx) => ctx.text('by method', 200, { 'x-by': 'method' }))
  app.get('/methods/html', (ctx) => ctx.html('<b>by method</b>'))
  app.get('/methods/redirect', (ctx) => ctx.redirect('/there', 307))
  app.get('/methods/stream', (ctx) => ctx.stream(['a', 'b']))
  app.get('/methods/sse', (ctx) => ctx.sse((send) => void send({ data: 'by method' })))
  app.post('/methods/json', async (ctx) => ctx.json({ got: await ctx.json() }))
  app.post('/methods/many', async (ctx) => {
    const first = await ctx.text()
    const [second, bytes, blob] = [await ctx.json(), await ctx.arrayBuffer(), await ctx.blob()]
    return ctx.json({ first, second, bytes: bytes.byteLength, blob: blob.size, again: await ctx.request.text() })
  })
  app.get('/container', (ctx) => {
    ctx.container.singleton('clock', () => ({ now: () => 17 }))
    return ctx.json({ now: ctx.container.make('clock').now() })
  })
  app.get('/facades/sync', (ctx) => ctx.text(withFacades(app, () => Config.get('name'))))
  app.get('/facades/async', async (ctx) => {
    createApp({ config: { name: 'of another application' } })
    const own = withFacades(app, async () => {
      await sleep(5)
      return Config.get('name')
    })
    return ctx.text(await own)
  })
  return app
}

/** The same application through the door of functions. */
export const viaPipe = () => {
  const api = pipe(
    blank,
    use(at('/where/closed', (ctx, next) => (ctx.path.endsWith('/where/closed') ? text('closed', 403) : next()))),
    ...below.map((row) => route(...row)),
    basePath('/api'),
    toFetch,
  )
  const uses = middlewareUses().map((step) => use(placed(step)))
  const routes = [...all, ['*', '/api/*', (ctx) => api(ctx.request, ctx.env, ctx.execution)]].map((row) =>
    route(...row),
  )
  const plan = [...uses, ...routes].reduce((longer, step) => step(longer), blank)
  return toFetch(plan, { methodNotAllowed })
}
