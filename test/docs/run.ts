import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect, promisify } from 'node:util'
import ts from 'typescript'
import type { Block } from './blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const shown = (value: unknown): string => (typeof value === 'string' ? value : inspect(value))

/** Write a program into a folder that may not exist yet. @returns its file */
export const writeProgram = (file: string, source: string): string => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
  return file
}

/** Import a program. @returns what it has written to the console, a line a call */
export const printedBy = async (file: string): Promise<string> => {
  const lines: string[] = []
  const note = (...values: unknown[]): void => void lines.push(`${values.map(shown).join(' ')}\n`)
  const { log, warn } = console
  Object.assign(console, { log: note, warn: note })
  try {
    await import(/* @vite-ignore */ file)
    return lines.join('')
  } finally {
    Object.assign(console, { log, warn })
  }
}

/** What `expression // → value` and `expression // throws message` become, see `checkedSourceOf`. */
export const check = async (run: () => unknown, expected: string | (() => unknown)): Promise<void> => {
  if (typeof expected !== 'string') return assert.deepEqual(plain(await run()), expected())
  await assert.rejects(
    async () => run(),
    ({ message }: Error) => message.includes(expected),
  )
}

/** Without prototypes of our own: pages write plain objects. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : value

/**
 * Run a program.
 *
 * @throws when it does not do what its page says
 */
export const runBlock = async ({ output, notes }: Block, file: string): Promise<void> => {
  if (notes.throws) return assert.rejects(printedBy(file), ({ message }: Error) => message === notes.throws)
  const printed = await printedBy(file)
  if (output !== undefined) assert.match(printed, pattern(output))
}

/** The settings of a strict project, as a user would have them. */
export const strict: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/** What the compiler says of some files. */
export const typeErrors = (files: readonly string[], options: ts.CompilerOptions): string[] =>
  ts
    .getPreEmitDiagnostics(ts.createProgram(files, { ...strict, ...options }))
    .filter(({ file }) => file === undefined || files.includes(file.fileName))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)

/** Start a program in a process of its own, and wait until its port answers. */
export const start = async (file: string, port: number): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=sluice-source', file], {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TSX_TSCONFIG_PATH: `${root}tsconfig.json`,
      PORT: `${port}`,
      DATABASE_URL: 'sqlite::memory:',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}:\n${errors}`)
    const up = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (up) return child
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error(`Nothing answers on port ${port}:\n${errors}`)
}

/** The commands of a console block, each with what it prints. */
export const conversation = ({ text }: Block): { command: string; printed: string }[] =>
  text
    .split(/^\$ /m)
    .filter(Boolean)
    .map((part) => {
      const [command = '', ...printed] = part.split('\n')
      return { command, printed: printed.join('\n').trim() }
    })

/** Run a `curl` line of the documentation against a port. An endless answer (`-N`) is read for a second. */
export const curl = async (command: string, port: number): Promise<string> => {
  const line = command
    .replace(/^curl /, `curl -s --max-time ${command.includes(' -N ') ? 1 : 30} `)
    .replaceAll('localhost:3000', `127.0.0.1:${port}`)
  const { stdout } = await promisify(execFile)('sh', ['-c', line]).catch((error) => error as { stdout: string })
  return stdout.trim()
}

/** `…` stands for anything. */
export const pattern = (printed: string): RegExp =>
  new RegExp(
    `^${printed
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )
