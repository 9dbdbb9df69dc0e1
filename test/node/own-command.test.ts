import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileModule } from '../../src/runtime/platform/own-command.ts'

let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-own-command-')))
})
afterAll(() => rm(folder, { recursive: true }))

/** A command that does what a program says; its words follow. */
const commandOf = async (name: string, program: string): Promise<string[]> => {
  const file = join(folder, `${name}.cjs`)
  await writeFile(file, `const { writeFileSync } = require('node:fs')\n${program}`)
  return [process.execPath, file]
}

test('a module is compiled by a process of its own, in the folder of the module', async () => {
  const command = await commandOf(
    'writes',
    `const [word, file, ...rest] = process.argv.slice(2)
     const out = rest[1]
     writeFileSync(out, JSON.stringify({ word, file, rest, cwd: process.cwd() }) + '\\n//# sourceMappingURL=x.map')
     writeFileSync(out + '.map', 'the map')`,
  )
  const file = join(folder, 'schema.ts')
  const { code, map } = await compileModule(file, command)
  const { rest, ...seen } = JSON.parse(code)
  const out = rest[1]
  expect({ ...seen, rest, map }).toEqual({
    word: 'compile',
    file,
    cwd: folder,
    rest: ['--out', out, '--from', file],
    map: 'the map',
  })
  expect({ name: out.endsWith('compiled.js'), left: existsSync(dirname(out)) }).toEqual({ name: true, left: false })
})

test.each([
  ['what it says', 'console.error(" no such schema "); process.exit(1)', /^compileSchemas: no such schema$/],
  ['how it was called, if it says nothing', 'process.exit(1)', /^compileSchemas: Command failed: /],
])('the error of a process is %s', async (_, program, message) => {
  const command = await commandOf('fails', program)
  await expect(compileModule(join(folder, 'schema.ts'), command)).rejects.toThrow(message)
})
