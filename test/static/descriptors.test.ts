import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { onResponse } from '../../src/kernel/edits.ts'
import { compression } from '../../src/middleware/compression.ts'
import { text } from '../../src/respond/text.ts'
import { serveStatic } from '../../src/static.ts'
import { makeFolder } from './folder.ts'

const SIZE = 8_000_000
const folder = makeFolder({
  'large.bin': new Uint8Array(SIZE),
  'small.txt': 'x',
  'large.txt': 'a line\n'.repeat(200_000),
})
const app = createApp()
  .use('/replaced/*', (ctx: any, next: any) => {
    onResponse(ctx, () => text('another'))
    return next()
  })
  .use('/packed/*', compression())
  .use('/replaced/*', serveStatic({ root: folder.root, prefix: '/replaced' }))
  .use('/packed/*', serveStatic({ root: folder.root, prefix: '/packed' }))
  .use(serveStatic({ root: folder.root }))
const { port, close } = await app.listen({ port: 0, hostname: '127.0.0.1' })
afterAll(async () => {
  await close()
  folder.remove()
})

/** Files below the folder that this process holds open. */
const open = (): number =>
  readdirSync('/proc/self/fd').filter((number) => {
    try {
      return readlinkSync(join('/proc/self/fd', number)).startsWith(folder.root)
    } catch {
      return false
    }
  }).length

const begin = (path: string, headers = ''): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port!, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`))
    // Take the head and a little, and then nothing
    socket.once('data', () => {
      socket.pause()
      resolve(socket)
    })
  })

/** `/proc/self/fd` tells them: Linux alone has it. */
describe.runIf(process.platform === 'linux')('MX15: files are closed', () => {
  test.each([
    ['a file', '/large.bin', ''],
    ['a range', '/large.bin', 'range: bytes=1-7000000\r\n'],
    ['several ranges', '/large.bin', 'range: bytes=0-3000000,3000002-7000000\r\n'],
  ])('when the client goes in the middle of %s', async (_, path, headers) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => begin(path, headers)))
    // The head may come before the file is opened
    await vi.waitFor(() => expect(open()).toBe(20), 20_000)
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(() => expect(open()).toBe(0), 20_000)
  })

  test('when a file has been sent', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/large.bin`)
    expect((await response.arrayBuffer()).byteLength).toBe(SIZE)
    await vi.waitFor(() => expect(open()).toBe(0), 20_000)
  })

  test.each([
    ['HEAD', '/large.bin', { method: 'HEAD' }],
    ['304', '/large.bin', { headers: { 'if-none-match': '*' } }],
    ['a small file', '/small.txt', {}],
    ['another response in its place', '/replaced/large.bin', {}],
    ['compression', '/packed/large.txt', { headers: { 'accept-encoding': 'gzip' } }],
  ])('after %s', async (_, path, init) => {
    for (let count = 0; count < 10; count++) await (await fetch(`http://127.0.0.1:${port}${path}`, init)).arrayBuffer()
    await vi.waitFor(() => expect(open()).toBe(0), 20_000)
  })
})

test('MX15: if a client reads nothing, the file is not read further', async () => {
  let read = 0
  const response = await app.fetch(new Request('http://localhost/large.bin'))
  const reader = response.body!.getReader()
  while (read < 200_000) read += (await reader.read()).value!.byteLength
  expect(open()).toBe(process.platform === 'linux' ? 1 : 0)
  await reader.cancel()
  expect(open()).toBe(0)
  expect(read).toBeLessThan(300_000)
})
