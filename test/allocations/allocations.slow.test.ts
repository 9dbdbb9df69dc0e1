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
 * 2026-11-25 were 240, 335, 1,090, 2,780, 2,050 and 4,700 on Node 20.
 */
const CEILINGS = { text: 600, json: 700, param: 1_250, post: 3_300, headers: 2_500, limit: 5_300 }

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
