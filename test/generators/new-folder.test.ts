import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { CHECKOUT, commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

/** The command as a process: one that does not end must not take the test runner with it. */
const sluice = (...words: string[]) =>
  spawnSync(process.execPath, [...commandArguments, ...words], {
    cwd: temporaryFolder(),
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })

// There, mkdir says ENOENT although the parent exists, and Node's recursive mkdir tries again without end
test.runIf(existsSync('/proc/self'))('issue 15: new in a folder that cannot have folders says so and ends', () => {
  const { status, signal, stdout, stderr } = sluice(
    'new',
    'shop',
    '--yes',
    '--no-git',
    '--no-install',
    '--cwd',
    '/proc',
  )
  expect({ status, signal, stdout }).toEqual({ status: 1, signal: null, stdout: '' })
  expect(stderr).toMatch(/^sluice: Nothing was written: .*\/proc\/shop/)
})

test.runIf(existsSync('/proc/self'))(
  'issue 15: a SQLite file below such a folder is refused, and the command ends',
  () => {
    const project = temporaryFolder()
    linkPackages(project)
    mkdirSync(join(project, 'src/database/migrations'), { recursive: true })
    const words = ['db:status', '--url', 'sqlite:/proc/x/y/z.sqlite', '--cwd', project]
    const { status, signal, stderr } = sluice(...words)
    expect({ status, signal }).toEqual({ status: 4, signal: null })
    expect(stderr).toMatch(/^sluice: The database file cannot be opened \(ENOENT: .*'\/proc\/x'\)\. Check its path/)
  },
)

/** Makes folders, at the same time as the process of the other number. */
const MAKER = `import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { makeFolder } from '${CHECKOUT}/generators/project/write.ts'
const [root, own, other] = process.argv.slice(2)
writeFileSync(root + '/ready' + own, '')
while (!existsSync(root + '/ready' + other)) {}
for (let index = 0; index < 3000; index++) makeFolder(root + '/' + index + '/inner')
`

test('two commands that need the same new folder at the same time both get it', { timeout: 60_000 }, async () => {
  const root = temporaryFolder()
  const script = join(root, 'maker.mts')
  writeFileSync(script, MAKER)
  const make = async (own: string, other: string) => {
    const child = spawn(process.execPath, [...commandArguments.slice(0, -1), script, root, own, other], {
      timeout: 50_000,
      killSignal: 'SIGKILL',
    })
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return { code, stderr }
  }
  const sound = { code: 0, stderr: '' }
  expect(await Promise.all([make('1', '2'), make('2', '1')])).toEqual([sound, sound])
})
