import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { generateAllInto } from '../generated-project.ts'
import { installAlone, packTarball, runProgram } from './packed.ts'

/** The compilers that generated code is checked with, by the folder they are installed in. */
const COMPILERS = { typescript59: '5.9', typescript60: '6.0', typescript70: '7.0' } as const

let root = ''

beforeAll(async () => {
  root = installAlone(packTarball()).folder
  const compilers = Object.entries(COMPILERS).map(([folder, version]) => `${folder}@npm:typescript@~${version}.0`)
  const { status, out } = runProgram(root, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    'kysely@~0.28.18',
    '@types/node@20',
    ...compilers,
  ])
  expect(status, out).toBe(0)
  await generateAllInto(root)
})

test.each(Object.entries(COMPILERS))('G19: everything that can be generated type-checks, in %s', (folder, version) => {
  const compiler = join(root, 'node_modules', folder)
  expect(JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')).version).toMatch(version)
  const bin = join(compiler, existsSync(join(compiler, 'bin/tsc')) ? 'bin/tsc' : 'bin/tsc.js')
  const { status, out } = runProgram(root, process.execPath, [bin, '--noEmit', '-p', '.'])
  expect({ status, out }).toEqual({ status: 0, out: '' })
})

test('a mistake in it would be found', () => {
  const bin = join(root, 'node_modules/typescript60/bin/tsc')
  const model = join(root, 'all/line0-0/src/app/models/User.ts')
  appendFileSync(model, 'export const wrong: number = User.tableName\n')
  const { out } = runProgram(root, process.execPath, [bin, '--noEmit', '-p', '.'])
  expect(out).toContain("Type 'string' is not assignable to type 'number'")
})
