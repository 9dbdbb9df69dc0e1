import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { generateAllInto } from '../generated-project.ts'
import { installAlone, packTarball, runProgram } from './packed.ts'

/** The compilers that generated code is checked with, by the folder they are installed in. */
const COMPILERS = { typescript59: '5.9', typescript60: '6.0', typescript70: '7.0' } as const

let root = ''

beforeAll(async () => {
  const compilers = Object.entries(COMPILERS).map(([folder, version]) => [folder, `npm:typescript@~${version}.0`])
  root = installAlone(packTarball(), {
    kysely: '~0.28.18',
    '@types/node': '20',
    ...Object.fromEntries(compilers),
  }).folder
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
  const folder = 'all/line0-0'
  // One folder with the same settings: the whole has been read three times
  const settings = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  writeFileSync(join(root, 'tsconfig.one.json'), JSON.stringify({ ...settings, include: [folder] }))
  appendFileSync(join(root, folder, 'src/app/models/User.ts'), 'export const wrong: number = User.tableName\n')
  const { out } = runProgram(root, process.execPath, [bin, '--noEmit', '-p', 'tsconfig.one.json'])
  expect(out).toMatch(/is not assignable to type 'number'/)
})
