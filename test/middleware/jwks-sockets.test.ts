import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as jose from 'jose'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type JwtOptions, jwt } from '../../src/middleware/jwt.ts'
import { json } from '../../src/respond/json.ts'

/** Key sets from a server that answers as the test says. */
const servers: Server[] = []
const listen = async (answer: RequestListener) => {
  const state = { asked: 0, closed: 0, answer }
  const server = createServer((request, response) => {
    state.asked++
    response.once('close', () => state.closed++)
    state.answer(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
  return Object.assign(state, { url })
}
const clientOf = (url: string, more: Partial<JwtOptions> = {}) => {
  const app = createApp()
    .use(jwt({ algorithms: ['ES256'], jwks: url, ...more }))
    .get('/', () => json(1))
  return async (token: string): Promise<number> =>
    (await app.fetch(new Request('http://localhost/', { headers: { authorization: `Bearer ${token}` } }))).status
}
const log = vi.spyOn(console, 'error')

describe('MX3: a key set over a socket', () => {
  let keySet = ''
  let token = ''
  let unknown = ''
  const send = (response: ServerResponse): void => void response.end(keySet)

  beforeAll(async () => {
    const { publicKey, privateKey } = await jose.generateKeyPair('ES256')
    keySet = JSON.stringify({ keys: [{ ...(await jose.exportJWK(publicKey)), kid: '1' }] })
    const sign = (kid: string): Promise<string> =>
      new jose.SignJWT().setProtectedHeader({ alg: 'ES256', kid }).setExpirationTime('1h').sign(privateKey)
    ;[token, unknown] = await Promise.all([sign('1'), sign('2')])
  })
  afterEach(() => {
    log.mockReset()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  test('one that comes in pieces is used', async () => {
    const server = await listen((_, response) => {
      response.write(keySet.slice(0, 20))
      setTimeout(() => response.end(keySet.slice(20)), 50)
    })
    expect(await clientOf(server.url)(token)).toBe(200)
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['no response', () => {}],
    ['fields and no body', (response) => response.flushHeaders()],
    ['half of a body', (response) => response.write(keySet.slice(0, 20))],
  ])('%s: 503 after the time limit, and the connection is closed', async (_, hang) => {
    log.mockImplementation(() => {})
    const server = await listen((_request, response) => hang(response))
    const ask = clientOf(server.url, { jwksTimeoutMs: 100 })
    expect(await Promise.all([ask(token), ask(token)])).toEqual([503, 503])
    expect(server.asked).toBe(1)
    await vi.waitFor(() => expect(server.closed).toBe(1))
  })

  test('an endless body is cut after 1 MiB', async () => {
    log.mockImplementation(() => {})
    let sent = 0
    const server = await listen((_, response) => {
      const chunk = Buffer.alloc(65_536, ' ')
      const more = (): void => {
        while (!response.destroyed && sent < 2 ** 30) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    expect(await clientOf(server.url)(token)).toBe(503)
    await vi.waitFor(() => expect(server.closed).toBe(1))
    // What the buffers of both sockets have is not read
    expect(sent).toBeLessThan(2 ** 25)
  })

  test('the body of an error is not waited for', async () => {
    log.mockImplementation(() => {})
    const server = await listen((_, response) => void response.writeHead(500).write('wait'))
    expect(await clientOf(server.url)(token)).toBe(503)
    await vi.waitFor(() => expect(server.closed).toBe(1))
  })

  test('a redirect is not followed', async () => {
    log.mockImplementation(() => {})
    const target = await listen((_, response) => send(response))
    const server = await listen((_, response) => void response.writeHead(302, { location: target.url }).end())
    expect(await clientOf(server.url)(token)).toBe(503)
    expect({ server: server.asked, target: target.asked }).toEqual({ server: 1, target: 0 })
  })

  test.each([
    ['bytes', Buffer.from([0xff, 0, 0xfe])],
    ['a list', '[]'],
    ['null', 'null'],
    ['keys that are no objects', '{"keys":[1]}'],
    ['half of a set', '{"keys":[{"kty"'],
  ])('garbage is 503: %s', async (_, body) => {
    log.mockImplementation(() => {})
    const server = await listen((_request, response) => void response.end(body))
    expect(await clientOf(server.url)(token)).toBe(503)
  })

  test('a set with keys that nobody knows is used for those that are known', async () => {
    const { keys } = JSON.parse(keySet)
    const body = JSON.stringify({ keys: [{ kty: 'new', kid: '1' }, { kid: '1' }, ...keys] })
    const server = await listen((_, response) => void response.end(body))
    expect(await clientOf(server.url)(token)).toBe(200)
  })

  test('1,000 tokens with an unknown key at once are one request', async () => {
    const server = await listen((_, response) => void setTimeout(send, 20, response))
    const ask = clientOf(server.url, { jwksCooldownMs: 0 })
    expect(await ask(token)).toBe(200)
    const statuses = await Promise.all(Array.from({ length: 1000 }, () => ask(unknown)))
    expect({ statuses: new Set(statuses), asked: server.asked }).toEqual({ statuses: new Set([401]), asked: 2 })
  })

  test.each<[string, RequestListener]>([
    ['with an error', (_, response) => void response.writeHead(500).end()],
    ['with garbage', (_, response) => void response.end('<html>')],
    ['with another object', (_, response) => void response.end('{"keys":{}}')],
    ['without a response', ({ socket }) => void socket.destroy()],
  ])('a server that fails %s is asked once a second, not for each token', async (_, fail) => {
    log.mockImplementation(() => {})
    const server = await listen(fail)
    const time = vi.spyOn(performance, 'now').mockReturnValue(1000)
    try {
      const ask = clientOf(server.url)
      for (let count = 0; count < 20; count++) expect(await ask(token)).toBe(503)
      expect(server.asked).toBe(1)
      time.mockReturnValue(1999)
      expect({ status: await ask(token), asked: server.asked }).toEqual({ status: 503, asked: 1 })
      time.mockReturnValue(2000)
      expect({ status: await ask(token), asked: server.asked }).toEqual({ status: 503, asked: 2 })
      server.answer = (_, response) => send(response)
      time.mockReturnValue(3000)
      expect({ status: await ask(token), statusAgain: await ask(token), asked: server.asked }).toEqual({
        status: 200,
        statusAgain: 200,
        asked: 3,
      })
    } finally {
      time.mockRestore()
    }
  })

  test('a server that fails after the first success: known keys are used until they are too old', async () => {
    log.mockImplementation(() => {})
    const server = await listen((_, response) => send(response))
    const ask = clientOf(server.url, { jwksCooldownMs: 0 })
    const short = clientOf(server.url, { jwksCooldownMs: 0, jwksMaxAgeMs: 1 })
    expect({ long: await ask(token), short: await short(token) }).toEqual({ long: 200, short: 200 })
    server.answer = (request) => void request.socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect({ known: await ask(token), unknown: await ask(unknown), short: await short(token) }).toEqual({
      known: 200,
      unknown: 503,
      short: 503,
    })
    server.answer = (_, response) => send(response)
    expect({ unknown: await ask(unknown), short: await short(token) }).toEqual({ unknown: 401, short: 200 })
  })
})
