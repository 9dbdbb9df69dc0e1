import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { CompileModule } from '../contract.ts'

/** A separate process loads the current version of the module, and everything that the module opens ends with it. */
export const compileModule: CompileModule = async (file, command = ownCommand()) => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-compile-'))
  try {
    const out = join(folder, 'compiled.js')
    const [program = '', ...words] = command
    const args = [...words, 'compile', file, '--out', out, '--from', file]
    await promisify(execFile)(program, args, { cwd: dirname(file) })
    const [code, map] = await Promise.all([readFile(out, 'utf8'), readFile(`${out}.map`, 'utf8')])
    return { code: code.replace(/^\/\/# sourceMappingURL=.*$/m, ''), map }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new Error(`compileSchemas: ${stderr?.trim() || message}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const ownCommand = (): readonly string[] => [
  process.execPath,
  ...('deno' in process.versions ? ['run', '--allow-all'] : []),
  join(ownFolder(), 'dist/generators/cli.js'),
]

/** Looked up from this file, then from where the process was started. */
const ownFolder = (): string => {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return dirname(createRequire(from).resolve('sluice/package.json'))
    } catch {}
  }
  return ''
}
