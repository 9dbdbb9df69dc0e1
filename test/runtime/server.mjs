import process from 'node:process'
import { createInterface } from 'node:readline'
import { createApp } from 'sluice'
import { env } from 'sluice/env'
import { loadEnv } from 'sluice/load-env'
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

/** The edge door behind a socket: on Node within an application, which is what listens there. */
const servePipe = async (fetch) => {
  const own = serveBare((request, info) => fetch(request, process.env, info))
  if (own) return own
  return (
    await createApp()
      .all('*', (ctx) => fetch(ctx.request, ctx.env, ctx.execution))
      .listen(local)
  ).url
}

const lifecycleApp = () =>
  createApp()
    .get('/', (ctx) => ctx.text('here'))
    .get('/slow', async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      return ctx.text('finished')
    })
    .get('/env', (ctx) => ctx.json(ctx.env))
    .get('/endless', (ctx) =>
      ctx.stream(
        new ReadableStream({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 20))
            controller.enqueue(new Uint8Array(10))
          },
        }),
      ),
    )

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
