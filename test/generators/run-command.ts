import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
// It keeps the folder in which it was loaded, which must not be one that a command has entered and a test deletes
import 'esbuild'
import { paintFor } from '../../generators/output.ts'
import { run } from '../../generators/program.ts'

/** What a command line came to. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** What a command that imports an application changes: other test files share this process. */
const folder = process.cwd()
const { log, info, debug } = console
const restore = (): void => {
  process.chdir(folder)
  Object.assign(console, { log, info, debug })
}

/** Run one command line in this process, in a folder, without colours. */
export const runCommand = async (
  cwd: string,
  line: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> => {
  let out = ''
  let err = ''
  const code = await run(line, {
    cwd,
    env,
    output: {
      line: (text = '') => {
        out += `${text}\n`
      },
      write: (chunk) => {
        out += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
      },
      note: (text) => {
        err += `${text}\n`
      },
      paint: paintFor(false),
    },
  }).finally(restore)
  return { code, out, err }
}

/** Every file below a folder with its text, by path. */
export const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
