import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { text } from '../src/respond/text.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('R28: a pattern that is registered twice', () => {
  test.each([
    ['development', 1],
    ['production', 0],
  ])('in %s the console hears of it %i times', async (mode, times) => {
    vi.stubEnv('NODE_ENV', mode)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const app = createApp()
      .get('/users/:id', () => text('first'))
      .get('/users/:name', () => text('second'))
    expect(await (await app.fetch(new Request('http://h/users/1'))).text()).toBe('first')
    expect(warn).toHaveBeenCalledTimes(times)
  })
})

test('C10: providers shut down once, however often the application is closed', async () => {
  const order: string[] = []
  const app = createApp()
  app.register({ shutdown: () => void order.push('shut down') })
  const server = await app.listen({ port: 0 })
  await server.close()
  await app.close()
  expect(order).toEqual(['shut down'])
})
