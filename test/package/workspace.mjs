import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { install, pack, tools, unpack } from '../runtime/tools.mjs'

/** Compilers and bundlers, apart from the project. */
export const toolbox = install('package', fileURLToPath(new URL('./tools', import.meta.url)))

const fromToolbox = createRequire(join(toolbox, 'package.json'))

/** Import one of the tools. */
export const tool = (name) => import(pathToFileURL(fromToolbox.resolve(name)).href)

/** What declarations name, and the types of each runtime. */
const TYPES = ['kysely', '@types/node', 'undici-types', 'bun-types', '@types/deno', '@cloudflare/workers-types']

/** The packed package, as a consumer has it in `node_modules`. */
export const consumer = () => {
  const folder = join(tools, 'consumer')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    '{ "private": true, "type": "module", "dependencies": { "sluice": "*" } }\n',
  )
  // esbuild obeys the `paths` of the nearest tsconfig.json: that of the repository would lead it to the sources
  writeFileSync(join(folder, 'tsconfig.json'), '{}\n')
  const tarball = pack()
  const installed = unpack(tarball, folder)
  for (const name of TYPES) {
    cpSync(join(toolbox, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  }
  return { folder, installed, tarball, manifest: JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) }
}

/** Versions of TypeScript that must understand the declarations. */
export const TYPESCRIPTS = ['5.9', '6.0', '7.0']

/** Run a compiler. @returns its output and whether it was content */
export const tsc = (version, args, cwd) => {
  const bin = join(toolbox, `node_modules/typescript-${version}/bin/tsc`)
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    encoding: 'utf8',
    timeout: 600_000,
  })
  return { ok: status === 0, output: `${stdout}${stderr}${signal ? `ended by ${signal}` : ''}` }
}
