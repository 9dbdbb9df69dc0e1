import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { generateEverything } from './generated-project.ts'
import { CHECKOUT } from './sandbox.ts'

let root = ''
beforeAll(async () => {
  root = await generateEverything()
}, 300_000)

test('G19: every kind, flag and style of name type-checks under the strictest settings of a new project', {
  timeout: 300_000,
}, () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  expect(fileNames.length).toBeGreaterThan(190)
  const diagnostics = ts
    .getPreEmitDiagnostics(ts.createProgram(fileNames, options))
    .filter(({ file }) => file?.fileName.startsWith(join(root, 'all')))
  const told = diagnostics.map(
    (item) => `${item.file?.fileName.slice(root.length)}: ${ts.flattenDiagnosticMessageText(item.messageText, '\n')}`,
  )
  expect(told).toEqual([])
})

test('G19: all of it passes `npm run lint` of a new project: rules, format and the order of imports', {
  timeout: 300_000,
}, () => {
  const biome = join(CHECKOUT, 'node_modules/@biomejs/biome/bin/biome')
  const check = [biome, 'check', '--error-on-warnings', '--max-diagnostics=20', 'all']
  const { status, stdout, stderr } = spawnSync(process.execPath, check, { cwd: root, encoding: 'utf8' })
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' })
})
