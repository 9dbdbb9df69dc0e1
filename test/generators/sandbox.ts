import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, vi } from 'vitest'
import type { App } from '../../src/index.ts'

/** The checkout that is tested. */
export const CHECKOUT = realpathSync(fileURLToPath(new URL('../..', import.meta.url)))
/** Makes hashes of passwords cheap in a process: `node --import`. */
export const CHEAP_SCRYPT = join(CHECKOUT, 'test/generators/cheap-scrypt.mjs')

/** Packages that a project has besides sluice; they are linked from the checkout. */
const LINKED = [
  'kysely',
  'typescript',
  'tsx',
  'pg',
  'mysql2',
  'esbuild',
  '@types/node',
  '@photostructure/sqlite',
  '@biomejs/biome',
]

/** Arguments of `node` that run the command from its sources. */
export const commandArguments: readonly string[] = [
  '--conditions=sluice-source',
  '--import',
  join(CHECKOUT, 'node_modules/tsx/dist/loader.mjs'),
  join(CHECKOUT, 'generators/cli.ts'),
]

const folders: string[] = []

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** An empty folder that is gone when the tests of the file have run. */
export const temporaryFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-cli-')))
  folders.push(folder)
  return folder
}

/** Give a project its packages without installing: sluice is the sources of this checkout, under the names of its exports. */
export const linkPackages = (project: string): void => {
  const modules = join(project, 'node_modules')
  const own = join(modules, 'sluice')
  mkdirSync(own, { recursive: true })
  symlinkSync(join(CHECKOUT, 'src'), join(own, 'src'))
  const exports = { '.': './src/index.ts', './*': './src/*.ts' }
  writeFileSync(
    join(own, 'package.json'),
    JSON.stringify({ name: 'sluice', version: '0.0.0', type: 'module', exports }),
  )
  for (const name of LINKED) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(CHECKOUT, 'node_modules', name), join(modules, name))
  }
}

/** The application of a project with linked packages, imported as if this process had been started there. */
export const importApp = async (project: string): Promise<App> => {
  const started = vi.spyOn(process, 'cwd').mockReturnValue(project)
  const { app } = await import(/* @vite-ignore */ join(project, 'src/app.ts'))
  started.mockRestore()
  return app
}
