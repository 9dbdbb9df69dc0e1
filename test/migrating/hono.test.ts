import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Asked, type Observed, observe, titleOf, withoutWords } from './compare.ts'
import { honoApp } from './hono-app.ts'
import { honoPort } from './hono-port.ts'

const asked: readonly Asked[] = [
  { path: '/users' },
  { path: '/users?page=2&tag=a&tag=b' },
  { path: '/users/7' },
  { path: '/users/caf%C3%A9' },
  { method: 'POST', path: '/users', body: { name: 'ann' } },
  { path: '/who/am' },
  { path: '/who/am', headers: { 'x-tenant': 't' } },
  { method: 'POST', path: '/echo', body: 'text' },
  { path: '/bytes' },
  { path: '/cookie' },
  { path: '/cookie', headers: { cookie: 'seen=once' } },
  { path: '/old' },
  { method: 'HEAD', path: '/users/7' },
]

/** Refusals are JSON here. */
const refused = ['/users/0', '/users/1', '/none']

/** `secureHeaders` and `helmet` send other headers. */
const relevant = ({ own, ...observed }: Observed): Observed => ({
  ...observed,
  own: own['x-timing'] ? { 'x-timing': own['x-timing'] } : {},
})

describe('FX5: an application of Hono after the move answers as before', () => {
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

  test.each(asked.map((one) => [titleOf(one), one] as const))('%s', async (_, one) =>
    expect(relevant(await observe(honoPort, one))).toEqual(relevant(await observe(honoApp, one))),
  )

  test.each(refused)('GET %s: 404 before and after, with other words', async (path) => {
    const [here, there] = [await observe(honoPort, { path }), await observe(honoApp, { path })]
    expect(withoutWords(relevant(here))).toEqual(withoutWords(relevant(there)))
    expect({ status: here.status, type: here.type }).toEqual({ status: 404, type: 'application/json' })
  })

  test('a body that does not match its schema: 400 before, 422 after the move', async () => {
    const one: Asked = { method: 'POST', path: '/users', body: {} }
    expect((await observe(honoApp, one)).status).toBe(400)
    expect((await observe(honoPort, one)).status).toBe(422)
  })
})
