import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT, temporaryFolder } from '../sandbox.ts'
import { once } from './once.ts'

/** What a process came to. */
export interface Ended {
  readonly status: number | null
  readonly out: string
}

/** Environment of what is run here: no colours, no questions, nothing of the test runner's own. */
export const plainEnv = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR, SLUICE_POSTGRES_URL, SLUICE_MYSQL_URL } = process.env
  return { PATH, HOME, TMPDIR, SLUICE_POSTGRES_URL, SLUICE_MYSQL_URL, NO_COLOR: '1', CI: '1', ...more }
}

/** Run a program to its end. */
export const runProgram = (
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Ended => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: plainEnv(env),
    timeout: 270_000,
  })
  return { status, out: error === undefined ? stdout + stderr : String(error) }
}

/**
 * The packed package: `SLUICE_TARBALL`, or packed once for all files of the run, from a copy of the checkout, so that its
 * `dist` is not touched.
 */
export const packTarball = (): string => process.env.SLUICE_TARBALL ?? tarballIn(once('package', pack))

const pack = (copy: string): void => {
  for (const name of [
    'package.json',
    'rollup.config.mjs',
    'rollup.declarations.mjs',
    'rollup.groups.mjs',
    'rollup.production.mjs',
    'tsconfig.json',
    'src',
    'generators',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
  ])
    if (existsSync(join(CHECKOUT, name))) cpSync(join(CHECKOUT, name), join(copy, name), { recursive: true })
  symlinkSync(join(CHECKOUT, 'node_modules'), join(copy, 'node_modules'))
  const { status, out } = runProgram(copy, 'npm', ['pack', '--silent'])
  if (status !== 0) throw new Error(`npm pack failed:\n${out}`)
}

const tarballIn = (folder: string): string => {
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error(`npm pack left no tarball in ${folder}`)
  return join(folder, name)
}

/** A folder with nothing but the package in it, and `more` packages; gives the path of its command. */
export const installAlone = (
  tarball: string,
  more: Readonly<Record<string, string>> = {},
): { folder: string; command: string } => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const { status, out } = installProject(folder, tarball, more)
  if (status !== 0) throw new Error(`npm install failed:\n${out}`)
  return { folder, command: join(folder, 'node_modules/sluice/dist/generators/cli.js') }
}

/**
 * Have a project take the tarball for the published version that it names, and install. npm runs once for all projects
 * with the same dependencies: the others link the files that it left, which nothing may write to.
 */
export const installProject = (
  project: string,
  tarball: string,
  more: Readonly<Record<string, string>> = {},
): Ended => {
  const path = join(project, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  manifest.dependencies = { ...manifest.dependencies, sluice: `file:${tarball}`, ...more }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  writeFileSync(path, text)
  const { dependencies, devDependencies, engines } = manifest
  const key = createHash('sha256')
    .update(JSON.stringify([dependencies, devDependencies, engines]))
    .digest('hex')
  try {
    const installed = once(`modules-${key.slice(0, 16)}`, (folder) => {
      writeFileSync(join(folder, 'package.json'), text)
      const { status, out } = runProgram(folder, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'])
      if (status !== 0) throw new Error(out)
    })
    linkTree(join(installed, 'node_modules'), join(project, 'node_modules'))
    const lock = JSON.parse(readFileSync(join(installed, 'package-lock.json'), 'utf8'))
    lock.name = manifest.name
    lock.packages[''].name = manifest.name
    writeFileSync(join(project, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
    return { status: 0, out: '' }
  } catch (error) {
    return { status: 1, out: String(error) }
  }
}

/** A tree with the same files, which cost no space and no time; a copy where `cp` cannot link. */
const linkTree = (from: string, to: string): void => {
  if (runProgram(from, 'cp', ['-al', from, to]).status !== 0)
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

/** A server in a process of its own. */
export interface Server {
  readonly address: string
  readonly printed: () => string
  readonly stop: () => Promise<void>
}

/** Start a server and wait until it says where it listens. */
export const startServer = (
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: plainEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM')
      const impatience = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(impatience)
    }
    const deadline = setTimeout(() => reject(new Error(`No server within 60 s:\n${printed}`)), 60_000)
    const read = (chunk: Buffer): void => {
      printed += chunk
      const address = /http:\/\/[\w.:[\]]+:\d+/.exec(printed)?.[0]
      if (address === undefined) return
      clearTimeout(deadline)
      resolve({ address, printed: () => printed, stop })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${printed}`)))
  })

/** Make a folder and what is above it. */
export const makeFolder = (path: string): string => {
  mkdirSync(path, { recursive: true })
  return path
}
