import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { isSafeOnWindows, namesOf } from '../../src/internal/static/segments.ts'
import { serveStatic } from '../../src/static.ts'
import { anyText } from '../any-text.ts'
import { runs } from '../fuzz.ts'
import { makeFolder, SECRET } from './folder.ts'

const folder = makeFolder({
  'a.txt': 'public',
  'sub/b.txt': 'public',
  'index.html': 'public',
  'sub/index.html': 'public',
})
folder.link('to-file', '../secret.txt')
folder.link('to-folder', '..')
folder.link('to-neighbour', '../public-too')
folder.link('to-etc', '/etc')
folder.link('to-root', '/')
folder.link('sub/up', '../..')
folder.link('chain', 'to-folder')
folder.link('loop', 'loop')
folder.link('inside.txt', 'sub/b.txt')
folder.link('inside', 'sub')
execFileSync('mkfifo', [join(folder.root, 'pipe')])
mkdirSync(join(folder.root, 'locked'))
writeFileSync(join(folder.root, 'with:colon.txt'), 'public')
const app = createApp().use(serveStatic({ root: folder.root, dotfiles: 'allow', extensions: ['txt'] }))
const { port, close } = await app.listen({ port: 0, hostname: '127.0.0.1' })
afterAll(async () => {
  await close()
  folder.remove()
})

/** A request line as it is: `fetch` and `URL` would tidy the path up. */
const raw = (target: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port!, '127.0.0.1', () =>
      socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`, 'latin1'),
    )
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })

const UPS = [
  ...['..', '%2e%2e', '.%2e', '%2E.', '%252e%252e', '..%00', '..;', '..%20', '%c0%ae%c0%ae', '%uff0e%uff0e', '．．'],
  ...['..%09', '...', '....', '%2e', '.', '..%c0%af', '..%5c', '..%255c', '%e0%80%ae%e0%80%ae', '\x2e\x2e'],
]
const SLASHES = ['/', '%2f', '%2F', '\\', '%5c', '%252f', '//', '%c0%af', '/./', '%00/']
const LINKS = [
  ...['to-file', 'to-folder/secret.txt', 'to-neighbour/secret.txt', 'to-etc/passwd', 'to-root/etc/passwd'],
  ...['sub/up/secret.txt', 'chain/secret.txt', 'loop', 'to-folder/public/../secret.txt', 'to-folder/', 'to-root/'],
  ...['to-folder', 'to-etc', 'to-root', 'sub/up', 'sub/up/public-too/secret.txt', 'inside/up/secret.txt', 'pipe'],
]
const ODD = [
  ...['C:/secret.txt', 'c:%5csecret.txt', 'C%3A/secret.txt', 'secret.txt::$DATA', 'a.txt%00.html', '%00', 'a.txt%00'],
  ...[
    'file:///etc/passwd',
    '//?/etc/passwd',
    '%5c%5clocalhost%5cshare',
    '~/secret.txt',
    '~root',
    '-',
    '%',
    '%2',
    '%zz',
  ],
  ...['%ff', '%e9', 'a.txt%0d%0ax:y', 'a.txt%0a', '.%0a./secret.txt', `${'a/'.repeat(5000)}`, 'a'.repeat(5000)],
  ...[
    `${'../'.repeat(500)}etc/passwd`,
    `${'%2e%2e%2f'.repeat(200)}etc/passwd`,
    'etc/passwd',
    '/etc/passwd',
    '///etc/passwd',
  ],
]

/** Two hundred ways to leave a folder. */
const TRAVERSALS = [
  ...UPS.flatMap((up) => SLASHES.flatMap((slash) => [`/${up}${slash}secret.txt`])),
  ...['..', '%2e%2e', '..%5c'].flatMap((up) => SLASHES.map((slash) => `/sub/${up}${slash}${up}${slash}secret.txt`)),
  ...['%2e%2e%2f', '..%2f', '%2e%2e/'].map((up) => `/${up.repeat(8)}etc/passwd`),
  ...LINKS.map((link) => `/${link}`),
  ...ODD.map((odd) => `/${odd}`),
]

test('MX15: there are more than two hundred ways to try', () => {
  expect(new Set(TRAVERSALS).size).toBeGreaterThan(200)
})

describe('MX15: no path leads out of the root', () => {
  test.each(TRAVERSALS)('%j over a socket', async (target) => {
    const answer = await raw(target)
    expect(answer).not.toContain(SECRET)
    expect(answer).not.toContain('root:')
    expect(answer).toMatch(/^HTTP\/1\.1 (?:404|400|200|308|431) /)
    if (answer.startsWith('HTTP/1.1 200')) expect(answer).toMatch(/\r\n\r\npublic$/)
    if (answer.startsWith('HTTP/1.1 308')) expect(answer).toMatch(/\r\nlocation: \.\/(?![/\\])/)
  })

  test.each([
    ['/inside.txt', 'public'],
    ['/inside/b.txt', 'public'],
    ['/inside/', 'public'],
    ['/with:colon.txt', 'public'],
  ])('a link to another place below it is followed: %s', async (target, body) => {
    expect((await raw(target)).split('\r\n\r\n')[1]).toBe(body)
  })

  test('any combination, over a socket', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...UPS, ...SLASHES, ...LINKS, 'secret.txt', 'public-too', 'etc', 'sub', '/'), {
          minLength: 1,
          maxLength: 8,
        }),
        async (parts) => {
          const answer = await raw(`/${parts.join('')}`)
          expect(answer).not.toContain(SECRET)
          expect(answer).not.toContain('root:')
        },
      ),
      { numRuns: runs(5000) },
    ))

  test('the names on any path are names', () =>
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const path of [`/${text}`, `/${encodeURIComponent(text.replace(/\p{Cs}/gu, ''))}`]) {
          const names = namesOf(path)?.names ?? []
          expect(names.every((name) => name && !/^\.\.?$|[/\\\0]/.test(name))).toBe(true)
        }
      }),
      { numRuns: runs(20_000) },
    ))
})

test.each<[string, string, string[] | undefined]>([
  ['one dot', '/./a', undefined],
  ['one dot in an escape', '/%2e/a', undefined],
  ['three dots', '/.../a', ['...', 'a']],
  ['the longest path', `/${'n'.repeat(2047)}`, ['n'.repeat(2047)]],
  ['a path with one character more', `/${'n'.repeat(2048)}`, undefined],
])('MX15: the names of %s', (_, path, names) => {
  expect(namesOf(path)?.names).toEqual(names)
})

test.each([
  ...['con', 'CON', 'nul.txt', 'COM1', 'lpt9.log', 'aux.', 'prn', 'C:', 'c:a.txt', 'a.txt::$DATA', 'a.txt:stream'],
  ...['a.txt.', 'a.txt ', 'PROGRA~1', 'a*', 'a?', 'a|b', 'a<b', 'a"b', 'CONOUT$', '.. ', '...'],
])('MX15: Windows takes %j for something else', (name) => {
  expect(isSafeOnWindows(name)).toBe(false)
})

test.each(['a.txt', 'console.log', 'nuls', 'com10.txt', 'a~b', '.env', 'x.aux', 'é'])(
  'MX15: Windows takes %j as it is',
  (name) => expect(isSafeOnWindows(name)).toBe(true),
)

test('MX15: a root that is a link follows it to the next release', async () => {
  const { rmSync, symlinkSync } = await import('node:fs')
  const current = join(folder.around, 'current')
  const release = (name: string): void => {
    mkdirSync(join(folder.around, name), { recursive: true })
    writeFileSync(join(folder.around, name, 'v.txt'), name)
    rmSync(current, { force: true })
    symlinkSync(name, current)
  }
  const site = createApp().use(serveStatic({ root: current }))
  const version = async (): Promise<string> => (await site.fetch(new Request('http://localhost/v.txt'))).text()
  release('one')
  expect(await version()).toBe('one')
  release('two')
  expect(await version()).toBe('two')
})
