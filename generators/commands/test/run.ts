import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { RunCommand } from '../../command.ts'
import { configError, type ExitCode } from '../../errors.ts'
import { typescriptArguments } from '../../project/loader.ts'
import { projectRoot } from '../../project/project.ts'

/** `sluice test`: run files, or all `*.test.ts` below `test/`, with the test runner of the runtime, without a build. */
export const test: RunCommand = async (invocation) => {
  const { args, cwd, passedOn } = invocation
  const root = projectRoot(invocation)
  for (const file of args)
    if (!statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isFile())
      throw configError(`There is no file ${file}`)
  const files = args.length > 0 ? args.map((file) => `./${relative(root, resolve(cwd, file))}`) : testFiles(root)
  if (files.length === 0) throw configError(`There is no *.test.ts below ${join(root, 'test')}`)
  return runTests(root, [...argumentsFor(root), ...passedOn, ...files], {
    ...invocation.env,
    NODE_ENV: invocation.env.NODE_ENV || 'test',
  })
}

const testFiles = (root: string): string[] => {
  const folder = join(root, 'test')
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries
    .filter((entry) => /\.test\.[cm]?[jt]s$/.test(entry))
    .map((entry) => join('test', entry))
    .sort()
}

const argumentsFor = (root: string): string[] => {
  if (process.versions.bun !== undefined) return ['test']
  return process.versions.deno === undefined
    ? [...typescriptArguments(root), '--test']
    : ['test', '--allow-all', '--no-check']
}

const runTests = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<ExitCode> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0 ? 0 : 1))
  })
