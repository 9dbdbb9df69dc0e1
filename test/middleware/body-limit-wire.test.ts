import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { bodyLimit } from '../../src/middleware/body-limit.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { webhook } from '../../src/middleware/webhook.ts'
import { text } from '../../src/respond/text.ts'

const drain = async (stream: ReadableStream<Uint8Array> | null): Promise<string> => {
  let size = 0
  for await (const chunk of stream ?? []) size += chunk.byteLength
  return `${size}`
}

describe('MX6: on a socket', () => {
  test.each<[string, (ctx: any) => Promise<string>]>([
    ['the stream', (ctx) => drain(ctx.request.body)],
    ['the text', (ctx) => ctx.text()],
  ])('a chunked upload without an end is answered with 413, and the connection ends: %s', async (_, read) => {
    const app = createApp().post('/', bodyLimit(1000), async (ctx) => text(await read(ctx)))
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    try {
      const socket = connect(server.port!, '127.0.0.1')
      let answer = ''
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
      const chunk = `64\r\n${'x'.repeat(100)}\r\n`
      const send = setInterval(() => socket.write(chunk), 5)
      await new Promise((resolve) => socket.on('close', resolve))
      clearInterval(send)
      expect(answer).toContain('HTTP/1.1 413')
    } finally {
      await server.close()
    }
  })

  test.each<[string, any, number, number]>([
    ['bodyParser, at the limit', bodyParser(), 10, 200],
    ['bodyParser', bodyParser(), 11, 413],
    ['bodyParser with a larger limit', bodyParser({ json: { limit: 2_000_000 } }), 11, 413],
    ['bodyParser with a smaller limit', bodyParser({ json: { limit: 9 } }), 10, 413],
    ['webhook', webhook({ scheme: 'github', secret: 'of the test' }), 11, 413],
  ])('a chunked body is limited also for readers with their own limit: %s', async (_, reader, length, status) => {
    const app = createApp().post('/', bodyLimit(10), reader, () => text('ok'))
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    try {
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
      const body = new Blob(['"'.padEnd(length - 1, 'x'), '"']).stream()
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      expect((await fetch(`http://127.0.0.1:${server.port}/`, init)).status).toBe(status)
    } finally {
      await server.close()
    }
  })
})
