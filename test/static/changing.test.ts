import { expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { text } from '../../src/respond/text.ts'
import { serveStatic } from '../../src/static.ts'

const file = vi.hoisted(() => ({ reads: 0, changes: 0 }))
vi.mock('#runtime/files', () => ({
  assetsOf: () => undefined,
  openRoot: () => async () => ({
    directory: false,
    size: 2,
    modified: 0,
    date: 'Thu, 01 Jan 1970 00:00:00 GMT',
    version: '2-0',
    read: async () => (++file.reads > file.changes ? new TextEncoder().encode('ok') : undefined),
  }),
}))

test.each([
  [0, 1, 'ok'],
  [2, 3, 'ok'],
  [3, 3, 'serveStatic: a file changes faster than it can be read'],
])('MX15: a file that changes %i times before it is read is looked at %i times: %s', async (changes, reads, body) => {
  Object.assign(file, { reads: 0, changes })
  const app = createApp({ onError: (error) => text((error as Error).message) }).use(serveStatic({ root: 'unused' }))
  expect({ text: await (await app.request('/a.txt')).text(), reads: file.reads }).toEqual({ text: body, reads })
})

test.each<[string, RequestInit, number]>([
  ['HEAD reads no file', { method: 'HEAD' }, 0],
  ['a part is read once', { headers: { range: 'bytes=0-0' } }, 1],
  ['several parts are read once each', { headers: { range: 'bytes=0-0,1-1' } }, 2],
])('MX15: %s', async (_, init, reads) => {
  Object.assign(file, { reads: 0, changes: 0 })
  const response = await createApp()
    .use(serveStatic({ root: 'unused' }))
    .request('/a.txt', init)
  await response.text()
  expect(file.reads).toBe(reads)
})
