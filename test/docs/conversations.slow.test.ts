import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../free-port.mjs'
import { allBlocks, type Block, conversations, fileOf, listens, sourceOf } from './blocks.ts'
import { conversation, curl, pattern, start, writeProgram } from './run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const blocks = allBlocks()

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(`${root}test/.docs-`)
  for (const block of blocks.filter(({ language, notes }) => language === 'ts' && !notes['not tested']))
    writeProgram(join(folder, 'run', fileOf(block)), sourceOf(block))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(conversations(blocks).map((block) => [`${block.page}:${block.line}`, block] as const))(
  'K8: the console of %s shows what its page says',
  async (_, block) => {
    const port = await freePort()
    const child = await start(serverOf(block, port), port)
    try {
      for (const { command, printed } of conversation(block))
        expect(await curl(command, port)).toMatch(pattern(printed))
    } finally {
      child.kill('SIGKILL')
    }
  },
)

/** The program that a conversation talks to: one that listens, an application that is served, or the example. */
const serverOf = ({ server, notes }: Block, port: number): string => {
  if (notes.given === 'npm start') return join(root, 'examples/node/server.ts')
  if (!server) throw new Error('There is no server above this block')
  if (listens(server))
    return writeProgram(join(folder, 'serve', fileOf(server)), sourceOf(server).replaceAll('3000', `${port}`))
  const app = JSON.stringify(join(folder, 'run', fileOf(server)))
  return writeProgram(
    join(folder, 'serve', fileOf(server)),
    `import app from ${app}\nimport { serve } from 'sluice/serve'\nawait serve(app.fetch, { port: ${port}, hostname: '127.0.0.1' })\n`,
  )
}
