import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { bodyLimit } from '../../src/middleware/body-limit.ts'
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
})
