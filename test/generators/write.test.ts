import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeFiles } from '../../generators/project/write.ts'
import { filesIn } from './run-command.ts'
import { commandArguments, temporaryFolder } from './sandbox.ts'

const FILES = [
  { path: 'a/b/one.ts', contents: 'one\n' },
  { path: 'a/c/two.ts', contents: 'two\n' },
]

describe('G13: files are whole or not there', () => {
  test('each is written, and no temporary file is left', () => {
    const root = temporaryFolder()
    expect(writeFiles(root, FILES).map(({ action }) => action)).toEqual(['create', 'create'])
    expect(filesIn(root)).toEqual({ 'a/b/one.ts': 'one\n', 'a/c/two.ts': 'two\n' })
    expect(writeFiles(root, FILES).map(({ action }) => action)).toEqual(['identical', 'identical'])
  })

  test('when the second cannot be written the first stays, and is identical in the next run', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'a'))
    symlinkSync('/nowhere', join(root, 'a/c'))
    expect(() => writeFiles(root, FILES)).toThrow(
      expect.objectContaining({ exitCode: 1, message: expect.stringMatching(/^a\/c\/two\.ts was not written: /) }),
    )
    expect(filesIn(root)).toEqual({ 'a/b/one.ts': 'one\n' })
    rmSync(join(root, 'a/c'))
    expect(writeFiles(root, FILES).map(({ action }) => action)).toEqual(['identical', 'create'])
  })

  test.each([
    [{}, 'exists', 'mine\n'],
    [{ force: true }, 'overwrite', 'one\n'],
    [{ force: true, dryRun: true }, 'overwrite', 'mine\n'],
  ])('a file that exists is only overwritten with --force: %j', (options, action, contents) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'a/b'), { recursive: true })
    writeFileSync(join(root, 'a/b/one.ts'), 'mine\n')
    expect(writeFiles(root, FILES.slice(0, 1), options)).toEqual([{ path: 'a/b/one.ts', action }])
    expect(filesIn(root)).toEqual({ 'a/b/one.ts': contents })
  })

  test('a link in the place of a file is kept, even with --force', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'a/b'), { recursive: true })
    symlinkSync('/nowhere', join(root, 'a/b/one.ts'))
    expect(writeFiles(root, FILES.slice(0, 1), { force: true })).toEqual([{ path: 'a/b/one.ts', action: 'exists' }])
  })

  test('a file in the place of a folder: exit 1, and it stays', () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'a'), 'mine')
    expect(() => writeFiles(root, FILES, { force: true })).toThrow(expect.objectContaining({ exitCode: 1 }))
    expect(filesIn(root)).toEqual({ a: 'mine' })
  })

  test.each(['../x.ts', 'a/../../x.ts', '/etc/x.ts', 'a\0b.ts'])(
    'a path that leaves the project is refused with exit 2: %j',
    (path) => {
      const root = temporaryFolder()
      expect(() => writeFiles(root, [...FILES, { path, contents: '' }])).toThrow(
        expect.objectContaining({ exitCode: 2 }),
      )
      expect(filesIn(root)).toEqual({})
    },
  )
})

/** Nobody's user and group: a process of theirs is bound by permissions, even when the tests run as root. */
const NOBODY = 65_534
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

describe('the command as a process', () => {
  test('a read-only folder: exit 1, the reason, and nothing in it', () => {
    const root = temporaryFolder()
    chmodSync(root, 0o555)
    const { status, stderr } = spawnSync(process.execPath, [...commandArguments, 'g', 'resource', 'Post'], {
      cwd: root,
      encoding: 'utf8',
      ...asNobody,
      env: { PATH: process.env.PATH ?? '', TMPDIR: '/tmp', HOME: '/tmp' },
    })
    expect(stderr).toMatch(/ was not written: E(?:ACCES|PERM|ROFS)/)
    expect(status).toBe(1)
    chmodSync(root, 0o755)
    expect(filesIn(root)).toEqual({})
  })

  test('a full disk: exit 1, and no partial file', () => {
    const root = temporaryFolder()
    // The limit on the size of a file fails a write in its middle, as a full disk does.
    const command = `ulimit -f 1; exec "$0" "$@"`
    writeFileSync(join(root, 'package.json'), '{}')
    mkdirSync(join(root, 'templates'))
    writeFileSync(join(root, 'templates/model.eta'), `// ${'x'.repeat(5000)}`)
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', command, process.execPath, ...commandArguments, 'g', 'resource', 'Post'],
      { cwd: root, encoding: 'utf8', env: { ...process.env, TSX_DISABLE_CACHE: '1' } },
    )
    expect(stderr).toContain('src/app/models/Post.ts was not written: EFBIG')
    expect(status).toBe(1)
    expect(Object.keys(filesIn(root)).filter((path) => /Post\.ts|draft/.test(path))).toEqual([])
  })
})
