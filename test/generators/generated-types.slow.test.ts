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

test('G19: all of it passes the linter and the formatter of a new project', { timeout: 300_000 }, () => {
  const biome = join(CHECKOUT, 'node_modules/@biomejs/biome/bin/biome')
  for (const check of [['lint', '--error-on-warnings'], ['format']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...check, '--max-diagnostics=20', 'all'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect({ check, status, output: status === 0 ? '' : stdout + stderr }).toEqual({ check, status: 0, output: '' })
  }
})
