import { expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { toFetch } from '../src/kernel/fetch.ts'
import { blank, route } from '../src/kernel/plan.ts'
import { pipe } from '../src/pipe.ts'
import { text } from '../src/respond/text.ts'
import { createServers } from '../src/runtime/edge/core.ts'
import { serve } from '../src/serve.ts'

const fetchOfPlan = pipe(
  blank,
  route('GET', '/', () => text('hello')),
  toFetch,
)

test('R8: the pipe door listens, tells its port, and closes', async () => {
  const server = await serve(fetchOfPlan, { port: 0, hostname: '127.0.0.1' })
  expect(await (await fetch(server.url)).text()).toBe('hello')
  expect(new URL(server.url).port).toBe(String(server.port))
  await server.close()
  await expect(fetch(server.url)).rejects.toThrow()
})

test.each([
  ['nothing', undefined, 'undefined'],
  ['an application', createApp(), '{'],
  ['a worker', { fetch: fetchOfPlan }, '{}'],
])('R8: %s in place of a fetch is refused, and no port is bound', async (_, bad, got) => {
  const serving = serve(bad as never, { port: 0, hostname: '127.0.0.1' })
  const server = serving.then(
    (one) => one.close(),
    () => {},
  )
  await expect(serving).rejects.toThrow(`serve: fetch: expected a function, such as app.fetch, got ${got}`)
  await server
})

test('R8: a port that is taken rejects', async () => {
  await using server = await serve(fetchOfPlan, { port: 0, hostname: '127.0.0.1' })
  await expect(serve(fetchOfPlan, { port: server.port!, hostname: '127.0.0.1' })).rejects.toThrow('EADDRINUSE')
})

test('R8: on the edge, listen of an application rejects and says what to do, and close has nothing to close', async () => {
  const servers = createServers()
  const refused = servers.listen({ fetch: fetchOfPlan, ready: async () => {}, close: async () => {} }, 3000)
  await expect(refused).rejects.toThrow('listen() needs Node, Bun or Deno')
  expect(await servers.close()).toBeUndefined()
})

test('R8: an application that is closed while it starts to listen keeps no port', async () => {
  const app = createApp().get('/', (ctx) => ctx.text('hello'))
  const listening = app.listen({ port: 0, hostname: '127.0.0.1' })
  await app.close()
  const { url } = await listening
  await expect(fetch(url)).rejects.toThrow()
})

test('R8: an application that was closed refuses to listen: its server would have an address that nobody serves', async () => {
  const app = createApp().get('/', (ctx) => ctx.text('hello'))
  const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  await server.close()
  const called = vi.fn()
  await expect(app.listen({ port: 0, hostname: '127.0.0.1' }, called)).rejects.toThrow(
    'listen: the application is closed: create another one',
  )
  expect(called).not.toHaveBeenCalled()
})

test.each(['127.0.0.1', null, {}])('R8: %j is no callback of listen, and no port is bound', async (callback) => {
  const open = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
  const before = open()
  const refused = createApp().listen({ port: 0, hostname: '127.0.0.1' }, callback as never)
  await expect(refused).rejects.toThrow(`listen: callback: expected a function, got ${JSON.stringify(callback)}`)
  expect(open()).toBe(before)
})
