import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Asked, observe } from './compare.ts'
import { fastifyPort } from './fastify-port.ts'
import { testMoved } from './moved.ts'

const KEY = { 'x-key': 'k' }
const asked: readonly Asked[] = [
  { path: '/items' },
  { path: '/items/' },
  { path: '/items?page=2&sort=name' },
  { path: '/items?page=0' },
  { path: '/items?page=x' },
  { path: '/items?sort=price' },
  { path: '/items/1' },
  { path: '/items/9' },
  { path: '/items/x' },
  { method: 'POST', path: '/items', body: { name: 'ink' } },
  { path: '/items/2' },
  { method: 'POST', path: '/items', body: {} },
  { method: 'POST', path: '/items', body: { name: '' } },
  { method: 'POST', path: '/items', body: 'x', headers: { 'content-type': 'application/x-unknown' } },
  { method: 'POST', path: '/items/1/buy' },
  { method: 'DELETE', path: '/items/1' },
  { method: 'DELETE', path: '/items/1', headers: KEY },
  { path: '/shop' },
  { path: '/text' },
  { path: '/page' },
  { path: '/bytes' },
  { path: '/old' },
  { path: '/moved' },
  { path: '/fails' },
  { path: '/files/a/b%20c' },
  { path: '/files/' },
  { path: '/echo?a=%20b' },
  { path: '/two/a%2Fb/%C3%A9' },
  { path: '/status' },
  { path: '/both' },
  { method: 'PUT', path: '/both' },
  { method: 'POST', path: '/many' },
  { method: 'HEAD', path: '/text' },
  { method: 'OPTIONS', path: '/text' },
  { path: '/none' },
  { path: '/TEXT' },
]
/** Built-in errors have other texts. */
const wordsDiffer: readonly Asked[] = [
  { method: 'POST', path: '/items', body: '{"name":', headers: { 'content-type': 'application/json' } },
  { method: 'POST', path: '/items', body: { name: 'x'.repeat(1_000) } },
]

/** What docs/migrating.md names as different. */
const differs = [
  ['GET', '/files', 404, 200],
  ['GET', '/text/', 404, 200],
] as const

const tool = new URL('./tools/node_modules/fastify', import.meta.url)

describe.skipIf(!existsSync(tool))('FX5: an application of Fastify after the move answers as before', () => {
  let before: { close(): Promise<unknown>; listen(options: object): Promise<string> }
  let after: Awaited<ReturnType<ReturnType<typeof fastifyPort>['listen']>>
  let origin = ''
  beforeAll(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { fastifyApp } = await import(new URL('./tools/fastify-app.mjs', import.meta.url).href)
    before = fastifyApp()
    origin = await before.listen({ port: 0, host: '127.0.0.1' })
    after = await fastifyPort().listen({ port: 0, hostname: '127.0.0.1' })
  })
  afterAll(async () => {
    await before.close()
    await after.close()
  })

  testMoved({ asked, wordsDiffer, differs }, () => ({ before: origin, after: after.url }))

  test('a schema of Fastify converts a number in JSON to a string, and one of z refuses it', async () => {
    const one: Asked = { method: 'POST', path: '/items', body: { name: 7 } }
    expect((await observe(origin, one)).status).toBe(201)
    expect((await observe(after.url, one)).status).toBe(400)
  })
})
