import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectValid } from './validity.ts'

vi.stubEnv('DATABASE_URL', 'sqlite::memory:')
const { app } = await import('../../examples/node/app.ts')
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})

beforeAll(() => app.ready())
afterAll(() => app.close())

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  app.request(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

test('OA6: the document of the example is valid, and has every route of its API', async () => {
  const response = await app.request('/openapi.json')
  const document = await response.json()
  await expectValid(document)
  expect(Object.keys(document.paths)).toEqual(['/events', '/todos', '/todos/{id}'])
  expect(Object.keys(document.paths['/todos/{id}'])).toEqual(['get', 'patch', 'delete'])
  expect(document.components.schemas.Todo).toBeDefined()
})

test('OA3: the answers of the example are as it describes them', async () => {
  const answers = [
    await send('POST', '/todos', { title: 'Write' }),
    await send('GET', '/todos'),
    await send('GET', '/todos/1'),
    await send('GET', '/todos/99'),
    await send('PATCH', '/todos/1', { done: true }),
    await send('PATCH', '/todos/1', { done: 'no' }),
    await send('DELETE', '/todos/1'),
    await send('DELETE', '/todos/1'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 404, 200, 422, 204, 404])
  expect(warn.mock.calls).toEqual([])
})
