import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

let project = ''

/** Two tests, each of which leaves a file with the value of `NODE_ENV` in its name. */
const testsOf = (name: string): string => `import { writeFileSync } from 'node:fs'
import { test } from 'node:test'

for (const order of ['first', 'second'])
  test(order, () => writeFileSync(\`ran-${name}-\${order}-\${process.env.NODE_ENV}\`, ''))
`

beforeAll(() => {
  project = temporaryFolder()
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "dependencies": { "sluice": "*" } }')
  linkPackages(project)
  mkdirSync(join(project, 'test/admin'), { recursive: true })
  mkdirSync(join(project, 'src'))
  writeFileSync(join(project, 'test/post.test.ts'), testsOf('post'))
  writeFileSync(join(project, 'test/admin/user.test.ts'), testsOf('user'))
  writeFileSync(join(project, 'src/near.test.ts'), testsOf('near'))
})

const markers = ['post', 'user', 'near'].flatMap((name) => [`${name}-first`, `${name}-second`])
const pathOf = (marker: string): string => join(project, `ran-${marker}-test`)

beforeEach(() => {
  for (const marker of markers) rmSync(pathOf(marker), { force: true })
})

const sluice = (folder: string, ...words: string[]) => {
  const { PATH, HOME, TMPDIR } = process.env
  const { status, stderr } = spawnSync(process.execPath, [...commandArguments, 'test', ...words], {
    cwd: join(project, folder),
    encoding: 'utf8',
    env: { PATH, HOME, TMPDIR, NODE_ENV: '' },
  })
  return { code: status, err: stderr, ran: markers.filter((marker) => existsSync(pathOf(marker))) }
}

describe('sluice test', () => {
  test.each<[string, string, string[], string[]]>([
    ['without a file, all tests below test run', '', [], ['post-first', 'post-second', 'user-first', 'user-second']],
    ['with a file, only its tests run', '', ['test/post.test.ts'], ['post-first', 'post-second']],
    ['a file is found from the current folder', 'test/admin', ['user.test.ts'], ['user-first', 'user-second']],
    ['a file may be anywhere in the project', '', ['src/near.test.ts'], ['near-first', 'near-second']],
    ['what follows -- is for the runner', '', ['--', '--test-name-pattern', 'first'], ['post-first', 'user-first']],
    [
      'both',
      '',
      ['test/post.test.ts', 'src/near.test.ts', '--', '--test-name-pattern=second'],
      ['post-second', 'near-second'],
    ],
  ])('%s', (_, folder, words, ran) => {
    expect(sluice(folder, ...words)).toEqual({ code: 0, err: '', ran })
  })

  test.each([
    ['a file that does not exist', ['test/none.test.ts'], 3, 'There is no file test/none.test.ts'],
    ['a folder', ['test/admin'], 3, 'There is no file test/admin'],
    ['an option of the runner without --', ['--test-only'], 2, 'There is no option --test-only here'],
  ])('%s is refused', (_, words, code, message) => {
    expect(sluice('', ...words)).toEqual({ code, err: expect.stringContaining(message), ran: [] })
  })
})
