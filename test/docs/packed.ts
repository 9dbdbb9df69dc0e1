import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allBlocks, type Block, checkedSourceOf, fileOf, listens, sourceOf } from './blocks.ts'
import { check, runBlock, typeErrors } from './run.ts'

/**
 * A program: the blocks of the documentation against a package that is installed in a folder, `tsx packed.ts <folder>`.
 * Prints what is wrong, a line each.
 */
const [, , folder = ''] = process.argv
const programs = allBlocks().filter(({ language, notes }) => language === 'ts' && !notes['not tested'])

const write = (kind: string, block: Block, source: string): string => {
  const file = join(folder, 'docs', kind, fileOf(block))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
  return file
}

Object.assign(globalThis, { check })
process.env.DATABASE_URL = 'sqlite::memory:'
rmSync(join(folder, 'docs'), { recursive: true, force: true })

const types = programs
  .filter(({ notes }) => !notes['not checked'])
  .map((block) => write('types', block, sourceOf(block)))
const findings = typeErrors(types, {})
for (const block of programs) write('run', block, checkedSourceOf(block))
for (const block of programs.filter((each) => !listens(each) && !each.notes['not run'])) {
  const file = pathToFileURL(join(folder, 'docs/run', fileOf(block))).href
  await runBlock(block, file).catch((error) => findings.push(`${block.page}:${block.line}: ${error}`))
}
for (const finding of findings) console.log(finding)
console.log(`${programs.length} programs`)
process.exit()
