import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { allBlocks, fileOf, sourceOf } from './blocks.ts'
import { typeErrors } from './run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('K8: every program of the documentation type-checks', () => {
  const folder = mkdtempSync(`${root}test/.docs-`)
  const files = allBlocks()
    .filter(({ language, notes }) => language === 'ts' && !notes['not checked'] && !notes['not tested'])
    .map((block) => {
      const file = join(folder, fileOf(block))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, sourceOf(block))
      return file
    })
  const paths = { sluice: [`${root}src/index.ts`], 'sluice/*': [`${root}src/*.ts`, `${root}src/*/index.ts`] }
  const errors = typeErrors(files, { customConditions: ['sluice-source'], paths })
  rmSync(folder, { recursive: true, force: true })
  expect(errors).toEqual([])
})
