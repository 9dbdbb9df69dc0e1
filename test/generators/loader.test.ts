import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { stripsTypes } from '../../generators/project/loader.ts'
import { CHECKOUT, temporaryFolder } from './sandbox.ts'

const project = temporaryFolder()
mkdirSync(join(project, 'node_modules'))
symlinkSync(join(CHECKOUT, 'node_modules/tsx'), join(project, 'node_modules/tsx'))
writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
// Bundled, for a process that can import no TypeScript by itself, unlike the one of this test
const loader = join(project, 'loader.js')
const entryPoints = [join(CHECKOUT, 'generators/project/loader.ts')]
buildSync({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile: loader })

/** What a module with this name exports, in a process that imports it as the commands do. */
const importedAs = (name: string): string => {
  const file = join(project, name)
  writeFileSync(file, 'export const app: string = "imported"\n')
  const [root, path] = [JSON.stringify(project), JSON.stringify(file)]
  const code = `import { importModule } from './loader.js'; console.log((await importModule(${root}, ${path})).app)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  return stdout.trim() || stderr
}

test.skipIf(stripsTypes()).each(['app.ts', 'app.mts', 'app.tsx'])(
  'the commands import %s with tsx of the project',
  (name) => expect(importedAs(name)).toBe('imported'),
)
