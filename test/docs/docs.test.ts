import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allBlocks, type Block, blocksOf, checkedSourceOf, fileOf, isReplayed, listens, sourceOf } from './blocks.ts'
import { check, conversation, curl, freePort, pattern, runBlock, start } from './run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const blocks = allBlocks()
const titled = (chosen: readonly Block[]): [string, Block][] =>
  chosen.map((block) => [`${block.page}:${block.line}`, block])
const programs = blocks.filter(({ language, notes }) => language === 'ts' && !notes['not tested'])
const conversations = blocks.filter(
  (block) => /^\$ curl /m.test(block.text) && !isReplayed(block) && !block.notes['not tested'],
)

let folder = ''
const write = (kind: string, name: string, source: string): string => {
  const file = join(folder, kind, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
  return file
}
beforeAll(() => {
  folder = mkdtempSync(fileURLToPath(new URL('../.docs-', import.meta.url)))
  vi.stubEnv('DATABASE_URL', 'sqlite::memory:')
  Object.assign(globalThis, { check })
  for (const block of programs) write('run', fileOf(block), checkedSourceOf(block))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('K8: every block of the documentation is found, and tested or marked', () => {
  test('there are many', () => {
    expect(programs.length).toBeGreaterThan(40)
    expect(conversations.length).toBeGreaterThan(1)
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
        !conversations.includes(block) &&
        !isReplayed(block) &&
        !block.notes['not tested'],
    )
    expect(titled(silent).map(([title]) => title)).toEqual([])
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
    await runBlock(block, join(folder, 'run', fileOf(block)))
  })

  test.each(titled(conversations))('%s', async (_, block) => {
    const port = await freePort()
    const child = await start(serverOf(block, port), port)
    try {
      for (const { command, printed } of conversation(block))
        expect(await curl(command, port)).toMatch(pattern(printed))
    } finally {
      child.kill('SIGKILL')
    }
  })
})

/** The program that a conversation talks to: one that listens, an application that is served, or the example. */
const serverOf = ({ server, notes }: Block, port: number): string => {
  if (notes.given === 'npm start') return join(root, 'examples/node/server.ts')
  if (!server) throw new Error('There is no server above this block')
  if (listens(server)) return write('serve', fileOf(server), sourceOf(server).replaceAll('3000', `${port}`))
  const app = JSON.stringify(join(folder, 'run', fileOf(server)))
  return write(
    'serve',
    fileOf(server),
    `import app from ${app}\nimport { serve } from 'sluice/serve'\nawait serve(app.fetch, { port: ${port}, hostname: '127.0.0.1' })\n`,
  )
}
