import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../generators/sandbox.ts'

const source = fileURLToPath(new URL('./count.mjs', import.meta.url))

/** Nothing is optimized, so that what is counted does not depend on when that would have happened, and nothing collected. */
const FLAGS = ['--expose-gc', '--no-opt', '--no-sparkplug', '--min-semi-space-size=256', '--max-semi-space-size=256']

/**
 * The most bytes that a request may allocate beyond those of a hand-written server with the same answer. The figures of
 * 2026-11-27 were 80, 160, 910, 1,120, 2,900, 2,410, 1,800 and 4,970 on Node 20.
 */
const CEILINGS = {
  text: 600,
  json: 450,
  param: 1_150,
  typed: 1_400,
  guarded: 3_200,
  post: 2_850,
  headers: 2_200,
  limit: 5_200,
}

describe('bytes that a request allocates on a server', () => {
  let counts: Record<string, number> = {}
  beforeAll(async () => {
    const outfile = join(temporaryFolder(), 'count.mjs')
    const conditions = ['sluice-source', 'node']
    await build({ entryPoints: [source], outfile, conditions, bundle: true, platform: 'node', format: 'esm' })
    const env = { ...process.env, NODE_OPTIONS: '' }
    const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, outfile], { env, timeout: 120_000 })
    counts = JSON.parse(stdout)
  }, 130_000)

  test.each(Object.entries(CEILINGS))('%s: at most %i', (row, ceiling) => {
    expect(counts[row]).toBeLessThanOrEqual(ceiling)
  })
})
