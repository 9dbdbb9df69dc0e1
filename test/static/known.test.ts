import { mkdirSync, renameSync, rmSync, type Stats, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type FileSystem, finder } from '../../src/runtime/platform/find-file.ts'
import { nodeFiles } from '../../src/runtime/platform/node-files.ts'
import { serveStatic } from '../../src/static.ts'
import { makeFolder, SECRET } from './folder.ts'

// No letter of a boundary, which is hexadecimal
const LARGE = 'o'.repeat(100_000)
const folder = makeFolder({ 'one/a.txt': 'first', 'one/large.txt': LARGE, 'b.txt': 'first' })
afterAll(folder.remove)

/** Milliseconds that have passed: the clock of a busy machine would forget what is known. */
const START = 1_000_000
let now = START
beforeEach(() => {
  now = START
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

const asker = (root: string): ((path: string) => Promise<string>) => {
  const app = createApp().use(serveStatic({ root }))
  return async (path) => (await app.request(path)).text()
}

/** A finder, and how often it has followed links. */
const counted = (more: Partial<FileSystem> = {}) => {
  const count = { links: 0 }
  const system = nodeFiles(more)
  const realPath: FileSystem['realPath'] = (path) => {
    count.links++
    return system.realPath(path)
  }
  return { find: finder({ ...system, realPath }, folder.root), count }
}

test('MX15: links of a file that is as it was are followed once', async () => {
  const { find, count } = counted()
  for (let asked = 0; asked < 10; asked++) expect((await find(['b.txt']))?.size).toBe(5)
  // The root and the file
  expect(count.links).toBe(2)
  folder.write('b.txt', 'second')
  expect((await find(['b.txt']))?.size).toBe(6)
  expect(count.links).toBe(3)
})

test('MX15: files that the system does not number are looked up each time', async () => {
  const { find, count } = counted({
    stat: async (path) => Object.assign(await nodeFiles().stat(path), { ino: 0 }),
  })
  for (let asked = 0; asked < 3; asked++) await find(['b.txt'])
  expect(count.links).toBe(4)
})

test.each<[string, Partial<Stats>]>([
  ['another number', { ino: 7 }],
  ['another device', { dev: 7 }],
  ['another size', { size: 7 }],
  ['another time', { mtimeMs: 7 }],
  ['a change of its name or its permissions', { ctimeMs: 7 }],
])('MX15: links are followed again for a file with %s', async (_, changed) => {
  let more: Partial<Stats> = {}
  const { find, count } = counted({ stat: async (path) => Object.assign(await nodeFiles().stat(path), more) })
  await find(['b.txt'])
  more = changed
  await find(['b.txt'])
  expect(count.links).toBe(3)
})

test.each([
  [65_536, 2, Uint8Array],
  [65_537, 3, ReadableStream],
])('MX15: a file of %i bytes: its links are followed %i times, and its bytes are a %o', async (size, links, form) => {
  folder.write('size.bin', new Uint8Array(size))
  const { find, count } = counted()
  await find(['size.bin'])
  const file = await find(['size.bin'])
  expect(count.links).toBe(links)
  const bytes = await file!.read(0, size)
  expect(bytes).toBeInstanceOf(form)
  if (bytes instanceof ReadableStream) await bytes.cancel()
})

test('MX15: a large file is looked at once for a request', async () => {
  let stats = 0
  const { find } = counted({
    stat: (path) => {
      stats++
      return nodeFiles().stat(path)
    },
  })
  const body = await (await find(['one', 'large.txt']))!.read(0, LARGE.length)
  expect(stats).toBe(1)
  await (body as ReadableStream).cancel()
})

describe('MX15: a system that', () => {
  const { open } = nodeFiles()

  test('reads a few bytes at a time gives all of them', async () => {
    const { find } = counted({
      open: async (path) => {
        const file = await open(path)
        return { ...file, read: (into, position) => file.read(into.subarray(0, 2), position) }
      },
    })
    folder.write('pieces.txt', '0123456789')
    expect(Buffer.from((await (await find(['pieces.txt']))!.read(1, 7)) as Uint8Array).toString()).toBe('1234567')
  })

  test('has no more bytes than it reads gives none', async () => {
    const { find } = counted({ open: async (path) => ({ ...(await open(path)), read: async () => 0 }) })
    expect(await (await find(['b.txt']))!.read(0, 5)).toBeUndefined()
  })

  test('has put another file in its place, with its size and time, gives none', async () => {
    folder.write('placed.txt', 'first')
    folder.write('placed-next.txt', 'other')
    const { find } = counted()
    const file = await find(['placed.txt'])
    renameSync(join(folder.root, 'placed-next.txt'), join(folder.root, 'placed.txt'))
    expect(await file!.read(0, 5)).toBeUndefined()
  })

  test.each([
    ['cannot be looked at', 'stat'],
    ['cannot be opened', 'open'],
  ])('fails, %s, is not taken for one without the file', async (_, call) => {
    const failing = async (): Promise<never> => {
      throw Object.assign(new Error('disk'), { code: 'EIO' })
    }
    const { find } = counted({ [call]: failing })
    const read = async (): Promise<unknown> => (await find(['b.txt']))!.read(0, 5)
    await expect(read()).rejects.toThrow('disk')
  })

  test.each([
    ['b.txt', true],
    ['con', false],
    ['b.txt:stream', false],
  ])('is Windows: the file %s is found: %s', async (name, found) => {
    folder.write(name, 'first')
    const backslashes = (path: string): string => path.replaceAll('/', '\\')
    const { find } = counted({
      windows: true,
      realPath: async (path) => backslashes(await nodeFiles().realPath(path)),
    })
    expect((await find([name])) !== undefined).toBe(found)
  })
})

test('MX15: no more than 1,000 files are known by their path', async () => {
  for (let at = 0; at <= 1000; at++) folder.write(`many/${at}`, 'x')
  const { find, count } = counted()
  for (let at = 0; at <= 1000; at++) await find(['many', `${at}`])
  const before = count.links
  await find(['many', '1000'])
  await find(['many', '1'])
  expect(count.links).toBe(before)
  await find(['many', '0'])
  expect(count.links).toBe(before + 1)
})

test('MX15: a name that leads out of the root after it has led to a file inside is not served', async () => {
  const ask = asker(folder.root)
  const name = join(folder.root, 'turns.txt')
  folder.link('turns.txt', 'b.txt')
  expect(await ask('/turns.txt')).not.toContain('error')
  rmSync(name)
  symlinkSync('../secret.txt', name)
  expect(await ask('/turns.txt')).toBe('{"error":"Not Found"}')
  expect(await ask('/turns.txt')).not.toContain(SECRET)
})

test('MX15: a folder that moves out of the root and is linked to is not served from the next second on', async () => {
  const ask = asker(folder.root)
  folder.write('leaves/a.txt', 'inside')
  expect(await ask('/leaves/a.txt')).toBe('inside')
  const outside = `${folder.root}-outside`
  renameSync(join(folder.root, 'leaves'), outside)
  symlinkSync(outside, join(folder.root, 'leaves'))
  now += 1_000
  expect(await ask('/leaves/a.txt')).toBe('{"error":"Not Found"}')
  rmSync(outside, { recursive: true })
})

test('MX15: releases that change places behind a link are served at once', async () => {
  const ask = asker(folder.root)
  folder.write('v1/a.txt', 'old')
  folder.link('current', 'v1')
  expect(await ask('/current/a.txt')).toBe('old')
  renameSync(join(folder.root, 'v1'), join(folder.root, 'v2'))
  rmSync(join(folder.root, 'current'))
  folder.link('current', 'v2')
  mkdirSync(join(folder.root, 'v1'))
  folder.write('v1/a.txt', 'new!')
  expect(await ask('/current/a.txt')).toBe('old')
})

test('MX15: a file that moves out of the root is not served by a link to it', async () => {
  const ask = asker(folder.root)
  folder.write('moves.txt', 'public once')
  expect(await ask('/moves.txt')).toBe('public once')
  renameSync(join(folder.root, 'moves.txt'), join(folder.around, 'moved.txt'))
  folder.link('moves.txt', '../moved.txt')
  expect(await ask('/moves.txt')).toBe('{"error":"Not Found"}')
})

test('MX15: a change is seen by the next request, also one that keeps length and time', async () => {
  const ask = asker(folder.root)
  folder.write('c.txt', 'first')
  expect(await ask('/c.txt')).toBe('first')
  folder.write('c.txt', 'later')
  expect(await ask('/c.txt')).toBe('later')
  writeFileSync(join(folder.root, 'c.txt'), 'longer than before')
  expect(await ask('/c.txt')).toBe('longer than before')
  rmSync(join(folder.root, 'c.txt'))
  expect(await ask('/c.txt')).toBe('{"error":"Not Found"}')
})

test('MX15: files are found in a folder that was renamed behind a link', async () => {
  const current = join(folder.around, 'current')
  symlinkSync(join(folder.root, 'one'), current)
  const ask = asker(current)
  expect({ a: await ask('/a.txt'), largeLength: (await ask('/large.txt')).length }).toEqual({
    a: 'first',
    largeLength: LARGE.length,
  })
  renameSync(join(folder.root, 'one'), join(folder.root, 'two'))
  rmSync(current)
  symlinkSync(join(folder.root, 'two'), current)
  expect(await ask('/a.txt')).toBe('first')
  expect((await ask('/large.txt')) === LARGE).toBe(true)
})
