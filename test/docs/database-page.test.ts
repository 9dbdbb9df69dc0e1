import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { closeDatabase } from '../../src/database.ts'
import { describeDatabases } from '../database/databases.ts'
import { allBlocks, checkedSourceOf, fileOf } from './blocks.ts'
import { check, runBlock, writeProgram } from './run.ts'

const blocks = allBlocks().filter(
  ({ page, language, notes }) =>
    page === 'docs/database.md' && language === 'ts' && !notes['not tested'] && !notes['not run'],
)

describeDatabases('issue 33: every block of docs/database.md', (bench) => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(fileURLToPath(new URL('../.docs-', import.meta.url)))
    // The blocks of the last section open this database; those that name a file open none
    vi.stubEnv('DATABASE_URL', bench.url)
    Object.assign(globalThis, { check })
  })
  afterEach(closeDatabase)
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  test('uses the database of the test, and none of its own', () => {
    expect(blocks.length).toBeGreaterThan(15)
    const sources = blocks.map(checkedSourceOf).join('')
    expect(sources).not.toMatch(/createDatabase\('/)
  })

  test.each(blocks.map((block) => [block.line, block] as const))('line %i', async (_, block) => {
    await runBlock(block, writeProgram(join(folder, bench.dialect, fileOf(block)), checkedSourceOf(block)))
  })
})
