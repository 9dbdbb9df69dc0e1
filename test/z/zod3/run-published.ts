import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** One of zod's tests, or a file of them that could not be loaded. */
export interface Published {
  readonly name: string
  readonly status: string
  /** Why it failed. */
  readonly message: string
}

/** Run the tests that zod publishes for its version 3 with a library of this folder in the place of zod. */
export const runPublished = async (library: 'zod' | 'lean'): Promise<readonly Published[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'zod3-'))
  const output = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = fileURLToPath(new URL('./vitest.config.ts', import.meta.url))
  const options = ['run', '--config', config, '--maxWorkers=1', '--reporter=json', '--outputFile', output]
  // It exits with 1 where a test fails; the report says which.
  const env = { ...process.env, SLUICE_Z: library }
  await run(process.execPath, [vitest, ...options], { cwd: root, env }).catch(() => undefined)
  const { testResults } = JSON.parse(await readFile(output, 'utf8')) as Report
  await rm(folder, { recursive: true })
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = /([^/\\]+)\.test\.ts$/.exec(name)![1]!
    if (!assertionResults.length) return [{ name: file, status: 'not loaded', message }]
    return assertionResults.map(({ title, status, failureMessages }) => ({
      name: `${file}: ${title}`,
      status,
      message: failureMessages[0] ?? '',
    }))
  })
}
