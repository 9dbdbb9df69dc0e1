import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A code block that starts with `// name.ts`, and the `text` block after it: what it prints. */
const EXAMPLE = /```ts\n\/\/ (\S+)\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g

const PAGES = ['middleware/session.md', 'middleware/csrf.md', 'middleware/rate-limiter.md', 'security.md']
const pages = PAGES.map((page) => {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const examples = [...text.matchAll(EXAMPLE)].map(([, name, code, output]) => [name!, code!, output!] as const)
  return { page, text, examples }
})

let folder = ''
beforeAll(() => {
  mkdirSync(join(root, 'test/middleware/fixtures'), { recursive: true })
  folder = mkdtempSync(join(root, 'test/middleware/fixtures/docs-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(pages)('docs/$page', ({ page, text, examples }) => {
  test('every example says what it prints', () => {
    expect(examples.length).toBeGreaterThan(0)
    expect(text.match(/```ts/g)).toHaveLength(examples.length)
  })

  test.each(examples)('%s prints what the text says', async (name, code, output) => {
    const file = join(folder, `${page.replace(/\W/g, '-')}-${name}`)
    writeFileSync(file, code)
    const lines: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
      lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
    })
    await import(/* @vite-ignore */ file).finally(() => log.mockRestore())
    expect(`${lines.join('\n')}\n`).toBe(output)
  })
})
