import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, pack, unpack } from '../../runtime/tools.mjs'
import { CONTENDERS } from './programs.mjs'
import { completions } from './tsserver.mjs'

/**
 * What a typed client costs the compiler and the editor, beside Hono's `hc` and Elysia's Eden: `node test/bench/types/run.mjs`.
 * Instantiations are exact; times are of this machine, to be compared within one run.
 */
const folder = install('types', fileURLToPath(new URL('.', import.meta.url)))
unpack(pack(), folder)

const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  noEmit: true,
}

for (const [name, { app, client, probes }] of Object.entries(CONTENDERS)) {
  const project = join(folder, name.replace(/\W+/g, '-'))
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'app.ts'), app(100))
  writeFileSync(join(project, 'client.ts'), client(100))
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts', 'client.ts'] }))
  const tsc = join(folder, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project, '--extendedDiagnostics'], { encoding: 'utf8' })
  const [, count] = /Instantiations:\s+(\d+)/.exec(stdout) ?? []
  const [, seconds] = /Check time:\s+(\S+)s/.exec(stdout) ?? []
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  const editor = await completions(
    join(folder, 'node_modules/typescript/lib/tsserver.js'),
    join(project, 'client.ts'),
    probes,
  )
  console.log(name, { instantiations: Number(count), checkSeconds: Number(seconds), errors: errors.length, editor })
  if (errors.length) console.log(errors.slice(0, 2).join('\n'))
}
