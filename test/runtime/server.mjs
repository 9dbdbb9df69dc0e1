import process from 'node:process'
import { createInterface } from 'node:readline'
import { createApp } from 'sluice'
import { clientAddress } from 'sluice/client-address'
import { env, loadEnv } from 'sluice/env'
import { compression } from 'sluice/middleware/compression'
import { trustedProxy } from 'sluice/middleware/trusted-proxy'
import { serve } from 'sluice/serve'
import { drainSignal } from 'sluice/signal'
import { webSocket } from 'sluice/websocket'
import { viaCreateApp, viaPipe } from './app.mjs'

/** Serves the application on Node, Bun or Deno, as whoever drives it says by lines of JSON on standard input. */
const handles = new Map()

const local = { port: 0, hostname: '127.0.0.1' }

/** The runtime's own server around a bare `fetch`, where it has one. */
const serveBare = (fetch) => {
  if (globalThis.Bun) return `http://127.0.0.1:${Bun.serve({ ...local, fetch }).port}`
  if (globalThis.Deno) return `http://127.0.0.1:${Deno.serve({ ...local, onListen() {} }, fetch).addr.port}`
  return undefined
}

/** The door of functions behind a socket. */
const servePipe = async (fetch) => {
  // Deno by its own server; a WebSocket on Bun needs what the server is told when it begins
  if (globalThis.Deno) return serveBare((request, info) => fetch(request, process.env, info))
  return (await serve(fetch, { ...local, env: process.env })).url
}

const bytes = (text) => new TextEncoder().encode(text)

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What the routes below have seen, for the command `seen`. */
const seen = { wrong: 0, aborted: 0, worked: 0, reported: [], down: 0, cut: 0, pulled: 0, cancelled: 0, left: [] }

const report = console.error
console.error = (error) => {
  seen.reported.push(String(error?.message ?? error))
  report(error)
}

/** A body that goes on until it is cancelled. */
const endless = () =>
  new ReadableStream({
    async pull(controller) {
      await pause(20)
      seen.pulled++
      controller.enqueue(new Uint8Array(10))
    },
    cancel() {
      seen.cancelled++
    },
  })

const lifecycleApp = () =>
  createApp()
    .register({
      register() {},
      shutdown() {
        seen.down++
      },
    })
    .post('/upload', async (ctx) => {
      ctx.onResponse(({ status }) => void seen.left.push(status))
      return ctx.json(await ctx.json())
    })
    .get(
      '/ws',
      webSocket(() => ({
        open: (socket) => socket.send('open'),
        close: (_, code) => {
          if (code === 1006) seen.cut++
        },
      })),
    )
    .get(
      '/ws-large',
      webSocket(
        () => ({
          async message(socket, message) {
            await socket.send(`got ${message.length}`)
            for (let count = 0; count < 20; count++) socket.send('x'.repeat(1_000_000))
            socket.send('end')
          },
        }),
        { maxPayload: 30_000_000, backpressureLimit: 100_000_000 },
      ),
    )
    .get(
      '/ws-one',
      webSocket(() => ({ message: (socket, size) => void socket.send('x'.repeat(Number(size))) })),
    )
    .get(
      '/ws-refused',
      async (ctx, next) => {
        await next()
        return ctx.text('refused', 403)
      },
      webSocket(() => ({ open: () => void seen.wrong++ })),
    )
    .get(
      '/ws-fails',
      (ctx, next) => {
        ctx.onResponse(() => {
          throw new Error('on purpose')
        })
        return next()
      },
      webSocket(() => ({ open: () => void seen.wrong++ })),
    )
    .get(
      '/ws-fields',
      (ctx, next) => {
        ctx.onResponse(['x-list', 'one', 'set-cookie', 'a=b', 'set-cookie', 'c=d'])
        ctx.onResponse((response) => response.headers.set('x-edit', 'two'))
        return next()
      },
      webSocket(() => ({})),
    )
    .use('/guarded/secret/*', (ctx) => ctx.text('guarded', 403))
    .get('/guarded/*rest', (ctx) => ctx.text(`${ctx.params.rest} ${ctx.path} ${ctx.url.pathname}`))
    .get('/nope', (ctx) => ctx.text('another route'))
    .get('/target', (ctx) => ctx.text(`${ctx.path} ${ctx.url.hostname}`))
    .get('/one/two', (ctx) => ctx.text(`${ctx.path} ${ctx.url.hostname}`))
    .get('/never', () => new Promise(() => {}))
    .get('/origin', trustedProxy({ trustProxy: 1 }), (ctx) => ctx.text(`${ctx.url.href} ${ctx.url.origin}`))
    .get('/address', (ctx) => ctx.json(clientAddress(ctx) ?? null))
    .get('/fails', () => {
      let pulls = 0
      const pull = async (controller) => {
        await pause(20)
        if (pulls++ === 0) controller.enqueue(bytes('begun'))
        else controller.error()
      }
      return new Response(new ReadableStream({ pull }))
    })
    .get('/partly', async () => {
      const response = new Response(
        new ReadableStream({
          start(controller) {
            for (const letter of 'abc') controller.enqueue(bytes(letter))
            controller.close()
          },
        }),
      )
      const reader = response.body.getReader()
      await reader.read()
      reader.releaseLock()
      return response
    })
    .get('/events', (ctx) =>
      ctx.sse((send) => {
        send.signal.addEventListener('abort', () => {
          seen.aborted++
        })
        send({ data: 'one' })
        return () => {}
      }),
    )
    .get('/work', (ctx) => {
      const work = async () => {
        await pause(400)
        seen.worked++
      }
      ctx.execution.waitUntil(work())
      ctx.execution.waitUntil(Promise.reject(new Error('work failed')))
      return ctx.text('answered')
    })
    .get('/', (ctx) => ctx.text('here'))
    .get('/slow', async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      return ctx.text('finished')
    })
    .get('/until-drain', async (ctx) => {
      await new Promise((resolve) => drainSignal(ctx).addEventListener('abort', resolve))
      return ctx.text('told')
    })
    .get('/env', (ctx) => ctx.json(ctx.env))
    .get('/endless', (ctx) => ctx.stream(endless()))
    .get('/endless-page', (ctx) => ctx.stream(endless(), { 'content-type': 'text/html; charset=utf-8' }))
    .get(
      '/endless-edited',
      async (ctx, next) => {
        await next()
        ctx.response.headers.set('x-edited', 'yes')
      },
      (ctx) => ctx.stream(endless(), { 'content-type': 'application/json' }),
    )
    .get('/endless-compressed', compression(), (ctx) => ctx.stream(endless(), { 'content-type': 'text/html' }))
    .get('/endless-platform', () => new Response(endless()))

const commands = {
  async doors() {
    const { fetch } = viaCreateApp()
    const createAppUrl = (await viaCreateApp().listen(local)).url
    const urls = { createApp: createAppUrl, pipe: await servePipe(viaPipe()), bare: serveBare(fetch) }
    loadEnv({ path: new URL('./.env.test', import.meta.url).pathname })
    return { urls, env: [env('GREETING'), env('FROM_FILE')] }
  },
  async listen({ id, options, abortAfterMs }) {
    let called
    const signal = abortAfterMs === undefined ? undefined : AbortSignal.timeout(abortAfterMs)
    const app = lifecycleApp()
    const handle = await app.listen(signal ? { ...options, signal } : options, (port) => {
      called = port
    })
    handles.set(id, handle)
    const { port, hostname, url } = handle
    return { port: port ?? null, hostname, url, called: called ?? null, disposes: typeof handle[Symbol.asyncDispose] }
  },
  async close({ id }) {
    const start = performance.now()
    const handle = handles.get(id)
    await Promise.all([handle.close(), handle.close()])
    return { ms: performance.now() - start }
  },
  seen: () => seen,
  exit() {
    lines.close()
    return { ok: true }
  },
}

const lines = createInterface({ input: process.stdin })

lines.on('line', async (line) => {
  const { command, ...rest } = JSON.parse(line)
  const reply = await Promise.resolve()
    .then(() => commands[command](rest))
    .catch((error) => ({ error: error.message, code: error.code ?? error.name }))
  console.log(JSON.stringify({ for: rest.call, ...reply }))
})
