import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { serveStatic } from '../../src/static.ts'
import { makeFolder } from './folder.ts'

const SIZE = 2 ** 30
const folder = makeFolder()
const file = openSync(join(folder.root, 'sparse.bin'), 'w')
ftruncateSync(file, SIZE)
writeSync(file, 'the end', SIZE - 7)
closeSync(file)
afterAll(folder.remove)

test('MX15: a file of 1 GB goes out at flat memory', async () => {
  const server = await createApp()
    .use(serveStatic({ root: folder.root }))
    .listen({ port: 0, hostname: '127.0.0.1' })
  const before = process.memoryUsage.rss()
  let most = 0
  let received = 0
  let tail = ''
  await new Promise<void>((resolve, reject) => {
    get(`http://127.0.0.1:${server.port}/sparse.bin`, (response) => {
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        tail = (tail + chunk.subarray(-7).toString('latin1')).slice(-7)
        most = Math.max(most, process.memoryUsage.rss())
      })
      response.on('end', resolve)
      response.on('error', reject)
    })
  })
  await server.close()
  expect({ received, tail }).toEqual({ received: SIZE, tail: 'the end' })
  // The client is in the same process: both together stay far below the file
  expect(most - before).toBeLessThan(200 * 2 ** 20)
})
