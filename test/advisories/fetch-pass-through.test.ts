import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { compression } from '../../src/middleware/compression.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { rawAsk } from './raw-ask.ts'

const TEXT = 'upstream '.repeat(300)

const CODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  'deflate, gzip': (text) => gzipSync(deflateSync(text)),
  identity: Buffer.from,
}

/** Answers with the coding that the path names; `/unknown` with one that nobody knows. */
const upstream = createServer((request, response) => {
  const coding = decodeURIComponent(request.url!.slice(1))
  const body = (CODERS[coding] ?? Buffer.from)(TEXT)
  const fields = {
    'content-type': 'text/plain',
    etag: '"1"',
    'content-length': body.length,
    'keep-alive': 'timeout=77',
  }
  response.writeHead(200, coding === 'identity' ? fields : { ...fields, 'content-encoding': coding })
  response.end(request.method === 'HEAD' ? undefined : body)
})

const passOn = (ctx: { path: string; method: string }): Promise<Response> =>
  fetch(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}${ctx.path}`, { method: ctx.method })

beforeAll(() => new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve)))
afterAll(() => void upstream.close())

describe.each([
  ['alone', () => createApp()],
  ['with middleware that edits headers', () => createApp().use(helmet())],
])('X7: what fetch gave is handed on over a socket, %s', (_, make) => {
  test.each(Object.keys(CODERS))('%s: the client reads the text', async (coding) => {
    const server = await make().get('/*', passOn).listen({ port: 0, hostname: '127.0.0.1' })
    const { head, body } = await rawAsk(server.port!, 'GET', `/${encodeURIComponent(coding)}`, ['Connection: close'])
    await server.close()
    expect(head).toMatch(/^HTTP\/1.1 200 /)
    expect(head).toContain('etag: "1"')
    expect(head).not.toMatch(/content-encoding/i)
    expect(head).not.toContain('timeout=77')
    expect(head).toMatch(/connection: close/i)
    expect(body.toString()).toBe(TEXT)
  })

  test('a coding that fetch does not know stays, and so do its bytes', async () => {
    const server = await make().get('/*', passOn).listen({ port: 0, hostname: '127.0.0.1' })
    const { head, body } = await rawAsk(server.port!, 'GET', '/unknown', ['Connection: close'])
    await server.close()
    expect(head).toContain('content-encoding: unknown')
    expect(body.toString()).toBe(TEXT)
  })

  test('HEAD keeps coding and length, which are those that GET would have had there', async () => {
    const server = await make().get('/*', passOn).listen({ port: 0, hostname: '127.0.0.1' })
    const { head, body } = await rawAsk(server.port!, 'HEAD', '/gzip', ['Connection: close'])
    await server.close()
    expect(head).toMatch(/^HTTP\/1.1 200 /)
    expect(body.byteLength).toBe(0)
  })
})

test('X7: compression codes again what fetch has decoded', async () => {
  const server = await createApp().use(compression()).get('/*', passOn).listen({ port: 0, hostname: '127.0.0.1' })
  const { head, body } = await rawAsk(server.port!, 'GET', '/br', ['Connection: close', 'Accept-Encoding: gzip'])
  await server.close()
  expect(head).toContain('content-encoding: gzip')
  expect(gunzipSync(body).toString()).toBe(TEXT)
})
