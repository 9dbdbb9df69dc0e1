import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

/** The command as a process: one that does not end must not take the test runner with it. */
const sluice = (...words: string[]) =>
  spawnSync(process.execPath, [...commandArguments, ...words], {
    cwd: temporaryFolder(),
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })

test.runIf(existsSync('/proc/self'))(
  'issue 15: a SQLite file in a folder that cannot have folders is refused, and the command ends',
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
