import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { de } from '../../src/z/locales/de.ts'
import * as mini from '../../src/z/mini.ts'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/z.ts'

const text = readFileSync(new URL('../../docs/z.md', import.meta.url), 'utf8')
const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...given: unknown[]) => Promise<unknown>

/** The statements of a block: types and imports are for the reader, and a line with an arrow says what it gives. */
const lines = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, code], block) => {
  const source = code!.replace(/^(?:type|import) .*\n/gm, '')
  const setup = (source.match(/^const [\s\S]*?(?=\n(?!\s|\}))/gm) ?? []).join('\n')
  return [...source.matchAll(/^(.*?) \/\/ (→|throws) (.*)$/gm)].map(([, line, kind, expected]) => ({
    block,
    setup,
    line: line!,
    kind: kind!,
    expected: expected!,
  }))
})

describe('docs/z.md', () => {
  test('its examples are found', () => {
    expect(lines.length).toBeGreaterThan(50)
  })

  test.each(lines)('block $block: $line', async ({ setup, line, kind, expected }) => {
    const run = (): Promise<unknown> =>
      new AsyncFunction('z', 'de', 'mini', 'toJsonSchema', `${setup}\n;return (${line})`)(z, de, mini, toJsonSchema)
    if (kind === 'throws') return expect(run()).rejects.toThrow(expected)
    const value = await new AsyncFunction(`return (${expected})`)()
    expect(await run()).toEqual(value)
  })

  test('every name of the namespace is on the page or in the table of types', () => {
    const names = Object.keys(z).filter(
      (name) => !/Schema$|^(Schema|ZodError|NEVER|intersection|optional|nullable|strictObject)$/.test(name),
    )
    for (const name of names) expect(text).toContain(name)
  })
})
