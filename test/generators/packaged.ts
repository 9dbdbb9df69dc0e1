import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { CHECKOUT, commandArguments, linkPackages } from './sandbox.ts'

/** Files by condition as a bundler reads them, in the sources: those of `dist` may be old, or not there. */
const fromSources = (entry: unknown): unknown => {
  if (typeof entry === 'string') return entry.replace('./dist/', './src/').replace(/\.js$/, '.ts')
  const kept = Object.entries(entry as object).filter(([condition]) => condition !== 'sluice-source')
  return Object.fromEntries(kept.map(([condition, value]) => [condition, fromSources(value)]))
}

/** Give a project its packages, with sluice as a folder of its own: what a bundler finds is what it finds in the package. */
export const installSources = (project: string): void => {
  linkPackages(project)
  const own = join(project, 'node_modules/sluice')
  rmSync(join(own, 'src'))
  cpSync(join(CHECKOUT, 'src'), join(own, 'src'), { recursive: true })
  const exports = { '.': './src/index.ts', './package.json': './package.json', './*': './src/*.ts' }
  const { name, type, sideEffects } = manifest
  const imports = fromSources(manifest.imports)
  writeFileSync(
    join(own, 'package.json'),
    JSON.stringify({ name, version: '0.0.0', type, sideEffects, exports, imports }),
  )
  // The plug-in that compiles schemas calls the command by its place in the package
  const command = JSON.stringify([process.execPath, ...commandArguments])
  mkdirSync(join(own, 'dist/generators'), { recursive: true })
  writeFileSync(
    join(own, 'dist/generators/cli.js'),
    `import { spawnSync } from 'node:child_process'
const [program, ...words] = ${command}
process.exit(spawnSync(program, [...words, ...process.argv.slice(2)], { stdio: 'inherit' }).status)
`,
  )
}
