import { readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../runtime/tools.mjs'
import { TYPESCRIPTS, toolbox, tsc } from './workspace.mjs'

/** The project's own type tests. */
const typeTests = () =>
  readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.test-d.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))

/** Type tests on the sources, under each TypeScript. @returns what compilers said */
export const failedTypeTests = () => {
  const config = join(toolbox, 'type-tests.json')
  const base = relative(toolbox, join(root, 'tsconfig.json'))
  const compilerOptions = {
    isolatedDeclarations: false,
    erasableSyntaxOnly: false,
    declaration: false,
    noEmit: true,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, files: typeTests(), include: [] }))
  return TYPESCRIPTS.flatMap((version) => {
    const { ok, output } = tsc(version, ['-p', config], root)
    return ok ? [] : [`TypeScript ${version}:\n${output.slice(0, 3000)}`]
  })
}
