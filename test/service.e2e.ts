import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from './free-port.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'examples/service')
const secret = 'thirty-two bytes from a generator'

/** What the service says, a line each; lines of the log are JSON. */
const said: string[] = []
const logged = (): Record<string, any>[] => said.map((line) => JSON.parse(line)) // any: lines have fields of any kind

/** The server behind the proxy, and what it got. */
const seen: { url: string; headers: IncomingHttpHeaders }[] = []
const upstream = createServer((request, response) => {
  seen.push({ url: request.url!, headers: request.headers })
  response.setHeader('x-from', 'upstream').end(`reviews at ${request.url}`)
})

let child: ChildProcess
let at = ''
const exited = (): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve))

beforeAll(async () => {
  const upstreamPort = await freePort()
  await new Promise<void>((resolve) => upstream.listen(upstreamPort, '127.0.0.1', resolve))
  const port = await freePort()
  at = `http://127.0.0.1:${port}`
  const script = ['--import', 'tsx', '--conditions=sluice-source', join(folder, 'server.ts')]
  child = spawn(process.execPath, script, {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
      PORT: `${port}`,
      JWT_SECRET: secret,
      UPSTREAM: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      DRAIN_MS: '5000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let rest = ''
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    said.push(...lines)
  })
  await vi.waitFor(() => fetch(`${at}/livez`), { timeout: 60_000, interval: 100 })
}, 90_000)
afterAll(() => {
  child.kill('SIGKILL')
  upstream.closeAllConnections()
  upstream.close()
})

const send = (path: string, body: unknown, token = ''): Promise<Response> =>
  fetch(at + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

const login = async (name: string, password: string): Promise<string> => {
  const response = await send('/login', { name, password })
  expect({ status: response.status, 'cache-control': response.headers.get('cache-control') }).toEqual({
    status: 200,
    'cache-control': 'no-store',
  })
  return ((await response.json()) as { token: string }).token
}

const get = (path: string, token?: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(at + path, { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } })

/** The line of an answer, found by its id. */
const lineOf = async (response: Response): Promise<Record<string, any>> => {
  const id = response.headers.get('x-request-id')
  expect(id).toMatch(/^[\da-f-]{36}$/)
  return vi.waitFor(() => {
    const line = logged().find(({ requestId }) => requestId === id)
    expect(line).toBeDefined()
    return line!
  }, 20_000)
}

describe('examples/service', () => {
  test('has fewer than 150 lines', () => {
    const lines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
    expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThan(150)
  })

  test('the page has a tag, and is a 304 for who has it', async () => {
    const first = await get('/')
    expect({ status: first.status, 'content-type': first.headers.get('content-type') }).toEqual({
      status: 200,
      'content-type': 'text/html; charset=utf-8',
    })
    expect(await first.text()).toContain('<h1>Coffee</h1>')
    const again = await get('/', undefined, { 'if-none-match': first.headers.get('etag')! })
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect((await get('/%2e%2e/app.ts')).status).toBe(404)
  })

  test.each([
    ['a wrong password', { name: 'ann', password: 'only looking' }, 401],
    ['an unknown name', { name: 'constructor', password: '' }, 401],
    ['no password', { name: 'ann' }, 422],
  ])('a login with %s is refused', async (_, body, status) => {
    const response = await send('/login', body)
    expect({ status: response.status, text: await response.text() }).toEqual({
      status,
      text: expect.not.stringContaining('token'),
    })
    expect(await lineOf(response)).toMatchObject({ level: 'warn', method: 'POST', path: '/login', status })
  })

  test('a token opens what is guarded, and nothing else does', async () => {
    const token = await login('ann', 'beans and milk')
    const me = await get('/me', token)
    expect({ status: me.status, json: await me.json() }).toEqual({
      status: 200,
      json: { name: 'ann', scopes: ['products:write'] },
    })
    for (const wrong of ['x', `${token}x`, '']) {
      const response = await get('/me', wrong)
      expect({ status: response.status, 'www-authenticate': response.headers.get('www-authenticate') }).toEqual({
        status: 401,
        'www-authenticate': expect.stringMatching(/^Bearer/),
      })
    }
  })

  test('a change needs its scope', async () => {
    const [ann, bob] = [await login('ann', 'beans and milk'), await login('bob', 'only looking')]
    const product = { name: 'Mocha', price: 4 }
    const refused = await send('/products', product, bob)
    expect({ status: refused.status, json: await refused.json() }).toEqual({
      status: 403,
      json: expect.objectContaining({ code: 'insufficient_scope' }),
    })
    expect((await send('/products', product)).status).toBe(401)
    expect((await send('/products', { name: '', price: -1 }, ann)).status).toBe(422)
    expect((await send('/products', product, ann)).status).toBe(201)
  })

  test('the list is made once, until it changes', async () => {
    const read = async () => {
      const response = await get('/products')
      const { reads, products } = (await response.json()) as { reads: number; products: unknown[] }
      return { reads, products: products.length, fromCache: response.headers.has('age') }
    }
    const { reads, products } = await read()
    expect(await read()).toEqual({ reads, products, fromCache: true })
    const changed = await send('/products', { name: 'Ristretto', price: 3 }, await login('ann', 'beans and milk'))
    expect(changed.status).toBe(201)
    expect(await read()).toEqual({ reads: reads + 1, products: products + 1, fromCache: false })
    expect(await read()).toEqual({ reads: reads + 1, products: products + 1, fromCache: true })
  })

  test('reviews come from the upstream, with the id of the request and without its token', async () => {
    expect((await get('/reviews/7')).status).toBe(401)
    const response = await get('/reviews/7?by=bob', await login('bob', 'only looking'), { 'x-request-id': 'theirs' })
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 200,
      text: 'reviews at /reviews/7?by=bob',
    })
    expect(response.headers.get('x-from')).toBe('upstream')
    const { headers } = seen.find(({ url }) => url.startsWith('/reviews'))!
    expect(headers['x-request-id']).toBe(response.headers.get('x-request-id'))
    expect(headers).not.toHaveProperty('authorization')
    expect(await lineOf(response)).toMatchObject({ route: '/reviews/*', status: 200, user: 'bob' })
  })

  test('each answer is a line of the log, and no line has a secret', async () => {
    const token = await login('ann', 'beans and milk')
    const line = await lineOf(await get('/me?token=hidden', token, { cookie: 'a=hidden' }))
    expect(line).toMatchObject({
      level: 'info',
      method: 'GET',
      path: '/me',
      route: '/me',
      status: 200,
      user: 'ann',
      headers: { authorization: '[redacted]', cookie: '[redacted]' },
    })
    expect(await lineOf(await get('/none'))).toMatchObject({ level: 'warn', status: 404 })
    expect(new Set(logged().map(({ requestId }) => requestId)).size).toBe(said.length)
    for (const word of ['hidden', 'beans', token]) expect(said.join('\n')).not.toContain(word)
  })

  test('is ready as long as its upstream is, and lives without it', async () => {
    const ready = await get('/readyz')
    expect({ status: ready.status, json: await ready.json() }).toEqual({
      status: 200,
      json: { status: 'ok', checks: { upstream: { status: 'ok', durationMs: expect.any(Number) } } },
    })
    const token = await login('bob', 'only looking')
    const { port } = upstream.address() as AddressInfo
    upstream.closeAllConnections()
    await new Promise((resolve) => upstream.close(resolve))
    const lost = await get('/reviews/7', token)
    expect({ status: lost.status, json: await lost.json() }).toEqual({ status: 502, json: { error: 'Bad Gateway' } })
    expect((await lineOf(lost)).level).toBe('error')
    const failing = await get('/readyz')
    expect({ status: failing.status, code: ((await failing.json()) as { code: string }).code }).toEqual({
      status: 503,
      code: 'not_ready',
    })
    expect((await get('/livez')).status).toBe(200)
    await new Promise<void>((resolve) => upstream.listen(port, '127.0.0.1', resolve))
    await vi.waitFor(async () => expect((await get('/readyz')).status).toBe(200), 20_000)
  })

  test('says that it drains, goes on for a while, and ends well', async () => {
    const ended = exited()
    child.kill('SIGTERM')
    await vi.waitFor(async () => {
      const ready = await get('/readyz')
      expect({ status: ready.status, json: await ready.json() }).toEqual({
        status: 503,
        json: expect.objectContaining({ code: 'draining' }),
      })
    }, 4_000)
    expect((await get('/livez')).status).toBe(200)
    expect((await get('/products')).status).toBe(200)
    expect(await ended).toBe(0)
  })
})
