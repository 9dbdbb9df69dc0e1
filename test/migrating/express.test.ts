import '../mend-express.ts'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Asked, observe } from './compare.ts'
import { expressApp } from './express-app.ts'
import { expressPort } from './express-port.ts'
import { testMoved } from './moved.ts'

const KEY = { 'x-key': 'k' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const asked: readonly Asked[] = [
  { path: '/items' },
  { path: '/items/' },
  { path: '/items?page=2&tag=a&tag=b' },
  { path: '/items/1' },
  { path: '/items/9' },
  { method: 'POST', path: '/items', body: { name: 'ink' } },
  { path: '/items/2' },
  { method: 'POST', path: '/items', body: { name: 7 } },
  { method: 'POST', path: '/items/1/buy' },
  { method: 'DELETE', path: '/items/1' },
  { method: 'DELETE', path: '/items/1', headers: KEY },
  { path: '/items/1' },
  { path: '/admin/who' },
  { path: '/admin/who', headers: KEY },
  { path: '/admin' },
  { path: '/admin/none', headers: KEY },
  { method: 'POST', path: '/form', body: 'a=1&a=2&b=%C3%A9+x', headers: FORM },
  { path: '/page' },
  { path: '/plain' },
  { path: '/style.css' },
  { path: '/object' },
  { path: '/bytes' },
  { path: '/status' },
  { path: '/empty' },
  { path: '/echo?a=%20b' },
  { path: '/later' },
  { path: '/fails' },
  { path: '/both' },
  { method: 'PUT', path: '/both' },
  { method: 'DELETE', path: '/both' },
  { method: 'PATCH', path: '/any' },
  { method: 'HEAD', path: '/page' },
  { method: 'HEAD', path: '/none' },
  { path: '/none' },
]

/** Built-in errors have other texts, and a redirect has no body. */
const wordsDiffer: readonly Asked[] = [
  { method: 'POST', path: '/items', body: '{"name":', headers: { 'content-type': 'application/json' } },
  { method: 'POST', path: '/items', body: { name: 'x'.repeat(1_000) } },
  { method: 'POST', path: '/login' },
  { path: '/old' },
]

/** What docs/migrating.md names as different. */
const differs = [
  ['GET', '/PAGE', 200, 404],
  // A guard with a path asks first
  ['GET', '/items/%E0%A4%A', 400, 401],
] as const

describe('FX5: an application of Express after the move answers as before', () => {
  let before: Server
  let after: Awaited<ReturnType<ReturnType<typeof expressPort>['listen']>>
  let origin = ''
  beforeAll(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    before = createServer(expressApp())
    await new Promise<void>((resolve) => before.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(before.address() as AddressInfo).port}`
    after = await expressPort().listen({ port: 0, hostname: '127.0.0.1' })
  })
  afterAll(async () => {
    before.close()
    before.closeAllConnections()
    await after.close()
  })

  testMoved({ asked, wordsDiffer, differs }, () => ({ before: origin, after: after.url }))

  test('a list of path segments is one string after the move', async () => {
    expect((await observe(origin, { path: '/files/a/b' })).body).toEqual({ path: ['a', 'b'] })
    expect((await observe(after.url, { path: '/files/a/b' })).body).toEqual({ path: 'a/b' })
  })

  test('a deleted cookie has Max-Age after the move, and an ETag needs the middleware', async () => {
    expect((await observe(origin, { method: 'POST', path: '/logout' })).cookies[0]).toMatch(/Expires=Thu, 01 Jan 1970/)
    expect((await observe(after.url, { method: 'POST', path: '/logout' })).cookies[0]).toContain('Max-Age=0')
    expect((await fetch(`${origin}/page`)).headers.has('etag')).toBe(true)
    expect((await fetch(`${after.url}/page`)).headers.has('etag')).toBe(false)
  })
})
