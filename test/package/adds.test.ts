import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Row = readonly [name: string, bytes: number, beside: number, service: number, target: number]

/** The script is plain JavaScript, which has no declarations. */
const script: string = './adds.mjs'
const { measure }: { measure(): Promise<Row[]> } = await import(script)
const rows = await measure()

test.each(rows)('the page of %s says that it adds %i bytes to an edge bundle with an onResponse', (name, bytes) => {
  const page = readFileSync(new URL(`../../docs/middleware/${name}.md`, import.meta.url), 'utf8')
  const said = Number(/adds ([\d.]+) kB/.exec(page)?.[1])
  expect(Math.abs(said * 1_000 - bytes)).toBeLessThanOrEqual(100)
})

test('all middleware of TARGETS that live here have a row', () => {
  expect(rows).toHaveLength(10)
})
