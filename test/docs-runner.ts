import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { vi } from 'vitest'

const docs = fileURLToPath(new URL('../docs', import.meta.url))

/** A program of the documentation and what the page says that it prints. */
export interface Example {
  readonly page: string
  /** Line of the page that the program begins at. */
  readonly line: number
  readonly program: string
  readonly printed: string
}

/** A block of TypeScript, and right after it the block of what it prints. */
const PAIR = /```ts\n(?<program>(?:(?!```).*\n)+)```\n\n*```text\n(?<printed>(?:(?!```).*\n)*)```/g

/** All examples of `docs` and the folders below: each program that a block of its output follows. */
export const examples = async (): Promise<Example[]> => {
  const pages = (await readdir(docs, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  const found = await Promise.all(
    pages.map(async (page) => {
      const markdown = await readFile(join(docs, page), 'utf8')
      return [...markdown.matchAll(PAIR)].map(({ index, groups }) => ({
        page,
        line: markdown.slice(0, index).split('\n').length,
        program: groups!.program!,
        printed: groups!.printed!,
      }))
    }),
  )
  return found.flat()
}

/** Run a program as a module beside the tests, and give back what it has written to the console, a line a call. */
export const run = async (program: string): Promise<string> => {
  const folder = await mkdtemp(fileURLToPath(new URL('./.docs-', import.meta.url)))
  const file = join(folder, 'example.ts')
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => void lines.push(values.map(shown).join(' ')))
  const warn = vi.spyOn(console, 'warn').mockImplementation((...values) => void lines.push(values.map(shown).join(' ')))
  try {
    await writeFile(file, program)
    await import(/* @vite-ignore */ file)
    return lines.map((line) => `${line}\n`).join('')
  } finally {
    log.mockRestore()
    warn.mockRestore()
    await rm(folder, { recursive: true })
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : inspect(value))
