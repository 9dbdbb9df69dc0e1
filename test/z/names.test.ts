import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from '../../src/zod3.ts'

test('every name of the namespace z stands in docs/z.md', () => {
  const text = readFileSync(new URL('../../docs/z.md', import.meta.url), 'utf8')
  const names = Object.keys(z).filter(
    (name) => !/Schema$|^Zod|^(Schema|NEVER|intersection|optional|nullable)$/.test(name),
  )
  expect(names.filter((name) => !text.includes(name))).toEqual([])
})
