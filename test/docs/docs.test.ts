import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { context, propagation, trace } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  allBlocks,
  type Block,
  blocksOf,
  checkedSourceOf,
  conversations,
  fileOf,
  isReplayed,
  listens,
} from './blocks.ts'
import { check, runBlock, writeProgram } from './run.ts'

const blocks = allBlocks()
const titled = (chosen: readonly Block[]): [string, Block][] =>
  chosen.map((block) => [`${block.page}:${block.line}`, block])
const programs = blocks.filter(({ language, notes }) => language === 'ts' && !notes['not tested'])
const talks = conversations(blocks)

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(fileURLToPath(new URL('../.docs-', import.meta.url)))
  vi.stubEnv('DATABASE_URL', 'sqlite::memory:')
  Object.assign(globalThis, { check })
  for (const block of programs) writeProgram(join(folder, 'run', fileOf(block)), checkedSourceOf(block))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  // docs/operations.md registers these for its process, which runs other files after this one
  for (const api of [context, propagation, trace]) api.disable()
})

describe('K8: every block of the documentation is found, and tested or marked', () => {
  test('there are many', () => {
    expect(programs.length).toBeGreaterThan(40)
    expect(talks.length).toBeGreaterThan(1)
  })

  test('each says its language', () => {
    const languages = new Set([
      'ts',
      'tsx',
      'sh',
      'console',
      'text',
      'json',
      'html',
      'toml',
      'yaml',
      'dockerfile',
      'sql',
    ])
    expect(titled(blocks.filter(({ language }) => !languages.has(language))).map(([title]) => title)).toEqual([])
  })

  test('commands that no test runs are marked with the reason', () => {
    const silent = blocks.filter(
      (block) =>
        /^(?:sh|console)$/.test(block.language) &&
        !talks.includes(block) &&
        !isReplayed(block) &&
        !block.notes['not tested'],
    )
    expect(titled(silent).map(([title]) => title)).toEqual([])
  })

  test('P6: a reason that names a test names one that exists', () => {
    const named = blocks.flatMap(({ notes }) => notes['not tested']?.match(/test\/[\w./-]+\w/g) ?? [])
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((path) => !existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url))))).toEqual([])
  })

  test('notes above a block, its output and its server are read', () => {
    const page =
      '<!-- not run: a reason -->\n```ts\nexport default app\n```\n\n```text\nx\n```\n\n```console\n$ curl\n```\n'
    expect(blocksOf('p.md', page)).toMatchObject([
      { line: 2, language: 'ts', output: 'x\n', notes: { 'not run': 'a reason' }, server: undefined },
      { language: 'text', output: undefined },
      { language: 'console', notes: {}, server: { line: 2 } },
    ])
  })
})

describe('K8: every program of the documentation does what its page says', () => {
  test.each(titled(programs.filter((block) => !listens(block) && !block.notes['not run'])))('%s', async (_, block) => {
    await expect(runBlock(block, join(folder, 'run', fileOf(block)))).resolves.toBeUndefined()
  })
})
