import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as z from '../../../src/zod3.ts'
import { EXCEPTIONS } from './exceptions.ts'
import { MISSING } from './scope.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** What issue 11 lists. A case that names a function which `sluice/z` does not have is skipped, so these must be there. */
const LISTED =
  'email url uuid iso int int32 float64 strictObject looseObject file json templateLiteral partialRecord treeifyError prettifyError flattenError registry toJSONSchema overwrite codec encode decode encodeAsync decodeAsync hex hostname httpUrl keyof nullish pipe transform'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

const fits = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

test('the functions that issue 11 lists are there', () => {
  expect(LISTED.split(' ').filter((name) => !(name in z))).toEqual([])
  // And what has a reason to be missing is not there.
  const missing = Object.values(MISSING).flatMap((names) => names.split(' '))
  expect(missing.filter((name) => name in z)).toEqual([])
  expect(['meta', 'check', 'register', 'overwrite'].filter((name) => !(name in z.string()))).toEqual([])
})

test('the tests of zod 4 that use only these spellings pass with sluice/z, but for the exceptions that are named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zod4-'))
  const output = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = fileURLToPath(new URL('./vitest.config.ts', import.meta.url))
  const options = ['run', '--config', config, '--maxWorkers=1', '--reporter=json', '--outputFile', output]
  // It exits with 1 where a test fails; the report says which. With CI no snapshot is written into the package.
  await run(process.execPath, [vitest, ...options], { cwd: root, env: { ...process.env, CI: '1' } }).catch(
    () => undefined,
  )
  const { testResults } = JSON.parse(await readFile(output, 'utf8')) as Report
  await rm(folder, { recursive: true })
  const ran = testResults.flatMap(({ name, assertionResults }) => {
    const file = /([^/\\]+)\.test\.ts$/.exec(name)![1]
    return assertionResults.map(({ title, status }) => ({ name: `${file}: ${title}`, status }))
  })
  const named = (status: string): readonly string[] =>
    ran.filter((one) => one.status === status).map(({ name }) => name)
  const empty = testResults.filter(({ assertionResults }) => !assertionResults.length)
  expect(empty.map(({ message }) => message)).toEqual([])
  expect(named('passed').length).toBeGreaterThan(570)
  // Each exception stands for cases that fail, and for no other.
  const patterns = Object.values(EXCEPTIONS).flat()
  const failed = named('failed')
  expect(failed.filter((name) => !patterns.some((pattern) => fits(name, pattern)))).toEqual([])
  expect(patterns.filter((pattern) => !failed.some((name) => fits(name, pattern)))).toEqual([])
  const passed = named('passed').filter((name) => !failed.includes(name))
  expect(passed.filter((name) => patterns.some((pattern) => fits(name, pattern)))).toEqual([])
}, 900_000)
