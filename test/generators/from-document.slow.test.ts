import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { filesIn, runCommand } from './run-command.ts'
import { CHECKOUT, linkPackages, temporaryFolder } from './sandbox.ts'

const run = (root: string, words: readonly string[]): { status: number | null; output: string } => {
  const env = { PATH: process.env.PATH, NODE_ENV: 'test' }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8', env })
  return { status, output: status === 0 ? '' : stdout + stderr }
}

const bin = (path: string): string => join(CHECKOUT, 'node_modules', path)

test.each([
  ['petstore-3.0.json', 20],
  ['petstore-3.1.json', 20],
  ['patterns.json', 2],
  ['mixed.json', 5],
])(
  'OA10: the project of %s type-checks, passes its linter, and its tests run',
  { timeout: 600_000 },
  async (name, count) => {
    const parent = temporaryFolder()
    const file = fileURLToPath(new URL(`documents/${name}`, import.meta.url))
    const { code, out } = await runCommand(parent, ['new', 'pets', '--from', file, '--no-install', '--no-git'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`${count} routes of the document`) })
    const root = join(parent, 'pets')
    linkPackages(root)
    expect(filesIn(join(root, 'src'))['operations.ts']!.match(/\btodo\('/g)).toHaveLength(count)
    const flags = ['--noEmit', '--customConditions', 'sluice-source', '--skipLibCheck']
    // The sources of sluice, which the project has in place of its declarations, are for another target
    const { output } = run(root, [bin('typescript/bin/tsc'), ...flags])
    expect(output.split('\n').filter((line) => /^(src|test)\//.test(line))).toEqual([])
    expect(run(root, [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', 'src', 'test'])).toEqual({
      status: 0,
      output: '',
    })
    const loader = bin('tsx/dist/loader.mjs')
    const tests = ['test/app.test.ts', 'test/operations.test.ts']
    expect(run(root, ['--conditions=sluice-source', '--import', loader, '--test', ...tests])).toEqual({
      status: 0,
      output: '',
    })
  },
)

test('NE2: the tests of a project fail if its handlers throw, and have its database', {
  timeout: 600_000,
}, async () => {
  const parent = temporaryFolder()
  const file = fileURLToPath(new URL('documents/petstore-3.1.json', import.meta.url))
  const words = ['new', 'pets', '--from', file, '--db', 'sqlite', '--no-install', '--no-git']
  expect((await runCommand(parent, words)).code).toBe(0)
  const root = join(parent, 'pets')
  linkPackages(root)
  const loader = bin('tsx/dist/loader.mjs')
  const outcome = (): number | null =>
    run(root, ['--conditions=sluice-source', '--import', loader, '--test', 'test/operations.test.ts']).status
  const path = join(root, 'src/operations.ts')
  const source = readFileSync(path, 'utf8')
  const written = outcome()
  writeFileSync(
    path,
    source.replace(/refuse\(ctx, 501,[^)]*\)/, 'missing() as Response\nconst missing = (): unknown => null!.nothing'),
  )
  expect({ written, thrown: outcome() }).toEqual({ written: 0, thrown: 1 })
})
