import { expect, test } from 'vitest'
import { pipe } from '../src/pipe.ts'
import { blank, route } from '../src/plan.ts'
import { text } from '../src/respond/text.ts'
import { serve } from '../src/serve.ts'
import { toFetch } from '../src/to-fetch.ts'

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

test('R8: a port that is taken rejects', async () => {
  await using server = await serve(fetchOfPlan, { port: 0, hostname: '127.0.0.1' })
  await expect(serve(fetchOfPlan, { port: server.port!, hostname: '127.0.0.1' })).rejects.toThrow('EADDRINUSE')
})
